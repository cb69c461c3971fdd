/* Enumerating ballots by geometry: rows, columns and the two directions of a man. */
#include "eval/ballot.h"

#include "engine/evaluate.h"

/* A side's ballot: the man that leaves, and the quiet move. Bits of the board. */
struct card {
    uint64_t removed;
    int from, to;
};
enum { CARDS_MAX = 128, FRONT_ROWS = 2 };

/* Grid square at row and column, 0 when that is off the board. */
static int square_at(int board_size, int row, int column)
{
    bool is_inside = row >= 0 && row < board_size && column >= 0 && column < board_size;
    return is_inside ? row * (board_size / 2) + column / 2 + 1 : 0;
}

static int bit_at(int board_size, int square)
{
    return dama_square_bit(board_size, square);
}

/* Where a man comes from when `square` has lost its own: the square behind it against the step, or
   the other one at the rim. */
static int square_behind(int board_size, int square, int forward, int step)
{
    int row = dama_square_row(board_size, square), column = dama_square_column(board_size, square);
    int behind = square_at(board_size, row - forward, column - step);
    return behind ? behind : square_at(board_size, row - forward, column + step);
}

/* All cards of a side: each man of the two front rows, with each step of a front man. */
static int make_cards(const struct dama_rules *rules, int side, struct card cards[CARDS_MAX])
{
    int size = rules->board_size, count = 0;
    int forward = side == DAMA_WHITE ? -1 : 1;
    int front = side == DAMA_WHITE ? size - rules->men_rows : rules->men_rows - 1;
    int width = size / 2;
    for (int i = 0; i < FRONT_ROWS * width; i++) {
        int removed = (front - i / width * forward) * width + i % width + 1;
        for (int j = 0; j < 2 * width; j++) {
            int from = front * width + j / 2 + 1, step = j % 2 ? 1 : -1;
            int to = square_at(size, front + forward, dama_square_column(size, from) + step);
            if (!to) {
                continue;
            }
            if (from == removed) {
                to = from;
                from = square_behind(size, removed, forward, step);
            }
            cards[count++] = (struct card){
                .removed = UINT64_C(1) << bit_at(size, removed),
                .from = bit_at(size, from),
                .to = bit_at(size, to),
            };
        }
    }
    return count;
}

static enum dama_status play_card(struct dama_game *game, const struct card *card,
                                  struct dama_error *err)
{
    struct dama_move_list list;
    game->kernel->generate(game->rules, dama_game_position(game), &list);
    for (int i = 0; i < list.count; i++) {
        if (list.moves[i] == dama_move_make(card->from, card->to, 0, false)) {
            return dama_game_play(game, list.moves[i]) == DAMA_OK
                       ? DAMA_OK
                       : dama_fail(err, DAMA_MEMORY, "no memory for a game");
        }
    }
    return dama_fail(err, DAMA_UNSUPPORTED, "ballots: expected a start with free opening moves");
}

static enum dama_status add_ballot(struct dama_game *game, const struct card *first,
                                   const struct card *second, struct dama_opening_list *out,
                                   struct dama_error *err)
{
    struct dama_position start = dama_position_start(game->rules);
    uint64_t removed = first->removed | second->removed;
    start.pieces[DAMA_WHITE] &= ~removed;
    start.pieces[DAMA_BLACK] &= ~removed;
    dama_game_reset(game, &start);
    DAMA_TRY(play_card(game, first, err));
    DAMA_TRY(play_card(game, second, err));
    return dama_opening_list_add(out, game, DAMA_SCORE_NONE, err);
}

enum dama_status dama_ballot_list(struct dama_game *game, struct dama_opening_list *out,
                                  struct dama_error *err)
{
    struct card first[CARDS_MAX], second[CARDS_MAX];
    const struct dama_rules *rules = game->rules;
    if (rules->board_size != 8 || rules->men_rows != 3) {
        return dama_fail(err, DAMA_UNSUPPORTED,
                         "ballots: expected 8x8 with twelve men a side, found %dx%d with %d",
                         rules->board_size, rules->board_size, dama_rules_men(rules));
    }
    int first_count = make_cards(rules, (int)rules->first_mover, first);
    int second_count = make_cards(rules, !rules->first_mover, second);
    for (int i = 0; i < first_count; i++) {
        for (int j = 0; j < second_count; j++) {
            DAMA_TRY(add_ballot(game, &first[i], &second[j], out, err));
        }
    }
    dama_opening_list_dedupe(out, game);
    return DAMA_OK;
}
