/* Why a move is not legal, in the words of a player. */
#ifndef DAMA_MOVE_REASON_H
#define DAMA_MOVE_REASON_H

#include "engine/notation.h"

enum { DAMA_REASON_SIZE = 256 };

/* Explains why no legal move of the position fits the token (dama_move_parse has refused it).
   out gets one sentence without a full stop. */
void dama_move_reason(const struct dama_rules *rules, enum dama_squares squares,
                      const struct dama_position *position, const char *token,
                      char out[DAMA_REASON_SIZE]);

#endif
