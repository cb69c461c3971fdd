/* The position after a move. */
#ifndef DAMA_BODY_MAKE_H
#define DAMA_BODY_MAKE_H

#include "engine/body/fixed.h"
#include "engine/move.h"
#include "engine/position.h"

/* Nothing here depends on the rules: the move says who is captured and who becomes a king. From and
   to may be the same square. Writes in place: a returned copy would be read as two words right
   after it is written as four, which stalls. */
DAMA_HOT void make_move(struct dama_position *after, const struct dama_position *position,
                        dama_move move, int side)
{
    int to = dama_move_to(move);
    uint64_t from_bit = UINT64_C(1) << dama_move_from(move);
    uint64_t captured = dama_move_captured(move);
    uint64_t king = (position->kings & from_bit) != 0 || dama_move_crowns(move);
    after->pieces[side] = (position->pieces[side] & ~from_bit) | UINT64_C(1) << to;
    after->pieces[side ^ 1] = position->pieces[side ^ 1] & ~captured;
    after->kings = (position->kings & ~(captured | from_bit)) | king << to;
    after->side = (uint64_t)side ^ 1;
}

static inline struct dama_position make(const struct dama_rules *rules,
                                        const struct dama_position *position, dama_move move)
{
    (void)rules;
    struct dama_position after;
    if (position->side == DAMA_WHITE) {
        make_move(&after, position, move, DAMA_WHITE);
    } else {
        make_move(&after, position, move, DAMA_BLACK);
    }
    return after;
}

#endif
