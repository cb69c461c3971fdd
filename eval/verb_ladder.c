/* dama ladder: one rating list over levels, tables and engines. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/comm.h"
#include "cluster/log.h"
#include "cluster/run_folder.h"
#include "engine/signature.h"
#include "eval/eval_verbs.h"
#include "eval/ladder_report.h"
#include "eval/opening_set.h"
#include "eval/player_spec.h"

enum {
    NOT_GIVEN = -1,
    NAMES_SIZE = 8192,
    IDENTITY_SIZE = DAMA_SPEC_SIZE + 256,
    REQUEST_SIZE = 1024,
    SHORT_HASH = 8,
    PAIRS_OF_A_SITTING = 10,
    PAIRS_MAX = 1000,
};
static const double default_width = 40;

struct arguments {
    struct dama_run_options run;
    const char *out, *players, *anchor, *openings;
    struct dama_texts more_players;
    int64_t nodes, depth, threads, seed, batch, pairs_max;
    double width;
    bool json;
};

/* One player of the list, with what its seat points to. */
struct entry {
    struct dama_player_spec spec;
    char identity[IDENTITY_SIZE];
};

struct ladder {
    struct dama_run_inputs inputs;
    char names[NAMES_SIZE]; /* the list, cut at its commas */
    struct entry entries[DAMA_RATING_PLAYERS_MAX];
    struct dama_ladder_player players[DAMA_RATING_PLAYERS_MAX];
    struct dama_opening_set *openings;
    bool has_openings; /* asked for by name: part of the request */
    char request[REQUEST_SIZE];
    struct dama_ladder_setup setup;
    struct dama_ladder_result result;
};

static const char default_players[] = "random,beginner,material,easy,medium,shipped,hard";
static const char ladder_details[] =
    "Players are named as in `dama match`; --player takes one whose name has a comma, such as an "
    "engine, and may be repeated. Levels and partners play by their own limits, tables and engines "
    "by --nodes or --depth. Ratings are by maximum likelihood (Bradley-Terry with draws, after "
    "Davidson); the anchor is 0. Who meets next is who narrows the widest error bars most, until "
    "each is --width or less. DIR keeps results and games: the same command goes on where it was "
    "stopped, and further players may be added.";

static struct arguments parse(int argc, char **argv)
{
    struct arguments a = {.players = default_players,
                          .seed = NOT_GIVEN,
                          .width = default_width,
                          .batch = PAIRS_OF_A_SITTING,
                          .pairs_max = PAIRS_MAX};
    const struct dama_option options[] = {
        dama_option_variant(&a.run.common),
        dama_option_rules(&a.run.common),
        {"out", DAMA_OPTION_TEXT, &a.out, "DIR", "keeps results and games", 0, 0},
        {"players", DAMA_OPTION_TEXT, &a.players, "X,Y,...",
         "default random,beginner,material,easy,medium,shipped,hard", 0, 0},
        {"player", DAMA_OPTION_TEXTS, &a.more_players, "X", "one more player", 0, 0},
        {"anchor", DAMA_OPTION_TEXT, &a.anchor, "X",
         "its rating is 0 (default material, else the first)", 0, 0},
        {"width", DAMA_OPTION_NUMBER, &a.width, "ELO", "longest error bar (default 40)", 0, 0},
        {"openings", DAMA_OPTION_TEXT, &a.openings, "WHICH", "as in dama match (default random)", 0,
         0},
        dama_option_weights(&a.run.common, "the table that levels play with"),
        {"nodes", DAMA_OPTION_INT, &a.nodes, "N", "nodes a move of tables and engines", 1,
         INT64_MAX},
        {"depth", DAMA_OPTION_INT, &a.depth, "N", "plies a move of tables and engines", 1,
         DAMA_DEPTH_MAX},
        {"batch", DAMA_OPTION_INT, &a.batch, "N",
         "pairs of a first sitting of two players, each later one has so many more (default 10)", 1,
         100000},
        {"max-pairs", DAMA_OPTION_INT, &a.pairs_max, "N",
         "pairs of two players at most (default 1000)", 1, 10000000},
        dama_option_seed(&a.seed, "of openings and of levels"),
        dama_option_threads(&a.threads, "playing threads of a rank"),
        dama_option_config(&a.run.config_file),
        dama_option_set(&a.run.sets),
        dama_option_json(&a.json, "the result as JSON"),
        {0},
    };
    const struct dama_usage usage = {
        .verb = "ladder",
        .arguments = "",
        .summary = "Rate levels, tables and engines in one list.",
        .details = ladder_details,
        .options = options,
    };
    dama_options_parse(&usage, argc, argv, NULL);
    if (!a.out) {
        dama_options_fail(&usage, "expected --out DIR");
    }
    if (!(a.width > 0)) {
        dama_options_fail(&usage, "--width: expected more than 0 Elo, found %g", a.width);
    }
    return a;
}

static void describe(struct entry *entry, const struct dama_match_player *seat)
{
    unsigned char bytes[DAMA_WEIGHTS_MAX_BYTES];
    unsigned char hash[DAMA_HASH_SIZE];
    char hex[2 * DAMA_HASH_SIZE + 1] = "";
    char limits[96] = "";
    if (seat->weights) {
        dama_sha256(bytes, dama_weights_encode(seat->weights, bytes), hash);
        dama_hash_hex(hash, hex);
    }
    snprintf(limits, sizeof limits, "nodes %" PRIu64 " depth %d",
             seat->level ? seat->level->nodes : seat->nodes,
             seat->level ? seat->level->depth : seat->depth);
    if (seat->engine) {
        snprintf(entry->identity, IDENTITY_SIZE, "engine %s", limits);
    } else if (seat->level && seat->level->random_in == 1) {
        snprintf(entry->identity, IDENTITY_SIZE, "any legal move");
    } else if (seat->level) {
        snprintf(entry->identity, IDENTITY_SIZE, "%s noise %d margin %d random %d table %.*s",
                 limits, seat->level->noise, seat->level->margin, seat->level->random_in,
                 SHORT_HASH, hex);
    } else {
        snprintf(entry->identity, IDENTITY_SIZE, "%s table %.*s", limits, SHORT_HASH, hex);
    }
}

static enum dama_status add_player(struct ladder *ladder, const struct arguments *a,
                                   const char *name, struct dama_error *err)
{
    int number = ladder->setup.player_count;
    if (number == DAMA_RATING_PLAYERS_MAX) {
        return dama_fail(err, DAMA_USAGE, "--players: expected at most %d",
                         DAMA_RATING_PLAYERS_MAX);
    }
    struct entry *entry = &ladder->entries[number];
    struct dama_player_limits limits = {.nodes = (uint64_t)a->nodes, .depth = (int)a->depth};
    DAMA_TRY(dama_player_spec_read(name, &a->run.common, &ladder->inputs, &entry->spec, err));
    if (*entry->spec.level) {
        limits = (struct dama_player_limits){0};
    }
    struct dama_ladder_player *player = &ladder->players[number];
    player->seat = dama_player_spec_seat(&entry->spec, &ladder->inputs, &limits);
    player->name = player->seat.name;
    describe(entry, &player->seat);
    player->identity = entry->identity;
    for (int i = 0; i < number; i++) {
        if (strcmp(ladder->players[i].name, player->name) == 0) {
            return dama_fail(err, DAMA_USAGE,
                             "--players: expected different names, found '%s' twice", player->name);
        }
    }
    ladder->setup.player_count++;
    return DAMA_OK;
}

static enum dama_status find_anchor(struct ladder *ladder, const struct arguments *a,
                                    struct dama_error *err)
{
    const char *wanted = a->anchor ? a->anchor : "material";
    ladder->setup.anchor = a->anchor ? NOT_GIVEN : 0;
    for (int i = 0; i < ladder->setup.player_count; i++) {
        if (strcmp(ladder->players[i].name, wanted) == 0) {
            ladder->setup.anchor = i;
        }
    }
    if (ladder->setup.anchor == NOT_GIVEN) {
        return dama_fail(err, DAMA_USAGE, "--anchor: expected one of the players, found '%s'",
                         wanted);
    }
    return DAMA_OK;
}

static enum dama_status read_players(struct ladder *ladder, const struct arguments *a,
                                     struct dama_error *err)
{
    snprintf(ladder->names, sizeof ladder->names, "%s", a->players);
    char *rest = NULL;
    for (char *name = strtok_r(ladder->names, ",", &rest); name;
         name = strtok_r(NULL, ",", &rest)) {
        DAMA_TRY(add_player(ladder, a, name, err));
    }
    for (int i = 0; i < a->more_players.count; i++) {
        DAMA_TRY(add_player(ladder, a, a->more_players.at[i], err));
    }
    if (ladder->setup.player_count < 2) {
        return dama_fail(err, DAMA_USAGE, "--players: expected at least two, found %d",
                         ladder->setup.player_count);
    }
    return find_anchor(ladder, a, err);
}

/* What the sittings depend on but for the players. */
static void format_request(struct ladder *ladder)
{
    const struct dama_match_setup *match = &ladder->setup.match;
    char rules[2 * DAMA_HASH_SIZE + 1];
    dama_hash_hex(ladder->inputs.ruleset.hash, rules);
    snprintf(ladder->request, sizeof ladder->request,
             "{\"rules\":\"%.*s\",\"engine\":\"%08x\",\"draw_rules\":\"%s\",\"seed\":\"%" PRIu64
             "\",\"batch\":\"%d\",\"random_plies\":\"%d\",\"opening_window\":\"%d\","
             "\"max_plies\":\"%d\",\"table_kb\":\"%zu\"}",
             SHORT_HASH, rules, DAMA_ENGINE_SIGNATURE, dama_draw_rules_text(match->draws),
             ladder->setup.seed, ladder->setup.batch_pairs, match->random_plies,
             match->opening_window, match->max_plies, match->table_kb);
    if (ladder->has_openings) {
        unsigned char hash[DAMA_HASH_SIZE];
        char hex[2 * DAMA_HASH_SIZE + 1];
        size_t end = strlen(ladder->request) - 1;
        dama_opening_set_hash(match->openings, hash);
        dama_hash_hex(hash, hex);
        snprintf(ladder->request + end, sizeof ladder->request - end, ",\"openings\":\"%.*s\"}",
                 SHORT_HASH, hex);
    }
}

static enum dama_status make_openings(struct ladder *ladder, const struct arguments *a,
                                      struct dama_error *err)
{
    const struct dama_opening_request request = {
        .source = a->openings,
        .random_plies = (int)ladder->inputs.config.random_plies,
        .window = (int)ladder->inputs.config.opening_window,
    };
    ladder->openings = dama_opening_set_new(&ladder->inputs.ruleset, &request, err);
    ladder->has_openings = a->openings != NULL;
    return ladder->openings ? DAMA_OK : err->status;
}

static void fill_setup(struct ladder *ladder, const struct arguments *a)
{
    const struct dama_run_config *config = &ladder->inputs.config;
    struct dama_ladder_setup *setup = &ladder->setup;
    setup->folder = a->out;
    setup->match = (struct dama_match_setup){
        .ruleset = &ladder->inputs.ruleset,
        .draws = dama_run_config_draws(config, &ladder->inputs.ruleset.rules),
        .table_kb = (size_t)config->table_kb,
        .openings = ladder->openings,
        .random_plies = (int)config->random_plies,
        .opening_window = (int)config->opening_window,
        .max_plies = (int)config->max_plies,
        .threads = dama_comm_threads(a->threads),
    };
    setup->request = ladder->request;
    setup->players = ladder->players;
    setup->seed = (uint64_t)(a->seed == NOT_GIVEN ? config->seed : a->seed);
    setup->width = a->width;
    setup->batch_pairs = (int)a->batch;
    setup->pairs_max = a->pairs_max;
    format_request(ladder);
}

/* Repeated games are counted as if they told something new. */
static void warn_of_repeats(const struct ladder *ladder)
{
    const struct dama_ladder_result *result = &ladder->result;
    uint64_t openings = dama_opening_set_size(ladder->openings);
    if (result->most_pairs > openings) {
        dama_log_warn("up to %" PRIu64 " pairs of two players from %" PRIu64
                      " openings: players without randomness repeat their games, and the error "
                      "bars are too short",
                      result->most_pairs, openings);
    }
    if (result->distinct_games < result->games) {
        dama_log_warn("%" PRIu64 " of %" PRIu64
                      " games repeat one of their own sitting; another --openings gives more",
                      result->games - result->distinct_games, result->games);
    }
}

static enum dama_status run(struct ladder *ladder, const struct arguments *a,
                            struct dama_error *err)
{
    DAMA_TRY(dama_run_inputs_load(&a->run, &ladder->inputs, err));
    DAMA_TRY(read_players(ladder, a, err));
    DAMA_TRY(make_openings(ladder, a, err));
    fill_setup(ladder, a);
    dama_stop_install();
    DAMA_TRY(dama_ladder_run(&ladder->setup, &ladder->result, err));
    if (dama_comm_rank() != 0) {
        return DAMA_OK;
    }
    if (a->json) {
        dama_ladder_print_json(&ladder->setup, &ladder->result);
    } else {
        dama_ladder_print(&ladder->setup, &ladder->result);
    }
    warn_of_repeats(ladder);
    if (ladder->result.widest > a->width) {
        dama_log_warn("the widest error bar is +-%.1f Elo, expected %.1f: raise --max-pairs",
                      ladder->result.widest, a->width);
    }
    return DAMA_OK;
}

int dama_verb_ladder(int argc, char **argv)
{
    struct arguments a = parse(argc, argv);
    struct dama_error err = {0};
    struct ladder *ladder = calloc(1, sizeof *ladder);
    if (!ladder) {
        dama_fail(&err, DAMA_MEMORY, "no memory for a ladder");
        return dama_verb_fail(&err);
    }
    enum dama_status status = run(ladder, &a, &err);
    dama_opening_set_free(ladder->openings);
    free(ladder);
    return status == DAMA_OK ? DAMA_EXIT_DONE : dama_verb_fail(&err);
}
