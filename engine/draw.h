/* Draw rules, the site's and the federations': counters that a move updates, and the rule that ends
 * a game. */
#ifndef DAMA_DRAW_H
#define DAMA_DRAW_H

#include "engine/move.h"
#include "engine/position.h"

/* Which set of draw rules a game follows. */
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
/* "site" or "federation". */
const char *dama_draw_rules_text(enum dama_draw_rules draws);

/* Plies so far under each count, as after the last move. A small value, copied in the search. */
struct dama_draw_counts {
    uint16_t site;           /* without capture and without crowning */
    uint16_t king;           /* without capture and without a man's move: all that can repeat */
    uint16_t ending;         /* since the present ending arose */
    uint16_t diagonal;       /* since the lone king stands on the long diagonal */
    uint16_t diagonal_limit; /* 0: it does not */
    uint8_t ending_kind;     /* which ending; 0: none */
    uint8_t balance_pieces;  /* pieces on the board when the balance rule counts them, else 0 */
};

/* federation on 10x10, site on 8x8. */
enum dama_draw_rules dama_draw_rules_default(const struct dama_rules *rules);
/* Refuses `site` where the rules have no such count (International). */
enum dama_status dama_draw_rules_check(const struct dama_rules *rules, enum dama_draw_rules draws,
                                       struct dama_error *err);

/* Counts of a game that starts in this position: an ending that it shows arises here. */
struct dama_draw_counts dama_draw_start(const struct dama_rules *rules, enum dama_draw_rules draws,
                                        const struct dama_position *position);
/* The rarer part of dama_draw_update, for its use alone. */
void dama_draw_update_federation(const struct dama_rules *rules, struct dama_draw_counts *counts,
                                 const struct dama_position *after, bool is_material_changed);

/* Counts after move, which led from before to after.

   An ending arises behind the capture or crowning that makes it, and n moves each are 2n plies from
   there. `n moves of the stronger side` (three kings, long diagonal) end behind that side's n-th
   move, which is ply 2n - 1 where it moves first. International: a count of three or of two pieces
   against a king is fixed from when it arises; a capture that leads from three to two starts the
   other count. Spanish: few pieces count on through captures. Elsewhere a capture or crowning
   makes another ending and starts anew. The lone king that leaves the diagonal ends that count. */
static inline struct dama_draw_counts
dama_draw_update(const struct dama_rules *rules, enum dama_draw_rules draws,
                 struct dama_draw_counts counts, const struct dama_position *before,
                 const struct dama_position *after, dama_move move)
{
    bool is_king_move = before->kings >> dama_move_from(move) & 1;
    bool is_capture = dama_move_is_capture(move);
    bool is_material_changed = is_capture || dama_move_crowns(move);
    /* A game of UINT16_MAX such plies keeps the last count. */
    counts.site = is_material_changed ? 0 : (uint16_t)(counts.site + (counts.site < UINT16_MAX));
    counts.king =
        is_capture || !is_king_move ? 0 : (uint16_t)(counts.king + (counts.king < UINT16_MAX));
    if (draws == DAMA_DRAWS_FEDERATION) {
        dama_draw_update_federation(rules, &counts, after, is_material_changed);
    }
    return counts;
}

/* The rarer part of dama_draw_by_count, for its use alone. */
enum dama_draw_reason dama_draw_by_federation(const struct dama_rules *rules,
                                              const struct dama_draw_counts *counts);

/* The rule that ends the game in this position by counting; repetition is the caller's (game.h),
   since it needs the history. A side without a legal move has lost, whatever the counts say: test
   that first. When several rules hold, the narrowest is named: long diagonal, ending, balance, king
   moves, site. */
static inline enum dama_draw_reason dama_draw_by_count(const struct dama_rules *rules,
                                                       enum dama_draw_rules draws,
                                                       const struct dama_draw_counts *counts)
{
    if (draws == DAMA_DRAWS_FEDERATION) {
        return dama_draw_by_federation(rules, counts);
    }
    return rules->site_plies && counts->site >= rules->site_plies ? DAMA_DRAW_SITE : DAMA_DRAW_NONE;
}
/* Occurrences of a position that draw: 3 under `site`, the field under `federation` (0 is never).
 */
int dama_draw_repetitions(const struct dama_rules *rules, enum dama_draw_rules draws);

#endif
