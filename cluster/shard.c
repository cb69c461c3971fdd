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

/* Numbers on their way into a hash, little-endian. */
struct hasher {
    struct sha256_ctx context;
    size_t used;
    unsigned char bytes[4096];
};

static void hash_bytes(struct hasher *hasher)
{
    sha256_update(&hasher->context, hasher->used, hasher->bytes);
    hasher->used = 0;
}

static void hash_number(struct hasher *hasher, uint64_t value, int bytes)
{
    if (hasher->used + sizeof value > sizeof hasher->bytes) {
        hash_bytes(hasher);
    }
    for (int i = 0; i < bytes; i++) {
        hasher->bytes[hasher->used++] = (unsigned char)(value >> 8 * i);
    }
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

static void hash_table(struct hasher *hasher, const struct dama_table *table, const void *records,
                       size_t count)
{
    hash_number(hasher, count, 8);
    for (int c = 0; c < table->count; c++) {
        for (size_t i = 0; i < count; i++) {
            const char *record = (const char *)records + i * table->record_size;
            hash_number(hasher, field(record, &table->columns[c]), table->columns[c].size);
        }
    }
}

void dama_shard_content_hash(const struct dama_shard *shard, unsigned char out[DAMA_HASH_SIZE])
{
    struct hasher hasher = {.used = 0};
    sha256_init(&hasher.context);
    hash_number(&hasher, shard->block, 8);
    hash_table(&hasher, &dama_row_table, shard->row, shard->rows);
    hash_table(&hasher, &dama_game_table, shard->game, shard->games);
    hash_bytes(&hasher);
    sha256_digest(&hasher.context, DAMA_HASH_SIZE, out);
}

/* Inlined with a constant board size the bits move without a loop. */
static inline struct dama_position row_position(int board_size, const struct dama_row *row)
{
    uint64_t white_kings = dama_bits_from_grid(board_size, row->white_kings);
    uint64_t black_kings = dama_bits_from_grid(board_size, row->black_kings);
    struct dama_position position = {.kings = white_kings | black_kings, .side = row->side_to_move};
    position.pieces[DAMA_WHITE] = dama_bits_from_grid(board_size, row->white_men) | white_kings;
    position.pieces[DAMA_BLACK] = dama_bits_from_grid(board_size, row->black_men) | black_kings;
    return position;
}

struct dama_position dama_row_position(int board_size, const struct dama_row *row)
{
    return board_size == 8 ? row_position(8, row) : row_position(10, row);
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
