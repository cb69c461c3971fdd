/* The engine signature: what a fixed search of fixed positions of every variant finds. */
#include <assert.h>

#include "engine/fen.h"
#include "engine/search.h"

enum { BENCH_DEPTH = 7, BENCH_TABLE_KB = 256, POSITIONS_MAX = 6 };

/* Grid squares; NULL is the start position. From the opening to kings alone, some with captures. */
static const char *const fens_of_32[POSITIONS_MAX] = {
    NULL,
    "W:W18,24,25,26,27,28,29,30,31,32:B1,2,4,5,6,7,8,11,12,13,21",
    "W:W14,21,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,12,18",
    "B:W20,21,24,25,26,28,29,30,32:B1,2,3,4,5,6,12,13,18",
    "W:WK3,21,22,28,29,32:B1,2,4,9,10,15,K30",
    "B:WK7,8,12:BK21,22,K27",
};
static const char *const fens_of_50[POSITIONS_MAX] = {
    NULL,
    "B:W33,34,35,36,37,38,39,41,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,13,15,18,23,25",
    "B:W32,40,43,44,45,46,50:B1,2,3,4,5,6,8,9,10,12,13,15,24,31,33",
    "W:W27,32,38,41,42,43,44,45:B2,3,7,8,9,10,11,12,13,14,15,16,17,35",
    "B:WK2,27,36,39:B6,8,10,13,18,24",
    "W:WK11,K29,K44,K49:BK22,K25,K46",
};

static const uint32_t hash_start = 2166136261u;

/* FNV-1a over the bytes of a number, lowest first. */
static uint32_t hash_number(uint32_t hash, uint64_t number)
{
    for (int i = 0; i < 8; i++) {
        hash = (hash ^ (uint32_t)(number >> 8 * i & 255)) * 16777619u;
    }
    return hash;
}

static uint32_t hash_result(uint32_t hash, const struct dama_search_result *result)
{
    hash = hash_number(hash, result->nodes);
    hash = hash_number(hash, (uint64_t)(int64_t)result->score);
    return hash_number(hash, result->best);
}

/* Searches the positions of one variant; false when out of memory. */
static bool run_variant(const struct dama_rules *rules, uint32_t *hash, uint64_t *nodes)
{
    struct dama_weights weights;
    dama_weights_hand_set(rules, &weights);
    struct dama_game *game = dama_game_new(rules, dama_draw_rules_default(rules), NULL);
    struct dama_searcher *searcher = dama_searcher_new(rules, &weights, BENCH_TABLE_KB, NULL);
    bool is_ready = game && searcher;
    const char *const *fens = rules->board_size == 8 ? fens_of_32 : fens_of_50;
    const struct dama_search_limits limits = {.depth = BENCH_DEPTH};
    for (int i = 0; is_ready && i < POSITIONS_MAX; i++) {
        struct dama_position position = dama_position_start(rules);
        enum dama_status status = DAMA_OK;
        if (fens[i]) {
            status = dama_fen_parse(rules, DAMA_SQUARES_GRID, fens[i], &position, NULL);
        }
        assert(status == DAMA_OK);
        (void)status;
        dama_game_reset(game, &position);
        dama_searcher_clear(searcher);
        struct dama_search_result result;
        dama_searcher_search(searcher, game, &limits, &result);
        *hash = hash_result(*hash, &result);
        *nodes += result.nodes;
    }
    dama_searcher_free(searcher);
    dama_game_free(game);
    return is_ready;
}

uint32_t dama_bench_run(uint64_t nodes[DAMA_BUILTIN_COUNT])
{
    uint32_t hash = hash_start;
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        uint64_t count = 0;
        if (!run_variant(dama_rules_builtin(i), &hash, &count)) {
            return 0;
        }
        if (nodes) {
            nodes[i] = count;
        }
    }
    return hash;
}

uint32_t dama_bench_signature(void)
{
    return dama_bench_run(NULL);
}
