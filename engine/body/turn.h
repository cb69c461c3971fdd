/* A position as the side to move sees it, and what all its pieces can do at once. */
#ifndef DAMA_BODY_TURN_H
#define DAMA_BODY_TURN_H

#include "engine/body/steps.h"
#include "engine/position.h"

struct turn {
    uint64_t men;
    uint64_t kings;
    uint64_t opponents;
    uint64_t opponent_men;
    uint64_t prey; /* what a man may capture */
    uint64_t empty;
};

DAMA_HOT struct turn turn_make(const struct dama_rules *rules, const struct dama_position *position,
                               int side)
{
    uint64_t own = position->pieces[side];
    uint64_t opponents = position->pieces[side ^ 1];
    uint64_t opponent_men = opponents & ~position->kings;
    return (struct turn){
        .men = own & ~position->kings,
        .kings = own & position->kings,
        .opponents = opponents,
        .opponent_men = opponent_men,
        .prey = fixed(rules)->man_captures_king ? opponents : opponent_men,
        .empty = board_all(rules) & ~(own | opponents),
    };
}

/* The men of a side that can step in a forward direction. */
DAMA_HOT uint64_t man_steps(const struct dama_rules *rules, const struct turn *turn, int d)
{
    return turn->men & shift(rules, turn->empty, d ^ 2);
}

/* Squares from which a piece that steps can jump over prey in direction d. */
DAMA_HOT uint64_t jump_sources(const struct dama_rules *rules, uint64_t prey, uint64_t empty, int d)
{
    return shift(rules, prey & shift(rules, empty, d ^ 2), d ^ 2);
}

/* The jumps of the men, by the i-th direction of a side (its two forward ones, then the two
   backward ones): from where a jump is possible, who jumps, and where it lands. */
struct man_jumps {
    uint64_t sources[DIRECTIONS];
    uint64_t jumpers[DIRECTIONS];
    uint64_t landings[DIRECTIONS];
    uint64_t any;
    uint64_t going; /* the landings from which a jump goes on, or might */
};

DAMA_HOT int man_direction(int side, int i)
{
    return forward(side, i & 1) ^ (i & 2);
}

DAMA_HOT int man_directions(const struct dama_rules *rules)
{
    return fixed(rules)->man_captures_backward ? 4 : 2;
}

DAMA_HOT struct man_jumps man_jumps_find(const struct dama_rules *rules, const struct turn *turn,
                                         int side)
{
    const struct dama_rules *r = fixed(rules);
    struct man_jumps jumps;
    uint64_t sources = r->crowning == DAMA_CROWNING_GOES_ON_AS_KING ? crown_row(rules, side) : 0;
    uint64_t landings = 0;
    jumps.any = 0;
#pragma GCC unroll 4
    for (int i = 0; i < man_directions(rules); i++) {
        int d = man_direction(side, i);
        jumps.sources[i] = jump_sources(rules, turn->prey, turn->empty, d);
        jumps.jumpers[i] = jumps.sources[i] & turn->men;
        jumps.landings[i] = shift(rules, shift(rules, jumps.jumpers[i], d), d);
        jumps.any |= jumps.jumpers[i];
        sources |= jumps.sources[i];
        landings |= jumps.landings[i];
    }
    jumps.going = landings & sources;
    return jumps;
}

/* Whether a king of the side to move can capture. */
DAMA_HOT bool king_has_capture(const struct dama_rules *rules, const struct turn *turn)
{
    uint64_t found = 0;
#pragma GCC unroll 4
    for (int d = 0; d < DIRECTIONS; d++) {
        uint64_t seen = turn->kings;
        if (fixed(rules)->king_flies) {
            seen = fill(rules, seen, turn->empty, d);
        }
        found |= seen & jump_sources(rules, turn->opponents, turn->empty, d);
    }
    return found != 0;
}

DAMA_HOT bool turn_has_capture(const struct dama_rules *rules, const struct turn *turn, int side)
{
    uint64_t found = 0;
#pragma GCC unroll 4
    for (int i = 0; i < man_directions(rules); i++) {
        found |= turn->men & jump_sources(rules, turn->prey, turn->empty, man_direction(side, i));
    }
    return found || (turn->kings && king_has_capture(rules, turn));
}

DAMA_HOT bool turn_has_move(const struct dama_rules *rules, const struct turn *turn, int side)
{
    uint64_t found = 0;
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        int d = forward(side, i);
        found |= (turn->men | turn->kings) & shift(rules, turn->empty, d ^ 2);
        found |= turn->kings & shift(rules, turn->empty, d);
    }
    return found || turn_has_capture(rules, turn, side);
}

/* Where a flying king can go without a capture. */
DAMA_HOT uint64_t flying_targets(const struct dama_rules *rules, int square, uint64_t empty)
{
    return ray_cast(rules, square, empty, DOWN_LEFT).free |
           ray_cast(rules, square, empty, DOWN_RIGHT).free |
           ray_cast(rules, square, empty, UP_RIGHT).free |
           ray_cast(rules, square, empty, UP_LEFT).free;
}

static inline bool has_capture(const struct dama_rules *rules, const struct dama_position *position)
{
    if (position->side == DAMA_WHITE) {
        struct turn turn = turn_make(rules, position, DAMA_WHITE);
        return turn_has_capture(rules, &turn, DAMA_WHITE);
    }
    struct turn turn = turn_make(rules, position, DAMA_BLACK);
    return turn_has_capture(rules, &turn, DAMA_BLACK);
}

static inline bool has_move(const struct dama_rules *rules, const struct dama_position *position)
{
    if (position->side == DAMA_WHITE) {
        struct turn turn = turn_make(rules, position, DAMA_WHITE);
        return turn_has_move(rules, &turn, DAMA_WHITE);
    }
    struct turn turn = turn_make(rules, position, DAMA_BLACK);
    return turn_has_move(rules, &turn, DAMA_BLACK);
}

#endif
