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

/* Positions with kings to move, or with captures that go on or differ in rank. */
DAMA_HOT int count_hard(const struct dama_rules *rules, const struct dama_position *position,
                        int side)
{
    struct turn turn = turn_make(rules, position, side);
    int count = COUNT_IS_HARD;
    if (!turn.kings && ranks_are_one(rules, &turn)) {
        struct man_jumps jumps = man_jumps_find(rules, &turn, side);
        count = count_double_jumps(rules, &jumps, side);
    }
    if (count == COUNT_IS_HARD) {
        struct dama_move_list list;
        list.count = 0;
        append_chains(rules, position, &list, side);
        count = list.count;
    }
    if (count && rules->capture_mandatory) {
        return count;
    }
    count += dama_bits_count(man_steps(rules, &turn, forward(side, 0)));
    count += dama_bits_count(man_steps(rules, &turn, forward(side, 1)));
    return turn.kings ? count + count_king_quiets(rules, turn.kings, turn.empty) : count;
}

DAMA_COLD int count_hard_white(const struct dama_rules *rules, const struct dama_position *position)
{
    return count_hard(rules, position, DAMA_WHITE);
}

DAMA_COLD int count_hard_black(const struct dama_rules *rules, const struct dama_position *position)
{
    return count_hard(rules, position, DAMA_BLACK);
}

/* One branch, for what is hard. Jumps and steps of men are both counted and one is taken: that
   costs less than to ask first. */
DAMA_HOT int count_moves(const struct dama_rules *rules, const struct dama_position *position,
                         int side)
{
    struct turn turn = turn_make(rules, position, side);
    struct man_jumps jumps = man_jumps_find(rules, &turn, side);
    if (turn.kings | jumps.going | (ranks_are_one(rules, &turn) ? 0 : jumps.any)) {
        return side == DAMA_WHITE ? count_hard_white(rules, position)
                                  : count_hard_black(rules, position);
    }
    int jump_count = 0;
#pragma GCC unroll 4
    for (int i = 0; i < man_directions(rules); i++) {
        jump_count += dama_bits_count(jumps.jumpers[i]);
    }
    int step_count = dama_bits_count(man_steps(rules, &turn, forward(side, 0))) +
                     dama_bits_count(man_steps(rules, &turn, forward(side, 1)));
    if (!rules->capture_mandatory) {
        return jump_count + step_count;
    }
    return jump_count ? jump_count : step_count;
}

/* Replies to all steps of the men in a position without captures and without own kings: no list of
   the steps is made either. */
DAMA_HOT uint64_t count_step_replies(const struct dama_rules *rules,
                                     const struct dama_position *position, const struct turn *turn,
                                     int side)
{
    uint64_t leaves = 0;
    uint64_t crowning = crown_row(rules, side);
    struct dama_position after;
    after.side = (uint64_t)side ^ 1;
    after.pieces[side ^ 1] = position->pieces[side ^ 1];
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        int d = forward(side, i);
        for (uint64_t movers = man_steps(rules, turn, d); movers; movers &= movers - 1) {
            uint64_t from = movers & -movers;
            uint64_t to = shift(rules, from, d);
            after.pieces[side] = position->pieces[side] ^ from ^ to;
            after.kings = position->kings | (to & crowning);
            leaves += (uint64_t)count_moves(rules, &after, side ^ 1);
        }
    }
    return leaves;
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
