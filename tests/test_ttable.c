/* The transposition table: what is stored is found, and nothing else is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/rng.h"
#include "engine/ttable.h"

static struct dama_table table;

static int set_up(void **state)
{
    (void)state;
    return dama_table_init(&table, 1) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    dama_table_free(&table);
    return 0;
}

static void assert_finds(uint64_t key, const struct dama_finding *expected)
{
    struct dama_finding found;
    assert_true(dama_table_probe(&table, key, &found));
    assert_int_equal(found.score, expected->score);
    assert_int_equal(found.depth, expected->depth);
    assert_int_equal(found.bound, expected->bound);
    assert_int_equal(found.move, expected->move);
}

static void extreme_findings_come_back_unchanged(void **state)
{
    (void)state;
    const struct dama_finding findings[] = {
        {.score = 32000, .depth = 255, .bound = DAMA_BOUND_EXACT, .move = 2047},
        {.score = -32000, .depth = 0, .bound = DAMA_BOUND_UPPER, .move = -1},
        {.score = 0, .depth = 0, .bound = DAMA_BOUND_MOVE, .move = 0},
        {.score = -1, .depth = 100, .bound = DAMA_BOUND_LOWER, .move = 1},
    };
    const uint64_t keys[] = {0, 1, UINT64_MAX, UINT64_C(1) << 63};
    for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < 4; k++) {
            dama_table_store(&table, keys[k], 63, &findings[i]);
            /* A finding without a move keeps the one that was known. */
            struct dama_finding expected = findings[i];
            if (expected.move < 0) {
                expected.move = findings[i - 1].move;
            }
            assert_finds(keys[k], &expected);
        }
    }
}

static void a_fresh_table_knows_nothing(void **state)
{
    (void)state;
    struct dama_finding found;
    const uint64_t keys[] = {0, 1, UINT64_MAX, UINT64_C(1) << 63};
    for (size_t k = 0; k < 4; k++) {
        assert_false(dama_table_probe(&table, keys[k], &found));
    }
}

static void keys_of_one_bucket_are_told_apart(void **state)
{
    (void)state;
    /* The upper half of a key chooses the bucket; these differ in the lower half alone. */
    const struct dama_finding first = {.score = 5, .depth = 3, .bound = DAMA_BOUND_EXACT};
    const struct dama_finding second = {.score = 6, .depth = 2, .bound = DAMA_BOUND_LOWER};
    dama_table_store(&table, 7, 0, &first);
    dama_table_store(&table, 8, 0, &second);
    assert_finds(7, &first);
    assert_finds(8, &second);
    struct dama_finding found;
    assert_false(dama_table_probe(&table, 9, &found));
}

static void a_full_bucket_gives_up_its_shallowest_entry(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        dama_table_store(&table, (uint64_t)i, 1, &(struct dama_finding){.depth = 10 - i});
    }
    dama_table_store(&table, 4, 1, &(struct dama_finding){.depth = 1});
    struct dama_finding found;
    assert_false(dama_table_probe(&table, 3, &found));
    for (uint64_t key = 0; key < 5; key++) {
        assert_int_equal(dama_table_probe(&table, key, &found), key != 3);
    }
}

static void an_older_search_gives_way_to_the_present_one(void **state)
{
    (void)state;
    dama_table_store(&table, 0, 1, &(struct dama_finding){.depth = 50});
    for (uint64_t key = 1; key < 4; key++) {
        dama_table_store(&table, key, 2, &(struct dama_finding){.depth = 1});
    }
    dama_table_store(&table, 4, 2, &(struct dama_finding){.depth = 0});
    struct dama_finding found;
    for (uint64_t key = 0; key < 5; key++) {
        assert_int_equal(dama_table_probe(&table, key, &found), key != 0);
    }
}

static void clearing_makes_it_as_fresh(void **state)
{
    (void)state;
    struct dama_rng rng = dama_rng_make(1, DAMA_RNG_TEST, 0);
    uint64_t keys[200];
    for (int i = 0; i < 200; i++) {
        keys[i] = dama_rng_next64(&rng);
        dama_table_store(&table, keys[i], 0, &(struct dama_finding){.depth = i, .move = i});
    }
    dama_table_clear(&table);
    struct dama_finding found;
    for (int i = 0; i < 200; i++) {
        assert_false(dama_table_probe(&table, keys[i], &found));
    }
}

static void sizes_from_one_kib_hold_random_keys(void **state)
{
    (void)state;
    static const size_t sizes_kb[] = {1, 3, 256, 1000, 4096};
    for (size_t s = 0; s < 5; s++) {
        struct dama_table sized;
        assert_true(dama_table_init(&sized, sizes_kb[s]));
        struct dama_rng rng = dama_rng_make(2, DAMA_RNG_TEST, s);
        for (int i = 0; i < 5000; i++) {
            uint64_t key = dama_rng_next64(&rng);
            const struct dama_finding finding = {.score = i, .depth = 1, .move = i % 2048};
            struct dama_finding found;
            dama_table_store(&sized, key, 0, &finding);
            assert_true(dama_table_probe(&sized, key, &found));
            assert_int_equal(found.score, i);
        }
        dama_table_free(&sized);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(extreme_findings_come_back_unchanged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_fresh_table_knows_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(keys_of_one_bucket_are_told_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_full_bucket_gives_up_its_shallowest_entry, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_older_search_gives_way_to_the_present_one, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(clearing_makes_it_as_fresh, set_up, tear_down),
        cmocka_unit_test(sizes_from_one_kib_hold_random_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
