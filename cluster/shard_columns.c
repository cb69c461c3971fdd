/* The columns of a shard (shard.h) and their way between records and datasets. */
#include <stddef.h>
#include <string.h>

#include "cluster/shard_file.h"

/* Records filled by all columns before the next ones: they stay in the nearest cache. */
enum { SCATTER_ROWS = 256 };

#define SQUARES "bit s-1 is grid square s (row by row from the top, left to right, from 1)"

#define COLUMN(group, record, field, sign, set, text, unit)                                \
    {                                                                                      \
        .path = group #field, .offset = offsetof(struct record, field),                    \
        .size = sizeof(((struct record *)0)->field), .is_signed = (sign), .is_set = (set), \
        .description = (text), .units = (unit)                                             \
    }
#define ROW(field, sign, set, text, unit) \
    COLUMN("/positions/", dama_row, field, sign, set, text, unit)
#define GAME(field, sign, text, unit) \
    COLUMN("/games/", dama_game_row, field, sign, false, text, unit)

static const struct dama_column row_columns[] = {
    ROW(white_men, false, true, "White's men: " SQUARES, "bit set"),
    ROW(white_kings, false, true, "White's kings: " SQUARES, "bit set"),
    ROW(black_men, false, true, "Black's men: " SQUARES, "bit set"),
    ROW(black_kings, false, true, "Black's kings: " SQUARES, "bit set"),
    ROW(side_to_move, false, false, "the side that moves: 0 White, 1 Black", "colour"),
    ROW(score, true, false,
        "search score of the side to move; -32768 when the position was not searched",
        "hundredths of a man"),
    ROW(result, true, false, "the game's result for the side to move: 1 won, 0 drawn, -1 lost",
        "result"),
    ROW(from, false, false, "grid square where the move played begins", "square"),
    ROW(to, false, false, "grid square where the move played ends", "square"),
    ROW(captured, false, true, "pieces captured by the move played: " SQUARES, "bit set"),
    ROW(ply, false, false, "plies played before this position in its game", "plies"),
    ROW(game, false, false, "index into /games", "games"),
    ROW(flags, false, false, "sum of 1 random ply, 2 a capture was available, 4 the only move",
        "bit set"),
};
static const struct dama_column game_columns[] = {
    GAME(id, false, "number of the game in its run", "games"),
    GAME(first_row, false, "index of the game's first row in /positions", "rows"),
    GAME(rows, false, "rows of the game in /positions", "rows"),
    GAME(plies, false, "plies played in the game", "plies"),
    GAME(result, true, "result: 1 White won, 0 drawn, -1 Black won", "result"),
    GAME(termination, false,
         "end: 0 no move, 1 draw rule, 2 repetition, 3 ply cap, 4 resigned, 5 adjudicated", "code"),
    GAME(opening, false, "permutation index of the opening", "openings"),
    GAME(seed, false, "the game's key of the random stream", "key"),
};

const struct dama_table dama_row_table = {
    .group = "/positions",
    .record_size = sizeof(struct dama_row),
    .count = sizeof row_columns / sizeof row_columns[0],
    .columns = row_columns,
};
const struct dama_table dama_game_table = {
    .group = "/games",
    .record_size = sizeof(struct dama_game_row),
    .count = sizeof game_columns / sizeof game_columns[0],
    .columns = game_columns,
};

int dama_column_width(const struct dama_column *column, int board_size)
{
    return column->is_set && board_size == 8 ? (int)sizeof(uint32_t) : column->size;
}

hid_t dama_column_memory_type(const struct dama_column *column, int width)
{
    switch (width) {
    case 1:
        return column->is_signed ? H5T_NATIVE_INT8 : H5T_NATIVE_UINT8;
    case 2:
        return column->is_signed ? H5T_NATIVE_INT16 : H5T_NATIVE_UINT16;
    case 4:
        return H5T_NATIVE_UINT32;
    default:
        return H5T_NATIVE_UINT64;
    }
}

hid_t dama_column_file_type(const struct dama_column *column, int board_size)
{
    switch (dama_column_width(column, board_size)) {
    case 1:
        return column->is_signed ? H5T_STD_I8LE : H5T_STD_U8LE;
    case 2:
        return column->is_signed ? H5T_STD_I16LE : H5T_STD_U16LE;
    case 4:
        return H5T_STD_U32LE;
    default:
        return H5T_STD_U64LE;
    }
}

void dama_column_gather(const struct dama_table *table, const struct dama_column *column,
                        const void *records, size_t count, void *out)
{
    const char *from = (const char *)records + column->offset;
    for (size_t i = 0; i < count; i++) {
        memcpy((char *)out + i * (size_t)column->size, from + i * table->record_size,
               (size_t)column->size);
    }
}

size_t dama_table_width(const struct dama_table *table, int board_size)
{
    size_t width = 0;
    for (int c = 0; c < table->count; c++) {
        width += (size_t)dama_column_width(&table->columns[c], board_size);
    }
    return width;
}

uint64_t dama_shard_column_bytes(int board_size, uint64_t rows, uint64_t games)
{
    return rows * dama_table_width(&dama_row_table, board_size) +
           games * dama_table_width(&dama_game_table, board_size);
}

/* Inlined with a constant width, a copy is one load and one store. */
static inline __attribute__((always_inline)) void
copy_values(char *to, size_t step, const char *from, size_t count, size_t width)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(to + i * step, from + i * width, width);
    }
}

static void widen_values(char *to, size_t step, const char *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t narrow;
        memcpy(&narrow, from + i * sizeof narrow, sizeof narrow);
        uint64_t wide = narrow;
        memcpy(to + i * step, &wide, sizeof wide);
    }
}

static void scatter_column(const struct dama_column *column, size_t width, const char *values,
                           size_t count, size_t step, char *records)
{
    char *to = records + column->offset;
    if (width != (size_t)column->size) {
        widen_values(to, step, values, count);
        return;
    }
    switch (width) {
    case 1:
        copy_values(to, step, values, count, 1);
        break;
    case 2:
        copy_values(to, step, values, count, 2);
        break;
    case 4:
        copy_values(to, step, values, count, 4);
        break;
    default:
        copy_values(to, step, values, count, 8);
    }
}

void dama_table_scatter(const struct dama_table *table, int board_size, const void *values,
                        size_t count, void *records)
{
    for (size_t first = 0; first < count; first += SCATTER_ROWS) {
        size_t rows = count - first < SCATTER_ROWS ? count - first : SCATTER_ROWS;
        const char *column_values = values;
        for (int c = 0; c < table->count; c++) {
            size_t width = (size_t)dama_column_width(&table->columns[c], board_size);
            scatter_column(&table->columns[c], width, column_values + first * width, rows,
                           table->record_size, (char *)records + first * table->record_size);
            column_values += count * width;
        }
    }
}
