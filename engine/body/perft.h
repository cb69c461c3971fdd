/* Counting leaves: by lists as the search makes them, and without lists at the last ply. */
#ifndef DAMA_BODY_PERFT_H
#define DAMA_BODY_PERFT_H

#include "engine/body/make.h"
#include "engine/body/movegen.h"
#include "engine/body/replies.h"

static uint64_t perft_list_white(const struct dama_rules *rules,
                                 const struct dama_position *position, int depth);
static uint64_t perft_list_black(const struct dama_rules *rules,
                                 const struct dama_position *position, int depth);
static uint64_t perft_count_white(const struct dama_rules *rules,
                                  const struct dama_position *position, int depth);
static uint64_t perft_count_black(const struct dama_rules *rules,
                                  const struct dama_position *position, int depth);

/* depth is at least 1. */
DAMA_HOT uint64_t perft_list_side(const struct dama_rules *rules,
                                  const struct dama_position *position, int depth, int side)
{
    struct dama_move_list list;
    generate_side(rules, position, &list, side);
    if (depth == 1) {
        return (uint64_t)list.count;
    }
    uint64_t leaves = 0;
    for (int i = 0; i < list.count; i++) {
        struct dama_position after;
        make_move(&after, position, list.moves[i], side);
        leaves += side == DAMA_WHITE ? perft_list_black(rules, &after, depth - 1)
                                     : perft_list_white(rules, &after, depth - 1);
    }
    return leaves;
}

static uint64_t perft_list_white(const struct dama_rules *rules,
                                 const struct dama_position *position, int depth)
{
    return perft_list_side(rules, position, depth, DAMA_WHITE);
}

static uint64_t perft_list_black(const struct dama_rules *rules,
                                 const struct dama_position *position, int depth)
{
    return perft_list_side(rules, position, depth, DAMA_BLACK);
}

static inline uint64_t perft_list(const struct dama_rules *rules,
                                  const struct dama_position *position, int depth)
{
    if (depth <= 0) {
        return 1;
    }
    return position->side == DAMA_WHITE ? perft_list_white(rules, position, depth)
                                        : perft_list_black(rules, position, depth);
}

/* depth is at least 1. */
DAMA_HOT uint64_t perft_count_side(const struct dama_rules *rules,
                                   const struct dama_position *position, int depth, int side)
{
    if (depth == 1) {
        return (uint64_t)count_moves(rules, position, side);
    }
    if (depth == 2) {
        struct turn turn = turn_make(rules, position, side);
        if (!turn.kings && !turn_has_capture(rules, &turn, side)) {
            return count_step_replies(rules, position, &turn, side);
        }
    }
    struct dama_move_list list;
    generate_side(rules, position, &list, side);
    uint64_t leaves = 0;
    for (int i = 0; i < list.count; i++) {
        struct dama_position after;
        make_move(&after, position, list.moves[i], side);
        leaves += side == DAMA_WHITE ? perft_count_black(rules, &after, depth - 1)
                                     : perft_count_white(rules, &after, depth - 1);
    }
    return leaves;
}

static uint64_t perft_count_white(const struct dama_rules *rules,
                                  const struct dama_position *position, int depth)
{
    return perft_count_side(rules, position, depth, DAMA_WHITE);
}

static uint64_t perft_count_black(const struct dama_rules *rules,
                                  const struct dama_position *position, int depth)
{
    return perft_count_side(rules, position, depth, DAMA_BLACK);
}

static inline uint64_t perft_count(const struct dama_rules *rules,
                                   const struct dama_position *position, int depth)
{
    if (depth <= 0) {
        return 1;
    }
    return position->side == DAMA_WHITE ? perft_count_white(rules, position, depth)
                                        : perft_count_black(rules, position, depth);
}

#endif
