/* Checking stored games against the rules and against the engine. */
#include "selfplay/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/comm.h"
#include "cluster/log.h"
#include "cluster/run_folder.h"
#include "engine/rng.h"

/* One game being replayed against its rows. */
struct check {
    const struct dama_stored_run *run;
    const struct dama_shard *shard;
    const struct dama_game_row *stored;
    struct dama_game *game;
};

static enum dama_status bad_row(const struct check *check, size_t row, const char *reason,
                                struct dama_error *err)
{
    return dama_fail(err, DAMA_CORRUPT, "row %lu (game %lu, ply %d): %s", (unsigned long long)row,
                     (unsigned long long)check->stored->id, check->game->ply, reason);
}

/* The legal move that a row stores; DAMA_MOVE_NONE when there is none. */
static dama_move find_move(const struct dama_game *game, const struct dama_move_list *list,
                           const struct dama_row *row)
{
    int size = game->rules->board_size;
    int from = dama_square_bit(size, row->from);
    int to = dama_square_bit(size, row->to);
    uint64_t captured = dama_bits_from_grid(size, row->captured);
    for (int i = 0; i < list->count; i++) {
        dama_move move = list->moves[i];
        if (dama_move_from(move) == from && dama_move_to(move) == to &&
            dama_move_captured(move) == captured) {
            return move;
        }
    }
    return DAMA_MOVE_NONE;
}

static enum dama_status check_row(const struct check *check, size_t number, struct dama_error *err)
{
    const struct dama_row *row = &check->shard->row[number];
    const struct dama_position *position = dama_game_position(check->game);
    struct dama_position stored = dama_row_position(check->game->rules->board_size, row);
    if (row->ply != check->game->ply) {
        return bad_row(check, number, "the ply does not follow from the rows before", err);
    }
    if (!dama_position_equal(position, &stored)) {
        return bad_row(check, number, "the position does not follow from the moves before", err);
    }
    int result = check->stored->result;
    if (row->result != (position->side == DAMA_WHITE ? result : -result)) {
        return bad_row(check, number, "the label is not the game's result", err);
    }
    struct dama_move_list list;
    check->game->kernel->generate(check->game->rules, position, &list);
    bool has_capture = check->game->kernel->has_capture(check->game->rules, position);
    if (!!(row->flags & DAMA_ROW_CAPTURE) != has_capture ||
        !!(row->flags & DAMA_ROW_ONLY_MOVE) != (list.count == 1)) {
        return bad_row(check, number, "the flags are not those of the position", err);
    }
    dama_move move = find_move(check->game, &list, row);
    if (move == DAMA_MOVE_NONE) {
        return bad_row(check, number, "the move is not legal", err);
    }
    return dama_game_play(check->game, move) == DAMA_OK
               ? DAMA_OK
               : dama_fail(err, DAMA_MEMORY, "no memory for a game");
}

/* Whether the way the game is said to have ended fits its last position. */
static bool end_fits(const struct check *check)
{
    struct dama_game_state state = dama_game_state(check->game);
    const struct dama_game_row *stored = check->stored;
    const struct dama_run_config *config = &check->run->config;
    bool is_imported = check->run->source == DAMA_SOURCE_IMPORT;
    /* People may play on where a draw rule would end the game. */
    bool is_open = state.termination == DAMA_END_ONGOING ||
                   (is_imported && state.termination != DAMA_END_NO_MOVE);
    switch (stored->termination) {
    case DAMA_END_NO_MOVE:
    case DAMA_END_DRAW_RULE:
    case DAMA_END_REPETITION:
        return state.termination == (enum dama_termination)stored->termination &&
               state.result == stored->result;
    case DAMA_END_PLY_CAP:
        return state.termination == DAMA_END_ONGOING && stored->result == 0 &&
               stored->plies >= config->max_plies;
    case DAMA_END_RESIGNED:
        return is_open && stored->result != 0 && (is_imported || config->resign_score > 0);
    default:
        return is_open && stored->result == 0 && (is_imported || config->draw_plies > 0);
    }
}

/* Back to where the game starts. */
static enum dama_status set_start(const struct check *check, struct dama_error *err)
{
    const struct dama_rules *rules = check->game->rules;
    dama_game_reset(check->game, NULL);
    if (check->run->source != DAMA_SOURCE_IMPORT) {
        return DAMA_OK;
    }
    if (check->stored->rows == 0) {
        return dama_fail(err, DAMA_CORRUPT, "game %lu: an imported game without rows",
                         (unsigned long long)check->stored->id);
    }
    const struct dama_row *first = &check->shard->row[check->stored->first_row];
    struct dama_position start = dama_row_position(rules->board_size, first);
    struct dama_error reason = {0};
    if (dama_position_check(rules, &start, &reason) != DAMA_OK ||
        dama_position_check_moves(rules, &start, &reason) != DAMA_OK) {
        return bad_row(check, check->stored->first_row, reason.text, err);
    }
    dama_game_reset(check->game, &start);
    return DAMA_OK;
}

static enum dama_status check_game(struct check *check, struct dama_error *err)
{
    const struct dama_game_row *stored = check->stored;
    bool is_imported = check->run->source == DAMA_SOURCE_IMPORT;
    DAMA_TRY(set_start(check, err));
    for (size_t i = 0; i < stored->rows; i++) {
        if (i > 0 && !is_imported && dama_game_state(check->game).termination != DAMA_END_ONGOING) {
            return bad_row(check, stored->first_row + i, "the game was over before", err);
        }
        DAMA_TRY(check_row(check, stored->first_row + i, err));
    }
    if (!end_fits(check)) {
        return bad_row(check, stored->first_row + stored->rows - 1,
                       "the end that is stored is not the game's", err);
    }
    return DAMA_OK;
}

enum dama_status dama_verify_game(const struct dama_stored_run *run, const struct dama_shard *shard,
                                  size_t index, struct dama_game *game, struct dama_error *err)
{
    struct check check = {.run = run, .shard = shard, .stored = &shard->game[index], .game = game};
    return check_game(&check, err);
}

enum dama_status dama_verify_shard(const struct dama_stored_run *run,
                                   const struct dama_shard *shard, struct dama_error *err)
{
    const struct dama_rules *rules = &run->ruleset.rules;
    struct dama_game *game = dama_game_new(rules, dama_run_config_draws(&run->config, rules), NULL);
    if (!game) {
        return dama_fail(err, DAMA_MEMORY, "no memory for a game");
    }
    enum dama_status status = DAMA_OK;
    for (size_t g = 0; g < shard->games && status == DAMA_OK; g++) {
        status = dama_verify_game(run, shard, g, game, err);
    }
    dama_game_free(game);
    return status;
}

static bool rows_equal(const struct dama_row *a, const struct dama_row *b)
{
    return a->white_men == b->white_men && a->white_kings == b->white_kings &&
           a->black_men == b->black_men && a->black_kings == b->black_kings &&
           a->captured == b->captured && a->score == b->score && a->ply == b->ply &&
           a->side_to_move == b->side_to_move && a->from == b->from && a->to == b->to &&
           a->flags == b->flags && a->result == b->result;
}

enum dama_status dama_verify_replay(struct dama_record_player *player,
                                    const struct dama_shard *shard, size_t index,
                                    struct dama_error *err)
{
    const struct dama_game_row *stored = &shard->game[index];
    struct dama_shard again = {0};
    enum dama_status status = dama_record_game(player, stored->id, NULL, NULL, &again, err);
    size_t common = again.rows < stored->rows ? again.rows : stored->rows;
    for (size_t i = 0; i < common && status == DAMA_OK; i++) {
        size_t row = stored->first_row + i;
        if (!rows_equal(&shard->row[row], &again.row[i])) {
            status = dama_fail(err, DAMA_CORRUPT,
                               "row %lu (game %lu, ply %d): played again, the game differs here",
                               (unsigned long long)row, (unsigned long long)stored->id,
                               (int)again.row[i].ply);
        }
    }
    if (status == DAMA_OK &&
        (again.rows != stored->rows || again.game[0].termination != stored->termination ||
         again.game[0].opening != stored->opening || again.game[0].seed != stored->seed)) {
        status = dama_fail(err, DAMA_CORRUPT,
                           "game %lu: played again it has %lu rows and ends by %s, stored are %u "
                           "rows and %s",
                           (unsigned long long)stored->id, (unsigned long long)again.rows,
                           dama_termination_text(again.game[0].termination), stored->rows,
                           dama_termination_text(stored->termination));
    }
    dama_shard_free(&again);
    return status;
}

/* The walk over a run: this rank takes every size-th shard. */
struct walk {
    struct dama_verify_report *report;
    double replay_share;
    bool is_quick;
    uint64_t number; /* of the shard, over all folders */
    const char *folder;
    struct dama_stored_run run;
    struct dama_recorder recorder;
    struct dama_record_player *player; /* NULL when nothing is played again */
};

/* Chosen by the game's number alone, so that every rank and every call chooses the same games. */
static bool is_replayed(uint64_t game, double share)
{
    struct dama_rng rng = dama_rng_make(game, DAMA_RNG_REPLAY, game);
    return (double)dama_rng_next32(&rng) < share * 4294967296.0;
}

/* A shard lies in the file of its block. */
static enum dama_status check_name(const struct walk *walk, const char *path, uint64_t block,
                                   struct dama_error *err)
{
    char expected[DAMA_PATH_SIZE];
    dama_block_path(walk->folder, walk->run.ruleset.rules.name, (int64_t)block, expected,
                    sizeof expected);
    return strcmp(path, expected) == 0
               ? DAMA_OK
               : dama_fail(err, DAMA_MISMATCH, "%s: holds block %lu, whose file is %s", path,
                           (unsigned long long)block, expected);
}

static void count(struct walk *walk, const struct dama_shard_header *header)
{
    walk->report->games += header->games;
    walk->report->rows += header->rows;
    walk->report->bytes += header->bytes;
}

static enum dama_status verify_bytes(struct walk *walk, const char *path, struct dama_error *err)
{
    struct dama_shard_header header;
    DAMA_TRY(dama_shard_check_bytes(path, &header, err));
    count(walk, &header);
    return check_name(walk, path, header.block, err);
}

static enum dama_status verify_file(struct walk *walk, const char *path, struct dama_error *err)
{
    if (walk->is_quick) {
        return verify_bytes(walk, path, err);
    }
    struct dama_shard shard = {0};
    struct dama_shard_header header;
    enum dama_status status = dama_shard_load(path, &walk->run.origin, &shard, &header, err);
    if (status == DAMA_OK) {
        count(walk, &header);
        status = check_name(walk, path, shard.block, err);
        if (status == DAMA_OK) {
            status = dama_verify_shard(&walk->run, &shard, err);
        }
        if (status != DAMA_OK && status != DAMA_MISMATCH) {
            dama_error_prefix(err, path);
        }
    }
    for (size_t g = 0; status == DAMA_OK && walk->player && g < shard.games; g++) {
        if (is_replayed(shard.game[g].id, walk->replay_share)) {
            walk->report->replayed++;
            status = dama_verify_replay(walk->player, &shard, g, err);
            if (status != DAMA_OK) {
                dama_error_prefix(err, path);
            }
        }
    }
    dama_shard_free(&shard);
    return status;
}

static enum dama_status visit_shard(void *context, const char *path, struct dama_error *err)
{
    struct walk *walk = context;
    (void)err;
    if ((int)(walk->number++ % (uint64_t)dama_comm_size()) != dama_comm_rank()) {
        return DAMA_OK;
    }
    struct dama_error error = {0};
    walk->report->shards++;
    if (verify_file(walk, path, &error) != DAMA_OK) {
        walk->report->bad_shards++;
        dama_log_warn("%s", error.text);
    }
    return DAMA_OK;
}

static enum dama_status visit_folder(void *context, const char *folder, struct dama_error *err)
{
    struct walk *walk = context;
    walk->folder = folder;
    DAMA_TRY(dama_stored_run_open(folder, &walk->run, err));
    if (walk->replay_share <= 0) {
        return dama_run_shards_visit(folder, visit_shard, walk, err);
    }
    DAMA_TRY(dama_stored_run_check_engine(&walk->run, err));
    struct dama_opening_book *book =
        dama_opening_book_new(&walk->run.ruleset.rules, (int)walk->run.config.random_plies, err);
    walk->recorder = (struct dama_recorder){.ruleset = &walk->run.ruleset,
                                            .weights = &walk->run.weights,
                                            .config = &walk->run.config,
                                            .book = book};
    walk->player = book ? dama_record_player_new(&walk->recorder, err) : NULL;
    enum dama_status status = walk->player ? dama_run_shards_visit(folder, visit_shard, walk, err)
                                           : dama_fail(err, DAMA_MEMORY, "no memory for a player");
    dama_record_player_free(walk->player);
    dama_opening_book_free(book);
    walk->player = NULL;
    return status;
}

enum dama_status dama_verify_run(const char *run, const struct dama_verify_depth *depth,
                                 struct dama_verify_report *report, struct dama_error *err)
{
    *report = (struct dama_verify_report){0};
    double begin = dama_clock();
    struct walk *walk = calloc(1, sizeof *walk);
    DAMA_TRY(dama_comm_agree(
        walk ? DAMA_OK : dama_fail(err, DAMA_MEMORY, "no memory for a walk over a run"), err));
    walk->report = report;
    walk->replay_share = depth->replay_share;
    walk->is_quick = depth->is_quick;
    enum dama_status status = dama_run_folders_visit(run, visit_folder, walk, err);
    free(walk);
    DAMA_TRY(dama_comm_agree(status, err));
    uint64_t sums[] = {report->shards, report->bad_shards, report->games,
                       report->rows,   report->bytes,      report->replayed};
    dama_comm_sum_u64(sums, 6);
    *report = (struct dama_verify_report){
        sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], dama_clock() - begin};
    return report->bad_shards ? dama_fail(err, DAMA_CORRUPT, "%lu of %lu shards are bad",
                                          (unsigned long long)report->bad_shards,
                                          (unsigned long long)report->shards)
                              : DAMA_OK;
}
