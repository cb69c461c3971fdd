/* Philox4x32-10, keyed streams and a keyed permutation. */
#include "engine/rng.h"

#include <assert.h>

enum {
    PHILOX_ROUNDS = 10,
    FEISTEL_ROUNDS = 8,
};
/* Multipliers and Weyl constants of the Philox paper, table 2 and section 3.3. */
static const uint32_t multiplier_0 = 0xD2511F53u;
static const uint32_t multiplier_1 = 0xCD9E8D57u;
static const uint32_t weyl_0 = 0x9E3779B9u;
static const uint32_t weyl_1 = 0xBB67AE85u;
/* Set in the purpose word of a permutation's blocks, so that no stream shares them. */
static const uint32_t permutation_mark = 0x80000000u;

void dama_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]};
    uint32_t k0 = key[0];
    uint32_t k1 = key[1];
    for (int round = 0; round < PHILOX_ROUNDS; round++) {
        uint64_t p0 = (uint64_t)multiplier_0 * c[0];
        uint64_t p1 = (uint64_t)multiplier_1 * c[2];
        uint32_t next_0 = (uint32_t)(p1 >> 32) ^ c[1] ^ k0;
        uint32_t next_2 = (uint32_t)(p0 >> 32) ^ c[3] ^ k1;
        c[0] = next_0;
        c[1] = (uint32_t)p1;
        c[2] = next_2;
        c[3] = (uint32_t)p0;
        k0 += weyl_0;
        k1 += weyl_1;
    }
    for (int i = 0; i < 4; i++) {
        out[i] = c[i];
    }
}

struct dama_rng dama_rng_make(uint64_t seed, enum dama_rng_purpose purpose, uint64_t number)
{
    return (struct dama_rng){
        .key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
        .counter = {0, (uint32_t)purpose, (uint32_t)number, (uint32_t)(number >> 32)},
        .used = 4,
    };
}

uint32_t dama_rng_next32(struct dama_rng *rng)
{
    if (rng->used == 4) {
        dama_philox(rng->counter, rng->key, rng->block);
        rng->counter[0]++;
        rng->used = 0;
    }
    return rng->block[rng->used++];
}

uint64_t dama_rng_next64(struct dama_rng *rng)
{
    uint64_t low = dama_rng_next32(rng);
    return low | (uint64_t)dama_rng_next32(rng) << 32;
}

/* The high half of a product is uniform once the low halves that occur too often are refused. */
uint32_t dama_rng_below(struct dama_rng *rng, uint32_t bound)
{
    assert(bound >= 1);
    uint32_t refused = (0u - bound) % bound;
    for (;;) {
        uint64_t product = (uint64_t)dama_rng_next32(rng) * bound;
        if ((uint32_t)product >= refused) {
            return (uint32_t)(product >> 32);
        }
    }
}

/* Half the bits of the smallest even number of bits that holds 0..size-1; at least 1. */
static int half_bits(uint64_t size)
{
    int bits = size > 1 ? 64 - __builtin_clzll(size - 1) : 1;
    return (bits + 1) / 2;
}

static uint64_t feistel(const uint32_t key[2], int half, uint64_t value)
{
    uint32_t mask = (uint32_t)((UINT64_C(1) << half) - 1);
    uint32_t left = (uint32_t)(value >> half);
    uint32_t right = (uint32_t)value & mask;
    for (uint32_t round = 0; round < FEISTEL_ROUNDS; round++) {
        uint32_t out[4];
        dama_philox((uint32_t[4]){right, DAMA_RNG_PERMUTATION | permutation_mark, round, 0}, key,
                    out);
        uint32_t next = left ^ (out[0] & mask);
        left = right;
        right = next;
    }
    return (uint64_t)left << half | right;
}

static uint64_t permute_once(uint64_t seed, uint64_t size, uint64_t index)
{
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    int half = half_bits(size);
    /* The network permutes fewer than 4 * size values; walking its cycle from inside 0..size-1
       comes back inside after less than four steps on average. */
    uint64_t value = index;
    do {
        value = feistel(key, half, value);
    } while (value >= size);
    return value;
}

uint64_t dama_permute(uint64_t seed, uint64_t size, uint64_t number)
{
    assert(size >= 1);
    struct dama_rng rng = dama_rng_make(seed, DAMA_RNG_PERMUTATION, number / size);
    return permute_once(dama_rng_next64(&rng), size, number % size);
}
