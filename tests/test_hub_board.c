/* Positions, moves, lines and parameters of the Hub protocol. */
#include "engine/cli/hub_board.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "engine/cli/hub_line.h"
#include "engine/cli/hub_params.h"
#include "engine/cli/time_budget.h"
#include "engine/fen.h"

static struct dama_position read_fen(const struct dama_rules *rules, const char *fen)
{
    struct dama_position position;
    struct dama_error err = {0};
    if (dama_fen_parse(rules, DAMA_SQUARES_OFFICIAL, fen, &position, &err) != DAMA_OK) {
        fail_msg("%s", err.text);
    }
    return position;
}

/* The strings of protocol.txt. */
static void positions_are_those_of_the_protocol(void **state)
{
    (void)state;
    const struct dama_hub_board board = {.rules = dama_rules_find("international")};
    struct dama_position position = dama_position_start(board.rules);
    char text[DAMA_HUB_POSITION_SIZE];
    dama_hub_write_position(&board, &position, text);
    assert_string_equal(text, "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww");
    const char *example = "BeeeWWeeeeeeeeeeeeeeeeeeeweeeeeeeeewweBeeeeeeeeeBee";
    struct dama_position kings = read_fen(board.rules, "B:WK4,K5,25,35,36:BK38,K48");
    struct dama_position read;
    struct dama_error err = {0};
    assert_int_equal(dama_hub_read_position(&board, example, &read, &err), DAMA_OK);
    assert_memory_equal(&read, &kings, sizeof read);
    assert_int_equal(dama_hub_read_position(&board, example + 1, &read, &err), DAMA_INVALID);
    assert_string_equal(err.text, "pos: expected 51 characters for international, found 50");
}

/* A white man on each corner of the numbering. Official squares: Spanish 1 is the
   bottom right corner, Italian 1 the top left; games with letters count as the grid; from the
   bottom a1 is 1. */
static void squares_are_numbered_as_documented(void **state)
{
    (void)state;
    static const struct {
        const char *variant, *fen;
        enum dama_hub_numbers numbers;
        int number;
    } rows[] = {
        {"american", "B:W29:B1", DAMA_HUB_OFFICIAL, 29},
        {"american", "B:W29:B1", DAMA_HUB_BOTTOM, 1},
        {"italian", "W:W32:B1", DAMA_HUB_OFFICIAL, 32},
        {"spanish", "W:W1:B32", DAMA_HUB_OFFICIAL, 1},
        {"spanish", "W:W1:B32", DAMA_HUB_GRID, 29},
        {"russian", "W:Wa1:Bb8", DAMA_HUB_OFFICIAL, 29},
        {"russian", "W:Wa1:Bb8", DAMA_HUB_BOTTOM, 1},
        {"brazilian", "W:Wg1:Bb8", DAMA_HUB_BOTTOM, 4},
        {"international", "W:W46:B1", DAMA_HUB_OFFICIAL, 46},
        {"international", "W:W46:B1", DAMA_HUB_BOTTOM, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct dama_hub_board board = {dama_rules_find(rows[i].variant), rows[i].numbers};
        struct dama_position position = read_fen(board.rules, rows[i].fen);
        char text[DAMA_HUB_POSITION_SIZE];
        dama_hub_write_position(&board, &position, text);
        assert_int_equal(strchr(text, 'w') - text, rows[i].number);
    }
}

/* Positions and all legal moves of a game of first and last moves, in every variant and order. */
static void what_is_written_is_read_back(void **state)
{
    (void)state;
    for (int v = 0; v < DAMA_BUILTIN_COUNT; v++) {
        const struct dama_rules *rules = dama_rules_builtin(v);
        struct dama_game *game = dama_game_new(rules, dama_draw_rules_default(rules), NULL);
        struct dama_move_list list;
        for (int ply = 0; ply < 60; ply++) {
            const struct dama_position *position = dama_game_position(game);
            game->kernel->generate(rules, position, &list);
            for (int numbers = DAMA_HUB_OFFICIAL; numbers <= DAMA_HUB_BOTTOM; numbers++) {
                const struct dama_hub_board board = {rules, (enum dama_hub_numbers)numbers};
                char text[DAMA_HUB_POSITION_SIZE], word[DAMA_HUB_MOVE_SIZE];
                struct dama_position read;
                dama_hub_write_position(&board, position, text);
                assert_int_equal(strlen(text), 1 + dama_rules_squares(rules));
                assert_int_equal(dama_hub_read_position(&board, text, &read, NULL), DAMA_OK);
                assert_memory_equal(&read, position, sizeof read);
                for (int i = 0; i < list.count; i++) {
                    dama_move move;
                    dama_hub_write_move(&board, list.moves[i], word);
                    assert_int_equal(dama_hub_read_move(&board, position, word, &move, NULL),
                                     DAMA_OK);
                    assert_true(move == list.moves[i]);
                }
            }
            if (list.count == 0) {
                break;
            }
            assert_int_equal(dama_game_play(game, list.moves[ply % 2 ? 0 : list.count - 1]),
                             DAMA_OK);
        }
        dama_game_free(game);
    }
}

/* A man on 32 takes 28 and 19: the victims in any order, and sets that are wrong. */
static void c039_captured_squares_are_a_set(void **state)
{
    (void)state;
    const struct dama_hub_board board = {.rules = dama_rules_find("international")};
    struct dama_position position = read_fen(board.rules, "W:W32:B28,19");
    static const char *const wrong[] = {"32x14x28", "32x14x19", "32x14x28x20", "32x14x28x19x20",
                                        "32x14",    "32-14",    "32x23x28",    "32x14x28x28x19"};
    static const char *const garbled[] = {"32x14x",       "32",  "",     "c3-d4",
                                          "32x14x28x19!", "0-1", "32x51"};
    dama_move one, other;
    struct dama_error err = {0};
    char text[DAMA_HUB_MOVE_SIZE];
    assert_int_equal(dama_hub_read_move(&board, &position, "32x14x28x19", &one, &err), DAMA_OK);
    assert_int_equal(dama_hub_read_move(&board, &position, "32x14x19x28", &other, &err), DAMA_OK);
    assert_true(one == other);
    dama_hub_write_move(&board, one, text);
    assert_string_equal(text, "32x14x19x28");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_true(dama_hub_read_move(&board, &position, wrong[i], &one, NULL) != DAMA_OK);
    }
    for (size_t i = 0; i < sizeof garbled / sizeof *garbled; i++) {
        assert_int_equal(dama_hub_read_move(&board, &position, garbled[i], &one, NULL),
                         DAMA_INVALID);
    }
    assert_true(one == other);
    assert_int_equal(dama_hub_read_move(&board, &position, "32x14x28x20", &one, &err),
                     DAMA_ILLEGAL);
    assert_string_equal(err.text, "move '32x14x28x20' is not legal here");
}

static void lines_are_split_as_the_protocol_says(void **state)
{
    (void)state;
    char text[] = "  info depth=21 flag  pv=\"32-28 17-22\" empty=\"\" a=b=c";
    struct dama_hub_line line;
    dama_hub_line_split(text, &line);
    assert_string_equal(line.command, "info");
    assert_int_equal(line.count, 5);
    assert_string_equal(dama_hub_line_value(&line, "depth"), "21");
    assert_string_equal(dama_hub_line_value(&line, "flag"), "");
    assert_string_equal(dama_hub_line_value(&line, "pv"), "32-28 17-22");
    assert_string_equal(dama_hub_line_value(&line, "empty"), "");
    assert_string_equal(dama_hub_line_value(&line, "a"), "b=c");
    assert_null(dama_hub_line_value(&line, "b"));
    char blank[] = " \t";
    dama_hub_line_split(blank, &line);
    assert_string_equal(line.command, "");
    assert_int_equal(line.count, 0);
}

static void parameters_refuse_what_they_do_not_take(void **state)
{
    (void)state;
    struct dama_hub_params params;
    struct dama_error err = {0};
    dama_hub_params_init(&params);
    assert_int_equal(dama_hub_params_set(&params, "threads", "0", &err), DAMA_INVALID);
    assert_string_equal(err.text, "param threads: expected 1 to 256, found '0'");
    assert_int_equal(dama_hub_params_set(&params, "variant", "americ", NULL), DAMA_INVALID);
    assert_int_equal(dama_hub_params_set(&params, "variant", "", NULL), DAMA_INVALID);
    assert_int_equal(dama_hub_params_set(&params, "book", "true", NULL), DAMA_OK);
    assert_int_equal(dama_hub_params_set(&params, "threads", "3", NULL), DAMA_OK);
    assert_int_equal(dama_hub_params_int(&params, DAMA_HUB_THREADS), 3);
    assert_int_equal(dama_hub_params_set(&params, "numbers", "bottom", NULL), DAMA_OK);
    assert_int_equal(dama_hub_params_choice(&params, DAMA_HUB_NUMBERS), DAMA_HUB_BOTTOM);
    assert_string_equal(params.values[DAMA_HUB_VARIANT], "international");
}

/* Whatever the clock says, it does not run out: a thousand moves by the budget leave time. */
static void a_budget_never_empties_the_clock(void **state)
{
    (void)state;
    static const double increments[] = {0, 0.01, 1};
    for (size_t i = 0; i < sizeof increments / sizeof *increments; i++) {
        double left = 10;
        for (int move = 0; move < 1000; move++) {
            double budget = dama_time_budget(left, increments[i], 0);
            assert_true(budget > 0);
            if (left > 0.01) {
                assert_true(budget < left);
            }
            left += increments[i] - budget;
            left = left > 0 ? left : 0;
        }
    }
    assert_true(dama_time_budget(10, 0, 1) > dama_time_budget(10, 0, 40));
    /* The last move before the control may have the clock but for the reserve. */
    double last = dama_time_budget(10, 0, 1);
    assert_true(last > 9 && last < 10);
    assert_true(dama_time_budget(-5, 0, 0) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_are_those_of_the_protocol),
        cmocka_unit_test(squares_are_numbered_as_documented),
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(c039_captured_squares_are_a_set),
        cmocka_unit_test(lines_are_split_as_the_protocol_says),
        cmocka_unit_test(parameters_refuse_what_they_do_not_take),
        cmocka_unit_test(a_budget_never_empties_the_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
