/* How often positions occur in different games, and with which results: distinct positions and the
 * noise of their labels. */
#ifndef DAMA_OCCURRENCES_H
#define DAMA_OCCURRENCES_H

#include "engine/position.h"

struct dama_occurrence {
    uint64_t hash;
    uint32_t game;
    uint8_t twice_outcome; /* of the side to move: 2 won, 1 drawn, 0 lost */
};

/* Positions whose hash has `bits` zero bits at its end: all of them at first, half of them after
   each time that `limit` was reached. Start with limit set, all else zero; owned by the caller. */
struct dama_occurrences {
    size_t limit, count, capacity;
    int bits;
    bool is_out_of_memory;
    struct dama_occurrence *at;
};
/* Out of memory is kept in the struct. */
void dama_occurrences_add(struct dama_occurrences *all, const struct dama_position *position,
                          uint32_t game, uint8_t twice_outcome);
void dama_occurrences_free(struct dama_occurrences *all);

/* Counts are of positions but for rows; exact (but for equal 64-bit hashes) when sampled is 1, else
   estimates from one position in `sampled`. A position counts once a game. */
struct dama_label_noise {
    uint64_t sampled;
    uint64_t distinct;
    uint64_t repeated;                        /* in more than one game */
    uint64_t conflicting;                     /* of these, with different results */
    uint64_t repeated_rows, conflicting_rows; /* once a game */
    /* Mean log-loss over repeated_rows when each position's own mean result is foretold: what a
       perfect evaluation could not fall below on them. 0 when there are none. */
    double floor;
};
/* Sorts the occurrences. */
void dama_occurrences_measure(struct dama_occurrences *all, struct dama_label_noise *out);

#endif
