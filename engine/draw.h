/* Draw rules of RULES.md: counters that a move updates, and the rule that ends a game. */
#ifndef DAMA_DRAW_H
#define DAMA_DRAW_H

#include "engine/move.h"
#include "engine/position.h"

/* Which set of draw rules a game follows. NONE serves analysis of problems. */
#define DAMA_DRAW_RULES(X) \
    X(SITE, "site")        \
    X(FEDERATION, "federation")
enum dama_draw_rules {
#define X(name, text) DAMA_DRAWS_##name,
    DAMA_DRAW_RULES(X)
#undef X
};

/* Why a game is drawn; the text is what play, PDN and replay print. */
#define DAMA_DRAW_REASONS(X)                            \
    X(NONE, "no draw")                                  \
    X(REPETITION, "repetition of the position")         \
    X(SITE, "no capture and no crowning")               \
    X(KING_MOVES, "only king moves, no capture")        \
    X(THREE_KINGS, "three kings against one")           \
    X(THREE_PIECES, "three pieces against one king")    \
    X(LONG_DIAGONAL, "lone king on the long diagonal")  \
    X(TWO_PIECES, "two pieces against one king")        \
    X(TWO_KINGS, "two kings or fewer on each side")     \
    X(FEW_PIECES, "few pieces and kings on both sides") \
    X(BALANCE, "balance of kings unchanged")
enum dama_draw_reason {
#define X(name, text) DAMA_DRAW_##name,
    DAMA_DRAW_REASONS(X)
#undef X
};
const char *dama_draw_reason_text(enum dama_draw_reason reason);

/* Plies so far under each count, as after the last move; {0} at the start. A small value, copied in
 * the search. */
struct dama_draw_counts {
    uint16_t site;    /* without capture and without crowning */
    uint16_t king;    /* without capture and without a man's move */
    uint16_t ending;  /* since the present ending (signature of both sides) arose */
    uint16_t balance; /* kings on both sides, no capture, no crowning */
    uint8_t ending_kind;
    uint8_t reserved;
};

/* federation on 10x10, site on 8x8. */
enum dama_draw_rules dama_draw_rules_default(const struct dama_rules *rules);
/* Refuses `site` where the rules have no such count (International). */
enum dama_status dama_draw_rules_check(const struct dama_rules *rules, enum dama_draw_rules draws,
                                       struct dama_error *err);

/* Counts after move, which led from before to after. */
struct dama_draw_counts dama_draw_update(const struct dama_rules *rules, enum dama_draw_rules draws,
                                         struct dama_draw_counts counts,
                                         const struct dama_position *before,
                                         const struct dama_position *after, dama_move move);
/* The rule that ends the game in this position by counting; repetition is the caller's (game.h),
   since it needs the history. A side without a legal move has lost, whatever the counts say: test
   that first. */
enum dama_draw_reason dama_draw_by_count(const struct dama_rules *rules, enum dama_draw_rules draws,
                                         const struct dama_draw_counts *counts);
/* Occurrences of a position that draw: 3 under `site`, the field under `federation` (0 is never).
 */
int dama_draw_repetitions(const struct dama_rules *rules, enum dama_draw_rules draws);

#endif
