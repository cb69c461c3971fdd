/* A position: who stands where, and who moves. A small value, copied on make. */
#ifndef DAMA_POSITION_H
#define DAMA_POSITION_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/board.h"
#include "engine/rules.h"

struct dama_position {
    uint64_t pieces[2]; /* men and kings of DAMA_WHITE and DAMA_BLACK */
    uint64_t kings;     /* of both sides */
    uint64_t side;      /* the side to move: DAMA_WHITE or DAMA_BLACK */
};

static inline uint64_t dama_position_men(const struct dama_position *position, int side)
{
    return position->pieces[side] & ~position->kings;
}
static inline uint64_t dama_position_kings(const struct dama_position *position, int side)
{
    return position->pieces[side] & position->kings;
}
static inline bool dama_position_equal(const struct dama_position *a, const struct dama_position *b)
{
    return a->pieces[0] == b->pieces[0] && a->pieces[1] == b->pieces[1] && a->kings == b->kings &&
           a->side == b->side;
}

/* The start position of the variant, with the side that moves first officially. */
struct dama_position dama_position_start(const struct dama_rules *rules);

/* The same position with colours swapped and the board turned: every score and count stays. */
struct dama_position dama_position_mirror(const struct dama_rules *rules,
                                          const struct dama_position *position);

/* A 64-bit key; equal on every platform. */
uint64_t dama_position_hash(const struct dama_position *position);

/* Refuses overlap, bits that are no square, and a man on its crowning row, naming the grid square.
 */
enum dama_status dama_position_check(const struct dama_rules *rules,
                                     const struct dama_position *position, struct dama_error *err);

#endif
