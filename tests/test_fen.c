/* Positions as text: what is read, what is refused and how, what is written. */
#include "support.h"

#include <string.h>

#include "engine/fen.h"

/* A FEN that is read and the canonical text it becomes. */
struct reading {
    const char *variant;
    const char *read;
    const char *written;
};

/* A FEN that is refused, and the message. */
struct refusal {
    const char *variant;
    const char *read;
    const char *error;
};

static void check_reading(const struct reading *reading)
{
    const struct dama_rules *rules = dama_rules_find(reading->variant);
    struct dama_position position;
    struct dama_error err = {0};
    char fen[DAMA_FEN_SIZE];
    if (dama_fen_parse(rules, DAMA_SQUARES_OFFICIAL, reading->read, &position, &err) != DAMA_OK) {
        fail_msg("%s: %s", reading->read, err.text);
    }
    dama_fen_format(rules, DAMA_SQUARES_OFFICIAL, &position, fen);
    assert_string_equal(fen, reading->written);
}

static void check_refusal(const struct refusal *refusal)
{
    const struct dama_rules *rules = dama_rules_find(refusal->variant);
    struct dama_position position = {.pieces = {2, 4}, .side = DAMA_BLACK};
    struct dama_position kept = position;
    struct dama_error err = {0};
    assert_int_not_equal(
        dama_fen_parse(rules, DAMA_SQUARES_OFFICIAL, refusal->read, &position, &err), DAMA_OK);
    assert_string_equal(err.text, refusal->error);
    assert_memory_equal(&position, &kept, sizeof kept);
}

static void c022_the_start_position_has_one_side_field(void **state)
{
    (void)state;
    const struct dama_rules *rules = dama_rules_find("international");
    struct dama_position start = dama_position_start(rules);
    char fen[DAMA_FEN_SIZE];
    dama_fen_format(rules, DAMA_SQUARES_OFFICIAL, &start, fen);
    assert_string_equal(fen, "W:W31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50"
                             ":B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20");
    struct dama_position read;
    assert_int_equal(dama_fen_parse(rules, DAMA_SQUARES_OFFICIAL, "W:W31-50:B1-20", &read, NULL),
                     DAMA_OK);
    assert_true(dama_position_equal(&read, &start));
}

static void c023_an_empty_side_is_read_and_has_no_move(void **state)
{
    (void)state;
    const struct dama_rules *rules = dama_rules_find("international");
    struct dama_position position;
    check_reading(&(struct reading){"international", "B:W50:B", "B:W50:B"});
    assert_int_equal(dama_fen_parse(rules, DAMA_SQUARES_OFFICIAL, "B:W50:B", &position, NULL),
                     DAMA_OK);
    assert_int_equal(position.pieces[DAMA_BLACK], 0);
    assert_false(dama_kernel_find(rules)->has_move(rules, &position));
}

static void c024_site_counters_are_read_and_ghosts_refused_by_name(void **state)
{
    (void)state;
    check_reading(&(struct reading){"international", "W:WK5,31:B20:H3:F17", "W:WK5,31:B20"});
    check_refusal(&(struct refusal){
        "international", "W:WG12,K5,31:B20:H3:F17",
        "FEN: expected men and kings only (G and P are captured pieces), found 'G12'"});
    check_refusal(&(struct refusal){
        "russian", "W:WGc3:Ba7",
        "FEN: expected men and kings only (G and P are captured pieces), found 'Gc3'"});
    check_reading(&(struct reading){"russian", "W:WG3:Ba7", "W:Wg3:Ba7"});
}

static void c025_a_final_dot_and_ranges_are_read_not_written(void **state)
{
    (void)state;
    static const struct reading readings[] = {
        {"american", "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29.",
         "B:WK10,K15,18,24,27,28:B12,16,20,K22,K25,K29"},
        {"american", "W:W21-32:B1-12",
         "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"},
        {"american", " w : b1 - 3 : w k30-k31, 21 . ", "W:W21,K30,K31:B1,2,3"},
        {"american", "B:BK1-3:W32", "B:W32:BK1,K2,K3"},
        {"russian", "W:W29,K30:B9", "W:Wa1,Kc1:Bb6"},
        {"russian", "w:wA1,kC1:bb6", "W:Wa1,Kc1:Bb6"},
        {"italian", "W:W21-24:B1", "W:W24,23,22,21:B1"},
        {"spanish", "W:W1-4:B32", "W:W1,2,3,4:B32"},
    };
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
        check_reading(&readings[i]);
    }
}

static void c060_men_on_their_crowning_rows_are_refused_by_square(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {"international", "W:W4:B49",
         "FEN: expected no man on its crowning row, found white man on 4, black man on 49"},
        {"italian", "W:W1:B20", "FEN: expected no man on its crowning row, found white man on 1"},
        {"spanish", "W:W30:B3",
         "FEN: expected no man on its crowning row, found white man on 30, black man on 3"},
        {"russian", "W:Wb8:Bc1",
         "FEN: expected no man on its crowning row, found white man on b8, black man on c1"},
    };
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        check_refusal(&refusals[i]);
    }
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {"american", "", "FEN: expected the side to move, W or B, found 'nothing'"},
        {"american", "?:W32:B1", "FEN: expected the side to move, W or B, found '?'"},
        {"american", "W:W31,32,31:B1", "FEN: square 31 is given twice"},
        {"american", "W:W31:B1,31", "FEN: square 31 is given twice"},
        {"american", "W:W33:B1", "FEN: expected a square, found '33'"},
        {"american", "W:W0:B1", "FEN: expected a square, found '0'"},
        {"russian", "W:Wa2:Bb8", "FEN: expected a square, found 'a2'"},
        {"russian", "W:Wa1-e1:Bb8", "FEN: expected a range of square numbers, found 'a1-e1'"},
        {"american", "W:W32-30:B1", "FEN: expected a range from low to high, found 32-30"},
        {"american", "W:W32", "FEN: expected a list of B, found none"},
        {"american", "W:W32:W31:B1", "FEN: expected one list of W, found two"},
        {"american", "W:W32 31:B1", "FEN: expected a comma or colon behind a square, found '31'"},
        {"american", "W:W32:B1:H", "FEN: expected a number behind H or F, found 'H'"},
        {"american", "W:W32:B1. x", "FEN: expected the end, found 'x'"},
        {"american", "W:W32:X1", "FEN: expected W or B and a list of squares, found 'X1'"},
        {"american", "W:W32:BK", "FEN: expected a square, found 'K'"},
        {"american", "W:W99999999999999999999:B1",
         "FEN: expected a square, found '99999999999999999999'"},
    };
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        check_refusal(&refusals[i]);
    }
}

static void random_positions_read_back_in_both_numberings(void **state)
{
    (void)state;
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        const struct dama_rules *rules = dama_rules_builtin(i);
        struct dama_rng rng = dama_rng_make(7, DAMA_RNG_TEST, (uint64_t)i);
        for (int j = 0; j < 500; j++) {
            struct dama_position position = random_position(rules, &rng);
            for (int squares = DAMA_SQUARES_OFFICIAL; squares <= DAMA_SQUARES_GRID; squares++) {
                char fen[DAMA_FEN_SIZE], again[DAMA_FEN_SIZE];
                struct dama_position read;
                dama_fen_format(rules, (enum dama_squares)squares, &position, fen);
                assert_int_equal(
                    dama_fen_parse(rules, (enum dama_squares)squares, fen, &read, NULL), DAMA_OK);
                assert_true(dama_position_equal(&read, &position));
                dama_fen_format(rules, (enum dama_squares)squares, &read, again);
                assert_string_equal(again, fen);
            }
        }
    }
}

static void a_full_board_of_kings_fits(void **state)
{
    (void)state;
    const struct dama_rules *rules = dama_rules_find("international");
    struct dama_position position, read;
    char fen[DAMA_FEN_SIZE];
    assert_int_equal(
        dama_fen_parse(rules, DAMA_SQUARES_OFFICIAL, "W:WK1-25:BK26-50", &position, NULL), DAMA_OK);
    dama_fen_format(rules, DAMA_SQUARES_OFFICIAL, &position, fen);
    assert_int_equal(dama_fen_parse(rules, DAMA_SQUARES_OFFICIAL, fen, &read, NULL), DAMA_OK);
    assert_true(dama_position_equal(&read, &position));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c022_the_start_position_has_one_side_field),
        cmocka_unit_test(c023_an_empty_side_is_read_and_has_no_move),
        cmocka_unit_test(c024_site_counters_are_read_and_ghosts_refused_by_name),
        cmocka_unit_test(c025_a_final_dot_and_ranges_are_read_not_written),
        cmocka_unit_test(c060_men_on_their_crowning_rows_are_refused_by_square),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(random_positions_read_back_in_both_numberings),
        cmocka_unit_test(a_full_board_of_kings_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
