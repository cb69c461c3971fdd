/* Tests of rules files: the variants as files, what a base gives, and every refusal. */
#include "engine/cli/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "engine/fen.h"

enum { PATH_SIZE = 512 };

static void load(const char *folder, const char *name, struct dama_ruleset *out,
                 struct dama_error *err)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s.conf", folder, name);
    dama_rules_file_load(path, out, err);
}

static void load_variant(const char *name, struct dama_ruleset *out)
{
    struct dama_error err = {0};
    load(DAMA_SOURCE_DIR "/configs/variants", name, out, &err);
    assert_string_equal(err.text, "");
}

static void every_builtin_equals_its_file(void **state)
{
    (void)state;
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        const struct dama_rules *builtin = dama_rules_builtin(i);
        struct dama_ruleset ruleset;
        load_variant(builtin->name, &ruleset);
        assert_string_equal(ruleset.rules.name, builtin->name);
        assert_true(dama_rules_equal(&ruleset.rules, builtin));
        assert_memory_equal(ruleset.hash, dama_rules_hash(builtin), DAMA_HASH_SIZE);
        assert_ptr_equal(ruleset.kernel, dama_kernel_find(builtin));
    }
}

static void a_builtin_is_a_ruleset_as_its_file_is(void **state)
{
    (void)state;
    struct dama_ruleset file, builtin;
    struct dama_error err = {0};
    load_variant("czech-free", &file);
    assert_int_equal(dama_ruleset_builtin("czech-free", &builtin, &err), DAMA_OK);
    assert_memory_equal(&builtin.rules, &file.rules, sizeof file.rules);
    assert_memory_equal(builtin.hash, file.hash, sizeof file.hash);
    assert_ptr_equal(builtin.kernel, file.kernel);
}

static uint64_t perft(const struct dama_ruleset *ruleset, const char *fen, int depth)
{
    struct dama_position position;
    struct dama_error err = {0};
    dama_fen_parse(&ruleset->rules, DAMA_SQUARES_OFFICIAL, fen, &position, &err);
    assert_string_equal(err.text, "");
    return ruleset->kernel->perft_count(&ruleset->rules, &position, depth);
}

/* Counts without duplicates of dctl's test board_08x08.cpp (the "Standard validation generator
   moves" thread of the shashki forum). */
static void pool_checkers_counts_its_published_perft(void **state)
{
    (void)state;
    struct dama_ruleset ruleset;
    load_variant("pool-checkers", &ruleset);
    static const uint64_t nodes[] = {7, 49, 302, 1469, 7482, 37986, 190146, 929896};
    for (int depth = 1; depth <= (int)(sizeof nodes / sizeof nodes[0]); depth++) {
        assert_int_equal(perft(&ruleset, "B:W21-32:B1-12", depth), nodes[depth - 1]);
    }
}

/* The same source; it counts Thai from twelve men a side. */
static void thai_counts_its_published_perft(void **state)
{
    (void)state;
    struct dama_ruleset ruleset;
    load_variant("thai", &ruleset);
    static const uint64_t nodes[] = {7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963648};
    for (int depth = 1; depth <= (int)(sizeof nodes / sizeof nodes[0]); depth++) {
        assert_int_equal(perft(&ruleset, "B:W21-32:B1-12", depth), nodes[depth - 1]);
    }
}

static void fields_that_are_not_written_come_from_the_base(void **state)
{
    (void)state;
    struct dama_ruleset derived;
    struct dama_error err = {0};
    load(DAMA_TEST_DATA "/rules", "derived", &derived, &err);
    assert_string_equal(err.text, "");
    struct dama_rules expected = *dama_rules_find("italian");
    expected.man_captures_king = true;
    assert_true(dama_rules_equal(&derived.rules, &expected));
    assert_string_equal(derived.rules.name, "derived");
    assert_ptr_equal(derived.kernel, dama_kernel_runtime());
    assert_memory_not_equal(derived.hash, dama_rules_hash(dama_rules_find("italian")),
                            DAMA_HASH_SIZE);
}

static void every_wrong_file_is_refused_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum dama_status status;
        const char *text; /* behind "path/name.conf:" */
    } cases[] = {
        {"bad_name", DAMA_INVALID,
         "2: name: expected 1 to 47 of a-z, 0-9 and -, found 'American Rules'"},
        {"board_12", DAMA_UNSUPPORTED,
         "2: board_size: only boards of 8x8 and 10x10 are supported, found '12'"},
        {"contradiction", DAMA_INVALID, " kings_earliest: expected most_kings = true"},
        {"empty", DAMA_INVALID, " field 'board_size' is missing and there is no base"},
        {"late_base", DAMA_INVALID, "2: base must stand in front of the fields"},
        {"missing_field", DAMA_INVALID, " field 'first_mover' is missing and there is no base"},
        {"name_of_builtin", DAMA_INVALID,
         " name: expected another than that of a built-in with other rules, found 'italian'"},
        {"nonsense_key", DAMA_INVALID, "2: unknown key 'flying_carpets_everywhere'"},
        {"open_comment", DAMA_INVALID, " a comment is never closed"},
        {"missing_quote", DAMA_INVALID, "3: base: expected a value of one line"},
        {"open_string", DAMA_INVALID, "2: premature end of file"},
        {"orthogonal", DAMA_UNSUPPORTED,
         "2: orthogonal: no rule field expresses moves along rows and columns (Turkish, Frisian)"},
        {"out_of_range", DAMA_INVALID,
         "2: king_value: expected an integer of 100 to 1000, found '99'"},
        {"repeated_key", DAMA_INVALID, "4: 'king_value' is written twice"},
        {"section", DAMA_INVALID, "2: unknown key 'rules'"},
        {"syntax", DAMA_INVALID, "2: missing equal sign after option 'king_flies'"},
        {"unknown_base", DAMA_INVALID,
         "1: base: unknown variant 'amercian', the nearest is 'american'"},
        {"unknown_key", DAMA_INVALID,
         "3: unknown key 'men_captures_backward', the nearest is 'man_captures_backward'"},
        {"wrong_bool", DAMA_INVALID, "3: king_flies: expected one of false, true, found 'yes'"},
        {"wrong_int", DAMA_INVALID,
         "2: king_value: expected an integer of 100 to 1000, found '1.5'"},
        {"wrong_word", DAMA_INVALID,
         "2: crowning: expected one of ends_move, goes_on_as_king, goes_on_as_man, found 'never'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct dama_ruleset ruleset = {.rules.name = "untouched"};
        struct dama_error err = {0};
        load(DAMA_TEST_DATA "/rules", cases[i].name, &ruleset, &err);
        char expected[2 * PATH_SIZE];
        snprintf(expected, sizeof expected, "%s/rules/%s.conf:%s", DAMA_TEST_DATA, cases[i].name,
                 cases[i].text);
        /* The error keeps what fits; paths of a deep build folder may be long. */
        expected[sizeof err.text - 1] = '\0';
        assert_string_equal(err.text, expected);
        assert_int_equal(err.status, cases[i].status);
        assert_string_equal(ruleset.rules.name, "untouched");
    }
}

static void a_missing_file_and_a_folder_are_named(void **state)
{
    (void)state;
    struct dama_ruleset ruleset;
    struct dama_error err = {0};
    assert_int_equal(dama_rules_file_load("no/such.conf", &ruleset, &err), DAMA_IO);
    assert_string_equal(err.text, "no/such.conf: cannot open: No such file or directory");
    err = (struct dama_error){0};
    assert_int_equal(dama_rules_file_load("/", &ruleset, &err), DAMA_IO);
    assert_string_equal(err.text, "/: cannot read: Is a directory");
}

static void rules_come_from_exactly_one_option(void **state)
{
    (void)state;
    static const char names[] =
        "american italian russian brazilian spanish czech international american-free "
        "italian-free russian-free brazilian-free spanish-free czech-free";
    char neither[PATH_SIZE], unknown[PATH_SIZE];
    snprintf(neither, sizeof neither, "expected --rules FILE or --variant with one of: %s", names);
    snprintf(unknown, sizeof unknown, "unknown variant 'go', expected one of: %s", names);
    const struct {
        struct dama_common common;
        const char *text;
    } cases[] = {
        {{0}, neither},
        {{.variant = "czech", .rules_file = "a.conf"}, "expected --variant or --rules, found both"},
        {{.variant = "go"}, unknown},
        {{.variant = "chzech"}, "unknown variant 'chzech', the nearest is 'czech'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct dama_ruleset ruleset;
        struct dama_error err = {0};
        assert_int_equal(dama_common_rules(&cases[i].common, &ruleset, &err), DAMA_USAGE);
        assert_string_equal(err.text, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_builtin_equals_its_file),
        cmocka_unit_test(a_builtin_is_a_ruleset_as_its_file_is),
        cmocka_unit_test(pool_checkers_counts_its_published_perft),
        cmocka_unit_test(thai_counts_its_published_perft),
        cmocka_unit_test(fields_that_are_not_written_come_from_the_base),
        cmocka_unit_test(every_wrong_file_is_refused_with_its_line),
        cmocka_unit_test(a_missing_file_and_a_folder_are_named),
        cmocka_unit_test(rules_come_from_exactly_one_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
