/* Leaf counts against published tables and independent programs (data/perft.tsv), and for games
   that only the run-time kernel plays (data/perft-extra.tsv). */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Up to how many leaves a row is counted without lists, and with them; `test_perft all [TEST]` of
   the slow set counts every row. */
struct bounds {
    uint64_t count;
    uint64_t list;
    int rows;
    int counted;
};
static struct bounds fast = {.count = 40000, .list = 4000};
static struct bounds all = {.count = UINT64_MAX, .list = 30000000};
static struct bounds *bounds = &fast;

/* "american+nfc" of the table is the house rule. */
static const struct dama_rules *rules_of(const char *variant)
{
    char name[DAMA_NAME_SIZE];
    size_t base = strcspn(variant, "+");
    snprintf(name, sizeof name, "%.*s%s", (int)base, variant, variant[base] ? "-free" : "");
    return dama_rules_find(name);
}

static void check_row(const struct dama_rules *rules, const struct dama_kernel *kernel, char *line,
                      int number)
{
    char *fen = strchr(line, '\t') + 1;
    char *depth_text = strchr(fen, '\t') + 1;
    depth_text[-1] = 0;
    char *end;
    int depth = (int)strtol(depth_text, &end, 10);
    uint64_t expected = strtoull(end + 1, &end, 10);
    assert_true(depth > 0 && expected > 0);
    bounds->rows++;
    struct dama_position position = grid_position(rules, fen);
    if (expected <= bounds->count) {
        bounds->counted++;
        uint64_t counted = kernel->perft_count(rules, &position, depth);
        if (counted != expected) {
            fail_msg("row %d: %s %s depth %d: expected %llu, counted %llu", number, rules->name,
                     fen, depth, (unsigned long long)expected, (unsigned long long)counted);
        }
    }
    if (expected <= bounds->list) {
        uint64_t listed = kernel->perft_list(rules, &position, depth);
        if (listed != expected) {
            fail_msg("row %d: %s %s depth %d: expected %llu, listed %llu", number, rules->name, fen,
                     depth, (unsigned long long)expected, (unsigned long long)listed);
        }
    }
}

static void check_builtin_line(void *context, char *line, int number)
{
    (void)context;
    if (number == 1) {
        return;
    }
    char *tab = strchr(line, '\t');
    *tab = 0;
    const struct dama_rules *rules = rules_of(line);
    assert_non_null(rules);
    *tab = '\t';
    check_row(rules, dama_kernel_find(rules), line, number);
}

static void counts_equal_the_tables(void **state)
{
    (void)state;
    bounds->rows = 0;
    for_each_line("perft.tsv", check_builtin_line, NULL);
    assert_int_equal(bounds->rows, 1385);
    assert_true(bounds->counted >= 800);
}

static void set_field(struct dama_rules *rules, const char *field, const char *value)
{
    struct dama_error err = {0};
    if (dama_rules_set(rules, field, value, &err) != DAMA_OK) {
        fail_msg("%s", err.text);
    }
}

/* The rules of games beyond the built-ins, by the fields in which they differ from one. */
static void extra_rules(const char *variant, struct dama_rules *rules)
{
    if (strcmp(variant, "pool") == 0) {
        *rules = *dama_rules_find("russian");
        set_field(rules, "crowning", "goes_on_as_man");
    } else {
        assert_string_equal(variant, "thai");
        *rules = *dama_rules_find("american");
        set_field(rules, "men_rows", "2");
        set_field(rules, "king_flies", "true");
        set_field(rules, "king_lands_behind", "true");
        set_field(rules, "captured_leave_at_once", "true");
    }
    struct dama_error err = {0};
    if (dama_rules_check(rules, &err) != DAMA_OK) {
        fail_msg("%s: %s", variant, err.text);
    }
}

static void check_extra_line(void *context, char *line, int number)
{
    (void)context;
    if (number == 1) {
        return;
    }
    char *tab = strchr(line, '\t');
    *tab = 0;
    struct dama_rules rules;
    extra_rules(line, &rules);
    *tab = '\t';
    assert_ptr_equal(dama_kernel_find(&rules), dama_kernel_runtime());
    check_row(&rules, dama_kernel_runtime(), line, number);
}

static void runtime_rules_equal_published_counts(void **state)
{
    (void)state;
    bounds->counted = 0;
    for_each_line("perft-extra.tsv", check_extra_line, NULL);
    assert_true(bounds->counted >= 10);
}

/* C021: moves with the same from, to and captured set are one move. */
static void c021_same_captures_in_another_order_are_one_move(void **state)
{
    (void)state;
    static const struct {
        const char *variant;
        int depth;
        uint64_t leaves;
    } cases[] = {{"american", 7, 179740}, {"italian", 8, 828783}, {"russian", 8, 929899}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct dama_rules *rules = dama_rules_find(cases[i].variant);
        struct dama_position start = dama_position_start(rules);
        assert_int_equal(dama_kernel_find(rules)->perft_list(rules, &start, cases[i].depth),
                         cases[i].leaves);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "all") == 0) {
        bounds = &all;
    }
    if (argc > 2) {
        cmocka_set_test_filter(argv[2]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_equal_the_tables),
        cmocka_unit_test(runtime_rules_equal_published_counts),
        cmocka_unit_test(c021_same_captures_in_another_order_are_one_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
