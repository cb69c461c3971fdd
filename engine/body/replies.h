/* Counting two plies at once: the replies to all steps of the men. */
#ifndef DAMA_BODY_REPLIES_H
#define DAMA_BODY_REPLIES_H

#include "engine/body/count.h"

/* Replies to the steps from a set of men in their i-th direction, one by one. */
DAMA_HOT uint64_t count_replies_to(const struct dama_rules *rules,
                                   const struct dama_position *position, uint64_t movers, int side,
                                   int i, bool are_hard)
{
    int d = forward(side, i);
    uint64_t leaves = 0;
    uint64_t crowning = crown_row(rules, side);
    struct dama_position after;
    after.side = (uint64_t)side ^ 1;
    after.pieces[side ^ 1] = position->pieces[side ^ 1];
    for (; movers; movers &= movers - 1) {
        uint64_t from = movers & -movers;
        uint64_t to = shift(rules, from, d);
        after.pieces[side] = position->pieces[side] ^ from ^ to;
        after.kings = position->kings | (to & crowning);
        if (!are_hard) {
            leaves += (uint64_t)count_moves(rules, &after, side ^ 1);
        } else if (side == DAMA_WHITE) {
            leaves += (uint64_t)count_hard_black(rules, &after);
        } else {
            leaves += (uint64_t)count_hard_white(rules, &after);
        }
    }
    return leaves;
}

/* What the men of the side that waits could do against the pieces of the side to move, by their
   direction. */
struct threats {
    uint64_t near[DIRECTIONS];   /* squares that they touch */
    uint64_t on[DIRECTIONS];     /* a piece here could be captured */
    uint64_t behind[DIRECTIONS]; /* an own square where a capture would land, were it empty */
    uint64_t any_on;
    uint64_t any_behind;
    uint64_t onward; /* squares from which a man captures, or might go on as a king */
    uint64_t deep;   /* squares of `on` where the capture would go on */
    int steps;
};
DAMA_HOT struct threats threats_find(const struct dama_rules *rules, const struct turn *turn,
                                     int side)
{
    struct threats t = {0};
    bool as_king = fixed(rules)->crowning == DAMA_CROWNING_GOES_ON_AS_KING;
    t.onward = as_king ? crown_row(rules, side ^ 1) : 0;
#pragma GCC unroll 4
    for (int i = 0; i < man_directions(rules); i++) {
        int d = man_direction(side ^ 1, i);
        t.near[i] = shift(rules, turn->opponents, d);
        t.on[i] = t.near[i] & shift(rules, turn->empty, d ^ 2);
        t.behind[i] = shift(rules, t.near[i] & turn->men, d);
        t.any_on |= t.on[i];
        t.any_behind |= t.behind[i];
        t.onward |= jump_sources(rules, turn->men, turn->empty, d);
        t.steps += i < 2 ? dama_bits_count(t.near[i] & turn->empty) : 0;
    }
#pragma GCC unroll 4
    for (int i = 0; i < man_directions(rules); i++) {
        t.deep |= t.on[i] & shift(rules, t.onward, man_direction(side ^ 1, i) ^ 2);
    }
    return t;
}

/* Replies to the steps of the men in their i-th direction, where there are no kings and no man is
   threatened before: added up without making the steps. A step exposes the man itself where it
   arrives, or one behind which it leaves an empty square; else a reply is lost where a step enters
   a square, and won where it leaves one. `left` are the men whose step exposes one to a capture
   that goes on, or might. */
DAMA_HOT int sum_replies(const struct dama_rules *rules, const struct turn *turn,
                         const struct threats *threats, int side, int i, uint64_t *left)
{
    int d = forward(side, i);
    int facing = man_direction(side ^ 1, 0) == (d ^ 2) ? 0 : 1; /* captures into the square left */
    uint64_t touched = threats->near[facing];
    uint64_t movers = man_steps(rules, turn, d);
    uint64_t deep = threats->any_behind & threats->onward;
    if (fixed(rules)->man_captures_backward) {
        uint64_t two_ahead = shift(rules, shift(rules, turn->empty, d ^ 2), d ^ 2);
        deep |= threats->any_behind & two_ahead;
    }
    deep |= shift(rules, threats->deep, d ^ 2) | (shift(rules, touched, d ^ 2) & threats->onward);
    *left = movers & deep;
    movers &= ~deep;
    uint64_t entered = shift(rules, movers, d);
    int captures = dama_bits_count(entered & touched);
#pragma GCC unroll 4
    for (int j = 0; j < man_directions(rules); j++) {
        captures += j == facing ? 0 : dama_bits_count(entered & threats->on[j]);
        captures += dama_bits_count(movers & threats->behind[j]);
    }
    if (rules->capture_mandatory) {
        entered &= ~(threats->any_on | touched | shift(rules, threats->any_behind, d));
        movers = shift(rules, entered, d ^ 2);
    }
    int steps = dama_bits_count(movers) * threats->steps;
#pragma GCC unroll 2
    for (int j = 0; j < 2; j++) {
        steps += dama_bits_count(threats->near[j] & movers);
        steps -= dama_bits_count(threats->near[j] & entered);
    }
    return captures + steps;
}

/* Replies to all steps of the men in a position without captures and without own kings: no list of
   the steps is made either. */
DAMA_HOT uint64_t count_step_replies(const struct dama_rules *rules,
                                     const struct dama_position *position, const struct turn *turn,
                                     int side)
{
    uint64_t left[2] = {man_steps(rules, turn, forward(side, 0)),
                        man_steps(rules, turn, forward(side, 1))};
    struct threats threats = threats_find(rules, turn, side);
    if (position->kings || (threats.any_on & turn->men)) {
        return count_replies_to(rules, position, left[0], side, 0, false) +
               count_replies_to(rules, position, left[1], side, 1, false);
    }
    int sum = sum_replies(rules, turn, &threats, side, 0, &left[0]) +
              sum_replies(rules, turn, &threats, side, 1, &left[1]);
    return (uint64_t)sum + count_replies_to(rules, position, left[0], side, 0, true) +
           count_replies_to(rules, position, left[1], side, 1, true);
}

#endif
