/* A position as one side sees it: sets of pieces, and steps ahead and behind. What is written on a
   view is colour symmetric by construction. */
#ifndef DAMA_BODY_VIEW_H
#define DAMA_BODY_VIEW_H

#include "engine/body/fixed.h"
#include "engine/body/layout.h"
#include "engine/position.h"

struct view {
    int board_size;
    int colour; /* whose view it is */
    uint64_t men, kings, own;
    uint64_t other_men, other_kings, others;
    uint64_t empty;
};

DAMA_HOT struct view view_of(int board_size, const struct dama_position *position, int colour)
{
    uint64_t own = position->pieces[colour];
    uint64_t others = position->pieces[!colour];
    return (struct view){
        .board_size = board_size,
        .colour = colour,
        .men = own & ~position->kings,
        .kings = own & position->kings,
        .own = own,
        .other_men = others & ~position->kings,
        .other_kings = others & position->kings,
        .others = others,
        .empty = layout_of(board_size)->all & ~own & ~others,
    };
}

/* A set moved one step. The result may hold ghost bits: mask it before the next step. */
DAMA_HOT uint64_t ahead_left(const struct view *v, uint64_t bits)
{
    int step = dama_step_right(v->board_size);
    return v->colour == DAMA_WHITE ? bits >> step : bits << step;
}
DAMA_HOT uint64_t ahead_right(const struct view *v, uint64_t bits)
{
    int step = dama_step_left(v->board_size);
    return v->colour == DAMA_WHITE ? bits >> step : bits << step;
}
DAMA_HOT uint64_t behind_left(const struct view *v, uint64_t bits)
{
    int step = dama_step_left(v->board_size);
    return v->colour == DAMA_WHITE ? bits << step : bits >> step;
}
DAMA_HOT uint64_t behind_right(const struct view *v, uint64_t bits)
{
    int step = dama_step_right(v->board_size);
    return v->colour == DAMA_WHITE ? bits << step : bits >> step;
}
DAMA_HOT uint64_t neighbours(const struct view *v, uint64_t bits)
{
    return (ahead_left(v, bits) | ahead_right(v, bits) | behind_left(v, bits) |
            behind_right(v, bits)) &
           layout_of(v->board_size)->all;
}

/* The row whose men are so many steps from crowning. */
DAMA_HOT uint64_t row_ahead(const struct view *v, int steps)
{
    int row = v->colour == DAMA_WHITE ? steps : v->board_size - 1 - steps;
    return dama_board_row(v->board_size, row);
}

/* The squares that a set sees along one direction over empty squares, and the first behind them.
   `step` is positive towards higher bits. Doubling needs four rounds for the nine steps of 10x10.
 */
DAMA_HOT uint64_t moved(uint64_t bits, int step)
{
    return step > 0 ? bits << step : bits >> -step;
}
DAMA_HOT uint64_t seen_along(const struct view *v, uint64_t bits, int step)
{
    uint64_t through = v->empty;
    bits |= through & moved(bits, step);
    through &= moved(through, step);
    bits |= through & moved(bits, 2 * step);
    through &= moved(through, 2 * step);
    bits |= through & moved(bits, 4 * step);
    if (v->board_size == 10) {
        through &= moved(through, 4 * step);
        bits |= through & moved(bits, 8 * step);
    }
    return moved(bits, step);
}
/* The same in all four directions, on the board. */
DAMA_HOT uint64_t seen_from(const struct view *v, uint64_t bits)
{
    int left = dama_step_left(v->board_size);
    int right = dama_step_right(v->board_size);
    return (seen_along(v, bits, left) | seen_along(v, bits, right) | seen_along(v, bits, -left) |
            seen_along(v, bits, -right)) &
           layout_of(v->board_size)->all;
}

#endif
