/* Search: principal variation search with iterative deepening over one game's present position. */
#ifndef DAMA_SEARCH_H
#define DAMA_SEARCH_H

#include "engine/evaluate.h"
#include "engine/game.h"

enum { DAMA_DEPTH_MAX = 100, DAMA_PV_MAX = DAMA_DEPTH_MAX };
/* Sizes of the transposition table. */
enum { DAMA_TABLE_KB_MIN = 1, DAMA_TABLE_KB_MAX = 1 << 20 };

/* Whether a score is a win or loss that was found, not an evaluation. */
static inline bool dama_score_is_decided(int score)
{
    return score >= DAMA_SCORE_WIN_MIN || score <= -DAMA_SCORE_WIN_MIN;
}

struct dama_search_result {
    dama_move best; /* DAMA_MOVE_NONE only when there is no legal move */
    int score; /* of the side to move, hundredths of a man; +-(DAMA_SCORE_WIN - plies) when decided
                */
    int depth; /* last completed iteration; 0: none, and unless a win or loss was found the score is
                  static */
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
    /* A single legal move is searched to depth 1 only, unless a depth is asked for or this is set.
     */
    bool is_analysis;
};

/* Owns the transposition table and all search state (about 5 MB beside the table); one thread at a
   time. Results with depth or node limits are the same on every platform, and after
   dama_searcher_clear independent of what was searched before. Rules and weights are copied; new
   weights clear the table. dama_searcher_new fails with DAMA_INVALID (table size) or DAMA_MEMORY.
 */
struct dama_searcher;
struct dama_searcher *dama_searcher_new(const struct dama_rules *rules,
                                        const struct dama_weights *weights, size_t table_kb,
                                        struct dama_error *err);
/* NULL is allowed. */
void dama_searcher_free(struct dama_searcher *searcher);
/* Forgets all that was searched. */
void dama_searcher_clear(struct dama_searcher *searcher);
/* Weights of the same rules. */
void dama_searcher_set_weights(struct dama_searcher *searcher, const struct dama_weights *weights);
/* Searches the game's present position under its draw rules and history. Does not change the game.
 */
void dama_searcher_search(struct dama_searcher *searcher, const struct dama_game *game,
                          const struct dama_search_limits *limits,
                          struct dama_search_result *result);
/* Exact scores (full window) of every root move at one depth, the deepest that the limits allow for
   all of them; limits.report is not called. scores[i] belongs to list->moves[i] of generate().
   Where not even depth 1 could be finished, moves that were not reached have DAMA_SCORE_NONE.
   Returns nodes. */
uint64_t dama_searcher_score_moves(struct dama_searcher *searcher, const struct dama_game *game,
                                   const struct dama_search_limits *limits,
                                   struct dama_move_list *list, int16_t *scores);

/* The number of `bench`: fixed positions of all 13 variants at a fixed depth, hand-set weights. */
uint32_t dama_bench_signature(void);
/* nodes[i] of built-in i, NULL is allowed; returns the signature, 0 when out of memory. */
uint32_t dama_bench_run(uint64_t nodes[DAMA_BUILTIN_COUNT]);

#endif
