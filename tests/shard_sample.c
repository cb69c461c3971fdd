/* A small shard of invented but possible games, for tests. */
#include "shard_sample.h"

#include <string.h>

#include "support.h"

static uint64_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 32;
}

static uint64_t square(int number)
{
    return UINT64_C(1) << (number - 1);
}

/* White man walks up the middle of two kings; squares differ from row to row. */
static struct dama_row make_row(int board_size, uint64_t *state, int side, int result)
{
    int squares = board_size * board_size / 2;
    int width = board_size / 2;
    int from = width + 1 + (int)(next(state) % (uint64_t)(squares - 2 * width - 2));
    int victim = from + 1;
    struct dama_row row = {.side_to_move = (uint8_t)side, .from = (uint8_t)from};
    uint64_t own = square(from);
    uint64_t other = square(victim);
    row.white_men = side == 0 ? own : other;
    row.black_men = side == 0 ? other : own;
    row.white_kings = square(1);
    row.black_kings = square(squares);
    row.to = (uint8_t)(from > 12 ? 2 : squares - 1);
    row.captured = next(state) % 3 == 0 ? other : 0;
    row.flags = row.captured ? DAMA_ROW_CAPTURE : (uint8_t)(next(state) % 8);
    row.score = (int16_t)(next(state) % 65536 - 32768);
    row.result = (int8_t)(side == 0 ? result : -result);
    return row;
}

static const struct {
    int8_t result;
    uint8_t termination;
} ends[] = {{1, DAMA_END_NO_MOVE},    {0, DAMA_END_DRAW_RULE}, {-1, DAMA_END_RESIGNED},
            {0, DAMA_END_REPETITION}, {0, DAMA_END_PLY_CAP},   {1, DAMA_END_ADJUDICATED}};

void sample_shard(struct dama_shard *out, int board_size, uint64_t block, int games)
{
    uint64_t state = 2026 + block;
    dama_shard_clear(out);
    out->block = block;
    for (int g = 0; g < games; g++) {
        struct dama_game_row game = {
            .id = block * (uint64_t)games + (uint64_t)g,
            .first_row = out->rows,
            .rows = (uint32_t)(1 + g % 12),
            .plies = (uint16_t)(1 + g % 12),
            .result = ends[g % 6].result,
            .termination = ends[g % 6].termination,
            .opening = next(&state) << 31 | next(&state),
            .seed = next(&state) << 32 | next(&state),
        };
        for (uint32_t ply = 0; ply < game.rows; ply++) {
            struct dama_row row = make_row(board_size, &state, (int)(ply % 2), game.result);
            row.ply = (uint16_t)ply;
            row.game = (uint32_t)g;
            assert_int_equal(dama_shard_add_row(out, &row, NULL), DAMA_OK);
        }
        assert_int_equal(dama_shard_add_game(out, &game, NULL), DAMA_OK);
    }
}

struct dama_shard_origin sample_origin(int board_size)
{
    struct dama_shard_origin origin = {
        .variant = board_size == 8 ? "american" : "international",
        .board_size = board_size,
        .request = "seed = 1\nnodes = 2000\n",
        .engine_signature = 0x0badcafe,
    };
    memset(origin.rules_hash, 0x11, DAMA_HASH_SIZE);
    memset(origin.weights_hash, 0xa5, DAMA_HASH_SIZE);
    memset(origin.features_hash, 0xff, DAMA_HASH_SIZE);
    return origin;
}
