/* Counting the moves of one position as sets, with a list only of what sets cannot tell. */
#ifndef DAMA_BODY_COUNT_H
#define DAMA_BODY_COUNT_H

#include "engine/body/movegen.h"

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

/* Squares of the crowning row where a man that came in its i-th direction may have to go on. A new
   king that flies looks along the one diagonal that it did not come by, and neither the square that
   it left nor a piece just captured is on that. */
DAMA_HOT uint64_t crowned_going(const struct dama_rules *rules, const struct turn *turn,
                                const struct man_jumps *jumps, int side, int i)
{
    const struct dama_rules *r = fixed(rules);
    bool as_king = r->crowning == DAMA_CROWNING_GOES_ON_AS_KING;
    bool as_man_would = r->crowning == DAMA_CROWNING_ENDS_MOVE && r->man_captures_backward;
    if (i > 1 || (!as_king && !as_man_would)) {
        return 0;
    }
    uint64_t row = crown_row(rules, side);
    if (!as_king || !r->king_flies || !r->man_captures_backward || !r->man_captures_king) {
        return row;
    }
    int back = i ^ 3;
    return row & fill(rules, jumps->sources[back] & turn->empty, turn->empty,
                      man_direction(side, back) ^ 2);
}

/* By first direction, the landings of men from which a third piece is taken, or one by a king. The
   board stands as before the move: a second jump meets neither the empty start square nor the first
   victim, and a third does not either. */
DAMA_HOT void find_deep_landings(const struct dama_rules *rules, const struct turn *turn,
                                 const struct man_jumps *jumps, int side, uint64_t deep[DIRECTIONS])
{
    uint64_t second = 0; /* squares where a second jump starts that a third can follow */
#pragma GCC unroll 4
    for (int i = 0; i < man_directions(rules); i++) {
        int back = man_direction(side, i) ^ 2;
        deep[i] = crowned_going(rules, turn, jumps, side, i);
        uint64_t third = deep[i];
#pragma GCC unroll 4
        for (int j = 0; j < man_directions(rules); j++) {
            third |= j == (i ^ 2) ? 0 : jumps->sources[j];
        }
        second |= jumps->sources[i] & shift(rules, shift(rules, third, back), back);
    }
#pragma GCC unroll 4
    for (int i = 0; i < man_directions(rules); i++) {
        deep[i] = jumps->landings[i] & (deep[i] | second);
    }
}

/* Captures of men that all rank by their pieces alone: those of one or two pieces as sets, a list
   of the rest. */
DAMA_HOT int count_man_captures(const struct dama_rules *rules, const struct turn *turn, int side)
{
    struct man_jumps jumps = man_jumps_find(rules, turn, side);
    uint64_t deep[DIRECTIONS] = {0};
    find_deep_landings(rules, turn, &jumps, side, deep);
    uint64_t any_source = jumps.sources[0] | jumps.sources[1];
    if (man_directions(rules) > 2) {
        any_source |= jumps.sources[2] | jumps.sources[3];
    }
    int singles = 0;
    int doubles = 0;
    uint64_t any_deep = 0;
#pragma GCC unroll 4
    for (int i = 0; i < man_directions(rules); i++) {
        uint64_t ends = jumps.landings[i] ^ deep[i];
#pragma GCC unroll 4
        for (int j = 0; j < man_directions(rules); j++) {
            doubles += j == (i ^ 2) ? 0 : dama_bits_count(ends & jumps.sources[j]);
        }
        singles += dama_bits_count(ends & ~any_source);
        any_deep |= deep[i];
    }
    bool most_pieces = fixed(rules)->most_pieces;
    if (!any_deep) {
        return doubles + (most_pieces && doubles ? 0 : singles);
    }
    struct dama_move_list list;
    list.count = 0;
    struct chains chains = chains_make(turn, &list);
#pragma GCC unroll 4
    for (int i = 0; i < man_directions(rules); i++) {
        append_man_chains(rules, side, turn, &chains, deep[i], man_direction(side, i));
    }
    if (!most_pieces) {
        return list.count + doubles + singles;
    }
    int pieces = dama_bits_count(dama_move_captured(list.moves[0]));
    int others = doubles ? 2 : singles != 0;
    return (pieces >= others ? list.count : 0) +
           (others >= pieces ? (doubles ? doubles : singles) : 0);
}

/* Positions with kings to move, or with captures that go on or differ in rank. */
DAMA_HOT int count_hard(const struct dama_rules *rules, const struct dama_position *position,
                        int side)
{
    struct turn turn = turn_make(rules, position, side);
    int count = 0;
    if (!turn.kings && ranks_are_one(rules, &turn)) {
        count = count_man_captures(rules, &turn, side);
    } else if (turn_has_capture(rules, &turn, side)) {
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

#endif
