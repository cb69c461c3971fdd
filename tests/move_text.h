/* The round trip of moves through text, for the fast and the slow tests of notation. */
#ifndef DAMA_TESTS_MOVE_TEXT_H
#define DAMA_TESTS_MOVE_TEXT_H

#include "engine/position.h"

/* Fails unless both texts of every legal move, in both numberings, mean that move alone. */
void check_move_texts(const struct dama_rules *rules, const struct dama_position *position);

#endif
