/* The position after a move. */
#ifndef DAMA_BODY_MAKE_H
#define DAMA_BODY_MAKE_H

#include "engine/move.h"
#include "engine/position.h"

#include "engine/body/fixed.h"

/* Nothing here depends on the rules: the move says who is captured and who becomes a king. From and
   to may be the same square. */
DAMA_HOT struct dama_position make_move(const struct dama_position *position, dama_move move)
{
    int from = dama_move_from(move);
    int to = dama_move_to(move);
    uint64_t captured = dama_move_captured(move);
    uint64_t side = position->side;
    uint64_t king = (position->kings >> from & 1) | dama_move_crowns(move);
    struct dama_position after = {.side = side ^ 1};
    after.pieces[side] = (position->pieces[side] & ~(UINT64_C(1) << from)) | UINT64_C(1) << to;
    after.pieces[side ^ 1] = position->pieces[side ^ 1] & ~captured;
    after.kings = (position->kings & ~(captured | UINT64_C(1) << from)) | king << to;
    return after;
}

static struct dama_position make(const struct dama_rules *rules,
                                 const struct dama_position *position, dama_move move)
{
    (void)rules;
    return make_move(position, move);
}

#endif
