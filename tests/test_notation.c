/* Moves as text: full paths, short forms, tolerant reading. */
#include "support.h"
#include "move_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/fen.h"
#include "engine/notation.h"

enum { LEGAL_SIZE = 4096 };

static const struct dama_rules *rules_of(const char *name)
{
    const struct dama_rules *rules = dama_rules_find(name);
    assert_non_null(rules);
    return rules;
}

static struct dama_position position_of(const struct dama_rules *rules, enum dama_squares squares,
                                        const char *fen)
{
    struct dama_position position;
    struct dama_error err = {0};
    if (dama_fen_parse(rules, squares, fen, &position, &err) != DAMA_OK) {
        fail_msg("%s: %s", fen, err.text);
    }
    return position;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The words of a text, sorted. */
static void sort_words(char *text, char out[LEGAL_SIZE])
{
    char *words[256];
    size_t count = 0;
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        words[count++] = word;
    }
    qsort(words, count, sizeof *words, compare_texts);
    out[0] = 0;
    for (size_t i = 0; i < count; i++) {
        strcat(out, i ? " " : "");
        strcat(out, words[i]);
    }
}

/* All legal moves by their full paths, sorted as text. */
static void legal_moves(const struct dama_rules *rules, enum dama_squares squares, const char *fen,
                        char out[LEGAL_SIZE])
{
    struct dama_position position = position_of(rules, squares, fen);
    struct dama_move_list list;
    char all[LEGAL_SIZE] = "";
    dama_kernel_find(rules)->generate(rules, &position, &list);
    for (int i = 0; i < list.count; i++) {
        char text[DAMA_MOVE_TEXT_SIZE];
        dama_move_format_full(rules, squares, &position, list.moves[i], text);
        strcat(strcat(all, " "), text);
    }
    sort_words(all, out);
}

static void check_legal(const char *variant, enum dama_squares squares, const char *fen,
                        const char *expected)
{
    char found[LEGAL_SIZE];
    legal_moves(rules_of(variant), squares, fen, found);
    assert_string_equal(found, expected);
}

static void check_case(void *context, char *line, int number)
{
    int *cases = context;
    if (number == 1) {
        assert_int_equal(*line, '#');
        return;
    }
    char *fields[4];
    for (int i = 0; i < 4; i++) {
        fields[i] = line;
        line = strchr(line, '\t');
        if (line) {
            *line++ = 0;
        }
    }
    char expected[LEGAL_SIZE], found[LEGAL_SIZE];
    sort_words(fields[3], expected);
    legal_moves(rules_of(fields[1]), DAMA_SQUARES_OFFICIAL, fields[2], found);
    if (strcmp(found, expected)) {
        fail_msg("%s %s: expected %s, found %s", fields[0], fields[2], expected, found);
    }
    ++*cases;
}

static void reported_positions_have_the_moves_of_their_rules(void **state)
{
    (void)state;
    int cases = 0;
    for_each_line("cases-movegen.tsv", check_case, &cases);
    assert_int_equal(cases, 19);
}

static void check_paths(void *context, char *line, int number)
{
    int *lines = context;
    if (number == 1) {
        assert_int_equal(*line, '#');
        return;
    }
    char *fen = strchr(line, '\t') + 1;
    char *moves = strchr(fen, '\t') + 1;
    fen[-1] = 0;
    moves[-1] = 0;
    char expected[LEGAL_SIZE], found[LEGAL_SIZE];
    sort_words(moves, expected);
    legal_moves(rules_of(line), DAMA_SQUARES_GRID, fen, found);
    if (strcmp(found, expected)) {
        fail_msg("%s %s: expected %s, found %s", line, fen, expected, found);
    }
    ++*lines;
}

static void captures_of_several_paths_are_written_by_the_smallest(void **state)
{
    (void)state;
    int lines = 0;
    for_each_line("paths.tsv", check_paths, &lines);
    assert_int_equal(lines, 281);
}

/* Reads a token that must mean one move, and plays it. */
static struct dama_position play(const struct dama_rules *rules, enum dama_squares squares,
                                 const struct dama_position *position, const char *token)
{
    dama_move move;
    struct dama_error err = {0};
    if (dama_move_parse(rules, squares, position, token, &move, &err) != DAMA_OK) {
        fail_msg("%s: %s", token, err.text);
    }
    return dama_kernel_find(rules)->make(rules, position, move);
}

/* The FEN after a token. */
static void check_play(const char *variant, const char *fen, const char *token,
                       const char *expected)
{
    const struct dama_rules *rules = rules_of(variant);
    struct dama_position before = position_of(rules, DAMA_SQUARES_OFFICIAL, fen);
    struct dama_position after = play(rules, DAMA_SQUARES_OFFICIAL, &before, token);
    char found[DAMA_FEN_SIZE];
    dama_fen_format(rules, DAMA_SQUARES_OFFICIAL, &after, found);
    assert_string_equal(found, expected);
}

/* The message for a token that is refused. */
static void check_refused(const char *variant, const char *fen, const char *token,
                          const char *expected)
{
    const struct dama_rules *rules = rules_of(variant);
    struct dama_position position = position_of(rules, DAMA_SQUARES_OFFICIAL, fen);
    struct dama_error err = {0};
    dama_move move = 77;
    assert_int_not_equal(
        dama_move_parse(rules, DAMA_SQUARES_OFFICIAL, &position, token, &move, &err), DAMA_OK);
    assert_string_equal(err.text, expected);
    assert_int_equal(move, 77);
}

static void c010_a_man_that_ends_on_the_crowning_row_is_a_king(void **state)
{
    (void)state;
    check_play("international", "W:W14,21:B8,9,17,32", "21x12x3", "B:WK3,14:B9,32");
}

static void c026_a_capture_is_written_in_full_only_when_its_ends_are_shared(void **state)
{
    (void)state;
    const struct dama_rules *rules = rules_of("international");
    struct dama_position position = position_of(rules, DAMA_SQUARES_OFFICIAL, "W:WK1:B12,19,13,20");
    dama_move move;
    char text[DAMA_MOVE_TEXT_SIZE];
    assert_int_equal(
        dama_move_parse(rules, DAMA_SQUARES_OFFICIAL, &position, "1x23x14x25", &move, NULL),
        DAMA_OK);
    dama_move_format(rules, DAMA_SQUARES_OFFICIAL, &position, move, text);
    assert_string_equal(text, "1x23x14x25");
    position = position_of(rules, DAMA_SQUARES_OFFICIAL, "W:W28:B23,14");
    assert_int_equal(dama_move_parse(rules, DAMA_SQUARES_OFFICIAL, &position, "28x10", &move, NULL),
                     DAMA_OK);
    dama_move_format(rules, DAMA_SQUARES_OFFICIAL, &position, move, text);
    assert_string_equal(text, "28x10");
    dama_move_format_full(rules, DAMA_SQUARES_OFFICIAL, &position, move, text);
    assert_string_equal(text, "28x19x10");
}

static void c034_a_side_that_is_shut_in_has_no_move(void **state)
{
    (void)state;
    const struct dama_rules *rules = rules_of("american");
    struct dama_position position = position_of(rules, DAMA_SQUARES_OFFICIAL, "B:W16,19:B12");
    assert_false(dama_kernel_find(rules)->has_move(rules, &position));
    check_refused("american", "B:W16,19:B12", "12-16",
                  "found 12-16, expected one of the legal moves none");
}

static void c038_a_move_asked_for_twice_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    const struct dama_rules *rules = rules_of("international");
    struct dama_position start = position_of(rules, DAMA_SQUARES_OFFICIAL, "W:WK2,25:B14,15,16");
    struct dama_position position = play(rules, DAMA_SQUARES_OFFICIAL, &start, "25-20");
    struct dama_position kept = position;
    dama_move move = DAMA_MOVE_NONE;
    struct dama_error err = {0};
    assert_int_equal(dama_move_parse(rules, DAMA_SQUARES_OFFICIAL, &position, "25-20", &move, &err),
                     DAMA_ILLEGAL);
    assert_memory_equal(&position, &kept, sizeof kept);
    assert_int_equal(move, DAMA_MOVE_NONE);
}

/* The two kings' captures of the standard's own example. */
static void straight_jumps_are_written_by_the_square_behind_the_victim(void **state)
{
    (void)state;
    const char *fen = "W:WK47:B14,19,22,33,42";
    char found[LEGAL_SIZE];
    legal_moves(rules_of("international"), DAMA_SQUARES_OFFICIAL, fen, found);
    assert_string_equal(found, "47x38x20x9x27 47x38x20x9x31 47x38x20x9x36 47x38x24x13x27 "
                               "47x38x24x13x31 47x38x24x13x36");
    check_play("international", fen, "47x20x36", "B:WK36:B19");
    check_play("international", fen, "47x33x20x36", "B:WK36:B19");
    check_refused("international", fen, "47x36",
                  "expected one move, 47x36 fits several: 47x38x20x9x36 47x38x24x13x36");
}

static void the_smallest_of_equal_paths_is_written_and_all_are_read(void **state)
{
    (void)state;
    const char *fen = "W:WK26:B14,15,22,23";
    check_legal("american", DAMA_SQUARES_OFFICIAL, fen, "26x17x10x19x26");
    check_play("american", fen, "26x17x10x19x26", "B:WK26:B");
    check_play("american", fen, "26x19x10x17x26", "B:WK26:B");
}

static void only_orders_that_the_rules_allow_are_written(void **state)
{
    (void)state;
    /* Italian rule 4: kings first, so the round may only begin with the kings. */
    check_legal("italian", DAMA_SQUARES_GRID, "W:WK26:B14,K15,22,K23", "26x19x10x17x26");
    check_legal("italian", DAMA_SQUARES_GRID, "W:WK26:BK14,15,K22,23", "26x17x10x19x26");
}

static void the_sign_decides_between_a_quiet_move_and_a_capture(void **state)
{
    (void)state;
    const char *fen = "W:WKc1:Bc5,e3,f6";
    check_play("russian-free", fen, "c1-a3", "B:WKa3:Bf6,c5,e3");
    check_play("russian-free", fen, "c1:a3", "B:WKa3:B");
}

static void many_ways_of_writing_are_read(void **state)
{
    (void)state;
    static const char *const quiet[] = {"11-15",  "11x15",  "11:15",      "11 - 15", " 11- 15",
                                        "011-15", "11-15!", "11-15 (?!)", "f6-e5",   "F6E5"};
    const char *start = "B:W21-32:B1-12";
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++) {
        check_play("american", start, quiet[i],
                   "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15");
    }
    check_play("russian", "W:Wa3:Bh8", "a3b4", "B:Wb4:Bh8");
    check_play("russian", "W:Wa3:Bh8", "21-17", "B:Wb4:Bh8");
    check_play("russian", "W:Wa3:Bb4", "a3xc5", "B:Wc5:B");
}

static void what_is_no_move_is_refused(void **state)
{
    (void)state;
    static const char *const tokens[] = {"",        "11",  "11-",    "-15",    "11-33",
                                         "11--15",  "0-0", "11-15x", "11/15",  "...",
                                         "11-15 1", "x",   "e2-e4-", "99-100", "11-15-\x80"};
    const struct dama_rules *rules = rules_of("american");
    struct dama_position start = dama_position_start(rules);
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
        char expected[64];
        struct dama_error err = {0};
        struct dama_move_list moves;
        snprintf(expected, sizeof expected, "expected a move, found '%s'", tokens[i]);
        assert_int_equal(
            dama_move_parse_all(rules, DAMA_SQUARES_OFFICIAL, &start, tokens[i], &moves, &err), 0);
        assert_string_equal(err.text, expected);
    }
    check_refused("american", "W:WK29:BK25", "29-25",
                  "found 29-25, expected one of the legal moves 29x22");
}

static void moves_of_random_positions_read_back(void **state)
{
    (void)state;
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        const struct dama_rules *rules = dama_rules_builtin(i);
        struct dama_rng rng = dama_rng_make(11, DAMA_RNG_TEST, (uint64_t)i);
        for (int j = 0; j < 200; j++) {
            struct dama_position position = random_position(rules, &rng);
            check_move_texts(rules, &position);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reported_positions_have_the_moves_of_their_rules),
        cmocka_unit_test(captures_of_several_paths_are_written_by_the_smallest),
        cmocka_unit_test(c010_a_man_that_ends_on_the_crowning_row_is_a_king),
        cmocka_unit_test(c026_a_capture_is_written_in_full_only_when_its_ends_are_shared),
        cmocka_unit_test(c034_a_side_that_is_shut_in_has_no_move),
        cmocka_unit_test(c038_a_move_asked_for_twice_is_refused_and_changes_nothing),
        cmocka_unit_test(straight_jumps_are_written_by_the_square_behind_the_victim),
        cmocka_unit_test(the_smallest_of_equal_paths_is_written_and_all_are_read),
        cmocka_unit_test(only_orders_that_the_rules_allow_are_written),
        cmocka_unit_test(the_sign_decides_between_a_quiet_move_and_a_capture),
        cmocka_unit_test(many_ways_of_writing_are_read),
        cmocka_unit_test(what_is_no_move_is_refused),
        cmocka_unit_test(moves_of_random_positions_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
