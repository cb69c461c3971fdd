/* Official squares of every variant against the grid numbering. */
#include "support.h"

#include <string.h>

#include "engine/squares.h"

static const struct dama_rules *rules_of(const char *name)
{
    const struct dama_rules *rules = dama_rules_find(name);
    assert_non_null(rules);
    return rules;
}

static void italian_rows_run_the_other_way(void **state)
{
    (void)state;
    const struct dama_rules *rules = rules_of("italian");
    for (int n = 1; n <= 32; n++) {
        int grid = 4 * ((n - 1) / 4) + 4 - (n - 1) % 4;
        assert_int_equal(dama_square_grid(rules, n), grid);
        assert_int_equal(dama_square_official(rules, grid), n);
    }
}

static void spanish_numbers_run_from_the_bottom_row_up(void **state)
{
    (void)state;
    const struct dama_rules *rules = rules_of("spanish");
    for (int n = 1; n <= 32; n++) {
        int grid = 29 - 4 * ((n - 1) / 4) + (n - 1) % 4;
        assert_int_equal(dama_square_grid(rules, n), grid);
        assert_int_equal(dama_square_official(rules, grid), n);
    }
}

static void other_variants_number_as_the_grid(void **state)
{
    (void)state;
    static const char *const names[] = {"american", "russian", "brazilian", "czech",
                                        "international"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct dama_rules *rules = rules_of(names[i]);
        for (int n = 1; n <= dama_rules_squares(rules); n++) {
            assert_int_equal(dama_square_grid(rules, n), n);
            assert_int_equal(dama_square_official(rules, n), n);
        }
    }
}

static void check_text(const char *variant, enum dama_squares squares, int grid, const char *text)
{
    char out[4];
    int length = dama_square_format(rules_of(variant), squares, grid, out);
    assert_string_equal(out, text);
    assert_int_equal(length, strlen(text));
    const char *at = text;
    assert_int_equal(dama_square_parse(rules_of(variant), squares, &at), grid);
    assert_int_equal(*at, 0);
}

static void squares_are_written_as_the_variant_writes_them(void **state)
{
    (void)state;
    check_text("american", DAMA_SQUARES_OFFICIAL, 32, "32");
    check_text("russian", DAMA_SQUARES_OFFICIAL, 1, "b8");
    check_text("russian", DAMA_SQUARES_OFFICIAL, 29, "a1");
    check_text("russian", DAMA_SQUARES_OFFICIAL, 8, "g7");
    check_text("russian", DAMA_SQUARES_GRID, 29, "29");
    check_text("italian", DAMA_SQUARES_OFFICIAL, 4, "1");
    check_text("italian", DAMA_SQUARES_GRID, 4, "4");
    check_text("spanish", DAMA_SQUARES_OFFICIAL, 29, "1");
    check_text("international", DAMA_SQUARES_OFFICIAL, 50, "50");
}

static int parse(const char *variant, enum dama_squares squares, const char *text)
{
    const char *at = text;
    int grid = dama_square_parse(rules_of(variant), squares, &at);
    if (!grid) {
        assert_ptr_equal(at, text);
    }
    return grid;
}

static void letters_and_zeros_are_read_for_every_variant(void **state)
{
    (void)state;
    assert_int_equal(parse("american", DAMA_SQUARES_OFFICIAL, "07"), 7);
    assert_int_equal(parse("american", DAMA_SQUARES_OFFICIAL, "B8"), 1);
    assert_int_equal(parse("international", DAMA_SQUARES_OFFICIAL, "b10"), 1);
    assert_int_equal(parse("international", DAMA_SQUARES_OFFICIAL, "a1"), 46);
    /* The dark corner of these boards is on the right: h1. */
    assert_int_equal(parse("italian", DAMA_SQUARES_OFFICIAL, "a8"), 4);
    assert_int_equal(parse("italian", DAMA_SQUARES_OFFICIAL, "h1"), 29);
    assert_int_equal(parse("spanish", DAMA_SQUARES_OFFICIAL, "h1"), 29);
    assert_int_equal(parse("russian", DAMA_SQUARES_OFFICIAL, "29"), 29);
}

static void what_is_no_square_is_refused(void **state)
{
    (void)state;
    assert_int_equal(parse("american", DAMA_SQUARES_OFFICIAL, "0"), 0);
    assert_int_equal(parse("american", DAMA_SQUARES_OFFICIAL, "33"), 0);
    assert_int_equal(parse("international", DAMA_SQUARES_OFFICIAL, "51"), 0);
    assert_int_equal(parse("russian", DAMA_SQUARES_OFFICIAL, "a2"), 0);
    assert_int_equal(parse("russian", DAMA_SQUARES_OFFICIAL, "a9"), 0);
    assert_int_equal(parse("russian", DAMA_SQUARES_OFFICIAL, "i1"), 0);
    assert_int_equal(parse("russian", DAMA_SQUARES_GRID, "a1"), 0);
    assert_int_equal(parse("italian", DAMA_SQUARES_OFFICIAL, "a1"), 0);
    assert_int_equal(parse("american", DAMA_SQUARES_OFFICIAL, ""), 0);
}

static void every_square_reads_back(void **state)
{
    (void)state;
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        const struct dama_rules *rules = dama_rules_builtin(i);
        for (int grid = 1; grid <= dama_rules_squares(rules); grid++) {
            for (int squares = DAMA_SQUARES_OFFICIAL; squares <= DAMA_SQUARES_GRID; squares++) {
                char text[4];
                dama_square_format(rules, (enum dama_squares)squares, grid, text);
                assert_int_equal(parse(rules->name, (enum dama_squares)squares, text), grid);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(italian_rows_run_the_other_way),
        cmocka_unit_test(spanish_numbers_run_from_the_bottom_row_up),
        cmocka_unit_test(other_variants_number_as_the_grid),
        cmocka_unit_test(squares_are_written_as_the_variant_writes_them),
        cmocka_unit_test(letters_and_zeros_are_read_for_every_variant),
        cmocka_unit_test(what_is_no_square_is_refused),
        cmocka_unit_test(every_square_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
