/* What a shard says must be possible: games in order, rows that are positions, results that agree.
 */
#include "cluster/shard_file.h"

enum { KNOWN_FLAGS = DAMA_ROW_RANDOM | DAMA_ROW_CAPTURE | DAMA_ROW_ONLY_MOVE };

/* The sets of one board, in grid bits. */
struct board {
    int squares;
    int men;
    uint64_t top_row;
    uint64_t bottom_row;
};

static struct board make_board(const struct dama_shard_facts *facts)
{
    int width = facts->board_size / 2;
    struct board board = {.squares = width * facts->board_size, .men = facts->men};
    board.top_row = (UINT64_C(1) << width) - 1;
    board.bottom_row = board.top_row << (board.squares - width);
    return board;
}

static int first_square(uint64_t set)
{
    return dama_bits_first(set) + 1;
}

static uint64_t square_set(int square)
{
    return UINT64_C(1) << (square - 1);
}

static enum dama_status bad_square(struct dama_error *err, uint64_t set, const char *what)
{
    return dama_fail(err, DAMA_ILLEGAL, "square %d: %s", first_square(set), what);
}

static enum dama_status check_sets(const struct board *board, const struct dama_row *row,
                                   struct dama_error *err)
{
    uint64_t white = row->white_men | row->white_kings;
    uint64_t black = row->black_men | row->black_kings;
    uint64_t outside = (white | black | row->captured) >> board->squares;
    uint64_t overlap =
        (white & black) | (row->white_men & row->white_kings) | (row->black_men & row->black_kings);
    uint64_t crowned = (row->white_men & board->top_row) | (row->black_men & board->bottom_row);
    if (outside) {
        return bad_square(err, outside << board->squares, "is not on the board");
    }
    if (overlap) {
        return bad_square(err, overlap, "holds two pieces");
    }
    if (crowned) {
        return bad_square(err, crowned, "a man on its crowning row");
    }
    int most = dama_bits_count(white) > dama_bits_count(black) ? dama_bits_count(white)
                                                               : dama_bits_count(black);
    if (most > board->men) {
        return dama_fail(err, DAMA_ILLEGAL, "expected at most %d pieces a side, found %d",
                         board->men, most);
    }
    return DAMA_OK;
}

/* The move belongs to the position, as far as can be said without the rules. */
static enum dama_status check_move(const struct board *board, const struct dama_row *row,
                                   struct dama_error *err)
{
    uint64_t white = row->white_men | row->white_kings;
    uint64_t black = row->black_men | row->black_kings;
    uint64_t own = row->side_to_move == DAMA_WHITE ? white : black;
    uint64_t other = row->side_to_move == DAMA_WHITE ? black : white;
    if (row->from < 1 || row->from > board->squares || row->to < 1 || row->to > board->squares) {
        return dama_fail(err, DAMA_ILLEGAL, "move %d-%d: expected squares of 1..%d", row->from,
                         row->to, board->squares);
    }
    if (!(own & square_set(row->from))) {
        return dama_fail(err, DAMA_ILLEGAL, "move %d-%d: no piece of the side to move on %d",
                         row->from, row->to, row->from);
    }
    bool is_round_trip = row->to == row->from && row->captured;
    if (((white | black) & square_set(row->to)) && !is_round_trip) {
        return dama_fail(err, DAMA_ILLEGAL, "move %d-%d: square %d is occupied", row->from, row->to,
                         row->to);
    }
    if (row->captured & ~other) {
        return bad_square(err, row->captured & ~other, "captured, but no opponent stands there");
    }
    if (row->flags & ~KNOWN_FLAGS || (row->captured && !(row->flags & DAMA_ROW_CAPTURE))) {
        return dama_fail(err, DAMA_ILLEGAL, "move %d-%d: flags %d do not fit", row->from, row->to,
                         row->flags);
    }
    return DAMA_OK;
}

static enum dama_status check_row(const struct board *board, const struct dama_row *row,
                                  struct dama_error *err)
{
    if (row->side_to_move > 1) {
        return dama_fail(err, DAMA_ILLEGAL, "side_to_move: expected 0 or 1, found %d",
                         row->side_to_move);
    }
    if (row->result < -1 || row->result > 1) {
        return dama_fail(err, DAMA_ILLEGAL, "result: expected -1, 0 or 1, found %d", row->result);
    }
    DAMA_TRY(check_sets(board, row, err));
    return check_move(board, row, err);
}

/* A row as part of its game: number, ply, side and result. */
static enum dama_status check_place(const struct dama_shard *shard, size_t game, size_t at,
                                    struct dama_error *err)
{
    const struct dama_game_row *entry = &shard->game[game];
    const struct dama_row *row = &shard->row[at];
    int of_white = row->side_to_move == DAMA_WHITE ? 1 : -1;
    if (row->game != game) {
        return dama_fail(err, DAMA_CORRUPT, "game: expected %lu, found %u",
                         (unsigned long long)game, row->game);
    }
    if (row->result != entry->result * of_white) {
        return dama_fail(err, DAMA_CORRUPT, "result: expected %d by its game, found %d",
                         entry->result * of_white, row->result);
    }
    if (row->ply >= entry->plies) {
        return dama_fail(err, DAMA_CORRUPT, "ply: expected less than %d by its game, found %d",
                         entry->plies, row->ply);
    }
    if (at == entry->first_row) {
        return DAMA_OK;
    }
    const struct dama_row *before = row - 1;
    if (row->ply <= before->ply) {
        return dama_fail(err, DAMA_CORRUPT, "ply: expected more than %d, found %d", before->ply,
                         row->ply);
    }
    bool is_odd = (row->ply - before->ply) % 2 != 0;
    if ((row->side_to_move != before->side_to_move) != is_odd) {
        return dama_fail(err, DAMA_CORRUPT, "side_to_move: expected %d by the ply, found %d",
                         before->side_to_move ^ is_odd, row->side_to_move);
    }
    return DAMA_OK;
}

static enum dama_status check_game(const struct dama_shard *shard, size_t game, uint64_t first_row,
                                   struct dama_error *err)
{
    const struct dama_game_row *entry = &shard->game[game];
    uint64_t id = shard->game[0].id + game;
    if (entry->id != id) {
        return dama_fail(err, DAMA_CORRUPT, "id: expected %lu, found %lu", (unsigned long long)id,
                         (unsigned long long)entry->id);
    }
    if (entry->first_row != first_row || entry->rows > shard->rows - first_row) {
        return dama_fail(
            err, DAMA_CORRUPT, "rows: expected them from %lu on, at most %lu, found %u from %lu on",
            (unsigned long long)first_row, (unsigned long long)(shard->rows - first_row),
            entry->rows, (unsigned long long)entry->first_row);
    }
    if (entry->result < -1 || entry->result > 1 || entry->termination >= DAMA_END_ONGOING) {
        return dama_fail(err, DAMA_CORRUPT, "result %d with termination %d", entry->result,
                         entry->termination);
    }
    bool is_drawn_end = entry->termination == DAMA_END_DRAW_RULE ||
                        entry->termination == DAMA_END_REPETITION ||
                        entry->termination == DAMA_END_PLY_CAP;
    bool is_won_end =
        entry->termination == DAMA_END_NO_MOVE || entry->termination == DAMA_END_RESIGNED;
    if ((is_drawn_end && entry->result) || (is_won_end && !entry->result)) {
        return dama_fail(err, DAMA_CORRUPT, "result %d does not fit its end, %s", entry->result,
                         dama_termination_text(entry->termination));
    }
    return DAMA_OK;
}

static enum dama_status in_place(struct dama_error *err, const struct dama_error *inner,
                                 const char *what, size_t number)
{
    return dama_fail(err, inner->status, "%s %lu: %s", what, (unsigned long long)number,
                     inner->text);
}

enum dama_status dama_shard_check(const struct dama_shard *shard, struct dama_error *err)
{
    struct board board = make_board(&shard->facts);
    struct dama_error inner = {0};
    uint64_t first_row = 0;
    for (size_t g = 0; g < shard->games; g++) {
        if (check_game(shard, g, first_row, &inner) != DAMA_OK) {
            return in_place(err, &inner, "game", g);
        }
        first_row += shard->game[g].rows;
        for (size_t r = shard->game[g].first_row; r < first_row; r++) {
            if (check_row(&board, &shard->row[r], &inner) != DAMA_OK ||
                check_place(shard, g, r, &inner) != DAMA_OK) {
                return in_place(err, &inner, "row", r);
            }
        }
    }
    if (first_row != shard->rows) {
        return dama_fail(err, DAMA_CORRUPT, "row %lu: belongs to no game",
                         (unsigned long long)first_row);
    }
    return DAMA_OK;
}

enum dama_status dama_shard_follow(struct dama_shard_order *order, const struct dama_shard *shard,
                                   const char *path, struct dama_error *err)
{
    if (shard->games == 0) {
        return DAMA_OK;
    }
    if (order->has_games && shard->game[0].id <= order->last_game) {
        return dama_fail(err, DAMA_MISMATCH,
                         "%s: expected games behind %lu, found game %lu: a copy or another name",
                         path, (unsigned long long)order->last_game,
                         (unsigned long long)shard->game[0].id);
    }
    order->has_games = true;
    order->last_game = shard->game[shard->games - 1].id;
    return DAMA_OK;
}
