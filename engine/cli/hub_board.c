/* Square numbers, piece characters and captured sets of the Hub protocol. */
#include "engine/cli/hub_board.h"

#include <string.h>

#include "engine/squares.h"
#include "engine/text.h"

enum { SQUARES_MAX = 50 };

static int from_bottom(const struct dama_rules *rules, int square)
{
    int per_row = rules->board_size / 2;
    int row = (square - 1) / per_row;
    return (rules->board_size - 1 - row) * per_row + (square - 1) % per_row + 1;
}

/* Every order here is its own inverse, or has its own function in squares.h. */
static int number_of(const struct dama_hub_board *board, int bit)
{
    int grid = dama_bit_square(board->rules->board_size, bit);
    switch (board->numbers) {
    case DAMA_HUB_OFFICIAL:
        return dama_square_official(board->rules, grid);
    case DAMA_HUB_BOTTOM:
        return from_bottom(board->rules, grid);
    case DAMA_HUB_GRID:
        break;
    }
    return grid;
}

static int bit_of(const struct dama_hub_board *board, int number)
{
    int grid = number;
    if (board->numbers == DAMA_HUB_OFFICIAL) {
        grid = dama_square_grid(board->rules, number);
    } else if (board->numbers == DAMA_HUB_BOTTOM) {
        grid = from_bottom(board->rules, number);
    }
    return dama_square_bit(board->rules->board_size, grid);
}

void dama_hub_write_position(const struct dama_hub_board *board,
                             const struct dama_position *position, char out[DAMA_HUB_POSITION_SIZE])
{
    int squares = dama_rules_squares(board->rules);
    out[0] = position->side == DAMA_WHITE ? 'W' : 'B';
    for (int number = 1; number <= squares; number++) {
        uint64_t bit = UINT64_C(1) << bit_of(board, number);
        bool is_king = position->kings & bit;
        if (position->pieces[DAMA_WHITE] & bit) {
            out[number] = is_king ? 'W' : 'w';
        } else if (position->pieces[DAMA_BLACK] & bit) {
            out[number] = is_king ? 'B' : 'b';
        } else {
            out[number] = 'e';
        }
    }
    out[squares + 1] = 0;
}

static enum dama_status put(const struct dama_hub_board *board, int number, char piece,
                            struct dama_position *position, struct dama_error *err)
{
    uint64_t bit = UINT64_C(1) << bit_of(board, number);
    switch (piece) {
    case 'W':
    case 'w':
        position->pieces[DAMA_WHITE] |= bit;
        break;
    case 'B':
    case 'b':
        position->pieces[DAMA_BLACK] |= bit;
        break;
    case 'e':
        return DAMA_OK;
    default:
        return dama_fail(err, DAMA_INVALID, "pos: square %d: expected one of w b W B e, found '%c'",
                         number, piece);
    }
    position->kings |= piece == 'W' || piece == 'B' ? bit : 0;
    return DAMA_OK;
}

enum dama_status dama_hub_read_position(const struct dama_hub_board *board, const char *text,
                                        struct dama_position *out, struct dama_error *err)
{
    int squares = dama_rules_squares(board->rules);
    size_t length = strlen(text);
    if (length != (size_t)squares + 1) {
        return dama_fail(err, DAMA_INVALID, "pos: expected %d characters for %s, found %lu",
                         squares + 1, board->rules->name, (unsigned long long)length);
    }
    if (text[0] != 'W' && text[0] != 'B') {
        return dama_fail(err, DAMA_INVALID, "pos: expected the side to move, W or B, found '%c'",
                         text[0]);
    }
    struct dama_position position = {.side = text[0] == 'W' ? DAMA_WHITE : DAMA_BLACK};
    for (int number = 1; number <= squares; number++) {
        DAMA_TRY(put(board, number, text[number], &position, err));
    }
    DAMA_TRY(dama_position_check(board->rules, &position, err));
    DAMA_TRY(dama_position_check_moves(board->rules, &position, err));
    *out = position;
    return DAMA_OK;
}

void dama_hub_write_move(const struct dama_hub_board *board, dama_move move,
                         char out[DAMA_HUB_MOVE_SIZE])
{
    bool is_victim[SQUARES_MAX + 1] = {false};
    uint64_t captured = dama_move_captured(move);
    struct dama_text text = {.at = out, .size = DAMA_HUB_MOVE_SIZE};
    dama_text_add(&text, "%d%c%d", number_of(board, dama_move_from(move)), captured ? 'x' : '-',
                  number_of(board, dama_move_to(move)));
    for (; captured; captured &= captured - 1) {
        is_victim[number_of(board, dama_bits_first(captured))] = true;
    }
    for (int number = 1; number <= SQUARES_MAX; number++) {
        if (is_victim[number]) {
            dama_text_add(&text, "x%d", number);
        }
    }
}

/* What a move's text says. */
struct written {
    int from, to;
    uint64_t captured;
};

static bool read_square(const struct dama_hub_board *board, const char **at, int *bit)
{
    int64_t number;
    if (!dama_text_read_int(at, 1, dama_rules_squares(board->rules), &number)) {
        return false;
    }
    *bit = bit_of(board, (int)number);
    return true;
}

/* A victim named twice is no set. */
static bool read_written(const struct dama_hub_board *board, const char *at, struct written *out)
{
    *out = (struct written){0};
    if (!read_square(board, &at, &out->from) || (*at != '-' && *at != 'x')) {
        return false;
    }
    bool is_capture = *at++ == 'x';
    if (!read_square(board, &at, &out->to)) {
        return false;
    }
    while (is_capture && *at == 'x') {
        int victim;
        at++;
        if (!read_square(board, &at, &victim) || out->captured >> victim & 1) {
            return false;
        }
        out->captured |= UINT64_C(1) << victim;
    }
    return *at == 0 && is_capture == (out->captured != 0);
}

enum dama_status dama_hub_read_move(const struct dama_hub_board *board,
                                    const struct dama_position *position, const char *text,
                                    dama_move *out, struct dama_error *err)
{
    struct written written;
    if (!read_written(board, text, &written)) {
        return dama_fail(err, DAMA_INVALID,
                         "expected a move like 32-28 or 28x19x23 (from, to, captured), found '%s'",
                         text);
    }
    struct dama_move_list list;
    dama_kernel_find(board->rules)->generate(board->rules, position, &list);
    for (int i = 0; i < list.count; i++) {
        dama_move move = list.moves[i];
        if (dama_move_from(move) == written.from && dama_move_to(move) == written.to &&
            dama_move_captured(move) == written.captured) {
            *out = move;
            return DAMA_OK;
        }
    }
    return dama_fail(err, DAMA_ILLEGAL, "move '%s' is not legal here", text);
}

enum dama_status dama_hub_read_moves(const struct dama_hub_board *board, const char *text,
                                     struct dama_game *game, struct dama_error *err)
{
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        char word[DAMA_HUB_MOVE_SIZE];
        size_t length = strcspn(text, " ");
        if (length >= sizeof word) {
            return dama_fail(err, DAMA_INVALID, "moves: a move of %lu characters",
                             (unsigned long long)length);
        }
        memcpy(word, text, length);
        word[length] = 0;
        text += length;
        dama_move move;
        DAMA_TRY(dama_hub_read_move(board, dama_game_position(game), word, &move, err));
        DAMA_TRY(dama_game_play(game, move));
    }
    return DAMA_OK;
}
