/* PDN 3.0 as it is written: exact texts, and games of every variant read back unchanged. */
#include "support.h"
#include "pdn_file.h"

#include <string.h>

#include "engine/fen.h"

enum { TEXT_SIZE = 4096 };

/* A game of the moves of a text, from a FEN (NULL: the start position). */
static struct dama_game *game_of(const char *variant, const char *fen, const char *moves)
{
    const struct dama_rules *rules = dama_rules_find(variant);
    struct dama_position start = dama_position_start(rules);
    char copy[256];
    if (fen) {
        assert_int_equal(dama_fen_parse(rules, DAMA_SQUARES_OFFICIAL, fen, &start, NULL), DAMA_OK);
    }
    struct dama_game *game = dama_game_new(rules, dama_draw_rules_default(rules), &start);
    dama_text_format(copy, sizeof copy, "%s", moves);
    for (char *token = strtok(copy, " "); token; token = strtok(NULL, " ")) {
        dama_move move;
        struct dama_error err = {0};
        if (dama_move_parse(rules, DAMA_SQUARES_OFFICIAL, dama_game_position(game), token, &move,
                            &err) != DAMA_OK) {
            fail_msg("%s", err.text);
        }
        assert_int_equal(dama_game_play(game, move), DAMA_OK);
    }
    return game;
}

static void check_text(struct dama_game *game, struct dama_game_state state, const char *expected)
{
    char found[TEXT_SIZE];
    struct dama_text text = {.at = found, .size = sizeof found};
    const struct dama_pdn_pair tags[] = {{"Event", "Test \"1\""}, {"White", "A"}};
    dama_pdn_write(&text, game, state, tags, 2);
    assert_string_equal(found, expected);
    check_written(game, state, tags, 2);
    dama_game_free(game);
}

static void an_american_win_of_black_is_1_0(void **state)
{
    (void)state;
    check_text(game_of("american", NULL, "11-15 23-19 8-11"),
               (struct dama_game_state){.termination = DAMA_END_RESIGNED, .result = -1},
               "[Event \"Test \\\"1\\\"\"]\n[White \"A\"]\n[Result \"1-0\"]\n"
               "[GameType \"21,B,8,8,N1,0\"]\n[Termination \"resigned\"]\n\n"
               "1. 11-15 23-19 2. 8-11 *\n\n");
}

static void a_draw_names_its_rule(void **state)
{
    (void)state;
    check_text(
        game_of("international", "W:WK48,K37:BK5", "37-26 5-46"),
        (struct dama_game_state){.termination = DAMA_END_DRAW_RULE, .reason = DAMA_DRAW_TWO_PIECES},
        "[Event \"Test \\\"1\\\"\"]\n[White \"A\"]\n[Result \"1-1\"]\n"
        "[GameType \"20,W,10,10,N2,0\"]\n[FEN \"W:WK37,K48:BK5\"]\n"
        "[Termination \"draw rule: two pieces against one king\"]\n\n"
        "1. 37-26 5-46 *\n\n");
}

static void the_house_rule_is_a_private_tag(void **state)
{
    (void)state;
    check_text(game_of("russian-free", NULL, "c3-d4"),
               (struct dama_game_state){.termination = DAMA_END_ONGOING},
               "[Event \"Test \\\"1\\\"\"]\n[White \"A\"]\n[Result \"*\"]\n"
               "[GameType \"25,W,8,8,A0,0\"]\n[HouseRule \"NoForcedCapture\"]\n"
               "[Termination \"unfinished\"]\n\n1. c3-d4 *\n\n");
}

static void c026_only_an_ambiguous_capture_is_written_in_full(void **state)
{
    (void)state;
    check_text(game_of("international", "W:WK1:B12,19,13,20", "1x23x14x25"),
               (struct dama_game_state){.termination = DAMA_END_NO_MOVE, .result = 1},
               "[Event \"Test \\\"1\\\"\"]\n[White \"A\"]\n[Result \"2-0\"]\n"
               "[GameType \"20,W,10,10,N2,0\"]\n[FEN \"W:WK1:B12,13,19,20\"]\n"
               "[Termination \"no legal move\"]\n\n1. 1x23x14x25 *\n\n");
}

static void game_types_are_those_of_the_standard(void **state)
{
    (void)state;
    static const char *const types[][2] = {
        {"american", "21,B,8,8,N1,0"},        {"italian", "22,W,8,8,N2,1"},
        {"spanish", "24,W,8,8,N1,1"},         {"russian", "25,W,8,8,A0,0"},
        {"brazilian", "26,W,8,8,A0,0"},       {"czech", "29,W,8,8,A0,0"},
        {"international", "20,W,10,10,N2,0"},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char found[TEXT_SIZE], expected[64];
        struct dama_text text = {.at = found, .size = sizeof found};
        struct dama_game *game = game_of(types[i][0], NULL, "");
        struct dama_game_state ongoing = {.termination = DAMA_END_ONGOING};
        dama_pdn_write(&text, game, ongoing, NULL, 0);
        dama_text_format(expected, sizeof expected, "[GameType \"%s\"]\n", types[i][1]);
        assert_non_null(strstr(found, expected));
        dama_game_free(game);
    }
}

/* Random moves to the end or the 150th ply. */
static void play_on(struct dama_game *game, struct dama_rng *rng)
{
    while (game->ply < 150 && dama_game_state(game).termination == DAMA_END_ONGOING) {
        struct dama_move_list legal;
        game->kernel->generate(game->rules, dama_game_position(game), &legal);
        uint32_t choice = dama_rng_below(rng, (uint32_t)legal.count);
        assert_int_equal(dama_game_play(game, legal.moves[choice]), DAMA_OK);
    }
}

static void random_games_of_every_variant_read_back_unchanged(void **state)
{
    (void)state;
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        const struct dama_rules *rules = dama_rules_builtin(i);
        struct dama_game *game = dama_game_new(rules, dama_draw_rules_default(rules), NULL);
        struct dama_rng rng = dama_rng_make(5, DAMA_RNG_TEST, (uint64_t)i);
        for (int j = 0; j < 10; j++) {
            struct dama_position position = random_position(rules, &rng);
            dama_game_reset(game, j % 2 ? &position : NULL);
            play_on(game, &rng);
            check_written(game, dama_game_state(game), NULL, 0);
        }
        dama_game_free(game);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_american_win_of_black_is_1_0),
        cmocka_unit_test(a_draw_names_its_rule),
        cmocka_unit_test(the_house_rule_is_a_private_tag),
        cmocka_unit_test(c026_only_an_ambiguous_capture_is_written_in_full),
        cmocka_unit_test(game_types_are_those_of_the_standard),
        cmocka_unit_test(random_games_of_every_variant_read_back_unchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
