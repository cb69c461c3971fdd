/* Draw rules: every rule of every variant draws exactly at its ply, with its reason. */
#include "engine/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/fen.h"
#include "engine/game.h"
#include "engine/notation.h"

enum { COLUMNS = 6, LINE = 1000 };

static const struct dama_rules *rules_of(const char *name)
{
    const struct dama_rules *rules = dama_rules_find(name);
    assert_non_null(rules);
    return rules;
}

static struct dama_game *game_from(const char *rules_name, enum dama_draw_rules draws,
                                   const char *fen)
{
    const struct dama_rules *rules = rules_of(rules_name);
    struct dama_position position;
    struct dama_error err = {0};
    if (dama_fen_parse(rules, DAMA_SQUARES_GRID, fen, &position, &err) != DAMA_OK) {
        fail_msg("%s", err.text);
    }
    struct dama_game *game = dama_game_new(rules, draws, &position);
    assert_non_null(game);
    return game;
}

static void play(const char *id, struct dama_game *game, const char *move)
{
    dama_move found;
    struct dama_error err = {0};
    if (dama_move_parse(game->rules, DAMA_SQUARES_GRID, dama_game_position(game), move, &found,
                        &err) != DAMA_OK) {
        fail_msg("%s: ply %d: %s", id, game->ply + 1, err.text);
    }
    assert_int_equal(dama_game_play(game, found), DAMA_OK);
}

static enum dama_draw_reason reason_of(const struct dama_game *game)
{
    return dama_draw_by_count(game->rules, game->draws, &game->plies[game->ply].counts);
}

/* Plays a segment "plies move move ..."; no ply of it but the very last of the script may draw. */
static void play_segment(const char *id, struct dama_game *game, char *segment)
{
    char *moves[64];
    int count = 0;
    char *rest = NULL;
    int plies = atoi(strtok_r(segment, " ", &rest));
    for (char *move = strtok_r(NULL, " ", &rest); move; move = strtok_r(NULL, " ", &rest)) {
        moves[count++] = move;
    }
    assert_true(plies > 0 && count > 0);
    for (int i = 0; i < plies; i++) {
        if (reason_of(game) != DAMA_DRAW_NONE) {
            fail_msg("%s: drawn at ply %d already: %s", id, game->ply,
                     dama_draw_reason_text(reason_of(game)));
        }
        play(id, game, moves[i % count]);
    }
}

static void check_row(char *line)
{
    char *columns[COLUMNS];
    char *rest = NULL;
    for (int i = 0; i < COLUMNS; i++) {
        columns[i] = strtok_r(i ? NULL : line, "\t\n", &rest);
        assert_non_null(columns[i]);
    }
    enum dama_draw_rules draws =
        strcmp(columns[2], "site") ? DAMA_DRAWS_FEDERATION : DAMA_DRAWS_SITE;
    assert_string_equal(dama_draw_rules_text(draws), columns[2]);
    struct dama_game *game = game_from(columns[1], draws, columns[3]);
    char *script = NULL;
    for (char *segment = strtok_r(columns[4], ";", &script); segment;
         segment = strtok_r(NULL, ";", &script)) {
        play_segment(columns[0], game, segment);
    }
    const char *found = dama_draw_reason_text(reason_of(game));
    if (strcmp(found, columns[5]) != 0) {
        fail_msg("%s: after ply %d: expected %s, found %s", columns[0], game->ply, columns[5],
                 found);
    }
    dama_game_free(game);
}

/* tests/data/draws.tsv, with C035 and C036. */
static void each_rule_draws_exactly_at_its_ply(void **state)
{
    (void)state;
    FILE *file = fopen(DAMA_TEST_DATA "/draws.tsv", "r");
    assert_non_null(file);
    char line[LINE];
    int rows = 0;
    while (fgets(line, sizeof line, file)) {
        if (line[0] != '#') {
            check_row(line);
            rows++;
        }
    }
    fclose(file);
    assert_true(rows > 50);
}

/* Three men are no such ending: only the king's moves count, and the man's move ends that. */
static void three_men_against_a_king_have_no_count(void **state)
{
    (void)state;
    struct dama_game *game = game_from("international", DAMA_DRAWS_FEDERATION, "W:W26,45,35:BK36");
    assert_int_equal(game->plies[0].counts.ending_kind, 0);
    play("three men", game, "26-21");
    play("three men", game, "36-47");
    struct dama_draw_counts expected = {.site = 2, .king = 1};
    assert_memory_equal(&game->plies[2].counts, &expected, sizeof expected);
    dama_game_free(game);
}

static void c036_the_game_ends_behind_the_tenth_ply_without_repetition(void **state)
{
    (void)state;
    static const char *const moves[] = {"37-26", "5-46", "48-25", "46-5", "26-48",
                                        "5-46",  "25-3", "46-5",  "3-25", "5-46"};
    struct dama_game *game = game_from("international", DAMA_DRAWS_FEDERATION, "W:WK48,K37:BK5");
    for (int i = 0; i < 10; i++) {
        assert_int_equal(dama_game_state(game).termination, DAMA_END_ONGOING);
        play("C036", game, moves[i]);
    }
    struct dama_game_state end = dama_game_state(game);
    assert_int_equal(end.termination, DAMA_END_DRAW_RULE);
    assert_int_equal(end.reason, DAMA_DRAW_TWO_PIECES);
    assert_int_equal(end.result, 0);
    dama_game_free(game);
}

static void undo_gives_the_counts_back(void **state)
{
    (void)state;
    struct dama_game *game = game_from("russian", DAMA_DRAWS_FEDERATION, "W:WK32,K20,13:BK29");
    play("undo", game, "32-28");
    struct dama_draw_counts before = game->plies[1].counts;
    play("undo", game, "29-18");
    dama_game_undo(game);
    assert_memory_equal(&game->plies[game->ply].counts, &before, sizeof before);
    dama_game_free(game);
}

static void the_defaults_are_site_on_8x8_and_federation_on_10x10(void **state)
{
    (void)state;
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        const struct dama_rules *rules = dama_rules_builtin(i);
        assert_int_equal(dama_draw_rules_default(rules),
                         rules->board_size == 8 ? DAMA_DRAWS_SITE : DAMA_DRAWS_FEDERATION);
    }
}

static void site_is_refused_for_international(void **state)
{
    (void)state;
    struct dama_error err = {0};
    assert_int_equal(dama_draw_rules_check(rules_of("international"), DAMA_DRAWS_SITE, &err),
                     DAMA_UNSUPPORTED);
    assert_string_equal(err.text,
                        "draw rules: site has no count for international, expected federation");
    assert_int_equal(dama_draw_rules_check(rules_of("czech"), DAMA_DRAWS_SITE, NULL), DAMA_OK);
    assert_int_equal(dama_draw_rules_check(rules_of("international"), DAMA_DRAWS_FEDERATION, NULL),
                     DAMA_OK);
}

static void repetitions_are_three_under_site_and_four_for_the_italian_federation(void **state)
{
    (void)state;
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        const struct dama_rules *rules = dama_rules_builtin(i);
        bool is_italian = !strncmp(rules->name, "italian", 7);
        assert_int_equal(dama_draw_repetitions(rules, DAMA_DRAWS_SITE), 3);
        assert_int_equal(dama_draw_repetitions(rules, DAMA_DRAWS_FEDERATION), is_italian ? 4 : 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_draws_exactly_at_its_ply),
        cmocka_unit_test(three_men_against_a_king_have_no_count),
        cmocka_unit_test(c036_the_game_ends_behind_the_tenth_ply_without_repetition),
        cmocka_unit_test(undo_gives_the_counts_back),
        cmocka_unit_test(the_defaults_are_site_on_8x8_and_federation_on_10x10),
        cmocka_unit_test(site_is_refused_for_international),
        cmocka_unit_test(repetitions_are_three_under_site_and_four_for_the_italian_federation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
