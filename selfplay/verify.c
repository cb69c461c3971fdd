/* Checking stored games against the rules and against the engine. */
#include "selfplay/verify.h"

#include <string.h>

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

/* The move that a row stores, but for crowning; DAMA_MOVE_NONE when no move can capture so. */
static inline dama_move move_of(int board_size, const struct dama_row *row)
{
    uint64_t captured = dama_bits_from_grid(board_size, row->captured);
    return dama_move_captured(captured) == captured
               ? dama_move_make(dama_square_bit(board_size, row->from),
                                dama_square_bit(board_size, row->to), captured, false)
               : DAMA_MOVE_NONE;
}

/* The legal move that a row stores; DAMA_MOVE_NONE when there is none. */
static dama_move find_move(int board_size, const struct dama_move_list *list,
                           const struct dama_row *row)
{
    /* With a constant size there is no division. */
    dama_move stored = board_size == 8 ? move_of(8, row) : move_of(10, row);
    dama_move crowning = stored | dama_move_make(0, 0, 0, true);
    for (int i = 0; i < list->count; i++) {
        if (list->moves[i] == stored || list->moves[i] == crowning) {
            return list->moves[i];
        }
    }
    return DAMA_MOVE_NONE;
}

static bool has_capture(const struct dama_move_list *list)
{
    for (int i = 0; i < list->count; i++) {
        if (dama_move_is_capture(list->moves[i])) {
            return true;
        }
    }
    return false;
}

static enum dama_status check_row(const struct check *check, size_t number, struct dama_error *err)
{
    const struct dama_row *row = &check->shard->row[number];
    const struct dama_position *position = dama_game_position(check->game);
    const struct dama_rules *rules = check->game->rules;
    struct dama_position stored = dama_row_position(rules->board_size, row);
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
    check->game->kernel->generate(rules, position, &list);
    if (!!(row->flags & DAMA_ROW_CAPTURE) != has_capture(&list) ||
        !!(row->flags & DAMA_ROW_ONLY_MOVE) != (list.count == 1)) {
        return bad_row(check, number, "the flags are not those of the position", err);
    }
    dama_move move = find_move(rules->board_size, &list, row);
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
