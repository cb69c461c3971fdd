/* Search: principal variation search with iterative deepening over one game's present position. */
#ifndef DAMA_SEARCH_H
#define DAMA_SEARCH_H

#include "engine/evaluate.h"
#include "engine/game.h"

enum { DAMA_DEPTH_MAX = 100, DAMA_PV_MAX = DAMA_DEPTH_MAX };

struct dama_search_result {
    dama_move best; /* DAMA_MOVE_NONE only when there is no legal move */
    int score; /* of the side to move, hundredths of a man; +-(DAMA_SCORE_WIN - plies) when decided
                */
    int depth; /* last completed iteration */
    uint64_t nodes; /* positions entered by make, quiescence included */
    int pv_length;
    dama_move pv[DAMA_PV_MAX];
};

/* 0 is no limit; at least one must be given. A node limit is exact: never more nodes than asked. */
struct dama_search_limits {
    int depth;
    uint64_t nodes;
    /* Called every 1024 nodes; true stops the search, and the best move of the last complete work
     * stands. */
    bool (*stop)(void *context);
    /* Called after each completed iteration. */
    void (*report)(void *context, const struct dama_search_result *result);
    void *context;
    /* A root move's score is offset by this many hundredths of a man when set (levels); parallel to
       the root list in generate() order, root_count entries. */
    const int16_t *root_offsets;
    int root_count;
};

/* Owns the transposition table and all search state; one thread at a time. Results with depth or
   node limits are the same on every platform, and after dama_searcher_clear independent of what was
   searched before. */
struct dama_searcher;
struct dama_searcher *dama_searcher_new(const struct dama_rules *rules,
                                        const struct dama_weights *weights, size_t table_kb,
                                        struct dama_error *err);
void dama_searcher_free(struct dama_searcher *searcher);
void dama_searcher_clear(struct dama_searcher *searcher);
void dama_searcher_set_weights(struct dama_searcher *searcher, const struct dama_weights *weights);
/* Searches the game's present position under its draw rules and history. Does not change the game.
 */
void dama_searcher_search(struct dama_searcher *searcher, const struct dama_game *game,
                          const struct dama_search_limits *limits,
                          struct dama_search_result *result);
/* Exact scores (full window) of every root move at a fixed depth under a node limit shared by all:
   what levels choose from. scores[i] belongs to list->moves[i] of generate(); returns nodes. */
uint64_t dama_searcher_score_moves(struct dama_searcher *searcher, const struct dama_game *game,
                                   const struct dama_search_limits *limits,
                                   struct dama_move_list *list, int16_t *scores);

/* The number of `bench`: fixed positions of all 13 variants at a fixed depth, hand-set weights. */
uint32_t dama_bench_signature(void);
/* nodes[i] of built-in i; returns the signature. NULL is allowed. */
uint32_t dama_bench_run(uint64_t nodes[DAMA_BUILTIN_COUNT]);

#endif
