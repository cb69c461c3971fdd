/* Shards in memory: growth, positions of rows, and the hash of what they say. */
#include "cluster/shard.h"

#include <assert.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/shard_file.h"

enum { FIRST_ROWS = 4096, FIRST_GAMES = 64 };

void dama_shard_clear(struct dama_shard *shard)
{
    shard->block = 0;
    shard->rows = 0;
    shard->games = 0;
    free(shard->facts.request);
    shard->facts = (struct dama_shard_facts){0};
}

void dama_shard_free(struct dama_shard *shard)
{
    free(shard->row);
    free(shard->game);
    free(shard->facts.request);
    *shard = (struct dama_shard){0};
}

/* Room for one more record; NULL when there is no memory, and then nothing has changed. */
static void *grow(void *records, size_t *capacity, size_t count, size_t first, size_t size)
{
    if (count < *capacity) {
        return records;
    }
    size_t wanted = *capacity ? *capacity * 2 : first;
    void *grown = realloc(records, wanted * size);
    if (grown) {
        *capacity = wanted;
    }
    return grown;
}

enum dama_status dama_shard_add_row(struct dama_shard *shard, const struct dama_row *row,
                                    struct dama_error *err)
{
    struct dama_row *grown =
        grow(shard->row, &shard->row_capacity, shard->rows, FIRST_ROWS, sizeof *grown);
    if (!grown) {
        return dama_fail(err, DAMA_MEMORY, "no memory for row %lu of block %lu",
                         (unsigned long long)shard->rows, (unsigned long long)shard->block);
    }
    shard->row = grown;
    shard->row[shard->rows++] = *row;
    return DAMA_OK;
}

enum dama_status dama_shard_add_game(struct dama_shard *shard, const struct dama_game_row *game,
                                     struct dama_error *err)
{
    struct dama_game_row *grown =
        grow(shard->game, &shard->game_capacity, shard->games, FIRST_GAMES, sizeof *grown);
    if (!grown) {
        return dama_fail(err, DAMA_MEMORY, "no memory for game %lu of block %lu",
                         (unsigned long long)shard->games, (unsigned long long)shard->block);
    }
    shard->game = grown;
    shard->game[shard->games++] = *game;
    return DAMA_OK;
}

static void hash_number(struct sha256_ctx *context, uint64_t value, int bytes)
{
    unsigned char little[8];
    for (int i = 0; i < bytes; i++) {
        little[i] = (unsigned char)(value >> 8 * i);
    }
    sha256_update(context, (size_t)bytes, little);
}

static uint64_t field(const void *record, const struct dama_column *column)
{
    const unsigned char *at = (const unsigned char *)record + column->offset;
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (column->size) {
    case sizeof one:
        memcpy(&one, at, sizeof one);
        return one;
    case sizeof two:
        memcpy(&two, at, sizeof two);
        return two;
    case sizeof four:
        memcpy(&four, at, sizeof four);
        return four;
    default:
        memcpy(&eight, at, sizeof eight);
        return eight;
    }
}

static void hash_table(struct sha256_ctx *context, const struct dama_table *table,
                       const void *records, size_t count)
{
    hash_number(context, count, 8);
    for (int c = 0; c < table->count; c++) {
        for (size_t i = 0; i < count; i++) {
            const char *record = (const char *)records + i * table->record_size;
            hash_number(context, field(record, &table->columns[c]), table->columns[c].size);
        }
    }
}

void dama_shard_content_hash(const struct dama_shard *shard, unsigned char out[DAMA_HASH_SIZE])
{
    struct sha256_ctx context;
    sha256_init(&context);
    hash_number(&context, shard->block, 8);
    hash_table(&context, &dama_row_table, shard->row, shard->rows);
    hash_table(&context, &dama_game_table, shard->game, shard->games);
    sha256_digest(&context, DAMA_HASH_SIZE, out);
}

struct dama_position dama_row_position(int board_size, const struct dama_row *row)
{
    uint64_t white_kings = dama_bits_from_grid(board_size, row->white_kings);
    uint64_t black_kings = dama_bits_from_grid(board_size, row->black_kings);
    struct dama_position position = {.kings = white_kings | black_kings, .side = row->side_to_move};
    position.pieces[DAMA_WHITE] = dama_bits_from_grid(board_size, row->white_men) | white_kings;
    position.pieces[DAMA_BLACK] = dama_bits_from_grid(board_size, row->black_men) | black_kings;
    return position;
}

void dama_row_set_position(int board_size, struct dama_row *row,
                           const struct dama_position *position)
{
    row->white_men = dama_bits_to_grid(board_size, dama_position_men(position, DAMA_WHITE));
    row->white_kings = dama_bits_to_grid(board_size, dama_position_kings(position, DAMA_WHITE));
    row->black_men = dama_bits_to_grid(board_size, dama_position_men(position, DAMA_BLACK));
    row->black_kings = dama_bits_to_grid(board_size, dama_position_kings(position, DAMA_BLACK));
    row->side_to_move = (uint8_t)position->side;
}
