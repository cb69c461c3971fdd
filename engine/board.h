/* Squares and bits. A board is a 64-bit set with ghost columns: 9 bits per two rows on 8x8, 11 on
   10x10, so that each diagonal is one shift on both boards; grid square 1 is bit 1 and bit 0 is a
   ghost. */
#ifndef DAMA_BOARD_H
#define DAMA_BOARD_H

#include <assert.h>
#include <stdint.h>

/* Bit of grid square s (1..32 on 8x8, 1..50 on 10x10). */
static inline int dama_square_bit(int board_size, int square)
{
    assert(square >= 1 && square <= board_size * board_size / 2);
    return square + (square - 1) / board_size;
}

/* Grid square of a bit that is a square. */
static inline int dama_bit_square(int board_size, int bit)
{
    return bit - (bit - 1) / (board_size + 1);
}

/* Steps of a shift: down-left, down-right; up is the same to the right. 4 and 5 on 8x8, 5 and 6 on
 * 10x10. */
static inline int dama_step_left(int board_size)
{
    return board_size / 2;
}
static inline int dama_step_right(int board_size)
{
    return board_size / 2 + 1;
}

/* All squares of the board, and the squares of one row (0 is the top, White's last row). */
static inline uint64_t dama_board_row(int board_size, int row)
{
    int first = 1 + row / 2 * (board_size + 1) + (row & 1) * (board_size / 2);
    return ((UINT64_C(1) << board_size / 2) - 1) << first;
}
static inline uint64_t dama_board_all(int board_size)
{
    uint64_t all = 0;
    for (int row = 0; row < board_size; row++) {
        all |= dama_board_row(board_size, row);
    }
    return all;
}

/* Row and column (0 is the a column) of a grid square. */
static inline int dama_square_row(int board_size, int square)
{
    return (square - 1) / (board_size / 2);
}
static inline int dama_square_column(int board_size, int square)
{
    int row = dama_square_row(board_size, square);
    return (square - 1) % (board_size / 2) * 2 + (row % 2 == 0);
}

/* Between the board's bits and stored sets, in which bit s-1 is grid square s. */
static inline uint64_t dama_bits_to_grid(int board_size, uint64_t bits)
{
    uint64_t grid = 0;
    uint64_t pair = (UINT64_C(1) << board_size) - 1;
    for (int i = 0; i < board_size / 2; i++) {
        grid |= (bits >> (1 + i * (board_size + 1)) & pair) << i * board_size;
    }
    return grid;
}
static inline uint64_t dama_bits_from_grid(int board_size, uint64_t grid)
{
    uint64_t bits = 0;
    uint64_t pair = (UINT64_C(1) << board_size) - 1;
    for (int i = 0; i < board_size / 2; i++) {
        bits |= (grid >> i * board_size & pair) << (1 + i * (board_size + 1));
    }
    return bits;
}

static inline int dama_bits_count(uint64_t bits)
{
    return __builtin_popcountll(bits);
}
static inline int dama_bits_first(uint64_t bits)
{
    assert(bits);
    return __builtin_ctzll(bits);
}

/* The board turned by 180 degrees: square n of 32 becomes 33 - n. */
uint64_t dama_bits_turn(int board_size, uint64_t bits);

#endif
