/* The state of one search, shared by the files that make up the searcher and by nobody else. */
#ifndef DAMA_SEARCH_STATE_H
#define DAMA_SEARCH_STATE_H

#include "engine/search.h"
#include "engine/ttable.h"

enum {
    /* Plies of full search: the deepest iteration and its extensions. */
    DAMA_SEARCH_PLIES = 128,
    /* Quiescence goes on by captures alone, and each takes a piece of at most 49. */
    DAMA_SEARCH_FRAMES = DAMA_SEARCH_PLIES + 50,
    DAMA_KILLERS = 2,
    DAMA_HISTORY_MAX = 16384,
};

/* One ply of the line being searched. */
struct dama_frame {
    struct dama_position position;
    struct dama_draw_counts counts;
    uint64_t hash;
    dama_move killers[DAMA_KILLERS];
    int pv_length;
    dama_move pv[DAMA_PV_MAX];
    struct dama_move_list list;
    int32_t rank[DAMA_MOVES_MAX]; /* of list's moves: the highest is searched first */
};

struct dama_searcher {
    struct dama_rules rules;
    const struct dama_kernel *kernel;
    struct dama_weights weights;
    struct dama_table own_table;
    struct dama_table *table; /* own_table, or that of the search this one helps */
    unsigned age;
    int first_depth; /* of the first iteration */

    /* The search in hand. */
    const struct dama_game *game;
    const struct dama_search_limits *limits;
    uint64_t nodes;
    bool is_stopped;
    int iteration;
    int cycle_ply; /* lowest ply of the line that a repetition in the present subtree leads back to
                    */
    int root_order[DAMA_MOVES_MAX];

    int16_t history[2][64][64]; /* [side][from][to] of quiet moves */
    struct dama_frame frames[DAMA_SEARCH_FRAMES];
};

/* A searcher that uses the table of another one; NULL when out of memory. */
struct dama_searcher *dama_searcher_new_helper(struct dama_searcher *owner);

/* Enters the position after a legal move at ply: counts the node and fills the next frame. False,
   with the search stopped, when a limit forbids it. */
bool dama_search_enter(struct dama_searcher *searcher, int ply, dama_move move);
/* The same for a capture inside quiescence, where no draw rule can apply. */
bool dama_search_enter_capture(struct dama_searcher *searcher, int ply, dama_move move);

/* Score of the side to move at ply within (alpha, beta); fills the frame's pv where the score is
   inside. Meaningless once the search is stopped. */
int dama_search_node(struct dama_searcher *searcher, int ply, int depth, int alpha, int beta);
/* The same with captures only, until none is left. */
int dama_search_quiesce(struct dama_searcher *searcher, int ply, int alpha, int beta);
/* Puts move in front of the child's line. */
void dama_search_extend_pv(struct dama_frame *frame, dama_move move);

/* Ranks the moves of a frame's list; first is the index to search first, or -1. */
void dama_order_rank(const struct dama_searcher *searcher, struct dama_frame *frame, int first);
/* Ranks captures alone, most pieces first. */
void dama_order_captures(struct dama_frame *frame);
/* The index of the highest rank, which is used up. */
int dama_order_next(struct dama_frame *frame);
/* A quiet move refuted the position at depth; the quiet ones before it, in tried, did not. */
void dama_order_reward(struct dama_searcher *searcher, struct dama_frame *frame, dama_move best,
                       const dama_move *tried, int count, int depth);

#endif
