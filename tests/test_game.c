/* A game in play: results, repetition, taking back. */
#include "engine/game.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "engine/fen.h"
#include "engine/notation.h"

static struct dama_game *game_from(const char *rules_name, enum dama_draw_rules draws,
                                   const char *fen)
{
    const struct dama_rules *rules = dama_rules_find(rules_name);
    assert_non_null(rules);
    struct dama_position position;
    struct dama_error err = {0};
    if (dama_fen_parse(rules, DAMA_SQUARES_GRID, fen, &position, &err) != DAMA_OK) {
        fail_msg("%s", err.text);
    }
    struct dama_game *game = dama_game_new(rules, draws, &position);
    assert_non_null(game);
    return game;
}

static void play(struct dama_game *game, const char *move)
{
    dama_move found;
    struct dama_error err = {0};
    if (dama_move_parse(game->rules, DAMA_SQUARES_GRID, dama_game_position(game), move, &found,
                        &err) != DAMA_OK) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(dama_game_play(game, found), DAMA_OK);
}

static void play_cycle(struct dama_game *game, const char *const moves[4], int plies)
{
    for (int i = 0; i < plies; i++) {
        play(game, moves[i % 4]);
    }
}

static void check_state(const struct dama_game *game, enum dama_termination termination,
                        enum dama_draw_reason reason, int result)
{
    struct dama_game_state state = dama_game_state(game);
    assert_int_equal(state.termination, termination);
    assert_int_equal(state.reason, reason);
    assert_int_equal(state.result, result);
}

static void c034_the_side_without_a_move_has_lost(void **state)
{
    (void)state;
    struct dama_game *game = game_from("american", DAMA_DRAWS_SITE, "B:W16,19:B12");
    check_state(game, DAMA_END_NO_MOVE, DAMA_DRAW_NONE, 1);
    dama_game_free(game);
}

static void c023_the_side_without_a_piece_has_lost(void **state)
{
    (void)state;
    struct dama_game *game = game_from("international", DAMA_DRAWS_FEDERATION, "B:W50:B");
    check_state(game, DAMA_END_NO_MOVE, DAMA_DRAW_NONE, 1);
    dama_game_free(game);
}

/* The count is set by hand, since a quiet last move that blocks needs a long game. */
static void a_lost_game_is_lost_at_the_drawing_ply_too(void **state)
{
    (void)state;
    struct dama_game *game = game_from("american", DAMA_DRAWS_SITE, "B:W16,19:B12");
    game->plies[0].counts.site = 80;
    check_state(game, DAMA_END_NO_MOVE, DAMA_DRAW_NONE, 1);
    dama_game_reset(game, NULL);
    game->plies[0].counts.site = 80;
    check_state(game, DAMA_END_DRAW_RULE, DAMA_DRAW_SITE, 0);
    dama_game_free(game);
}

static void the_third_occurrence_draws(void **state)
{
    (void)state;
    static const char *const moves[] = {"28-32", "29-25", "32-28", "25-29"};
    struct dama_game *game = game_from("american", DAMA_DRAWS_SITE, "W:WK28:BK29");
    play_cycle(game, moves, 7);
    assert_int_equal(dama_game_occurrences(game), 2);
    check_state(game, DAMA_END_ONGOING, DAMA_DRAW_NONE, 0);
    play(game, moves[3]);
    assert_int_equal(dama_game_occurrences(game), 3);
    check_state(game, DAMA_END_REPETITION, DAMA_DRAW_REPETITION, 0);
    dama_game_free(game);
}

static void the_italian_federation_asks_for_four_occurrences(void **state)
{
    (void)state;
    static const char *const moves[] = {"28-32", "29-25", "32-28", "25-29"};
    struct dama_game *game = game_from("italian", DAMA_DRAWS_FEDERATION, "W:WK28:BK29");
    play_cycle(game, moves, 8);
    check_state(game, DAMA_END_ONGOING, DAMA_DRAW_NONE, 0);
    play_cycle(game, moves, 4);
    check_state(game, DAMA_END_REPETITION, DAMA_DRAW_REPETITION, 0);
    dama_game_free(game);
}

/* White needs three moves where Black needs two: the same pieces, the other side to move. */
static void a_position_with_the_other_side_to_move_is_no_repetition(void **state)
{
    (void)state;
    static const char *const moves[] = {"28-24", "29-25", "24-19", "25-29", "19-28"};
    struct dama_game *game = game_from("russian", DAMA_DRAWS_SITE, "W:WK28:BK29");
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        play(game, moves[i]);
    }
    struct dama_position turned = *dama_game_position(game);
    turned.side = DAMA_WHITE;
    assert_true(dama_position_equal(&turned, &game->plies[0].position));
    assert_int_equal(dama_game_occurrences(game), 1);
    dama_game_free(game);
}

static void a_mans_move_ends_the_look_back(void **state)
{
    (void)state;
    static const char *const moves[] = {"29-25", "28-32", "25-29", "32-28"};
    struct dama_game *game = game_from("american", DAMA_DRAWS_SITE, "W:WK28,13:BK29");
    play(game, "13-9");
    play_cycle(game, moves, 4);
    assert_int_equal(game->plies[game->ply].counts.king, 4);
    assert_int_equal(dama_game_occurrences(game), 2);
    play(game, "29-25");
    play(game, "9-5");
    assert_int_equal(dama_game_occurrences(game), 1);
    assert_int_equal(game->plies[game->ply].counts.king, 0);
    dama_game_free(game);
}

static void undo_brings_the_position_back_byte_for_byte(void **state)
{
    (void)state;
    struct dama_game *game = game_from("russian", DAMA_DRAWS_FEDERATION, "W:W12:B8,14,26");
    struct dama_game_ply before = game->plies[0];
    struct dama_move_list list;
    game->kernel->generate(game->rules, dama_game_position(game), &list);
    assert_int_equal(list.count, 1);
    assert_int_equal(dama_game_play(game, list.moves[0]), DAMA_OK);
    dama_game_undo(game);
    assert_int_equal(game->ply, 0);
    assert_memory_equal(&game->plies[0], &before, sizeof before);
    dama_game_free(game);
}

/* Longer than the first room for plies; the draw rules do not stop the caller. */
static void a_long_game_keeps_its_plies(void **state)
{
    (void)state;
    static const char *const moves[] = {"28-32", "29-25", "32-28", "25-29"};
    struct dama_game *game = game_from("american", DAMA_DRAWS_SITE, "W:WK28:BK29");
    play_cycle(game, moves, 1200);
    assert_int_equal(game->ply, 1200);
    assert_int_equal(game->plies[1200].counts.site, 1200);
    assert_int_equal(dama_game_occurrences(game), 301);
    assert_true(dama_position_equal(&game->plies[600].position, &game->plies[1200].position));
    dama_game_free(game);
}

static void reset_starts_anew_from_the_start_position(void **state)
{
    (void)state;
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        const struct dama_rules *rules = dama_rules_builtin(i);
        struct dama_game *game = dama_game_new(rules, dama_draw_rules_default(rules), NULL);
        struct dama_position start = dama_position_start(rules);
        struct dama_move_list list;
        game->kernel->generate(rules, &start, &list);
        assert_int_equal(dama_game_play(game, list.moves[0]), DAMA_OK);
        dama_game_reset(game, NULL);
        assert_int_equal(game->ply, 0);
        assert_true(dama_position_equal(dama_game_position(game), &start));
        check_state(game, DAMA_END_ONGOING, DAMA_DRAW_NONE, 0);
        dama_game_free(game);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c034_the_side_without_a_move_has_lost),
        cmocka_unit_test(c023_the_side_without_a_piece_has_lost),
        cmocka_unit_test(a_lost_game_is_lost_at_the_drawing_ply_too),
        cmocka_unit_test(the_third_occurrence_draws),
        cmocka_unit_test(the_italian_federation_asks_for_four_occurrences),
        cmocka_unit_test(a_position_with_the_other_side_to_move_is_no_repetition),
        cmocka_unit_test(a_mans_move_ends_the_look_back),
        cmocka_unit_test(undo_brings_the_position_back_byte_for_byte),
        cmocka_unit_test(a_long_game_keeps_its_plies),
        cmocka_unit_test(reset_starts_anew_from_the_start_position),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
