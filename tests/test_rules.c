/* Rule sets as data: the built-in table, canonical text, setting and checking of fields. */
#include "support.h"

#include <nettle/sha2.h>
#include <string.h>

static void builtins_are_the_thirteen_in_order(void **state)
{
    (void)state;
    static const char *const names[] = {
        "american",       "italian",       "russian",       "brazilian",    "spanish",
        "czech",          "international", "american-free", "italian-free", "russian-free",
        "brazilian-free", "spanish-free",  "czech-free"};
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        assert_string_equal(dama_rules_builtin(i)->name, names[i]);
        assert_ptr_equal(dama_rules_find(names[i]), dama_rules_builtin(i));
        struct dama_error err = {0};
        assert_int_equal(dama_rules_check(dama_rules_builtin(i), &err), DAMA_OK);
    }
    assert_null(dama_rules_builtin(DAMA_BUILTIN_COUNT));
    assert_null(dama_rules_builtin(-1));
    assert_null(dama_rules_find("international-free"));
    assert_null(dama_rules_find(""));
}

static void house_rule_differs_in_one_field_only(void **state)
{
    (void)state;
    for (int i = DAMA_BASE_COUNT; i < DAMA_BUILTIN_COUNT; i++) {
        const struct dama_rules *house = dama_rules_builtin(i);
        const struct dama_rules *base = dama_rules_builtin(dama_rules_base(house));
        assert_int_equal(strncmp(house->name, base->name, strlen(base->name)), 0);
        assert_string_equal(house->name + strlen(base->name), "-free");
        assert_false(house->capture_mandatory);
        assert_false(dama_rules_equal(house, base));
        struct dama_rules copy = *house;
        copy.capture_mandatory = true;
        assert_true(dama_rules_equal(&copy, base));
    }
}

/* From the rulebooks, by hand. */
static void fields_are_those_of_the_rulebooks(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool backward, captures_king, flies, most, kings_first;
        enum dama_crowning crowning;
        int repetitions;
    } rows[] = {
        {"american", false, true, false, false, false, DAMA_CROWNING_ENDS_MOVE, 3},
        {"italian", false, false, false, true, false, DAMA_CROWNING_ENDS_MOVE, 4},
        {"russian", true, true, true, false, false, DAMA_CROWNING_GOES_ON_AS_KING, 3},
        {"brazilian", true, true, true, true, false, DAMA_CROWNING_GOES_ON_AS_MAN, 3},
        {"spanish", false, true, true, true, false, DAMA_CROWNING_ENDS_MOVE, 3},
        {"czech", false, true, true, false, true, DAMA_CROWNING_ENDS_MOVE, 3},
        {"international", true, true, true, true, false, DAMA_CROWNING_GOES_ON_AS_MAN, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct dama_rules *rules = dama_rules_find(rows[i].name);
        assert_int_equal(rules->man_captures_backward, rows[i].backward);
        assert_int_equal(rules->man_captures_king, rows[i].captures_king);
        assert_int_equal(rules->king_flies, rows[i].flies);
        assert_int_equal(rules->most_pieces, rows[i].most);
        assert_int_equal(rules->king_captures_first, rows[i].kings_first);
        assert_int_equal(rules->crowning, rows[i].crowning);
        assert_int_equal(rules->repetitions, rows[i].repetitions);
        bool is_american = i == 0;
        assert_int_equal(rules->first_mover, is_american ? DAMA_BLACK : DAMA_WHITE);
    }
}

/* Sets every field of a blank rule set from the lines of a canonical text. */
static void read_back(char *text, struct dama_rules *out)
{
    *out = (struct dama_rules){.name = "copy"};
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char *value = strstr(line, " = ");
        assert_non_null(value);
        *value = 0;
        struct dama_error err = {0};
        assert_int_equal(dama_rules_set(out, line, value + 3, &err), DAMA_OK);
    }
}

static void canonical_text_reads_back_equal(void **state)
{
    (void)state;
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        char text[4096];
        size_t length = dama_rules_format(dama_rules_builtin(i), text, sizeof text);
        assert_int_equal(length, strlen(text));
        assert_null(strstr(text, "name"));
        struct dama_rules copy;
        read_back(text, &copy);
        assert_true(dama_rules_equal(&copy, dama_rules_builtin(i)));
    }
}

static void canonical_text_is_cut_to_the_buffer(void **state)
{
    (void)state;
    const struct dama_rules *rules = dama_rules_find("american");
    char whole[4096];
    char part[20];
    size_t length = dama_rules_format(rules, whole, sizeof whole);
    assert_int_equal(dama_rules_format(rules, part, sizeof part), length);
    assert_int_equal(strlen(part), sizeof part - 1);
    assert_int_equal(strncmp(part, "board_size = 8\nmen_rows", sizeof part - 1), 0);
    assert_int_equal(dama_rules_format(rules, NULL, 0), length);
}

static void refuse(const char *field, const char *value, const char *expected)
{
    struct dama_rules rules = *dama_rules_find("american");
    struct dama_error err = {0};
    assert_int_equal(dama_rules_set(&rules, field, value, &err), DAMA_INVALID);
    assert_string_equal(err.text, expected);
    assert_true(dama_rules_equal(&rules, dama_rules_find("american")));
}

static void wrong_fields_and_values_are_named(void **state)
{
    (void)state;
    refuse("board", "8", "unknown rule field 'board'");
    refuse("board_size", "12", "board_size: expected an integer of 8 to 10, found '12'");
    refuse("board_size", "8x", "board_size: expected an integer of 8 to 10, found '8x'");
    refuse("board_size", "", "board_size: expected an integer of 8 to 10, found ''");
    refuse("king_flies", "yes", "king_flies: expected one of false, true, found 'yes'");
    refuse("crowning", "later",
           "crowning: expected one of ends_move, goes_on_as_king, goes_on_as_man, found 'later'");
}

static void check_names_every_wrong_field(void **state)
{
    (void)state;
    struct dama_rules rules = *dama_rules_find("american");
    rules.board_size = 9;
    rules.repetitions = 99;
    rules.kings_earliest = true;
    struct dama_error err = {0};
    assert_int_equal(dama_rules_check(&rules, &err), DAMA_INVALID);
    assert_string_equal(err.text, "repetitions: expected 0 to 10, found 99; "
                                  "board_size: expected 8 or 10, found 9; "
                                  "prefer_king_capturer, most_kings and kings_earliest: expected "
                                  "most_pieces = true; kings_earliest: expected most_kings = true");
}

static void contradictory_rules_are_refused(void **state)
{
    (void)state;
    struct dama_rules rules = *dama_rules_find("american");
    struct dama_error err = {0};
    /* Every game would be drawn where it starts. */
    rules.repetitions = 1;
    assert_int_equal(dama_rules_check(&rules, &err), DAMA_INVALID);
    assert_string_equal(err.text, "repetitions: expected 0 or 2 to 10, found 1");
    rules = *dama_rules_find("american");
    rules.king_lands_behind = true;
    assert_int_equal(dama_rules_check(&rules, &err), DAMA_INVALID);
    rules = *dama_rules_find("international");
    rules.king_captures_first = true;
    assert_int_equal(dama_rules_check(&rules, &err), DAMA_INVALID);
    rules = *dama_rules_find("american");
    rules.men_rows = 4;
    assert_int_equal(dama_rules_check(&rules, &err), DAMA_INVALID);
}

static void hashes_are_distinct_and_only_of_builtins(void **state)
{
    (void)state;
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        const unsigned char *hash = dama_rules_hash(dama_rules_builtin(i));
        assert_non_null(hash);
        for (int j = 0; j < i; j++) {
            const unsigned char *other = dama_rules_hash(dama_rules_builtin(j));
            assert_true(memcmp(hash, other, DAMA_HASH_SIZE) != 0);
        }
    }
    struct dama_rules other = *dama_rules_find("russian");
    other.king_value = 301;
    assert_null(dama_rules_hash(&other));
    other.king_value = 300;
    strcpy(other.name, "mine");
    assert_ptr_equal(dama_rules_hash(&other), dama_rules_hash(dama_rules_find("russian")));
    assert_int_equal(dama_rules_base(&other), 2);
}

static void hash_is_the_sha256_of_the_canonical_text(void **state)
{
    (void)state;
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        char text[4096];
        size_t length = dama_rules_format(dama_rules_builtin(i), text, sizeof text);
        struct sha256_ctx context;
        uint8_t hash[SHA256_DIGEST_SIZE];
        sha256_init(&context);
        sha256_update(&context, length, (const uint8_t *)text);
        sha256_digest(&context, sizeof hash, hash);
        assert_memory_equal(dama_rules_hash(dama_rules_builtin(i)), hash, sizeof hash);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(builtins_are_the_thirteen_in_order),
        cmocka_unit_test(house_rule_differs_in_one_field_only),
        cmocka_unit_test(fields_are_those_of_the_rulebooks),
        cmocka_unit_test(canonical_text_reads_back_equal),
        cmocka_unit_test(canonical_text_is_cut_to_the_buffer),
        cmocka_unit_test(wrong_fields_and_values_are_named),
        cmocka_unit_test(check_names_every_wrong_field),
        cmocka_unit_test(contradictory_rules_are_refused),
        cmocka_unit_test(hashes_are_distinct_and_only_of_builtins),
        cmocka_unit_test(hash_is_the_sha256_of_the_canonical_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
