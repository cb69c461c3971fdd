/* Named regions of a board for the evaluation, as sets of board bits (board.h). All but `left` and
   `odd_rows` stay the same when the board is turned. */
#ifndef DAMA_BODY_LAYOUT_H
#define DAMA_BODY_LAYOUT_H

#include <stdint.h>

struct layout {
    uint64_t all;            /* every square */
    uint64_t left;           /* columns of the left half */
    uint64_t odd_rows;       /* rows 1, 3, 5 ... from the top: one of the two systems of squares */
    uint64_t centre;         /* the 4x4 block in the middle */
    uint64_t around;         /* the ring around it; empty on 8x8, where it is the reference */
    uint64_t sides;          /* first and last column */
    uint64_t rim;            /* the outermost ring without ends and double_corners */
    uint64_t ends;           /* both ends of the long diagonal */
    uint64_t double_corners; /* the two squares next to each of the other two corners */
    uint64_t long_diagonal;  /* from the lower left corner to the upper right one */
};

/* Of 8x8 and of 10x10. Literals, so that the specialised bodies fold them; test_evaluate derives
   each from rows and columns. */
static const struct layout layouts[2] = {
    {
        .all = 0xff7fbfdfe,
        .left = 0x33198cc66,
        .odd_rows = 0xf0783c1e0,
        .centre = 0x3319800,
        .around = 0,
        .sides = 0x180c06030,
        .rim = 0x600c0600c,
        .ends = 0x100000010,
        .double_corners = 0x880000022,
        .long_diagonal = 0x111111110,
    },
    {
        .all = 0x7feffdffbff7fe,
        .left = 0x1c638c718e31c6,
        .odd_rows = 0x7c0f81f03e07c0,
        .centre = 0x18c3180000,
        .around = 0x7202404e000,
        .sides = 0x600c018030060,
        .rim = 0x3800c01803001c,
        .ends = 0x4000000000020,
        .double_corners = 0x42000000000042,
        .long_diagonal = 0x4210842108420,
    },
};

static inline const struct layout *layout_of(int board_size)
{
    return &layouts[board_size == 10];
}

#endif
