/* A position drawn as text. */
#ifndef DAMA_BOARD_TEXT_H
#define DAMA_BOARD_TEXT_H

#include <stdio.h>

#include "engine/position.h"
#include "engine/squares.h"

/* How a board is drawn: the squares carry their numbers, and games whose official board has its
   dark corner on the right are drawn so. */
struct dama_board_style {
    enum dama_squares squares;
    bool is_ascii;   /* letters instead of the Unicode pieces */
    bool is_flipped; /* Black at the bottom */
};

/* Draws the board, White at the bottom unless it is flipped. */
void dama_board_print(FILE *out, const struct dama_rules *rules,
                      const struct dama_board_style *style, const struct dama_position *position);

#endif
