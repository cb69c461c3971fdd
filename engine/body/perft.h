/* Counting leaves: by lists as the search makes them, and without lists at the last ply. */
#ifndef DAMA_BODY_PERFT_H
#define DAMA_BODY_PERFT_H

#include "engine/body/make.h"
#include "engine/body/movegen.h"

static uint64_t perft_list(const struct dama_rules *rules, const struct dama_position *position,
                           int depth)
{
    if (depth <= 0) {
        return 1;
    }
    struct dama_move_list list;
    generate(rules, position, &list);
    if (depth == 1) {
        return (uint64_t)list.count;
    }
    uint64_t leaves = 0;
    for (int i = 0; i < list.count; i++) {
        struct dama_position after = make_move(position, list.moves[i]);
        leaves += perft_list(rules, &after, depth - 1);
    }
    return leaves;
}

/* Captures that need the choice rules or the recursion are counted by their list. */
static __attribute__((noinline)) int count_captures_by_list(const struct dama_rules *rules,
                                                            const struct dama_position *position)
{
    struct dama_move_list list;
    captures(rules, position, &list);
    return list.count;
}

DAMA_HOT int count_captures(const struct dama_rules *rules, const struct dama_position *position,
                            const struct turn *turn, int side)
{
    const struct dama_rules *r = fixed(rules);
    struct man_jumps jumps = man_jumps_find(rules, turn, side);
    bool ranks_differ =
        r->most_kings && r->man_captures_king && turn->opponents != turn->opponent_men;
    bool king_jumps = turn->kings && king_has_capture(rules, turn);
    if (king_jumps || jumps.is_complex || (ranks_differ && jumps.all)) {
        return count_captures_by_list(rules, position);
    }
    if (!jumps.all) {
        return 0;
    }
    int count = 0;
    for (int i = 0; i < (r->man_captures_backward ? 4 : 2); i++) {
        count += dama_bits_count(jumps.jumpers[forward(side, i & 1) ^ (i & 2)]);
    }
    return count;
}

DAMA_COLD int count_king_quiets(const struct dama_rules *rules, const struct turn *turn)
{
    int count = 0;
    if (!fixed(rules)->king_flies) {
        for (int d = 0; d < DIRECTIONS; d++) {
            count += dama_bits_count(turn->kings & shift(rules, turn->empty, d ^ 2));
        }
        return count;
    }
    for (uint64_t kings = turn->kings; kings; kings &= kings - 1) {
        count += dama_bits_count(flying_targets(rules, dama_bits_first(kings), turn->empty));
    }
    return count;
}

DAMA_HOT int count_moves_side(const struct dama_rules *rules, const struct dama_position *position,
                              int side)
{
    struct turn turn = turn_make(rules, position, side);
    int count = count_captures(rules, position, &turn, side);
    if (count && rules->capture_mandatory) {
        return count;
    }
    for (int i = 0; i < 2; i++) {
        count += dama_bits_count(turn.men & shift(rules, turn.empty, forward(side, i) ^ 2));
    }
    return turn.kings ? count + count_king_quiets(rules, &turn) : count;
}

static uint64_t perft_count(const struct dama_rules *rules, const struct dama_position *position,
                            int depth)
{
    if (depth <= 0) {
        return 1;
    }
    if (depth == 1) {
        return (uint64_t)(position->side == DAMA_WHITE
                              ? count_moves_side(rules, position, DAMA_WHITE)
                              : count_moves_side(rules, position, DAMA_BLACK));
    }
    struct dama_move_list list;
    generate(rules, position, &list);
    uint64_t leaves = 0;
    for (int i = 0; i < list.count; i++) {
        struct dama_position after = make_move(position, list.moves[i]);
        leaves += perft_count(rules, &after, depth - 1);
    }
    return leaves;
}

#endif
