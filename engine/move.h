/* A move is (from, to, set of captured squares) in one 64-bit word. Two orders of the same captures
 * are one move. */
#ifndef DAMA_MOVE_H
#define DAMA_MOVE_H

#include <stdbool.h>
#include <stdint.h>

/* Bits 0-5 from, 6-55 the captured pieces on their own board bits (a captured piece never stands on
   the rim, so its bit is 6 at least), 56-61 to, 62 the moving man becomes a king. */
typedef uint64_t dama_move;

enum { DAMA_MOVE_NONE = 0 }; /* no legal move is 0 */

static inline dama_move dama_move_make(int from, int to, uint64_t captured, bool crowns)
{
    return (uint64_t)from | captured | (uint64_t)to << 56 | (uint64_t)crowns << 62;
}
/* Board bits (board.h), not squares. */
static inline int dama_move_from(dama_move move)
{
    return (int)(move & 63);
}
static inline int dama_move_to(dama_move move)
{
    return (int)(move >> 56 & 63);
}
static inline uint64_t dama_move_captured(dama_move move)
{
    return move & ((UINT64_C(1) << 56) - 64);
}
static inline bool dama_move_crowns(dama_move move)
{
    return move >> 62 & 1;
}
static inline bool dama_move_is_capture(dama_move move)
{
    return dama_move_captured(move) != 0;
}

/* Room for the moves of any position that the reader accepts; what is over is dropped and sets
   is_cut, and dama_position_check_moves refuses such a position by name before it is played on. */
enum { DAMA_MOVES_MAX = 2048 };
struct dama_move_list {
    int count;
    bool is_cut;
    dama_move moves[DAMA_MOVES_MAX];
};

#endif
