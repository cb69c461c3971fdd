/* Random positions for property tests: any placement the reader would accept, from bare kings to
   crowded boards. */
#ifndef DAMA_TEST_RANDOM_POSITION_H
#define DAMA_TEST_RANDOM_POSITION_H

#include "engine/position.h"
#include "engine/rng.h"

/* Fills about density/256 of the squares; of the pieces kings/256 are kings. */
static inline struct dama_position random_position(const struct dama_rules *rules,
                                                   struct dama_rng *rng, uint32_t density,
                                                   uint32_t kings)
{
    struct dama_position position = {.side = dama_rng_below(rng, 2)};
    int last_row = rules->board_size - 1;
    for (int square = 1; square <= dama_rules_squares(rules); square++) {
        if (dama_rng_below(rng, 256) >= density) {
            continue;
        }
        int side = (int)dama_rng_below(rng, 2);
        uint64_t bit = UINT64_C(1) << dama_square_bit(rules->board_size, square);
        int row = dama_square_row(rules->board_size, square);
        position.pieces[side] |= bit;
        if (row == (side == DAMA_WHITE ? 0 : last_row) || dama_rng_below(rng, 256) < kings) {
            position.kings |= bit;
        }
    }
    return position;
}

/* One of a sequence that goes through densities and shares of kings. */
static inline struct dama_position random_position_of(const struct dama_rules *rules,
                                                      struct dama_rng *rng, int number)
{
    static const uint32_t densities[] = {20, 50, 90, 140, 190, 230};
    static const uint32_t kings[] = {0, 10, 60, 160};
    return random_position(rules, rng, densities[number % 6], kings[number / 6 % 4]);
}

#endif
