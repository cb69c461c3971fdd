/* Counter-based random numbers: a stream is keyed by (seed, purpose, number), so that a draw
   depends on nothing else. Philox4x32-10 of Salmon, Moraes, Dror, Shaw, "Parallel random numbers:
   as easy as 1, 2, 3", SC 2011. */
#ifndef DAMA_RNG_H
#define DAMA_RNG_H

#include <stdint.h>

/* What a stream is for: two purposes never share numbers. */
enum dama_rng_purpose {
    DAMA_RNG_OPENING = 1,
    DAMA_RNG_PERMUTATION,
    DAMA_RNG_GAME,
    DAMA_RNG_LEVEL,
    DAMA_RNG_MATCH,
    DAMA_RNG_HOLDOUT,
    DAMA_RNG_TEST,
};

struct dama_rng {
    uint32_t key[2];
    uint32_t counter[4];
    uint32_t block[4];
    int used;
};

/* The ten-round block function itself, for the published test vectors. */
void dama_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

struct dama_rng dama_rng_make(uint64_t seed, enum dama_rng_purpose purpose, uint64_t number);
uint32_t dama_rng_next32(struct dama_rng *rng);
uint64_t dama_rng_next64(struct dama_rng *rng);
/* Uniform in 0..bound-1 without bias; bound >= 1. */
uint32_t dama_rng_below(struct dama_rng *rng, uint32_t bound);

/* A keyed permutation of 0..size-1 (a Feistel network with cycle walking); size >= 1, index < size.
 */
uint64_t dama_permute(uint64_t seed, enum dama_rng_purpose purpose, uint64_t size, uint64_t index);

#endif
