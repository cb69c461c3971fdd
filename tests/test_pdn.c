/* PDN text: what is read, what is refused and where, results, replay. */
#include "support.h"

#include <stdio.h>
#include <string.h>

#include "engine/pdn.h"

enum { TEXT_SIZE = 4096 };

/* The first game of a text, replayed; released by end(). */
struct read {
    struct dama_pdn_reader reader;
    struct dama_pdn_game game;
    struct dama_pdn_replay replay;
    struct dama_error err;
    enum dama_status status;
};

static struct read begin(const char *text, size_t size)
{
    struct read read = {.reader = dama_pdn_open("t.pdn", text, size)};
    return read;
}

static bool next(struct read *read, const char *variant)
{
    const struct dama_rules *rules = variant ? dama_rules_find(variant) : NULL;
    read->err = (struct dama_error){.status = DAMA_OK};
    if (!dama_pdn_next(&read->reader, &read->game)) {
        return false;
    }
    read->status = dama_pdn_rules(&read->game, rules, &rules, &read->err);
    if (read->status == DAMA_OK) {
        read->status =
            dama_pdn_replay(&read->game, rules, DAMA_SQUARES_OFFICIAL, &read->replay, &read->err);
    }
    return true;
}

static void end(struct read *read)
{
    dama_pdn_game_free(&read->game);
    dama_pdn_replay_free(&read->replay);
}

/* The moves of the replay by their full paths. */
static void moves_of(const struct read *read, const char *variant, char out[TEXT_SIZE])
{
    struct dama_text text = {.at = out, .size = TEXT_SIZE};
    dama_text_add(&text, "%s", "");
    for (int i = 0; i < read->replay.count; i++) {
        const struct dama_pdn_ply *ply = &read->replay.plies[i];
        char move[DAMA_MOVE_TEXT_SIZE];
        dama_move_format_full(dama_rules_find(variant), DAMA_SQUARES_OFFICIAL, &ply->position,
                              ply->move, move);
        dama_text_add(&text, i ? " %s" : "%s", move);
    }
}

/* A text of one game without errors: its moves and result. */
static void check_game(const char *variant, const char *text, const char *moves,
                       enum dama_pdn_result result)
{
    struct read read = begin(text, strlen(text));
    char found[TEXT_SIZE];
    assert_true(next(&read, variant));
    assert_string_equal(read.game.error.text, "");
    assert_string_equal(read.err.text, "");
    moves_of(&read, variant, found);
    assert_string_equal(found, moves);
    assert_int_equal(dama_pdn_game_result(dama_rules_find(variant), &read.game), result);
    assert_false(next(&read, variant));
    end(&read);
}

/* A text whose first game is no PDN: the one error, and how many games there are. */
static void check_damaged(const char *text, const char *error, int games)
{
    struct read read = begin(text, strlen(text));
    assert_true(next(&read, "international"));
    assert_string_equal(read.game.error.text, error);
    while (next(&read, "international")) {
        assert_string_equal(read.game.error.text, "");
    }
    assert_int_equal(read.reader.games, games);
    end(&read);
}

static void c027_a_drawn_result_is_no_move(void **state)
{
    (void)state;
    check_game("international", "1. 32-28 19-23 2. 28x19 14x23 1-1", "32-28 19-23 28x19 14x23",
               DAMA_PDN_DRAWN);
}

static void c028_a_king_move_to_18_is_no_result(void **state)
{
    (void)state;
    check_game("international", "[FEN \"W:WK1:B45\"] 1. 1-18 45-50 1-0", "1-18 45-50",
               DAMA_PDN_WHITE_WON);
}

static void c029_a_team_score_is_noted_with_its_place(void **state)
{
    (void)state;
    const char *text = "[Result \"4-6\"]\n1. 32-28 18-23\n 4-6\n\n[Result \"2-0\"]\n1. 33-29 2-0\n";
    struct read read = begin(text, strlen(text));
    assert_true(next(&read, "international"));
    assert_int_equal(read.status, DAMA_OK);
    assert_int_equal(read.replay.count, 2);
    assert_string_equal(read.game.note.text, "t.pdn:3: game 1: unknown result text '4-6'");
    assert_int_equal(dama_pdn_game_result(dama_rules_find("international"), &read.game),
                     DAMA_PDN_UNKNOWN);
    assert_true(next(&read, "international"));
    assert_int_equal(read.replay.count, 1);
    assert_string_equal(read.game.note.text, "");
    end(&read);
}

static void a_score_that_is_a_move_counts_as_one_where_the_game_goes_on(void **state)
{
    (void)state;
    check_game("american", "[Result \"11-15\"]\n1. 11-15 22-18", "11-15 22-18", DAMA_PDN_UNKNOWN);
}

static void c031_the_next_token_decides_between_two_captures(void **state)
{
    (void)state;
    const char *start = "[FEN \"W:WK4,20,39,44:B12,18,28,29,37\"] ";
    char text[256];
    snprintf(text, sizeof text, "%s1. 4x24 28-32 *", start);
    check_game("international", text, "4x31x42x24 28-32", DAMA_PDN_NONE);
    snprintf(text, sizeof text, "%s1. 4x24 37-41 *", start);
    check_game("international", text, "4x22x33x24 37-41", DAMA_PDN_NONE);
    snprintf(text, sizeof text, "%s1. 4x24 *", start);
    struct read read = begin(text, strlen(text));
    assert_true(next(&read, "international"));
    assert_true(read.replay.is_ambiguous);
    end(&read);
}

static void c032_encodings_and_line_ends_do_not_matter(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "\xEF\xBB\xBF[White \"Andr\xC3\xA9\"]\n\n1. 32-28 19-23 *\n",
        "[White \"Andr\xE9\"]\r\n\r\n1. 32-28\n19-23\r\n*\r\n",
        "[White \"\xFF\xFE\x80\"]\r1. 32-28\r19-23 *\r\x1A",
    };
    static const char *const names[] = {"Andr\xC3\xA9", "Andr\xE9", "\xFF\xFE\x80"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct read read = begin(texts[i], strlen(texts[i]));
        char moves[TEXT_SIZE], name[32];
        assert_true(next(&read, "international"));
        moves_of(&read, "international", moves);
        assert_string_equal(moves, "32-28 19-23");
        dama_pdn_unescape(*dama_pdn_tag(&read.game, "White"), name, sizeof name);
        assert_string_equal(name, names[i]);
        assert_false(next(&read, "international"));
        end(&read);
    }
}

static enum dama_pdn_result result_of(const char *variant, const char *text)
{
    return dama_pdn_result_parse(dama_rules_find(variant),
                                 (struct dama_pdn_text){text, strlen(text)});
}

static void c033_the_left_number_is_that_of_the_first_mover(void **state)
{
    (void)state;
    assert_int_equal(result_of("american", "1-0"), DAMA_PDN_BLACK_WON);
    assert_int_equal(result_of("american-free", "0-1"), DAMA_PDN_WHITE_WON);
    static const char *const white_first[] = {"italian", "russian", "brazilian",
                                              "spanish", "czech",   "international"};
    for (size_t i = 0; i < sizeof white_first / sizeof *white_first; i++) {
        assert_int_equal(result_of(white_first[i], "1-0"), DAMA_PDN_WHITE_WON);
        assert_int_equal(result_of(white_first[i], "2-0"), DAMA_PDN_WHITE_WON);
        assert_int_equal(result_of(white_first[i], "0-1"), DAMA_PDN_BLACK_WON);
        assert_int_equal(result_of(white_first[i], "0-2"), DAMA_PDN_BLACK_WON);
    }
    assert_int_equal(result_of("american", "1/2-1/2"), DAMA_PDN_DRAWN);
    assert_int_equal(result_of("italian", "1-1"), DAMA_PDN_DRAWN);
    assert_int_equal(result_of("italian", "*"), DAMA_PDN_NONE);
    assert_int_equal(result_of("italian", "0-0"), DAMA_PDN_NONE);
    assert_int_equal(result_of("italian", "1-9"), DAMA_PDN_UNKNOWN);
}

static void
c061_commands_and_percent_lines_are_ignored_and_a_nested_brace_is_one_error(void **state)
{
    (void)state;
    check_game("international",
               "% a line [Event \"x\"] { \n1. 32-28 {[%drgnode 1 2][%eval 0.1]} 19-23\n"
               "% another 2. 1-1\n[%clk 0:10] 2. 28x19 14x23 *\n",
               "32-28 19-23 28x19 14x23", DAMA_PDN_NONE);
    check_damaged("1. 33-29 19-23\n2. 35-30 { nested { comment } } 20-24\n\n"
                  "[Event \"next\"]\n1. 32-28 *\n",
                  "t.pdn:2: game 1: expected } before the next {, found a nested comment", 2);
}

static void blanks_marks_numbers_and_variations_are_read_over(void **state)
{
    (void)state;
    check_game("international",
               "01. 32 - 28! (?) 19-23?! $7 2.28x 19 (2. 28x19?! ( 2. 1-1 x) 14x23 {why} 1-0)\n"
               "14x23* ; to the end 1-0\n3... 33-28 23x32 4. ... 1-0",
               "32-28 19-23 28x19 14x23 33-28 23x32", DAMA_PDN_WHITE_WON);
    check_game("international", "[FEN \"B:W28:B19\"]\n1. ... 19-23 2. 28x19 *", "19-23 28x19",
               DAMA_PDN_NONE);
}

static void a_position_may_be_set_up_between_moves(void **state)
{
    (void)state;
    const char *text = "1. 32-28 /FEN \"B:W28:B19\"/ 19-23 28x19 *";
    struct read read = begin(text, strlen(text));
    char moves[TEXT_SIZE];
    assert_true(next(&read, "international"));
    moves_of(&read, "international", moves);
    assert_string_equal(moves, "32-28 19-23 28x19");
    assert_true(read.replay.is_broken);
    end(&read);
}

static void italian_tag_names_are_known(void **state)
{
    (void)state;
    check_game("italian", "[Bianco \"A\"]\n[Risultato \"0-1\"]\n1. 21-17 12-15\n", "21-17 12-15",
               DAMA_PDN_BLACK_WON);
}

static void numbers_in_a_fen_of_a_letter_game_are_grid_squares(void **state)
{
    (void)state;
    check_game("russian", "[FEN \"W:W29:B4.\"]\n1. a1-b2 h8-g7 *", "a1-b2 h8-g7", DAMA_PDN_NONE);
}

static void an_illegal_move_is_named_with_its_place_and_the_legal_moves(void **state)
{
    (void)state;
    const char *text = "[FEN \"B:W28:B26\"]\n\n1. 26-30\n28-23 30-25 *\n";
    struct read read = begin(text, strlen(text));
    assert_true(next(&read, "american"));
    assert_int_equal(read.status, DAMA_ILLEGAL);
    assert_string_equal(read.err.text, "t.pdn:4: game 1, ply 2: found 28-23, expected one of the "
                                       "legal moves 28-24");
    assert_int_equal(read.replay.count, 1);
    assert_int_equal(read.replay.failed_token, 1);
    end(&read);
}

static void games_end_at_results_stars_and_tags(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int games;
    } texts[] = {
        {"", 0},
        {" \r\n% only remarks\n{ here }", 0},
        {"1. 32-28 * 1. 33-29 * 1. 31-27 *", 3},
        {"1. 32-28 1-0 * {said} 1. 33-29", 2},
        {"[A \"1\"]\n[A \"2\"]\n*\n[B \"\"]\n*", 2},
        {"[A \"1\"]\n1. 32-28\n[A \"2\"]\n1. 33-29", 2},
        {"[FEN \"W:W31:B1\"] * [FEN \"W:W31:B2\"] *", 2},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct read read = begin(texts[i].text, strlen(texts[i].text));
        while (next(&read, "international")) {
            assert_string_equal(read.game.error.text, "");
            assert_string_equal(read.err.text, "");
        }
        assert_int_equal(read.reader.games, texts[i].games);
        end(&read);
    }
}

static void what_is_no_pdn_is_named_with_its_line(void **state)
{
    (void)state;
    check_damaged("1. 32-28\n{ open",
                  "t.pdn:2: game 1: expected } behind a comment, found the "
                  "end of the text",
                  1);
    check_damaged("[Event open]\n1. 32-28 *\n[Event \"b\"]\n*\n",
                  "t.pdn:1: game 1: expected a tag [Name \"value\"] in one line", 2);
    check_damaged("1. 32-28 )", "t.pdn:1: game 1: expected ( before ), found none", 1);
    check_damaged("1. 32-28 (19-23\n\n",
                  "t.pdn:3: game 1: expected ) behind a variation, found "
                  "the end of the game",
                  1);
    check_damaged("1. 32-28 ~ 19-23",
                  "t.pdn:1: game 1: expected a move, a comment or a result, "
                  "found another byte",
                  1);
    check_damaged("1. 32-28 /FEX/", "t.pdn:1: game 1: expected /FEN \"...\"/ in one line", 1);
}

static void the_rules_come_from_the_tags_or_the_caller(void **state)
{
    (void)state;
    static const struct {
        const char *tags;
        const char *found; /* a variant or an error */
    } rules[] = {
        {"[GameType \"21\"]", "american"},
        {"[GameType \"22,W,8,8,N2,1\"]", "italian"},
        {"[GameType \"28\"]", "spanish"},
        {"[GameType \"25\"][HouseRule \"NoForcedCapture\"]", "russian-free"},
        {"[GameType \"20\"][HouseRule \"NoForcedCapture\"]",
         "t.pdn:1: game 1: expected HouseRule NoForcedCapture on an 8x8 game, found "
         "'NoForcedCapture'"},
        {"[GameType \"25\"][HouseRule \"Huff\"]",
         "t.pdn:1: game 1: expected HouseRule NoForcedCapture on an 8x8 game, found 'Huff'"},
        {"[GameType \"40\"]",
         "t.pdn:1: game 1: expected a GameType of 20-22, 24-26, 28 or 29, found '40'"},
        {"[Event \"x\"]", "t.pdn:1: game 1: expected a GameType tag or a variant, found neither"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct read read = begin(rules[i].tags, strlen(rules[i].tags));
        const struct dama_rules *found = NULL;
        assert_true(dama_pdn_next(&read.reader, &read.game));
        dama_pdn_rules(&read.game, NULL, &found, &read.err);
        assert_string_equal(read.err.text[0] ? read.err.text : found->name, rules[i].found);
        const struct dama_rules *given = dama_rules_find("czech");
        assert_int_equal(dama_pdn_rules(&read.game, given, &found, NULL), DAMA_OK);
        assert_ptr_equal(found, given);
        end(&read);
    }
}

static void every_beginning_of_a_file_is_read_to_its_end(void **state)
{
    (void)state;
    const char *text = "\xEF\xBB\xBF[Event \"a\\\"b\"]\r\n[GameType \"20\"]\n1. 32-28! {c} 19-23 "
                       "(1... 18-23 $1) 2. 28x 19 /FEN \"W:W28:B19\"/ 1/2-1/2\n[%x]\n% y\n*";
    for (size_t size = 0; size <= strlen(text); size++) {
        struct read read = begin(text, size);
        while (next(&read, "international")) {
            assert_true(read.reader.games <= 2);
        }
        assert_ptr_equal(read.reader.at, text + size);
        end(&read);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c027_a_drawn_result_is_no_move),
        cmocka_unit_test(c028_a_king_move_to_18_is_no_result),
        cmocka_unit_test(c029_a_team_score_is_noted_with_its_place),
        cmocka_unit_test(a_score_that_is_a_move_counts_as_one_where_the_game_goes_on),
        cmocka_unit_test(c031_the_next_token_decides_between_two_captures),
        cmocka_unit_test(c032_encodings_and_line_ends_do_not_matter),
        cmocka_unit_test(c033_the_left_number_is_that_of_the_first_mover),
        cmocka_unit_test(
            c061_commands_and_percent_lines_are_ignored_and_a_nested_brace_is_one_error),
        cmocka_unit_test(blanks_marks_numbers_and_variations_are_read_over),
        cmocka_unit_test(a_position_may_be_set_up_between_moves),
        cmocka_unit_test(italian_tag_names_are_known),
        cmocka_unit_test(numbers_in_a_fen_of_a_letter_game_are_grid_squares),
        cmocka_unit_test(an_illegal_move_is_named_with_its_place_and_the_legal_moves),
        cmocka_unit_test(games_end_at_results_stars_and_tags),
        cmocka_unit_test(what_is_no_pdn_is_named_with_its_line),
        cmocka_unit_test(the_rules_come_from_the_tags_or_the_caller),
        cmocka_unit_test(every_beginning_of_a_file_is_read_to_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
