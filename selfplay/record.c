/* Playing one game and writing down every position in which a move was played. */
#include "selfplay/record.h"

#include <stdlib.h>
#include <string.h>

#include "engine/rng.h"

struct dama_record_player {
    const struct dama_recorder *recorder;
    struct dama_searcher *searcher;
    struct dama_game *game;
    struct dama_contest_result result;
};

/* The context of the watch and of the stop callback while one game is played. */
struct recording {
    struct dama_record_player *player;
    struct dama_shard *out;
    struct dama_error *err;
    enum dama_status status;
    bool (*stop)(void *context);
    void *stop_context;
    bool is_stopped;
};

struct dama_record_player *dama_record_player_new(const struct dama_recorder *recorder,
                                                  struct dama_error *err)
{
    struct dama_record_player *player = calloc(1, sizeof *player);
    if (!player) {
        dama_fail(err, DAMA_MEMORY, "no memory for a player");
        return NULL;
    }
    player->recorder = recorder;
    const struct dama_run_config *config = recorder->config;
    const struct dama_rules *rules = &recorder->ruleset->rules;
    player->searcher = dama_searcher_new(rules, recorder->weights, (size_t)config->table_kb, err);
    player->game = dama_game_new(rules, dama_run_config_draws(config, rules), NULL);
    if (!player->searcher || !player->game) {
        dama_fail(err, DAMA_MEMORY, "no memory for a player");
        dama_record_player_free(player);
        return NULL;
    }
    return player;
}

void dama_record_player_free(struct dama_record_player *player)
{
    if (player) {
        dama_searcher_free(player->searcher);
        dama_game_free(player->game);
        free(player);
    }
}

const struct dama_game *dama_record_player_game(const struct dama_record_player *player)
{
    return player->game;
}

struct dama_contest_result dama_record_player_result(const struct dama_record_player *player)
{
    return player->result;
}

static uint8_t row_flags(const struct dama_game *game, bool is_random)
{
    const struct dama_position *position = dama_game_position(game);
    const struct dama_kernel *kernel = game->kernel;
    struct dama_move_list list;
    kernel->generate(game->rules, position, &list);
    int flags = is_random ? DAMA_ROW_RANDOM : 0;
    flags |= kernel->has_capture(game->rules, position) ? DAMA_ROW_CAPTURE : 0;
    flags |= list.count == 1 ? DAMA_ROW_ONLY_MOVE : 0;
    return (uint8_t)flags;
}

struct dama_row dama_record_row(const struct dama_game *game, dama_move move, int score,
                                bool is_random)
{
    int size = game->rules->board_size;
    struct dama_row row = {
        .captured = dama_bits_to_grid(size, dama_move_captured(move)),
        .score = (int16_t)score,
        .ply = (uint16_t)game->ply,
        .from = (uint8_t)dama_bit_square(size, dama_move_from(move)),
        .to = (uint8_t)dama_bit_square(size, dama_move_to(move)),
        .flags = row_flags(game, is_random),
    };
    dama_row_set_position(size, &row, dama_game_position(game));
    return row;
}

static void add_row(struct recording *recording, const struct dama_game *game, dama_move move,
                    int score, bool is_random)
{
    struct dama_row row = dama_record_row(game, move, score, is_random);
    if (recording->status == DAMA_OK) {
        recording->status = dama_shard_add_row(recording->out, &row, recording->err);
    }
}

static void watch(void *context, const struct dama_game *game, dama_move move, int score)
{
    add_row(context, game, move, score, false);
}

static bool stop_search(void *context)
{
    struct recording *recording = context;
    recording->is_stopped =
        recording->is_stopped || (recording->stop && recording->stop(recording->stop_context));
    return recording->is_stopped;
}

/* The rows of the opening's plies, played again from the start on the game's own moves. */
static enum dama_status add_opening_rows(struct recording *recording)
{
    struct dama_record_player *player = recording->player;
    int plies = player->game->ply;
    dama_move *moves = malloc((size_t)(plies + 1) * sizeof *moves);
    if (!moves) {
        return dama_fail(recording->err, DAMA_MEMORY, "no memory for an opening");
    }
    for (int i = 0; i < plies; i++) {
        moves[i] = player->game->plies[i].move;
    }
    struct dama_position start = player->game->plies[0].position;
    dama_game_reset(player->game, &start);
    enum dama_status status = DAMA_OK;
    for (int i = 0; i < plies && status == DAMA_OK; i++) {
        add_row(recording, player->game, moves[i], DAMA_SCORE_NONE, true);
        status = dama_game_play(player->game, moves[i]);
    }
    free(moves);
    return status == DAMA_OK ? recording->status : status;
}

static struct dama_adjudication adjudication_of(const struct dama_run_config *config)
{
    return (struct dama_adjudication){
        .max_plies = (int)config->max_plies,
        .resign_score = (int)config->resign_score,
        .resign_plies = (int)config->resign_plies,
        .draw_score = (int)config->draw_score,
        .draw_plies = (int)config->draw_plies,
        .draw_from = (int)config->draw_from,
    };
}

static enum dama_status play(struct recording *recording)
{
    struct dama_record_player *player = recording->player;
    const struct dama_run_config *config = player->recorder->config;
    struct dama_player side = {
        .searcher = player->searcher,
        .limits = {.nodes = (uint64_t)config->nodes,
                   .depth = (int)config->depth,
                   .stop = stop_search,
                   .context = recording},
    };
    const struct dama_player players[2] = {side, side};
    struct dama_adjudication adjudication = adjudication_of(config);
    dama_searcher_clear(player->searcher);
    player->result = dama_contest_play(player->game, players, &adjudication, watch, recording);
    if (recording->is_stopped) {
        return dama_fail(recording->err, DAMA_STOPPED, "stopped on request");
    }
    return recording->status;
}

void dama_record_label(struct dama_shard *out, size_t first_row, int result)
{
    for (size_t i = first_row; i < out->rows; i++) {
        out->row[i].result = (int8_t)(out->row[i].side_to_move == DAMA_WHITE ? result : -result);
    }
}

enum dama_status dama_record_game(struct dama_record_player *player, uint64_t number,
                                  bool (*stop)(void *context), void *context,
                                  struct dama_shard *out, struct dama_error *err)
{
    const struct dama_run_config *config = player->recorder->config;
    uint64_t seed = (uint64_t)config->seed;
    bool is_paired = !strcmp(config->paired, "true");
    struct recording recording = {
        .player = player, .out = out, .err = err, .stop = stop, .stop_context = context};
    dama_shard_clear(out);
    dama_searcher_clear(player->searcher);
    const struct dama_opening_wish wish = {.seed = seed,
                                           .number = is_paired ? number / 2 : number,
                                           .high = (int)config->opening_window};
    uint64_t opening =
        dama_opening_choose(player->recorder->book, player->searcher, &wish, player->game);
    DAMA_TRY(add_opening_rows(&recording));
    DAMA_TRY(play(&recording));
    dama_record_label(out, 0, player->result.result);
    struct dama_rng key = dama_rng_make(seed, DAMA_RNG_GAME, number);
    struct dama_game_row game = {
        .id = number,
        .rows = (uint32_t)out->rows,
        .plies = (uint16_t)player->game->ply,
        .result = (int8_t)player->result.result,
        .termination = (uint8_t)player->result.termination,
        .opening = opening,
        .seed = dama_rng_next64(&key),
    };
    return dama_shard_add_game(out, &game, err);
}

/* FNV-1a over 64-bit words (Fowler, Noll, Vo): enough to tell games apart, no defence against an
 * enemy. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
    const uint64_t prime = UINT64_C(0x100000001b3);
    hash = (hash ^ word) * prime;
    return hash ^ hash >> 32;
}

static uint64_t mix_position(uint64_t hash, const struct dama_row *row)
{
    hash = mix(hash, row->white_men);
    hash = mix(hash, row->white_kings);
    hash = mix(hash, row->black_men);
    hash = mix(hash, row->black_kings);
    return mix(hash, row->side_to_move);
}

struct dama_record_identity dama_record_identify(const struct dama_row *rows, size_t count)
{
    const uint64_t basis = UINT64_C(0xcbf29ce484222325);
    struct dama_record_identity identity = {basis, basis};
    size_t opening = 0;
    while (opening < count && rows[opening].flags & DAMA_ROW_RANDOM) {
        opening++;
    }
    if (opening < count) {
        identity.opening = mix_position(identity.opening, &rows[opening]);
    }
    for (size_t i = 0; i < count; i++) {
        identity.game = mix_position(identity.game, &rows[i]);
        identity.game = mix(identity.game, (uint64_t)rows[i].from << 8 | rows[i].to);
        identity.game = mix(identity.game, rows[i].captured);
    }
    return identity;
}
