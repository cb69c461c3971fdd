/* Official squares of a variant against the grid numbering. */
#include "engine/squares.h"

#include <assert.h>

#include "engine/board.h"
#include "engine/text.h"

/* Both renumberings are their own inverse. */
static int renumber(const struct dama_rules *rules, int square)
{
    int per_row = rules->board_size / 2;
    int row = (square - 1) / per_row;
    int place = (square - 1) % per_row;
    assert(square >= 1 && square <= dama_rules_squares(rules));
    switch (rules->numbering) {
    case DAMA_NUMBERING_ROWS_REVERSED:
        return row * per_row + per_row - place;
    case DAMA_NUMBERING_FROM_BOTTOM:
        return (rules->board_size - 1 - row) * per_row + place + 1;
    case DAMA_NUMBERING_GRID:
    case DAMA_NUMBERING_ALGEBRAIC:
        break;
    }
    return square;
}

/* Boards whose dark corner is on the right are the grid seen in a mirror. */
static int mirrored_column(const struct dama_rules *rules, int column)
{
    bool is_mirrored = rules->numbering == DAMA_NUMBERING_ROWS_REVERSED ||
                       rules->numbering == DAMA_NUMBERING_FROM_BOTTOM;
    return is_mirrored ? rules->board_size - 1 - column : column;
}

/* "c3" at *at; 0 when there is none or it is a light square. */
static int parse_letters(const struct dama_rules *rules, const char **at)
{
    const char *s = *at;
    int letter = (*s | 0x20) - 'a';
    int64_t line;
    if (letter < 0 || letter >= rules->board_size) {
        return 0;
    }
    s++;
    if (!dama_text_read_int(&s, 1, rules->board_size, &line)) {
        return 0;
    }
    int row = rules->board_size - (int)line;
    int column = mirrored_column(rules, letter);
    if ((row + column) % 2 == 0) {
        return 0;
    }
    *at = s;
    return row * (rules->board_size / 2) + column / 2 + 1;
}

int dama_square_official(const struct dama_rules *rules, int grid)
{
    return renumber(rules, grid);
}

int dama_square_grid(const struct dama_rules *rules, int official)
{
    return renumber(rules, official);
}

int dama_square_format(const struct dama_rules *rules, enum dama_squares squares, int grid,
                       char out[4])
{
    if (squares == DAMA_SQUARES_GRID) {
        return (int)dama_text_format(out, 4, "%d", grid);
    }
    if (rules->numbering == DAMA_NUMBERING_ALGEBRAIC) {
        int column = dama_square_column(rules->board_size, grid);
        int line = rules->board_size - dama_square_row(rules->board_size, grid);
        return (int)dama_text_format(out, 4, "%c%d", 'a' + column, line);
    }
    return (int)dama_text_format(out, 4, "%d", dama_square_official(rules, grid));
}

int dama_square_parse(const struct dama_rules *rules, enum dama_squares squares, const char **at)
{
    const char *s = *at;
    int64_t number;
    if (*s < '0' || *s > '9') {
        return squares == DAMA_SQUARES_OFFICIAL ? parse_letters(rules, at) : 0;
    }
    if (!dama_text_read_int(&s, 1, dama_rules_squares(rules), &number)) {
        return 0;
    }
    *at = s;
    return squares == DAMA_SQUARES_GRID ? (int)number : dama_square_grid(rules, (int)number);
}
