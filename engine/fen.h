/* Positions as text: tolerant reading, canonical writing. */
#ifndef DAMA_FEN_H
#define DAMA_FEN_H

#include "engine/position.h"
#include "engine/squares.h"

/* Room for any FEN of a board of 50 squares. */
enum { DAMA_FEN_SIZE = 320 };

/* Reads blanks, a final dot, empty sides, ranges (also of kings, K31-50), letters, lower case,
   either order of the sides, and a site's :H :F fields; refuses anything else, ghost pieces (G, P),
   overlap, a square that is none, and men on their crowning row, with the square named in the
   numbering that was read. */
enum dama_status dama_fen_parse(const struct dama_rules *rules, enum dama_squares squares,
                                const char *text, struct dama_position *out,
                                struct dama_error *err);

/* Canonical: "W:WK30,21:B5,K9": side, White's list, Black's list, each ascending in grid order,
 * full lists. */
void dama_fen_format(const struct dama_rules *rules, enum dama_squares squares,
                     const struct dama_position *position, char out[DAMA_FEN_SIZE]);

#endif
