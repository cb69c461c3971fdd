/* The engine signature is the one that is compiled in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/search.h"
#include "engine/signature.h"

static void the_signature_is_true(void **state)
{
    (void)state;
    uint64_t nodes[DAMA_BUILTIN_COUNT] = {0};
    assert_int_equal(dama_bench_run(nodes), DAMA_ENGINE_SIGNATURE);
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        assert_true(nodes[i] > 0);
    }
}

static void the_signature_is_the_same_again(void **state)
{
    (void)state;
    assert_int_equal(dama_bench_signature(), DAMA_ENGINE_SIGNATURE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_signature_is_true),
        cmocka_unit_test(the_signature_is_the_same_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
