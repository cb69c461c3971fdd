/* Counting different words. */
#include "engine/cli/distinct.h"

#include <string.h>

#include "support.h"

static void equal_words_count_once(void **state)
{
    (void)state;
    static const struct {
        uint64_t words[5];
        size_t count, distinct;
    } cases[] = {
        {{0}, 0, 0},
        {{0}, 1, 1},
        {{7, 7, 7, 7, 7}, 5, 1},
        {{3, 1, 2, 1, 3}, 5, 3},
        {{UINT64_MAX, 0, UINT64_C(1) << 63, 1, UINT64_MAX}, 5, 4},
        {{9, 8, 9, 8, 0}, 4, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t words[5];
        memcpy(words, cases[i].words, sizeof words);
        assert_int_equal(dama_count_distinct(words, cases[i].count), cases[i].distinct);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_words_count_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
