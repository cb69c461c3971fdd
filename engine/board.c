/* The one board function that is not a shift: the turn by 180 degrees. */
#include "engine/board.h"

uint64_t dama_bits_turn(int board_size, uint64_t bits)
{
    /* Square n becomes squares + 1 - n; its bit b becomes last + 1 - b, ghosts included. */
    int last = dama_square_bit(board_size, board_size * board_size / 2);
    uint64_t turned = 0;
    while (bits) {
        turned |= UINT64_C(1) << (last + 1 - dama_bits_first(bits));
        bits &= bits - 1;
    }
    return turned;
}
