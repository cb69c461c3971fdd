/* Counter-based random numbers: a stream is keyed by (seed, purpose, number), so that a draw
   depends on nothing else. Philox4x32-10 of Salmon, Moraes, Dror, Shaw, "Parallel random numbers:
   as easy as 1, 2, 3", SC 2011. */
#ifndef DAMA_RNG_H
#define DAMA_RNG_H

#include <stdint.h>

/* What a stream is for: two purposes never share numbers, and one source file draws from each. Part
   of what shards and matches hold: a purpose keeps its number. */
enum dama_rng_purpose {
    DAMA_RNG_OPENING = 1, /* the random plies of an opening */
    DAMA_RNG_PERMUTATION, /* the order in which a list is gone through */
    DAMA_RNG_GAME,        /* the key of a self-play game */
    DAMA_RNG_LEVEL,       /* a level's choice at one ply */
    DAMA_RNG_MATCH,       /* the seed of a match's openings */
    DAMA_RNG_HOLDOUT,     /* which games a fit does not see */
    DAMA_RNG_TEST,        /* tests only */
    DAMA_RNG_SEAT,        /* the seeds of both seats in a match's game */
    DAMA_RNG_SITTING,     /* the seed of a ladder's sitting */
    DAMA_RNG_RESAMPLE,    /* the pairs that a rating's interval draws again */
    DAMA_RNG_REPLAY,      /* which stored games a verification plays again */
};

/* A stream: a value, copied to begin again from where it is. Fields are dama_rng_*'s own. */
struct dama_rng {
    uint32_t key[2];
    uint32_t counter[4];
    uint32_t block[4];
    int used;
};

/* The ten-round block function itself, for the published test vectors. */
void dama_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/* The stream of this key, at its start: 2^34 numbers of 32 bits before it repeats. */
struct dama_rng dama_rng_make(uint64_t seed, enum dama_rng_purpose purpose, uint64_t number);
/* Uniform over all values. */
uint32_t dama_rng_next32(struct dama_rng *rng);
uint64_t dama_rng_next64(struct dama_rng *rng);
/* Uniform in 0..bound-1 without bias; bound >= 1. */
uint32_t dama_rng_below(struct dama_rng *rng, uint32_t bound);

/* Which of 0..size-1 comes at `number` of an endless walk in a keyed order (a Feistel network with
   cycle walking): each comes once in `size` numbers, in another order every time; size >= 1. */
uint64_t dama_permute(uint64_t seed, uint64_t size, uint64_t number);

#endif
