/* Shards of random games for the tuner's tests. */
#include "tuner_games.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cluster/run_folder.h"
#include "engine/evaluate.h"
#include "engine/rng.h"
#include "engine/cli/temporary.h"
#include "support.h"

/* Row of the position, with a random legal move. Returns the move, DAMA_MOVE_NONE at the end. */
static dama_move next_row(const struct dama_ruleset *ruleset, const struct dama_position *position,
                          struct dama_rng *rng, struct dama_row *row)
{
    static struct dama_move_list list;
    int size = ruleset->rules.board_size;
    ruleset->kernel->generate(&ruleset->rules, position, &list);
    if (list.count == 0) {
        return DAMA_MOVE_NONE;
    }
    dama_move move = list.moves[dama_rng_below(rng, (uint32_t)list.count)];
    *row = (struct dama_row){.side_to_move = (uint8_t)position->side,
                             .from = (uint8_t)dama_bit_square(size, dama_move_from(move)),
                             .to = (uint8_t)dama_bit_square(size, dama_move_to(move)),
                             .captured = dama_bits_to_grid(size, dama_move_captured(move))};
    dama_row_set_position(size, row, position);
    bool has_capture = ruleset->kernel->has_capture(&ruleset->rules, position);
    row->flags = (uint8_t)((has_capture ? DAMA_ROW_CAPTURE : 0) |
                           (list.count == 1 ? DAMA_ROW_ONLY_MOVE : 0));
    return move;
}

/* Plays until the game ends or is capped; rows go to the shard without results. */
static struct dama_game_row play(struct dama_shard *out, const struct dama_ruleset *ruleset,
                                 struct dama_game *game, struct dama_rng *rng, int plies_max)
{
    enum { OPENING_PLIES = 4, FAR_OFF_EVERY = 11, FAR_OFF = 3000 };
    dama_game_reset(game, NULL);
    struct dama_game_row entry = {.first_row = out->rows};
    struct dama_game_state end = dama_game_state(game);
    while (end.termination == DAMA_END_ONGOING && game->ply < plies_max) {
        struct dama_row row;
        dama_move move = next_row(ruleset, dama_game_position(game), rng, &row);
        row.game = (uint32_t)out->games;
        row.ply = (uint16_t)game->ply;
        row.flags |= game->ply < OPENING_PLIES ? DAMA_ROW_RANDOM : 0;
        row.score = game->ply % FAR_OFF_EVERY == FAR_OFF_EVERY - 1 ? FAR_OFF : 0;
        assert_int_equal(dama_shard_add_row(out, &row, NULL), DAMA_OK);
        assert_int_equal(dama_game_play(game, move), DAMA_OK);
        end = dama_game_state(game);
    }
    entry.rows = (uint32_t)game->ply;
    entry.plies = (uint16_t)game->ply;
    entry.result = (int8_t)end.result;
    entry.termination =
        (uint8_t)(end.termination == DAMA_END_ONGOING ? DAMA_END_PLY_CAP : end.termination);
    return entry;
}

void random_games(struct dama_shard *out, const struct dama_ruleset *ruleset, uint64_t first_game,
                  int games, int plies_max)
{
    dama_shard_clear(out);
    struct dama_game *game = dama_game_new(&ruleset->rules, DAMA_DRAWS_SITE, NULL);
    assert_non_null(game);
    for (int g = 0; g < games; g++) {
        uint64_t id = first_game + (uint64_t)g;
        struct dama_rng rng = dama_rng_make(7, DAMA_RNG_TEST, id);
        struct dama_game_row entry = play(out, ruleset, game, &rng, plies_max);
        entry.id = id;
        entry.seed = dama_rng_next64(&rng);
        entry.opening = id;
        for (size_t r = entry.first_row; r < out->rows; r++) {
            bool is_white = out->row[r].side_to_move == DAMA_WHITE;
            out->row[r].result = (int8_t)(is_white ? entry.result : -entry.result);
        }
        assert_int_equal(dama_shard_add_game(out, &entry, NULL), DAMA_OK);
    }
    dama_game_free(game);
}

/* The table's score of a position for the side to move, not rounded. */
static double exact_score(const struct dama_ruleset *ruleset, const struct dama_position *position,
                          const struct dama_weights *table)
{
    struct dama_trace trace;
    ruleset->kernel->trace(&ruleset->rules, position, &trace);
    return (double)dama_trace_sum(&trace, table) / trace.phase_max;
}

static void add_single(struct dama_shard *out, struct dama_row row, int result)
{
    row.game = (uint32_t)out->games;
    row.result = (int8_t)result;
    struct dama_game_row entry = {.id = out->games,
                                  .first_row = out->rows,
                                  .rows = 1,
                                  .plies = 1,
                                  .result =
                                      (int8_t)(row.side_to_move == DAMA_WHITE ? result : -result),
                                  .termination = DAMA_END_NO_MOVE,
                                  .seed = out->games};
    assert_int_equal(dama_shard_add_row(out, &row, NULL), DAMA_OK);
    assert_int_equal(dama_shard_add_game(out, &entry, NULL), DAMA_OK);
}

void model_games(struct dama_shard *out, const struct dama_ruleset *ruleset,
                 const struct dama_weights *table, uint64_t seed, int rows)
{
    const double logits_max = 4;
    struct dama_rng rng = dama_rng_make(seed, DAMA_RNG_TEST, 0);
    dama_shard_clear(out);
    while (out->games < (size_t)rows) {
        struct dama_position position = random_position(&ruleset->rules, &rng);
        double logit = exact_score(ruleset, &position, table) * table->slope_ppm * 1e-6;
        struct dama_row row;
        if (fabs(logit) > logits_max ||
            next_row(ruleset, &position, &rng, &row) == DAMA_MOVE_NONE ||
            row.flags & DAMA_ROW_CAPTURE) {
            continue;
        }
        double probability = 1 / (1 + exp(-logit));
        add_single(out, row, dama_rng_next32(&rng) < probability * 4294967296.0 ? 1 : -1);
    }
}

void make_folder(char path[64])
{
    /* On a file system in memory, if there is one: writing a shard waits for the disk. */
    const char *base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    assert_true(dama_temporary_name(base, "dama-test", "", path, 64));
    assert_non_null(mkdtemp(path));
}

void remove_folder(const char *path)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    assert_int_equal(system(command), 0);
}

void shard_path(const char *folder, const struct dama_ruleset *ruleset, int block, char path[128])
{
    int length = snprintf(path, 128, "%s/shards/%s-%06d.h5", folder, ruleset->rules.name, block);
    assert_true(length < 128);
}

void save_shard(const char *folder, const struct dama_ruleset *ruleset, int block,
                const struct dama_shard *shard)
{
    struct dama_error err = {0};
    char path[128];
    snprintf(path, sizeof path, "%s/shards", folder);
    assert_int_equal(dama_folder_make(path, &err), DAMA_OK);
    struct dama_shard_origin origin = {.variant = ruleset->rules.name,
                                       .board_size = ruleset->rules.board_size,
                                       .men = dama_rules_men(&ruleset->rules),
                                       .request = "seed = 7\n"};
    memcpy(origin.rules_hash, ruleset->hash, DAMA_HASH_SIZE);
    memcpy(origin.features_hash, dama_features_hash, DAMA_HASH_SIZE);
    shard_path(folder, ruleset, block, path);
    struct dama_shard_header header;
    if (dama_shard_save(path, shard, &origin, &header, &err) != DAMA_OK) {
        fail_msg("%s", err.text);
    }
}

void save_random_run(const char *folder, const struct dama_ruleset *ruleset, int shards, int games)
{
    enum { PLIES_MAX = 150 };
    struct dama_shard shard = {0};
    for (int block = 0; block < shards; block++) {
        random_games(&shard, ruleset, (uint64_t)block * (uint64_t)games, games, PLIES_MAX);
        shard.block = (uint64_t)block;
        save_shard(folder, ruleset, block, &shard);
    }
    dama_shard_free(&shard);
}
