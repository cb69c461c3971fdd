/* Captures of more than one piece: the recursion for each kind of piece, the choice rules among
   captures, and the list they end in. All of this is the cold part of generation. */
#ifndef DAMA_BODY_CHAINS_H
#define DAMA_BODY_CHAINS_H

#include "engine/body/steps.h"
#include "engine/move.h"

/* No board has a position of a game that comes near this; problems with thousands of orders of the
   same captures stop here, and the list says so (is_cut). */
enum { CHAIN_STEPS_MAX = 1 << 20 };

/* One side's captures while they are collected. */
struct chains {
    struct dama_move_list *list;
    int first;       /* where captures start in the list: quiet moves may stand before them */
    int piece_first; /* where those of the present piece start: only these can be duplicates */
    int steps_left;  /* bounds the recursion */
    bool king_moves; /* the present piece started as a king */
    uint64_t best;   /* rank of the captures in the list */
    uint64_t empty;  /* the present piece's start square included */
    uint64_t men;    /* opponent's */
    uint64_t kings;
};

/* How far a capture has come: the square or squares it stands on, the move so far (all but its end:
   victims lie in the move word on their own board bits, so that one OR takes a piece), and the
   pattern of the kings among them. */
struct chain_end {
    uint64_t square;
    dama_move move;
    uint64_t pattern;
};

/* Choice rules as one number: of two captures the higher is compulsory. Fields from high to low:
   pieces, captured by a king, kings, kings earliest (the pattern, first capture highest; equal
   counts make equal lengths). */
DAMA_HOT uint64_t capture_rank(const struct dama_rules *rules, const struct chains *chains,
                               uint64_t captured, uint64_t pattern)
{
    const struct dama_rules *r = fixed(rules);
    if (!r->most_pieces) {
        return 0;
    }
    uint64_t rank = (uint64_t)dama_bits_count(captured) << 48;
    if (r->prefer_king_capturer) {
        rank |= (uint64_t)chains->king_moves << 40;
    }
    if (r->most_kings) {
        rank |= (uint64_t)dama_bits_count(captured & chains->kings) << 32;
    }
    return r->kings_earliest ? rank | pattern : rank;
}

DAMA_HOT uint64_t pattern_add(const struct dama_rules *rules, const struct chains *chains,
                              uint64_t pattern, uint64_t victim)
{
    return fixed(rules)->kings_earliest ? pattern << 1 | ((victim & chains->kings) != 0) : 0;
}

/* Fewer captures than this have one order only that leads from a square to another. */
enum { DUPLICATES_FROM = 4 };

static inline bool is_listed(const struct chains *chains, dama_move move)
{
    for (int i = chains->list->count; i-- > chains->piece_first;) {
        if (chains->list->moves[i] == move) {
            return true;
        }
    }
    return false;
}

/* Ends a capture on each of a set of squares. move has all but the square. */
DAMA_HOT void emit_captures(const struct dama_rules *rules, struct chains *chains, dama_move move,
                            uint64_t pattern, uint64_t landings)
{
    uint64_t captured = dama_move_captured(move);
    uint64_t rank = capture_rank(rules, chains, captured, pattern);
    struct dama_move_list *list = chains->list;
    if (rank < chains->best) {
        return;
    }
    if (rank > chains->best) {
        chains->best = rank;
        chains->piece_first = chains->first;
        list->count = chains->first;
    }
    bool may_repeat = dama_bits_count(captured) >= DUPLICATES_FROM;
    for (; landings; landings &= landings - 1) {
        dama_move whole = move | (uint64_t)dama_bits_first(landings) << 56;
        if (may_repeat && is_listed(chains, whole)) {
            continue;
        }
        if (list->count == DAMA_MOVES_MAX) {
            list->is_cut = true;
            return;
        }
        list->moves[list->count++] = whole;
    }
}

/* Counts a step of the recursion; false when there have been too many. */
static inline bool may_step(struct chains *chains)
{
    if (chains->steps_left-- > 0) {
        return true;
    }
    chains->list->is_cut = true;
    return false;
}

/* Captured pieces block until the move ends, or leave at once where the rules say so. */
DAMA_HOT uint64_t chain_empty(const struct dama_rules *rules, const struct chains *chains,
                              dama_move move)
{
    return fixed(rules)->captured_leave_at_once ? chains->empty | dama_move_captured(move)
                                                : chains->empty;
}

/* A piece just captured victim; captured sets and victims are board bits, and the move word holds
   them in place (move.h), so that one OR takes a piece. */
static void flying_chain(const struct dama_rules *rules, struct chains *chains, uint64_t landings,
                         dama_move move, uint64_t pattern);

/* Where a flying king may stop behind a victim, before it is asked whether it can go on. */
DAMA_HOT uint64_t flying_landings(const struct dama_rules *rules, uint64_t victim, uint64_t empty,
                                  int d)
{
    if (fixed(rules)->king_lands_behind) {
        return shift(rules, victim, d) & empty;
    }
    return ray_cast(rules, dama_bits_first(victim), empty, d).free;
}

/* Goes on in direction d from every landing square at once: each victim is on another diagonal.
   Returns the landing squares that can go on. */
DAMA_HOT uint64_t flying_step(const struct dama_rules *rules, struct chains *chains,
                              uint64_t landings, dama_move move, uint64_t pattern, int d)
{
    uint64_t empty = chain_empty(rules, chains, move);
    uint64_t targets = (chains->men | chains->kings) & ~move & shift(rules, empty, d ^ 2);
    uint64_t victims = shift(rules, fill(rules, landings, empty, d), d) & targets;
    uint64_t going = victims;
    for (; victims; victims &= victims - 1) {
        uint64_t victim = victims & -victims;
        flying_chain(rules, chains, flying_landings(rules, victim, empty, d), move | victim,
                     pattern_add(rules, chains, pattern, victim));
    }
    const struct dama_rules *r = fixed(rules);
    if (r->king_must_go_on || r->most_pieces || !going) {
        return going;
    }
    return fill(rules, going, empty, d ^ 2) & landings;
}

/* Landing squares from which the capture goes on are no end of it. Where the king must choose such
   a square none of the others is, either; and where most pieces count they are not the most. */
static void flying_chain(const struct dama_rules *rules, struct chains *chains, uint64_t landings,
                         dama_move move, uint64_t pattern)
{
    if (!may_step(chains)) {
        return;
    }
    uint64_t going = flying_step(rules, chains, landings, move, pattern, DOWN_LEFT);
    going |= flying_step(rules, chains, landings, move, pattern, DOWN_RIGHT);
    going |= flying_step(rules, chains, landings, move, pattern, UP_RIGHT);
    going |= flying_step(rules, chains, landings, move, pattern, UP_LEFT);
    const struct dama_rules *r = fixed(rules);
    if (r->king_must_go_on || r->most_pieces) {
        landings = going ? 0 : landings;
    } else {
        landings &= ~going;
    }
    if (landings && dama_move_is_capture(move)) {
        emit_captures(rules, chains, move, pattern, landings);
    }
}

static void short_chain(const struct dama_rules *rules, struct chains *chains, uint64_t square,
                        dama_move move, uint64_t pattern);

/* One jump of a king that steps; false when there is none in this direction. */
DAMA_HOT bool short_step(const struct dama_rules *rules, struct chains *chains, uint64_t square,
                         dama_move move, uint64_t pattern, int d)
{
    uint64_t victim = shift(rules, square, d) & (chains->men | chains->kings) & ~move;
    uint64_t landing = shift(rules, victim, d) & chain_empty(rules, chains, move);
    if (!landing) {
        return false;
    }
    short_chain(rules, chains, landing, move | victim, pattern_add(rules, chains, pattern, victim));
    return true;
}

static void short_chain(const struct dama_rules *rules, struct chains *chains, uint64_t square,
                        dama_move move, uint64_t pattern)
{
    if (!may_step(chains)) {
        return;
    }
    bool going = short_step(rules, chains, square, move, pattern, DOWN_LEFT);
    going |= short_step(rules, chains, square, move, pattern, DOWN_RIGHT);
    going |= short_step(rules, chains, square, move, pattern, UP_RIGHT);
    going |= short_step(rules, chains, square, move, pattern, UP_LEFT);
    if (!going) {
        emit_captures(rules, chains, move, pattern, square);
    }
}

static void king_chain(const struct dama_rules *rules, struct chains *chains, uint64_t square,
                       dama_move move, uint64_t pattern)
{
    if (fixed(rules)->king_flies) {
        flying_chain(rules, chains, square, move, pattern);
    } else {
        short_chain(rules, chains, square, move, pattern);
    }
}

static void white_chain(const struct dama_rules *rules, struct chains *chains, uint64_t square,
                        dama_move move, uint64_t pattern);
static void black_chain(const struct dama_rules *rules, struct chains *chains, uint64_t square,
                        dama_move move, uint64_t pattern);

/* One jump of a man; false when there is none in this direction. */
DAMA_HOT bool man_step(const struct dama_rules *rules, int side, struct chains *chains,
                       struct chain_end at, int d)
{
    uint64_t prey = fixed(rules)->man_captures_king ? chains->men | chains->kings : chains->men;
    uint64_t victim = shift(rules, at.square, d) & prey & ~at.move;
    uint64_t landing = shift(rules, victim, d) & chain_empty(rules, chains, at.move);
    if (!landing) {
        return false;
    }
    uint64_t pattern = pattern_add(rules, chains, at.pattern, victim);
    if (side == DAMA_WHITE) {
        white_chain(rules, chains, landing, at.move | victim, pattern);
    } else {
        black_chain(rules, chains, landing, at.move | victim, pattern);
    }
    return true;
}

/* What a man does that stands on a square in the middle of its capture, or before it. */
DAMA_HOT void man_chain(const struct dama_rules *rules, int side, struct chains *chains,
                        struct chain_end at)
{
    const struct dama_rules *r = fixed(rules);
    if (!may_step(chains)) {
        return;
    }
    dama_move crowned = at.move;
    if (at.square & crown_row(rules, side)) {
        crowned |= dama_move_make(0, 0, 0, true);
        if (r->crowning == DAMA_CROWNING_GOES_ON_AS_KING) {
            king_chain(rules, chains, at.square, crowned, at.pattern);
            return;
        }
        if (r->crowning == DAMA_CROWNING_ENDS_MOVE) {
            emit_captures(rules, chains, crowned, at.pattern, at.square);
            return;
        }
    }
    bool going = man_step(rules, side, chains, at, forward(side, 0));
    going |= man_step(rules, side, chains, at, forward(side, 1));
    if (r->man_captures_backward) {
        going |= man_step(rules, side, chains, at, forward(side, 0) ^ 2);
        going |= man_step(rules, side, chains, at, forward(side, 1) ^ 2);
    }
    if (!going) {
        emit_captures(rules, chains, crowned, at.pattern, at.square);
    }
}

static void white_chain(const struct dama_rules *rules, struct chains *chains, uint64_t square,
                        dama_move move, uint64_t pattern)
{
    man_chain(rules, DAMA_WHITE, chains, (struct chain_end){square, move, pattern});
}

static void black_chain(const struct dama_rules *rules, struct chains *chains, uint64_t square,
                        dama_move move, uint64_t pattern)
{
    man_chain(rules, DAMA_BLACK, chains, (struct chain_end){square, move, pattern});
}

#endif
