/* The named features: the list itself, and the meaning of each in positions worked out by hand. */
#include "engine/features.h"

#include <stdio.h>
#include <string.h>

#include "engine/evaluate.h"
#include "engine/fen.h"
#include "support.h"

static int feature_index(const char *name)
{
    for (int i = 0; i < DAMA_FEATURE_COUNT; i++) {
        char text[DAMA_FEATURE_NAME_SIZE];
        dama_feature_name(i, text, sizeof text);
        if (strcmp(text, name) == 0) {
            return i;
        }
    }
    fail_msg("no feature is called %s", name);
    return -1;
}

static const struct dama_feature *group_of(int index)
{
    int group = 0;
    while (index >= dama_features[group].offset + dama_features[group].count) {
        group++;
    }
    return &dama_features[group];
}

static void groups_follow_each_other_without_gap(void **state)
{
    (void)state;
    int offset = 0;
    for (int i = 0; i < dama_features_count; i++) {
        assert_int_equal(dama_features[i].offset, offset);
        assert_true(dama_features[i].count >= 1);
        offset += dama_features[i].count;
    }
    assert_int_equal(offset, DAMA_FEATURE_COUNT);
}

static void a_name_carries_an_index_where_a_group_has_many(void **state)
{
    (void)state;
    char text[DAMA_FEATURE_NAME_SIZE];
    dama_feature_name(DAMA_FEATURE_man, text, sizeof text);
    assert_string_equal(text, "man");
    dama_feature_name(DAMA_FEATURE_back_row + 3, text, sizeof text);
    assert_string_equal(text, "back_row[3]");
    dama_feature_name(DAMA_FEATURE_COUNT - 1, text, sizeof text);
    assert_string_equal(text, "turn");
}

static void canonical_text_is_a_line_a_group(void **state)
{
    (void)state;
    char text[4096];
    size_t length = dama_features_format(text, sizeof text);
    assert_int_equal(length, strlen(text));
    assert_int_equal(strncmp(text, "man 1\nking 1\n", 13), 0);
    int lines = 0;
    for (const char *at = text; *at; at++) {
        lines += *at == '\n';
    }
    assert_int_equal(lines, dama_features_count);
    char cut[8];
    assert_int_equal(dama_features_format(cut, sizeof cut), length);
    assert_string_equal(cut, "man 1\nk");
}

/* A line of features.tsv: variant, grid FEN, weight, its coefficient; context notes which groups
   have been seen other than zero. */
static void check_case(void *context, char *line, int number)
{
    bool *seen = context;
    char variant[DAMA_NAME_SIZE], fen[DAMA_FEN_SIZE], name[DAMA_FEATURE_NAME_SIZE];
    int expected;
    if (line[0] == '#') {
        return;
    }
    assert_int_equal(
        sscanf(line, "%47[^\t]\t%319[^\t]\t%31[^\t]\t%d", variant, fen, name, &expected), 4);
    const struct dama_rules *rules = dama_rules_find(variant);
    assert_non_null(rules);
    struct dama_position position = grid_position(rules, fen);
    struct dama_trace trace;
    dama_kernel_find(rules)->trace(rules, &position, &trace);
    int index = feature_index(name);
    if (trace.value[index] != expected) {
        fail_msg("line %d: %s %s: expected %s %d, found %d", number, variant, fen, name, expected,
                 trace.value[index]);
    }
    if (expected) {
        seen[group_of(index) - dama_features] = true;
    }
}

static void each_feature_counts_what_its_name_says(void **state)
{
    (void)state;
    bool seen[DAMA_FEATURE_COUNT] = {false};
    for_each_line("features.tsv", check_case, seen);
    for (int i = 0; i < dama_features_count; i++) {
        if (!seen[i]) {
            fail_msg("features.tsv has no case in which %s is not zero", dama_features[i].name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_follow_each_other_without_gap),
        cmocka_unit_test(a_name_carries_an_index_where_a_group_has_many),
        cmocka_unit_test(canonical_text_is_a_line_a_group),
        cmocka_unit_test(each_feature_counts_what_its_name_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
