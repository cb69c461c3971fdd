/* Lists of the legal moves of one position. */
#ifndef DAMA_BODY_MOVEGEN_H
#define DAMA_BODY_MOVEGEN_H

#include "engine/body/chains.h"
#include "engine/body/turn.h"

DAMA_HOT struct chains chains_make(const struct turn *turn, struct dama_move_list *list)
{
    return (struct chains){.list = list,
                           .first = list->count,
                           .piece_first = list->count,
                           .steps_left = CHAIN_STEPS_MAX,
                           .men = turn->opponent_men,
                           .kings = turn->opponents & ~turn->opponent_men};
}

DAMA_HOT void start_piece(struct chains *chains, uint64_t empty, uint64_t piece)
{
    chains->empty = empty | piece;
    chains->piece_first = chains->list->count;
}

DAMA_HOT void append_king_chains(const struct dama_rules *rules, const struct turn *turn,
                                 struct chains *chains)
{
    uint64_t kings = turn->kings;
    if (!fixed(rules)->king_flies) {
        uint64_t sources = 0;
#pragma GCC unroll 4
        for (int d = 0; d < DIRECTIONS; d++) {
            sources |= jump_sources(rules, turn->opponents, turn->empty, d);
        }
        kings &= sources;
    }
    chains->king_moves = true;
    for (; kings; kings &= kings - 1) {
        uint64_t king = kings & -kings;
        start_piece(chains, turn->empty, king);
        king_chain(rules, chains, king, (dama_move)dama_bits_first(king), 0);
    }
    chains->king_moves = false;
}

/* The captures of men that jump in direction d: first those that go on, then those that end. */
DAMA_HOT void append_man_chains(const struct dama_rules *rules, int side, const struct turn *turn,
                                struct chains *chains, uint64_t landings, int d)
{
    for (; landings; landings &= landings - 1) {
        uint64_t landing = landings & -landings;
        uint64_t victim = shift(rules, landing, d ^ 2);
        uint64_t man = shift(rules, victim, d ^ 2);
        dama_move move = (dama_move)dama_bits_first(man) | victim;
        uint64_t pattern = pattern_add(rules, chains, 0, victim);
        chains->empty = turn->empty | man;
        if (side == DAMA_WHITE) {
            white_chain(rules, chains, landing, move, pattern);
        } else {
            black_chain(rules, chains, landing, move, pattern);
        }
    }
}

DAMA_HOT void append_all_man_chains(const struct dama_rules *rules, int side,
                                    const struct turn *turn, struct chains *chains)
{
    struct man_jumps jumps = man_jumps_find(rules, turn, side);
    /* Two first directions of one man can lead to the same move. */
    chains->piece_first = chains->list->count;
#pragma GCC unroll 4
    for (int i = 0; i < man_directions(rules); i++) {
        append_man_chains(rules, side, turn, chains, jumps.landings[i] & jumps.going,
                          man_direction(side, i));
    }
    uint64_t crowning = crown_row(rules, side);
#pragma GCC unroll 4
    for (int i = 0; i < man_directions(rules); i++) {
        int step = stride(rules, man_direction(side, i));
        uint64_t left = jumps.landings[i] & ~jumps.going;
        for (; left; left &= left - 1) {
            int to = dama_bits_first(left);
            uint64_t victim = UINT64_C(1) << (to - step);
            emit_captures(rules, chains,
                          dama_move_make(to - 2 * step, 0, victim, crowning >> to & 1),
                          pattern_add(rules, chains, 0, victim), left & -left);
        }
    }
}

/* All captures, behind the moves that the list has. Everything is found again from the position:
   the hot callers keep what they know in registers, and hand over no pointer to it. */
DAMA_HOT void append_chains(const struct dama_rules *rules, const struct dama_position *position,
                            struct dama_move_list *list, int side)
{
    struct turn turn = turn_make(rules, position, side);
    struct chains chains = chains_make(&turn, list);
    if (turn.kings) {
        append_king_chains(rules, &turn, &chains);
        if (fixed(rules)->king_captures_first && list->count > chains.first) {
            return;
        }
    }
    append_all_man_chains(rules, side, &turn, &chains);
}

DAMA_COLD void append_white_chains(const struct dama_rules *rules,
                                   const struct dama_position *position,
                                   struct dama_move_list *list)
{
    append_chains(rules, position, list, DAMA_WHITE);
}

DAMA_COLD void append_black_chains(const struct dama_rules *rules,
                                   const struct dama_position *position,
                                   struct dama_move_list *list)
{
    append_chains(rules, position, list, DAMA_BLACK);
}

/* Jumps of men of which none goes on. */
DAMA_HOT void append_single_jumps(const struct dama_rules *rules, int side,
                                  const struct man_jumps *jumps, struct dama_move_list *list)
{
    dama_move *at = list->moves + list->count;
    uint64_t crowning = crown_row(rules, side);
#pragma GCC unroll 4
    for (int i = 0; i < man_directions(rules); i++) {
        int step = stride(rules, man_direction(side, i));
        for (uint64_t left = jumps->jumpers[i]; left; left &= left - 1) {
            int from = dama_bits_first(left);
            int to = from + 2 * step;
            *at++ = dama_move_make(from, to, UINT64_C(1) << (from + step), crowning >> to & 1);
        }
    }
    list->count = (int)(at - list->moves);
}

/* Whether all captures of men have one rank when none goes on. */
DAMA_HOT bool ranks_are_one(const struct dama_rules *rules, const struct turn *turn)
{
    const struct dama_rules *r = fixed(rules);
    return !r->most_kings || !r->man_captures_king || turn->opponents == turn->opponent_men;
}

/* Appends the legal captures behind the quiet moves that the list may have. */
DAMA_HOT void append_captures(const struct dama_rules *rules, const struct dama_position *position,
                              const struct turn *turn, struct dama_move_list *list, int side)
{
    struct man_jumps jumps = man_jumps_find(rules, turn, side);
    if (!turn->kings && !jumps.any) {
        return;
    }
    if (!turn->kings && !jumps.going && ranks_are_one(rules, turn)) {
        append_single_jumps(rules, side, &jumps, list);
    } else if (side == DAMA_WHITE) {
        append_white_chains(rules, position, list);
    } else {
        append_black_chains(rules, position, list);
    }
}

enum { STEPS_A_ROUND = 6 };

/* One-step moves in direction d, behind end; returns the new end. A round writes its entries
   whether they are moves or not, since the branches that this saves cost more; the list has room,
   quiet moves come first in it. */
DAMA_HOT dama_move *append_steps(const struct dama_rules *rules, uint64_t movers, dama_move *end,
                                 int d)
{
    uint64_t step = (uint64_t)(int64_t)stride(rules, d) << 56;
    int count = dama_bits_count(movers);
    dama_move *at = end;
    do {
#pragma GCC unroll 6
        for (int i = 0; i < STEPS_A_ROUND; i++) {
            uint64_t from = (unsigned)__builtin_ctzll(movers | UINT64_C(1) << 63);
            at[i] = (from | from << 56) + step;
            movers &= movers - 1;
        }
        at += STEPS_A_ROUND;
    } while (movers);
    return end + count;
}

/* Marks the men's steps from..end that reach the crowning row. They stand together, since moves
   ascend by their squares, but a position has so few that a search is no loss. */
DAMA_COLD void mark_crowning(dama_move *from, const dama_move *end, uint64_t row)
{
    for (; from < end; from++) {
        *from |= (row >> dama_move_to(*from) & 1) << 62;
    }
}

DAMA_COLD dama_move *append_king_quiets(const struct dama_rules *rules, uint64_t kings,
                                        uint64_t empty, dama_move *end)
{
    if (!fixed(rules)->king_flies) {
#pragma GCC unroll 4
        for (int d = 0; d < DIRECTIONS; d++) {
            end = append_steps(rules, kings & shift(rules, empty, d ^ 2), end, d);
        }
        return end;
    }
    for (; kings; kings &= kings - 1) {
        int from = dama_bits_first(kings);
        uint64_t targets = flying_targets(rules, from, empty);
        for (; targets; targets &= targets - 1) {
            *end++ = dama_move_make(from, dama_bits_first(targets), 0, false);
        }
    }
    return end;
}

/* The quiet moves, into an empty list. */
DAMA_HOT void append_quiets(const struct dama_rules *rules, const struct turn *turn,
                            struct dama_move_list *list, int side)
{
    int d = forward(side, 0);
    int e = forward(side, 1);
    dama_move *end = append_steps(rules, man_steps(rules, turn, d), list->moves, d);
    end = append_steps(rules, man_steps(rules, turn, e), end, e);
    uint64_t row = crown_row(rules, side);
    uint64_t before =
        shift(rules, row & turn->empty, d ^ 2) | shift(rules, row & turn->empty, e ^ 2);
    if (turn->men & before) {
        mark_crowning(list->moves, end, row);
    }
    if (turn->kings) {
        end = append_king_quiets(rules, turn->kings, turn->empty, end);
    }
    list->count = (int)(end - list->moves);
}

DAMA_HOT void generate_side(const struct dama_rules *rules, const struct dama_position *position,
                            struct dama_move_list *list, int side)
{
    struct turn turn = turn_make(rules, position, side);
    list->count = 0;
    list->is_cut = false;
    if (!rules->capture_mandatory) {
        append_quiets(rules, &turn, list, side);
        append_captures(rules, position, &turn, list, side);
        return;
    }
    append_captures(rules, position, &turn, list, side);
    if (!list->count) {
        append_quiets(rules, &turn, list, side);
    }
}

DAMA_COLD void generate_white(const struct dama_rules *rules, const struct dama_position *position,
                              struct dama_move_list *list)
{
    generate_side(rules, position, list, DAMA_WHITE);
}

DAMA_COLD void generate_black(const struct dama_rules *rules, const struct dama_position *position,
                              struct dama_move_list *list)
{
    generate_side(rules, position, list, DAMA_BLACK);
}

static inline void generate(const struct dama_rules *rules, const struct dama_position *position,
                            struct dama_move_list *list)
{
    if (position->side == DAMA_WHITE) {
        generate_white(rules, position, list);
    } else {
        generate_black(rules, position, list);
    }
}

static inline void captures(const struct dama_rules *rules, const struct dama_position *position,
                            struct dama_move_list *list)
{
    list->count = 0;
    list->is_cut = false;
    if (position->side == DAMA_WHITE) {
        struct turn turn = turn_make(rules, position, DAMA_WHITE);
        append_captures(rules, position, &turn, list, DAMA_WHITE);
    } else {
        struct turn turn = turn_make(rules, position, DAMA_BLACK);
        append_captures(rules, position, &turn, list, DAMA_BLACK);
    }
}

#endif
