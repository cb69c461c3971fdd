/* Random streams and the keyed permutation. */
#include "engine/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* The published known answers of Random123 1.14 (kat_vectors, philox4x32 with 10 rounds): counter,
   key, output. */
static void philox_gives_the_published_vectors(void **state)
{
    (void)state;
    static const uint32_t vectors[3][10] = {
        {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d,
         0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09,
         0x94fdcceb, 0x5001e420, 0x24126ea1},
    };
    for (int i = 0; i < 3; i++) {
        uint32_t out[4];
        dama_philox(vectors[i], vectors[i] + 4, out);
        assert_memory_equal(out, vectors[i] + 6, sizeof out);
    }
}

/* Words 0-3 are block 0 of the key and number, words 4-7 block 1. */
static void a_stream_is_the_blocks_of_its_key(void **state)
{
    (void)state;
    uint64_t seed = UINT64_C(0x0123456789abcdef);
    uint64_t number = UINT64_C(0xfedcba9876543210);
    struct dama_rng rng = dama_rng_make(seed, DAMA_RNG_TEST, number);
    for (uint32_t block = 0; block < 3; block++) {
        uint32_t expected[4];
        dama_philox((uint32_t[]){block, DAMA_RNG_TEST, 0x76543210, 0xfedcba98},
                    (uint32_t[]){0x89abcdef, 0x01234567}, expected);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(dama_rng_next32(&rng), expected[i]);
        }
    }
}

static void c051_streams_of_other_seeds_and_numbers_differ_from_the_first_draw(void **state)
{
    (void)state;
    uint64_t first[4 * 4 * 2];
    int count = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        for (uint64_t number = 0; number < 4; number++) {
            struct dama_rng game = dama_rng_make(seed, DAMA_RNG_GAME, number);
            struct dama_rng opening = dama_rng_make(seed, DAMA_RNG_OPENING, number);
            first[count++] = dama_rng_next64(&game);
            first[count++] = dama_rng_next64(&opening);
        }
    }
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) {
            assert_true(first[i] != first[j]);
        }
    }
}

static void below_is_uniform_and_in_range(void **state)
{
    (void)state;
    enum { BOUND = 7, DRAWS = 70000 };
    int counts[BOUND] = {0};
    struct dama_rng rng = dama_rng_make(3, DAMA_RNG_TEST, 0);
    for (int i = 0; i < DRAWS; i++) {
        uint32_t value = dama_rng_below(&rng, BOUND);
        assert_in_range(value, 0, BOUND - 1);
        counts[value]++;
    }
    /* Chi-square with 6 degrees of freedom exceeds 22.5 once in a thousand. */
    double chi = 0;
    for (int i = 0; i < BOUND; i++) {
        double off = counts[i] - DRAWS / BOUND;
        chi += off * off / (DRAWS / BOUND);
    }
    assert_true(chi < 22.5);
    assert_int_equal(dama_rng_below(&rng, 1), 0);
}

static void permutation_takes_every_value_once(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, 2, 3, 5, 16, 17, 1000, 4096, 65537};
    static unsigned char seen[65537];
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        memset(seen, 0, sizeof seen);
        for (uint64_t i = 0; i < sizes[s]; i++) {
            uint64_t value = dama_permute(9, sizes[s], i);
            assert_true(value < sizes[s]);
            assert_false(seen[value]);
            seen[value] = 1;
        }
    }
}

static void permutation_of_a_huge_range_stays_inside_it(void **state)
{
    (void)state;
    uint64_t size = UINT64_MAX;
    uint64_t a = dama_permute(9, size, 0);
    uint64_t b = dama_permute(9, size, size - 1);
    assert_true(a < size && b < size && a != b);
}

/* A random permutation of 1000 leaves one value in place on average, ten or more almost never. */
static void permutations_of_two_seeds_agree_no_more_than_chance(void **state)
{
    (void)state;
    int same = 0;
    int fixed = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        uint64_t one = dama_permute(1, 1000, i);
        same += one == dama_permute(2, 1000, i);
        fixed += one == i;
    }
    assert_true(same < 10);
    assert_true(fixed < 10);
}

static void later_rounds_have_an_order_of_their_own(void **state)
{
    (void)state;
    enum { SIZE = 100, ROUNDS = 3 };
    int differs = 0;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        unsigned char seen[SIZE] = {0};
        for (uint64_t i = 0; i < SIZE; i++) {
            uint64_t value = dama_permute(9, SIZE, round * SIZE + i);
            assert_true(value < SIZE);
            assert_false(seen[value]);
            seen[value] = 1;
            differs += value != dama_permute(9, SIZE, i);
        }
    }
    assert_true(differs > SIZE); /* each later round has an order of its own */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_published_vectors),
        cmocka_unit_test(a_stream_is_the_blocks_of_its_key),
        cmocka_unit_test(c051_streams_of_other_seeds_and_numbers_differ_from_the_first_draw),
        cmocka_unit_test(below_is_uniform_and_in_range),
        cmocka_unit_test(permutation_takes_every_value_once),
        cmocka_unit_test(permutation_of_a_huge_range_stays_inside_it),
        cmocka_unit_test(permutations_of_two_seeds_agree_no_more_than_chance),
        cmocka_unit_test(later_rounds_have_an_order_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
