/* Requests: stored once, compared key by key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "selfplay/request.h"

static void equal_requests_agree(void **state)
{
    (void)state;
    struct dama_error err = {0};
    assert_int_equal(dama_request_compare("seed = 1\nnodes = 2\n", "nodes = 2\nseed = 1\n", &err),
                     DAMA_OK);
}

static void a_different_value_is_named_with_both_values(void **state)
{
    (void)state;
    struct dama_error err = {0};
    assert_int_equal(dama_request_compare("seed = 1\nnodes = 2\n", "seed = 1\nnodes = 3\n", &err),
                     DAMA_MISMATCH);
    assert_string_equal(err.text, "the stored run has nodes = 2, asked for is nodes = 3; use "
                                  "another --out, or ask for what is stored");
}

static void a_key_that_only_one_has_differs(void **state)
{
    (void)state;
    struct dama_error err = {0};
    assert_int_equal(dama_request_compare("seed = 1\n", "seed = 1\nnodes = 3\n", &err),
                     DAMA_MISMATCH);
    assert_string_equal(err.text, "the stored run has nodes = , asked for is nodes = 3; use "
                                  "another --out, or ask for what is stored");
    err = (struct dama_error){0};
    assert_int_equal(dama_request_compare("seed = 1\nnodes = 3\n", "seed = 1\n", &err),
                     DAMA_MISMATCH);
}

/* Whether the text has every key that binds at least so much, and no other. */
static void assert_keys(const char *text, enum dama_run_binds least)
{
    char value[DAMA_REQUEST_VALUE_SIZE];
#define KEY(key, binds)                                  \
    dama_request_value(text, #key, value, sizeof value); \
    assert_int_equal(value[0] != 0, DAMA_BINDS_##binds >= least);
#define INT(name, initial, low, high, binds, help) KEY(name, binds)
#define REAL(name, initial, low, high, binds, help) KEY(name, binds)
#define ENUM(name, initial, values, binds, help) KEY(name, binds)
    DAMA_RUN_KEYS(INT, REAL, ENUM)
#undef INT
#undef REAL
#undef ENUM
#undef KEY
}

static void a_request_holds_what_binds_it_and_no_other_key(void **state)
{
    (void)state;
    struct dama_ruleset ruleset;
    struct dama_weights weights;
    struct dama_run_config config;
    struct dama_error err = {0};
    char text[DAMA_REQUEST_SIZE], value[DAMA_REQUEST_VALUE_SIZE];
    assert_int_equal(dama_ruleset_builtin("american", &ruleset, &err), DAMA_OK);
    dama_weights_material(&ruleset.rules, &weights);
    dama_run_config_default(&config);
    dama_request_format_training(&ruleset, &weights, &config, text);
    assert_true(strlen(text) + 1 < DAMA_REQUEST_SIZE);
    assert_keys(text, DAMA_BINDS_TRAINING);
    dama_request_format(&ruleset, &weights, &config, text);
    assert_keys(text, DAMA_BINDS_GAMES);
    dama_request_value(text, "variant", value, sizeof value);
    assert_string_equal(value, "american");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_requests_agree),
        cmocka_unit_test(a_different_value_is_named_with_both_values),
        cmocka_unit_test(a_key_that_only_one_has_differs),
        cmocka_unit_test(a_request_holds_what_binds_it_and_no_other_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
