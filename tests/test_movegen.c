/* Legal moves against lists that independent programs agree on, in grid squares. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One file of positions and their moves. */
struct oracle {
    const struct dama_rules *rules;
    const char *field; /* of the line, that has the moves */
    int positions;
};

static int read_square(char **at)
{
    return (int)strtol(*at, at, 10);
}

/* A captured list "[9,10]" behind *at; moves *at behind it. */
static uint64_t read_captured(int board_size, char **at)
{
    uint64_t captured = 0;
    assert_int_equal(**at, '[');
    ++*at;
    while (**at != ']') {
        captured |= UINT64_C(1) << dama_square_bit(board_size, read_square(at));
        *at += **at == ',';
    }
    ++*at;
    return captured;
}

/* Reads "[[from,to,[captured]],...]". The oracle does not tell crowning: a move is compared
   without it. */
static void read_moves(int board_size, char *at, struct dama_move_list *list)
{
    list->count = 0;
    at++;
    while (*at != ']') {
        assert_int_equal(*at, '[');
        at++;
        int from = dama_square_bit(board_size, read_square(&at));
        at++;
        int to = dama_square_bit(board_size, read_square(&at));
        at++;
        list->moves[list->count++] =
            dama_move_make(from, to, read_captured(board_size, &at), false);
        assert_int_equal(*at, ']');
        at++;
        at += *at == ',';
    }
}

static void drop_crowning(struct dama_move_list *list)
{
    for (int i = 0; i < list->count; i++) {
        list->moves[i] &= ~dama_move_make(0, 0, 0, true);
    }
}

static char *find_field(char *line, const char *field)
{
    char name[64];
    snprintf(name, sizeof name, "\"%s\":", field);
    char *at = strstr(line, name);
    assert_non_null(at);
    return at + strlen(name);
}

static void check_kernel(const struct oracle *oracle, const struct dama_kernel *kernel,
                         const struct dama_position *position, struct dama_move_list *expected,
                         const char *where)
{
    struct dama_move_list list;
    kernel->generate(oracle->rules, position, &list);
    assert_false(list.is_cut);
    assert_int_equal(kernel->has_move(oracle->rules, position), list.count > 0);
    drop_crowning(&list);
    assert_same_moves(&list, expected, where);
    struct dama_move_list captures;
    kernel->captures(oracle->rules, position, &captures);
    assert_int_equal(kernel->has_capture(oracle->rules, position), captures.count > 0);
    int capture_count = 0;
    for (int i = 0; i < expected->count; i++) {
        capture_count += dama_move_is_capture(expected->moves[i]);
    }
    assert_int_equal(captures.count, capture_count);
    assert_int_equal(kernel->perft_count(oracle->rules, position, 1), expected->count);
}

static void check_line(void *context, char *line, int number)
{
    struct oracle *oracle = context;
    char *fen = find_field(line, "fen") + 1;
    struct dama_move_list expected;
    read_moves(oracle->rules->board_size, find_field(line, oracle->field), &expected);
    *strchr(fen, '"') = 0;
    struct dama_position position = grid_position(oracle->rules, fen);
    char where[600];
    snprintf(where, sizeof where, "%s:%d %s", oracle->rules->name, number, fen);
    check_kernel(oracle, dama_kernel_find(oracle->rules), &position, &expected, where);
    check_kernel(oracle, dama_kernel_runtime(), &position, &expected, where);
    oracle->positions++;
}

static void check_file(const char *variant, const char *path, const char *field, int positions)
{
    struct oracle oracle = {.rules = dama_rules_find(variant), .field = field};
    assert_non_null(oracle.rules);
    for_each_line(path, check_line, &oracle);
    assert_int_equal(oracle.positions, positions);
}

#define VARIANT(variant)                                                       \
    static void variant##_moves_equal_the_oracle(void **state)                 \
    {                                                                          \
        (void)state;                                                           \
        check_file(#variant, "moves/moves-" #variant ".jsonl", "moves", 2000); \
    }
DAMA_BASE_VARIANTS(VARIANT)
#undef VARIANT

static void house_rule_moves_equal_the_oracle(void **state)
{
    (void)state;
    check_file("american-free", "moves/moves-american-nfc.jsonl", "moves", 600);
    check_file("italian-free", "moves/moves-italian-nfc.jsonl", "moves", 600);
    check_file("russian-free", "moves/moves-russian-nfc.jsonl", "moves", 600);
    check_file("brazilian-free", "moves/moves-brazilian-nfc.jsonl", "moves", 600);
    check_file("spanish-free", "moves/moves-spanish-nfc.jsonl", "moves", 600);
    check_file("czech-free", "moves/moves-czech-nfc.jsonl", "moves", 600);
}

static void italian_kings_are_met_earliest_lexicographically(void **state)
{
    (void)state;
    check_file("italian", "moves/italian-ambiguous.jsonl", "I2_lexicographic", 241);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define VARIANT(variant) cmocka_unit_test(variant##_moves_equal_the_oracle),
        DAMA_BASE_VARIANTS(VARIANT)
#undef VARIANT
            cmocka_unit_test(house_rule_moves_equal_the_oracle),
        cmocka_unit_test(italian_kings_are_met_earliest_lexicographically),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
