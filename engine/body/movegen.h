/* Legal moves of one position: captures, quiet moves, and whether there are any. */
#ifndef DAMA_BODY_MOVEGEN_H
#define DAMA_BODY_MOVEGEN_H

#include "engine/body/chains.h"
#include "engine/position.h"

/* A position as the side to move sees it. */
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

/* Squares from which a piece that steps can jump over prey in direction d. */
DAMA_HOT uint64_t jump_sources(const struct dama_rules *rules, uint64_t prey, uint64_t empty, int d)
{
    return shift(rules, prey & shift(rules, empty, d ^ 2), d ^ 2);
}

/* The jumps of the men: who jumps in direction d, and what comes after the first jump. */
struct man_jumps {
    uint64_t jumpers[DIRECTIONS];
    uint64_t all;
    bool is_complex; /* a jump goes on, or might */
};

DAMA_HOT struct man_jumps man_jumps_find(const struct dama_rules *rules, const struct turn *turn,
                                         int side)
{
    const struct dama_rules *r = fixed(rules);
    struct man_jumps jumps = {.all = 0};
    uint64_t sources = 0;
    uint64_t landings = 0;
    for (int i = 0; i < (r->man_captures_backward ? 4 : 2); i++) {
        int d = forward(side, i & 1) ^ (i & 2);
        uint64_t from = jump_sources(rules, turn->prey, turn->empty, d);
        jumps.jumpers[d] = from & turn->men;
        jumps.all |= from & turn->men;
        sources |= from;
        landings |= shift(rules, shift(rules, from & turn->men, d), d);
    }
    if (r->crowning == DAMA_CROWNING_GOES_ON_AS_KING) {
        sources |= crown_row(rules, side);
    }
    jumps.is_complex = (landings & sources) != 0;
    return jumps;
}

DAMA_HOT void start_piece(struct chains *chains, const struct turn *turn, uint64_t piece)
{
    chains->empty = turn->empty | piece;
    chains->piece_first = chains->list->count;
}

DAMA_COLD void append_king_captures(const struct dama_rules *rules, const struct turn *turn,
                                    struct chains *chains)
{
    chains->king_moves = true;
    uint64_t kings = turn->kings;
    if (!fixed(rules)->king_flies) {
        uint64_t sources = 0;
        for (int d = 0; d < DIRECTIONS; d++) {
            sources |= jump_sources(rules, turn->opponents, turn->empty, d);
        }
        kings &= sources;
    }
    for (; kings; kings &= kings - 1) {
        uint64_t king = kings & -kings;
        start_piece(chains, turn, king);
        king_chain(rules, chains, king, (dama_move)dama_bits_first(king), 0);
    }
    chains->king_moves = false;
}

DAMA_HOT void append_man_chains(const struct dama_rules *rules, int side, const struct turn *turn,
                                struct chains *chains, uint64_t jumpers)
{
    for (; jumpers; jumpers &= jumpers - 1) {
        uint64_t man = jumpers & -jumpers;
        start_piece(chains, turn, man);
        dama_move move = (dama_move)dama_bits_first(man);
        if (side == DAMA_WHITE) {
            white_chain(rules, chains, man, move, 0);
        } else {
            black_chain(rules, chains, man, move, 0);
        }
    }
}

/* Jumps of men of which none goes on, all of one rank. */
DAMA_HOT void append_single_jumps(const struct dama_rules *rules, int side,
                                  const struct man_jumps *jumps, struct dama_move_list *list)
{
    uint64_t crown_rows = crown_row(rules, side);
    for (int i = 0; i < (fixed(rules)->man_captures_backward ? 4 : 2); i++) {
        int d = forward(side, i & 1) ^ (i & 2);
        for (uint64_t left = jumps->jumpers[d]; left; left &= left - 1) {
            int from = dama_bits_first(left);
            int to = from + 2 * stride(rules, d);
            uint64_t victim = UINT64_C(1) << (from + stride(rules, d));
            list->moves[list->count++] = dama_move_make(from, to, victim, crown_rows >> to & 1);
        }
    }
}

/* Appends the legal captures behind the quiet moves that the list may hold. */
DAMA_HOT void append_captures(const struct dama_rules *rules, int side, const struct turn *turn,
                              struct dama_move_list *list)
{
    const struct dama_rules *r = fixed(rules);
    struct man_jumps jumps = man_jumps_find(rules, turn, side);
    if (!turn->kings && !jumps.all) {
        return;
    }
    uint64_t opponent_kings = turn->opponents & ~turn->opponent_men;
    bool ranks_differ = r->most_kings && r->man_captures_king && opponent_kings;
    if (!turn->kings && !jumps.is_complex && !ranks_differ) {
        append_single_jumps(rules, side, &jumps, list);
        return;
    }
    struct chains chains = {.list = list,
                            .first = list->count,
                            .steps_left = CHAIN_STEPS_MAX,
                            .men = turn->opponent_men,
                            .kings = opponent_kings};
    if (turn->kings) {
        append_king_captures(rules, turn, &chains);
        if (r->king_captures_first && list->count > chains.first) {
            return;
        }
    }
    append_man_chains(rules, side, turn, &chains, jumps.all);
}

enum { STEPS_A_ROUND = 6 };

/* One-step moves in direction d. A round writes its entries whether they are moves or not: the
   branches that this saves cost more. The list has room: quiet moves come first in it. */
DAMA_HOT void append_steps(const struct dama_rules *rules, uint64_t movers, uint64_t crowners,
                           struct dama_move_list *list, int d)
{
    uint64_t step = (uint64_t)(int64_t)stride(rules, d) << 56;
    int count = dama_bits_count(movers);
    for (int done = 0; done < count; done += STEPS_A_ROUND) {
        dama_move *at = list->moves + list->count + done;
        for (int i = 0; i < STEPS_A_ROUND; i++) {
            uint64_t from = (uint64_t)__builtin_ctzll(movers | UINT64_C(1) << 63);
            at[i] = (from | from << 56) + step + ((crowners >> from & 1) << 62);
            movers &= movers - 1;
        }
    }
    list->count += count;
}

DAMA_HOT uint64_t flying_targets(const struct dama_rules *rules, int square, uint64_t empty)
{
    return ray_cast(rules, square, empty, DOWN_LEFT).free |
           ray_cast(rules, square, empty, DOWN_RIGHT).free |
           ray_cast(rules, square, empty, UP_RIGHT).free |
           ray_cast(rules, square, empty, UP_LEFT).free;
}

DAMA_COLD void append_king_quiets(const struct dama_rules *rules, const struct turn *turn,
                                  struct dama_move_list *list)
{
    if (!fixed(rules)->king_flies) {
        for (int d = 0; d < DIRECTIONS; d++) {
            uint64_t movers = turn->kings & shift(rules, turn->empty, d ^ 2);
            append_steps(rules, movers, 0, list, d);
        }
        return;
    }
    for (uint64_t kings = turn->kings; kings; kings &= kings - 1) {
        int from = dama_bits_first(kings);
        uint64_t targets = flying_targets(rules, from, turn->empty);
        for (; targets; targets &= targets - 1) {
            list->moves[list->count++] = dama_move_make(from, dama_bits_first(targets), 0, false);
        }
    }
}

DAMA_HOT void append_quiets(const struct dama_rules *rules, int side, const struct turn *turn,
                            struct dama_move_list *list)
{
    for (int i = 0; i < 2; i++) {
        int d = forward(side, i);
        uint64_t movers = turn->men & shift(rules, turn->empty, d ^ 2);
        append_steps(rules, movers, shift(rules, crown_row(rules, side), d ^ 2), list, d);
    }
    if (turn->kings) {
        append_king_quiets(rules, turn, list);
    }
}

DAMA_HOT void generate_side(const struct dama_rules *rules, const struct dama_position *position,
                            struct dama_move_list *list, int side)
{
    struct turn turn = turn_make(rules, position, side);
    list->count = 0;
    list->is_cut = false;
    if (!rules->capture_mandatory) {
        append_quiets(rules, side, &turn, list);
        append_captures(rules, side, &turn, list);
        return;
    }
    append_captures(rules, side, &turn, list);
    if (!list->count) {
        append_quiets(rules, side, &turn, list);
    }
}

static __attribute__((noinline)) void generate(const struct dama_rules *rules,
                                               const struct dama_position *position,
                                               struct dama_move_list *list)
{
    if (position->side == DAMA_WHITE) {
        generate_side(rules, position, list, DAMA_WHITE);
    } else {
        generate_side(rules, position, list, DAMA_BLACK);
    }
}

static void captures(const struct dama_rules *rules, const struct dama_position *position,
                     struct dama_move_list *list)
{
    list->count = 0;
    list->is_cut = false;
    if (position->side == DAMA_WHITE) {
        struct turn turn = turn_make(rules, position, DAMA_WHITE);
        append_captures(rules, DAMA_WHITE, &turn, list);
    } else {
        struct turn turn = turn_make(rules, position, DAMA_BLACK);
        append_captures(rules, DAMA_BLACK, &turn, list);
    }
}

/* Whether a king of the side to move can capture. */
DAMA_HOT bool king_has_capture(const struct dama_rules *rules, const struct turn *turn)
{
    uint64_t found = 0;
    for (int d = 0; d < DIRECTIONS; d++) {
        uint64_t seen = turn->kings;
        if (fixed(rules)->king_flies) {
            seen = fill(rules, seen, turn->empty, d);
        }
        found |= seen & jump_sources(rules, turn->opponents, turn->empty, d);
    }
    return found != 0;
}

DAMA_HOT bool has_capture_side(const struct dama_rules *rules, const struct turn *turn, int side)
{
    uint64_t found = 0;
    for (int i = 0; i < (fixed(rules)->man_captures_backward ? 4 : 2); i++) {
        int d = forward(side, i & 1) ^ (i & 2);
        found |= turn->men & jump_sources(rules, turn->prey, turn->empty, d);
    }
    return found || (turn->kings && king_has_capture(rules, turn));
}

static bool has_capture(const struct dama_rules *rules, const struct dama_position *position)
{
    if (position->side == DAMA_WHITE) {
        struct turn turn = turn_make(rules, position, DAMA_WHITE);
        return has_capture_side(rules, &turn, DAMA_WHITE);
    }
    struct turn turn = turn_make(rules, position, DAMA_BLACK);
    return has_capture_side(rules, &turn, DAMA_BLACK);
}

DAMA_HOT bool has_move_side(const struct dama_rules *rules, const struct dama_position *position,
                            int side)
{
    struct turn turn = turn_make(rules, position, side);
    uint64_t found = 0;
    for (int i = 0; i < 2; i++) {
        int d = forward(side, i);
        found |= (turn.men | turn.kings) & shift(rules, turn.empty, d ^ 2);
        found |= turn.kings & shift(rules, turn.empty, d);
    }
    return found || has_capture_side(rules, &turn, side);
}

static bool has_move(const struct dama_rules *rules, const struct dama_position *position)
{
    return position->side == DAMA_WHITE ? has_move_side(rules, position, DAMA_WHITE)
                                        : has_move_side(rules, position, DAMA_BLACK);
}

#endif
