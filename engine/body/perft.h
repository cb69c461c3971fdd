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

/* Positions with kings to move, captures that go on or that differ in rank. */
DAMA_HOT int count_hard(const struct dama_rules *rules, const struct dama_position *position,
                        int side)
{
    struct turn turn = turn_make(rules, position, side);
    struct dama_move_list list;
    list.count = 0;
    append_chains(rules, position, &list, side);
    int count = list.count;
    if (count && rules->capture_mandatory) {
        return count;
    }
    count += dama_bits_count(man_steps(rules, &turn, forward(side, 0)));
    count += dama_bits_count(man_steps(rules, &turn, forward(side, 1)));
    return count + count_king_quiets(rules, turn.kings, turn.empty);
}

DAMA_COLD int count_hard_white(const struct dama_rules *rules, const struct dama_position *position)
{
    return count_hard(rules, position, DAMA_WHITE);
}

DAMA_COLD int count_hard_black(const struct dama_rules *rules, const struct dama_position *position)
{
    return count_hard(rules, position, DAMA_BLACK);
}

/* Captures of men of which some take two pieces, as sets; COUNT_IS_HARD when one takes more, or
   becomes a king on the way. The board stands as before the move: a second jump meets neither the
   empty start square nor the first victim, but a third would count the second victim again. */
enum { COUNT_IS_HARD = -1 };
DAMA_HOT int count_double_jumps(const struct dama_rules *rules, const struct man_jumps *jumps,
                                int side)
{
    const struct dama_rules *r = fixed(rules);
    uint64_t crown = r->man_captures_backward && r->crowning != DAMA_CROWNING_GOES_ON_AS_MAN
                         ? crown_row(rules, side)
                         : 0;
    uint64_t hard = 0;
    int singles = 0;
    int doubles = 0;
#pragma GCC unroll 4
    for (int j = 0; j < man_directions(rules); j++) {
        int d = man_direction(side, j);
        uint64_t onward = crown;
        uint64_t from[DIRECTIONS] = {0};
#pragma GCC unroll 4
        for (int i = 0; i < man_directions(rules); i++) {
            from[i] = i == (j ^ 2) ? 0 : jumps->landings[i] & jumps->sources[j];
            onward |= i == (j ^ 2) ? 0 : jumps->sources[i];
        }
#pragma GCC unroll 4
        for (int i = 0; i < man_directions(rules); i++) {
            doubles += dama_bits_count(from[i]);
            hard |= shift(rules, shift(rules, from[i], d), d) & onward;
        }
        singles += dama_bits_count(jumps->landings[j] & ~jumps->going);
        hard |= jumps->landings[j] & crown;
    }
    if (hard) {
        return COUNT_IS_HARD;
    }
    return r->most_pieces ? doubles : doubles + singles;
}

DAMA_HOT int count_single_jumps(const struct dama_rules *rules, const struct man_jumps *jumps)
{
    int count = 0;
#pragma GCC unroll 4
    for (int i = 0; i < man_directions(rules); i++) {
        count += dama_bits_count(jumps->jumpers[i]);
    }
    return count;
}

/* Jumps and steps of men are both counted and one is taken: that costs less than to ask first. */
DAMA_HOT int count_moves(const struct dama_rules *rules, const struct dama_position *position,
                         int side)
{
    struct turn turn = turn_make(rules, position, side);
    struct man_jumps jumps = man_jumps_find(rules, &turn, side);
    int jump_count = count_single_jumps(rules, &jumps);
    if (turn.kings || (jumps.any && !ranks_are_one(rules, &turn))) {
        jump_count = COUNT_IS_HARD;
    } else if (jumps.going) {
        jump_count = count_double_jumps(rules, &jumps, side);
    }
    if (jump_count == COUNT_IS_HARD) {
        return side == DAMA_WHITE ? count_hard_white(rules, position)
                                  : count_hard_black(rules, position);
    }
    int step_count = dama_bits_count(man_steps(rules, &turn, forward(side, 0))) +
                     dama_bits_count(man_steps(rules, &turn, forward(side, 1)));
    if (!rules->capture_mandatory) {
        return jump_count + step_count;
    }
    return jump_count ? jump_count : step_count;
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
