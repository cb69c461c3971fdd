/* Steps, rays and fills along the four diagonals, against the rules of the body that includes it.
 */
#ifndef DAMA_BODY_STEPS_H
#define DAMA_BODY_STEPS_H

#include "engine/body/fixed.h"
#include "engine/board.h"

/* The opposite of direction d is d ^ 2, the other diagonal's are d ^ 1 and d ^ 3. */
enum direction { DOWN_LEFT, DOWN_RIGHT, UP_RIGHT, UP_LEFT, DIRECTIONS };

/* The two forward directions of a side, i 0 and 1; its backward ones are these ^ 2. */
DAMA_HOT int forward(int side, int i)
{
    return side == DAMA_WHITE ? UP_RIGHT + i : DOWN_LEFT + i;
}

/* How far direction d goes, in bits. */
DAMA_HOT int stride(const struct dama_rules *rules, int d)
{
    int size = fixed(rules)->board_size;
    int bits = d & 1 ? dama_step_right(size) : dama_step_left(size);
    return d & 2 ? -bits : bits;
}

DAMA_HOT uint64_t shift(const struct dama_rules *rules, uint64_t set, int d)
{
    int bits = stride(rules, d);
    return bits > 0 ? set << bits : set >> -bits;
}

DAMA_HOT uint64_t board_all(const struct dama_rules *rules)
{
    /* Constants rather than dama_board_all's loop: the run-time body asks at every node. */
    return fixed(rules)->board_size == 8 ? UINT64_C(0xff7fbfdfe) : UINT64_C(0x7feffdffbff7fe);
}

/* The row where a side's men become kings. */
DAMA_HOT uint64_t crown_row(const struct dama_rules *rules, int side)
{
    int size = fixed(rules)->board_size;
    return dama_board_row(size, side == DAMA_WHITE ? 0 : size - 1);
}

/* Bits at every multiple of direction d's stride: the ray that starts at the first bit (down) or at
   the last one (up), before it is moved to its square and cut at the edge. */
DAMA_HOT uint64_t ray_pattern(const struct dama_rules *rules, int d)
{
    uint64_t pattern = 0;
    int step = stride(rules, d & 1);
    for (int bit = step; bit < 64; bit += step) {
        pattern |= d & 2 ? UINT64_C(1) << (63 - bit) : UINT64_C(1) << bit;
    }
    return pattern;
}

/* The empty squares that a piece on a square sees in direction d, and the first bit behind them: a
   piece, or a ghost (ghosts count as occupied, so a ray needs no case for the edge). */
struct ray {
    uint64_t free;
    uint64_t blocker;
};
DAMA_HOT struct ray ray_cast(const struct dama_rules *rules, int square, uint64_t empty, int d)
{
    if (d & 2) {
        uint64_t line = ray_pattern(rules, d) >> (63 - square);
        uint64_t blocker = UINT64_C(1) << (63 - __builtin_clzll((line & ~empty) | 1));
        return (struct ray){line & -blocker & ~blocker, blocker};
    }
    uint64_t line = ray_pattern(rules, d) << square;
    uint64_t blockers = line & ~empty;
    return (struct ray){line & (blockers - 1) & ~blockers, blockers & -blockers};
}

/* The set and all empty squares that it sees in direction d, up to seven steps: more than any
   flight before a capture needs (a victim and the square behind it follow). */
DAMA_HOT uint64_t fill(const struct dama_rules *rules, uint64_t set, uint64_t empty, int d)
{
    set |= empty & shift(rules, set, d);
    empty &= shift(rules, empty, d);
    uint64_t twice = shift(rules, shift(rules, set, d), d);
    set |= empty & twice;
    empty &= shift(rules, shift(rules, empty, d), d);
    twice = shift(rules, shift(rules, shift(rules, shift(rules, set, d), d), d), d);
    return set | (empty & twice);
}

#endif
