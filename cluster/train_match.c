/* Playing and storing the matches of the training loop. */
#include "cluster/train_match.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/comm.h"
#include "selfplay/request.h"
#include "selfplay/run_store.h"

enum { HASH_HEX = 2 * DAMA_HASH_SIZE + 1 };
/* Error rates of the promotion test: the usual ones of engine testing. */
static const double error_rate = 0.05;

static void hash_table(const struct dama_weights *weights, char hex[HASH_HEX])
{
    unsigned char hash[DAMA_HASH_SIZE];
    dama_request_weights_hash(weights, hash);
    dama_hash_hex(hash, hex);
}

static struct dama_sprt sprt_of(const struct dama_run_config *config)
{
    return (struct dama_sprt){
        .model = DAMA_MODEL_NORMALISED,
        .elo0 = config->promote_elo0,
        .elo1 = config->promote_elo1,
        .alpha = error_rate,
        .beta = error_rate,
    };
}

/* Everything but the counts follows from the counts. */
static void derive(const struct dama_train_match *match, struct dama_match_result *result)
{
    struct dama_sprt sprt = sprt_of(&match->setup->inputs->config);
    result->elo = dama_elo_of_pairs(&result->pairs);
    result->has_sprt = match->is_promotion;
    result->llr = dama_sprt_llr(&sprt, &result->pairs);
    result->sprt = dama_sprt_judge(&sprt, result->llr);
}

/* True when the stored file is of this match; result is then filled. */
static bool read_result(const struct dama_train_match *match, struct dama_match_result *result)
{
    char challenger[HASH_HEX], holder[HASH_HEX];
    hash_table(match->challenger, challenger);
    hash_table(match->holder, holder);
    json_t *file = json_load_file(match->path, 0, NULL);
    const char *a = NULL, *b = NULL;
    json_int_t wins = 0, draws = 0, losses = 0, games = 0, distinct = 0;
    json_int_t pairs[DAMA_PAIR_KINDS] = {0};
    bool is_same = file &&
                   json_unpack(file, "{s:s,s:s,s:I,s:I,s:I,s:I,s:I,s:[IIIII]}", "a_sha256", &a,
                               "b_sha256", &b, "wins", &wins, "draws", &draws, "losses", &losses,
                               "games", &games, "distinct_games", &distinct, "pairs", &pairs[0],
                               &pairs[1], &pairs[2], &pairs[3], &pairs[4]) == 0 &&
                   !strcmp(a, challenger) && !strcmp(b, holder);
    json_decref(file);
    if (!is_same) {
        return false;
    }
    *result = (struct dama_match_result){
        .wdl = {(uint64_t)wins, (uint64_t)draws, (uint64_t)losses},
        .games = (uint64_t)games,
        .distinct_games = (uint64_t)distinct,
    };
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        result->pairs.count[i] = (uint64_t)pairs[i];
    }
    derive(match, result);
    return true;
}

static bool promotes(const struct dama_match_result *result)
{
    return result->sprt == DAMA_SPRT_H1 || (result->sprt == DAMA_SPRT_RUNNING && result->llr > 0);
}

static enum dama_status store_result(const struct dama_train_match *match,
                                     const struct dama_match_result *r, struct dama_error *err)
{
    char challenger[HASH_HEX], holder[HASH_HEX];
    hash_table(match->challenger, challenger);
    hash_table(match->holder, holder);
    const uint64_t *pairs = r->pairs.count;
    json_t *file = json_pack(
        "{s:s,s:s,s:s,s:s,s:I,s:I,s:I,s:I,s:I,s:[IIIII],s:f,s:f,s:f}", "a", "challenger", "b",
        match->is_promotion ? "holder" : "start", "a_sha256", challenger, "b_sha256", holder,
        "wins", (json_int_t)r->wdl.wins, "draws", (json_int_t)r->wdl.draws, "losses",
        (json_int_t)r->wdl.losses, "games", (json_int_t)r->games, "distinct_games",
        (json_int_t)r->distinct_games, "pairs", (json_int_t)pairs[0], (json_int_t)pairs[1],
        (json_int_t)pairs[2], (json_int_t)pairs[3], (json_int_t)pairs[4], "elo", r->elo.elo,
        "elo_low", r->elo.low, "elo_high", r->elo.high);
    if (file && match->is_promotion) {
        const struct dama_run_config *config = &match->setup->inputs->config;
        json_object_set_new(file, "llr", json_real(r->llr));
        json_object_set_new(file, "elo_model",
                            json_string(dama_elo_model_text(DAMA_MODEL_NORMALISED)));
        json_object_set_new(file, "elo0", json_real(config->promote_elo0));
        json_object_set_new(file, "elo1", json_real(config->promote_elo1));
        json_object_set_new(file, "promoted", json_boolean(promotes(r)));
    }
    char *text = file ? json_dumps(file, JSON_INDENT(1)) : NULL;
    enum dama_status status = text ? dama_file_write(match->path, text, strlen(text), err)
                                   : dama_fail(err, DAMA_MEMORY, "no memory for a match's result");
    free(text);
    json_decref(file);
    return status;
}

static enum dama_status play(const struct dama_train_match *match, struct dama_match_result *result,
                             struct dama_error *err)
{
    const struct dama_run_inputs *inputs = match->setup->inputs;
    const struct dama_run_config *config = &inputs->config;
    struct dama_sprt sprt = sprt_of(config);
    char status_path[DAMA_TRAIN_PATH_SIZE], pairs_folder[DAMA_TRAIN_PATH_SIZE];
    char challenger[HASH_HEX];
    snprintf(status_path, sizeof status_path, "%s/status.json", match->setup->run);
    hash_table(match->challenger, challenger);
    snprintf(pairs_folder, sizeof pairs_folder, "%.*s-%.8s",
             (int)(strlen(match->path) - strlen(".json")), match->path, challenger);
    struct dama_match_setup setup = {
        .ruleset = &inputs->ruleset,
        .players = {{.name = "challenger",
                     .weights = match->challenger,
                     .nodes = (uint64_t)config->match_nodes},
                    {.name = match->is_promotion ? "holder" : "start",
                     .weights = match->holder,
                     .nodes = (uint64_t)config->match_nodes}},
        .draws = dama_run_config_draws(config, &inputs->ruleset.rules),
        .pairs = config->match_pairs,
        .seed = match->seed,
        .table_kb = (size_t)config->table_kb,
        .random_plies = (int)config->random_plies,
        .opening_window = (int)config->opening_window,
        .max_plies = (int)config->max_plies,
        .sprt = match->is_promotion ? &sprt : NULL,
        .threads = match->setup->threads,
        .status_path = status_path,
        .out = pairs_folder,
    };
    return dama_match_run(&setup, result, err);
}

enum dama_status dama_train_match_play(const struct dama_train_match *match,
                                       struct dama_match_result *result, bool *is_promoted,
                                       struct dama_error *err)
{
    bool is_first = dama_comm_rank() == 0;
    bool is_stored = is_first && read_result(match, result);
    dama_comm_broadcast(&is_stored, sizeof is_stored);
    if (!is_stored) {
        DAMA_TRY(play(match, result, err));
        derive(match, result);
        DAMA_TRY(dama_comm_agree(is_first ? store_result(match, result, err) : DAMA_OK, err));
    }
    dama_comm_broadcast(result, sizeof *result);
    *is_promoted = promotes(result);
    return DAMA_OK;
}
