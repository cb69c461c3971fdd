/* Official squares of a variant against the grid numbering of board.h. */
#ifndef DAMA_SQUARES_H
#define DAMA_SQUARES_H

#include "engine/rules.h"

/* Which numbering text uses: the variant's official one, or the grid. */
enum dama_squares { DAMA_SQUARES_OFFICIAL, DAMA_SQUARES_GRID };

/* Official number 1..n of a grid square and back; algebraic variants number as the grid. */
int dama_square_official(const struct dama_rules *rules, int grid);
int dama_square_grid(const struct dama_rules *rules, int official);

/* Writes "22" or "c3" (at most 3 characters and the zero); returns the length. */
int dama_square_format(const struct dama_rules *rules, enum dama_squares squares, int grid,
                       char out[4]);
/* Reads one square at *at ("22", "07", "c3", "C3") and moves *at behind it. Letters are read for
   every variant of `official` squares and mean the board's a1 style; numbers for algebraic variants
   are grid numbers. Returns the grid square, or 0 with *at kept. */
int dama_square_parse(const struct dama_rules *rules, enum dama_squares squares, const char **at);

#endif
