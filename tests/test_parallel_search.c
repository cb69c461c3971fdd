/* The parallel search: its limits, and that one thread is the plain search. */
#include "setting.h"

#include "engine/parallel_search.h"

enum { TABLE_KB = 256 };

static void the_number_of_threads_does_not_pass_a_node_limit(void **state)
{
    (void)state;
    struct setting setting = set_up("american", NULL, TABLE_KB);
    static const uint64_t limits[] = {1, 2, 3, 5000};
    for (size_t i = 0; i < 4; i++) {
        const struct dama_search_limits limit = {.nodes = limits[i]};
        struct dama_search_result result;
        assert_int_equal(
            dama_searcher_search_parallel(setting.searcher, 3, setting.game, &limit, &result, NULL),
            DAMA_OK);
        assert_true(result.nodes <= limits[i]);
        assert_line_is_legal(&setting, &result);
    }
    tear_down(&setting);
}

static void one_thread_in_parallel_search_is_the_plain_search(void **state)
{
    (void)state;
    struct setting setting = set_up("czech", NULL, TABLE_KB);
    const struct dama_search_limits limits = {.nodes = 20000};
    struct dama_search_result plain = search(&setting, &limits);
    dama_searcher_clear(setting.searcher);
    struct dama_search_result parallel;
    assert_int_equal(
        dama_searcher_search_parallel(setting.searcher, 1, setting.game, &limits, &parallel, NULL),
        DAMA_OK);
    assert_same_result(&plain, &parallel);
    tear_down(&setting);
}

static void a_thread_count_out_of_range_is_refused(void **state)
{
    (void)state;
    struct setting setting = set_up("czech", NULL, TABLE_KB);
    const struct dama_search_limits limits = {.nodes = 1};
    struct dama_search_result result;
    struct dama_error none = {0}, many = {0};
    assert_int_equal(
        dama_searcher_search_parallel(setting.searcher, 0, setting.game, &limits, &result, &none),
        DAMA_INVALID);
    assert_string_equal(none.text, "threads: expected 1..256, found 0");
    assert_int_equal(
        dama_searcher_search_parallel(setting.searcher, 257, setting.game, &limits, &result, &many),
        DAMA_INVALID);
    assert_string_equal(many.text, "threads: expected 1..256, found 257");
    tear_down(&setting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_number_of_threads_does_not_pass_a_node_limit),
        cmocka_unit_test(one_thread_in_parallel_search_is_the_plain_search),
        cmocka_unit_test(a_thread_count_out_of_range_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
