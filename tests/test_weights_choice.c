/* Tests of what --weights chooses: words, files, and the default. */
#include "engine/cli/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/cli/temporary.h"
#include "engine/tables/tables.h"

static struct dama_ruleset builtin(const char *name)
{
    struct dama_ruleset ruleset;
    struct dama_error err = {0};
    assert_int_equal(dama_ruleset_builtin(name, &ruleset, &err), DAMA_OK);
    return ruleset;
}

static struct dama_ruleset from_file(const char *path)
{
    struct dama_ruleset ruleset;
    struct dama_error err = {0};
    dama_rules_file_load(path, &ruleset, &err);
    assert_string_equal(err.text, "");
    return ruleset;
}

static struct dama_weights choose(const struct dama_ruleset *ruleset, const char *choice)
{
    const struct dama_common common = {.weights = choice};
    struct dama_weights weights = {.slope_ppm = 0};
    struct dama_error err = {0};
    dama_common_weights(&common, ruleset, &weights, &err);
    assert_string_equal(err.text, "");
    return weights;
}

static void assert_same_table(const struct dama_weights *found, const struct dama_weights *expected)
{
    unsigned char a[DAMA_WEIGHTS_MAX_BYTES], b[DAMA_WEIGHTS_MAX_BYTES];
    size_t size = dama_weights_encode(expected, b);
    assert_int_equal(dama_weights_encode(found, a), size);
    assert_memory_equal(a, b, size);
}

static void words_name_the_tables_that_need_no_file(void **state)
{
    (void)state;
    struct dama_ruleset ruleset = builtin("italian");
    struct dama_weights expected, found = choose(&ruleset, "material");
    dama_weights_material(&ruleset.rules, &expected);
    assert_same_table(&found, &expected);
    found = choose(&ruleset, "hand-set");
    dama_weights_hand_set(&ruleset.rules, &expected);
    assert_same_table(&found, &expected);
}

static void the_default_is_shipped_else_hand_set(void **state)
{
    (void)state;
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        struct dama_ruleset ruleset = builtin(dama_rules_builtin(i)->name);
        struct dama_weights expected, found = choose(&ruleset, NULL);
        struct dama_error err = {0};
        size_t size;
        const unsigned char *bytes = dama_tables_find(ruleset.rules.name, &size);
        dama_weights_hand_set(&ruleset.rules, &expected);
        if (bytes) {
            dama_weights_decode(&ruleset.rules, ruleset.hash, bytes, size, &expected, &err);
            assert_string_equal(err.text, "");
        }
        assert_same_table(&found, &expected);
    }
}

static void a_file_with_a_builtins_fields_has_its_table(void **state)
{
    (void)state;
    struct dama_ruleset file = from_file(DAMA_SOURCE_DIR "/configs/variants/russian.conf");
    struct dama_ruleset russian = builtin("russian");
    struct dama_weights expected = choose(&russian, NULL), found = choose(&file, NULL);
    assert_same_table(&found, &expected);
}

static void other_rules_have_no_shipped_table(void **state)
{
    (void)state;
    struct dama_ruleset derived = from_file(DAMA_TEST_DATA "/rules/derived.conf");
    struct dama_weights weights, expected, found = choose(&derived, NULL);
    dama_weights_hand_set(&derived.rules, &expected);
    /* The library knows no hash of these rules, their reader does. */
    memcpy(expected.rules_hash, derived.hash, DAMA_HASH_SIZE);
    assert_same_table(&found, &expected);
    const struct dama_common common = {.weights = "shipped"};
    struct dama_error err = {0};
    assert_int_equal(dama_common_weights(&common, &derived, &weights, &err), DAMA_INVALID);
    assert_string_equal(err.text, "no table is shipped for derived");
}

static void a_saved_table_is_chosen_by_its_path(void **state)
{
    (void)state;
    char path[64];
    assert_true(dama_temporary_name("/tmp", "dama-weights", "", path, sizeof path));
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    struct dama_ruleset czech = builtin("czech"), spanish = builtin("spanish");
    struct dama_weights written;
    struct dama_error err = {0};
    dama_weights_material(&czech.rules, &written);
    written.slope_ppm = 7;
    assert_int_equal(dama_weights_save(path, &written, &err), DAMA_OK);
    struct dama_weights found = choose(&czech, path), untouched = found;
    assert_same_table(&found, &written);

    const struct dama_common common = {.weights = path};
    assert_int_equal(dama_common_weights(&common, &spanish, &found, &err), DAMA_MISMATCH);
    assert_int_equal(strncmp(err.text, path, strlen(path)), 0);
    assert_memory_equal(&found, &untouched, sizeof found);
    assert_int_equal(truncate(path, 40), 0);
    err = (struct dama_error){0};
    assert_int_equal(dama_common_weights(&common, &czech, &found, &err), DAMA_TRUNCATED);
    assert_memory_equal(&found, &untouched, sizeof found);
    assert_int_equal(unlink(path), 0);
    err = (struct dama_error){0};
    assert_int_equal(dama_common_weights(&common, &czech, &found, &err), DAMA_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_name_the_tables_that_need_no_file),
        cmocka_unit_test(the_default_is_shipped_else_hand_set),
        cmocka_unit_test(a_file_with_a_builtins_fields_has_its_table),
        cmocka_unit_test(other_rules_have_no_shipped_table),
        cmocka_unit_test(a_saved_table_is_chosen_by_its_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
