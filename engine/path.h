/* The paths of one capture: a move is (from, to, captured set), its text is a path. Private to the
   notation. */
#ifndef DAMA_PATH_H
#define DAMA_PATH_H

#include "engine/move.h"
#include "engine/position.h"

/* No path is longer: every jump takes another piece, and none of these stands on the rim. */
enum { DAMA_PATH_MAX = 33 };

/* Squares as board bits, the start first. */
struct dama_path {
    int count;
    int bits[DAMA_PATH_MAX];
};

/* How given squares must lie on a path. EXACT: they are its written squares, all of them. PASSED:
   start and end are equal, the others are crossed or landed on in this order. */
enum dama_path_fit { DAMA_PATH_EXACT, DAMA_PATH_PASSED };

/* Fills the smallest written path of a legal move, compared square by square: where the direction
   changes, the square of the turn; where it does not, the square directly behind the victim. */
void dama_path_smallest(const struct dama_rules *rules, const struct dama_position *position,
                        dama_move move, struct dama_path *out);

/* True when some path of the legal move fits the given squares. */
bool dama_path_fits(const struct dama_rules *rules, const struct dama_position *position,
                    dama_move move, const struct dama_path *given, enum dama_path_fit fit);

#endif
