/* Counting leaves: by lists as the search makes them, and without lists at the last ply. */
#ifndef DAMA_BODY_PERFT_H
#define DAMA_BODY_PERFT_H

#include "engine/body/make.h"
#include "engine/body/movegen.h"

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

/* Captures that need the choice rules or the recursion are counted by their list. */
DAMA_COLD int count_captures_by_list(const struct dama_rules *rules,
                                     const struct dama_position *position)
{
    struct dama_move_list list;
    captures(rules, position, &list);
    return list.count;
}

DAMA_COLD int count_king_quiets(const struct dama_rules *rules, uint64_t kings, uint64_t empty)
{
    int count = 0;
    if (!fixed(rules)->king_flies) {
#pragma GCC unroll 4
        for (int d = 0; d < DIRECTIONS; d++) {
            count += dama_bits_count(kings & shift(rules, empty, d ^ 2));
        }
        return count;
    }
    for (; kings; kings &= kings - 1) {
        count += dama_bits_count(flying_targets(rules, dama_bits_first(kings), empty));
    }
    return count;
}

DAMA_HOT int count_captures(const struct dama_rules *rules, const struct dama_position *position,
                            const struct turn *turn, int side)
{
    struct man_jumps jumps = man_jumps_find(rules, turn, side);
    bool king_jumps = turn->kings && king_has_capture(rules, turn);
    if (king_jumps || jumps.is_complex || (jumps.any && !ranks_are_one(rules, turn))) {
        return count_captures_by_list(rules, position);
    }
    int count = 0;
#pragma GCC unroll 4
    for (int i = 0; i < man_directions(rules); i++) {
        count += dama_bits_count(jumps.jumpers[i]);
    }
    return count;
}

DAMA_HOT int count_moves(const struct dama_rules *rules, const struct dama_position *position,
                         int side)
{
    struct turn turn = turn_make(rules, position, side);
    int count = count_captures(rules, position, &turn, side);
    if (count && rules->capture_mandatory) {
        return count;
    }
    count += dama_bits_count(man_steps(rules, &turn, forward(side, 0)));
    count += dama_bits_count(man_steps(rules, &turn, forward(side, 1)));
    return turn.kings ? count + count_king_quiets(rules, turn.kings, turn.empty) : count;
}

DAMA_HOT uint64_t perft_count_side(const struct dama_rules *rules,
                                   const struct dama_position *position, int depth, int side)
{
    if (depth == 1) {
        return (uint64_t)count_moves(rules, position, side);
    }
    struct dama_move_list list;
    generate(rules, position, &list);
    uint64_t leaves = 0;
    for (int i = 0; i < list.count; i++) {
        struct dama_position after;
        make_move(&after, position, list.moves[i], side);
        if (depth == 2) {
            leaves += (uint64_t)count_moves(rules, &after, side ^ 1);
        } else {
            leaves += side == DAMA_WHITE ? perft_count_black(rules, &after, depth - 1)
                                         : perft_count_white(rules, &after, depth - 1);
        }
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
