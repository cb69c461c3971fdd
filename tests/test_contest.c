/* One game between two players: how it ends, and what is told of its moves. */
#include "engine/contest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "engine/fen.h"

enum { TOLD = 400 };

/* A game from a FEN between two searches of depth 4 by the material table, and what was told. */
struct setting {
    const struct dama_rules *rules;
    struct dama_game *game;
    struct dama_player players[2];
    int told;
    int scores[TOLD];
    bool is_only_move[TOLD];
};

static void set_up(struct setting *s, const char *name, const char *fen)
{
    *s = (struct setting){.rules = dama_rules_find(name)};
    struct dama_position position;
    struct dama_error err = {0};
    if (dama_fen_parse(s->rules, DAMA_SQUARES_GRID, fen, &position, &err) != DAMA_OK) {
        fail_msg("%s", err.text);
    }
    struct dama_weights weights;
    dama_weights_material(s->rules, &weights);
    struct dama_searcher *searcher = dama_searcher_new(s->rules, &weights, 64, &err);
    s->game = dama_game_new(s->rules, dama_draw_rules_default(s->rules), &position);
    assert_true(searcher && s->game);
    for (int side = 0; side < 2; side++) {
        s->players[side] = (struct dama_player){.searcher = searcher, .limits = {.depth = 4}};
    }
}

static void tear_down(struct setting *s)
{
    dama_searcher_free(s->players[0].searcher);
    dama_game_free(s->game);
}

static void watch(void *context, const struct dama_game *game, dama_move move, int score)
{
    struct setting *s = context;
    struct dama_move_list list;
    game->kernel->generate(game->rules, dama_game_position(game), &list);
    bool is_legal = false;
    for (int i = 0; i < list.count; i++) {
        is_legal = is_legal || list.moves[i] == move;
    }
    assert_true(is_legal);
    assert_in_range(s->told, 0, TOLD - 1);
    s->scores[s->told] = score;
    s->is_only_move[s->told] = list.count == 1;
    s->told++;
}

static struct dama_contest_result contest(struct setting *s,
                                          const struct dama_adjudication *adjudication)
{
    int first = s->game->ply;
    struct dama_contest_result result =
        dama_contest_play(s->game, s->players, adjudication, watch, s);
    assert_int_equal(result.status, DAMA_OK);
    assert_int_equal(s->told, s->game->ply - first);
    return result;
}

static void check_end(const struct dama_contest_result *found, enum dama_termination termination,
                      enum dama_draw_reason reason, int result)
{
    assert_int_equal(found->termination, termination);
    assert_int_equal(found->reason, reason);
    assert_int_equal(found->result, result);
}

static void c037_the_ply_cap_has_a_termination_of_its_own(void **state)
{
    (void)state;
    struct setting s;
    set_up(&s, "american", "W:WK28,K20,K12,K13,K9,K10:BK29");
    struct dama_contest_result capped = contest(&s, &(struct dama_adjudication){.max_plies = 2});
    check_end(&capped, DAMA_END_PLY_CAP, DAMA_DRAW_NONE, 0);
    assert_int_equal(s.game->ply, 2);
    s.game->plies[2].counts.site = 80;
    struct dama_contest_result ruled = dama_contest_play(
        s.game, s.players, &(struct dama_adjudication){.max_plies = 2}, NULL, NULL);
    check_end(&ruled, DAMA_END_DRAW_RULE, DAMA_DRAW_SITE, 0);
    tear_down(&s);
}

static void a_game_is_played_to_the_end_of_its_rules(void **state)
{
    (void)state;
    struct setting s;
    set_up(&s, "international", "W:W50:B31");
    struct dama_contest_result result = contest(&s, &(struct dama_adjudication){0});
    assert_true(result.termination == DAMA_END_DRAW_RULE ||
                result.termination == DAMA_END_REPETITION ||
                result.termination == DAMA_END_NO_MOVE);
    struct dama_game_state end = dama_game_state(s.game);
    check_end(&result, end.termination, end.reason, end.result);
    tear_down(&s);
}

static void only_moves_are_played_without_a_score(void **state)
{
    (void)state;
    struct setting s;
    set_up(&s, "russian", "W:W21,22,23,24,25,26,27,28:B1,2,3,4,5,6,7,8");
    contest(&s, &(struct dama_adjudication){.max_plies = 60});
    int only = 0;
    for (int i = 0; i < s.told; i++) {
        assert_int_equal(s.is_only_move[i], s.scores[i] == DAMA_SCORE_NONE);
        only += s.is_only_move[i];
    }
    assert_in_range(only, 1, s.told - 1);
    tear_down(&s);
}

/* Black is six men behind and resigns in place of its second move. */
static void the_side_that_sees_itself_lost_resigns(void **state)
{
    (void)state;
    struct setting s;
    set_up(&s, "american", "W:W21,22,23,24,25,26,27,28:B1,2");
    struct dama_adjudication adjudication = {.resign_score = 400, .resign_plies = 2};
    struct dama_contest_result result = contest(&s, &adjudication);
    check_end(&result, DAMA_END_RESIGNED, DAMA_DRAW_NONE, 1);
    assert_int_equal(s.game->ply, 3);
    assert_true(s.scores[1] <= -400);
    assert_int_equal(dama_game_position(s.game)->side, DAMA_BLACK);
    tear_down(&s);
}

/* Plies until Black, whose first move has the score of *lost, resigns by this limit. */
static int plies_to_resignation(int resign_score, int *lost)
{
    struct setting s;
    set_up(&s, "american", "W:W21,22,23,24,25,26,27,28:B1,2");
    const struct dama_adjudication adjudication = {
        .resign_score = resign_score, .resign_plies = 1, .max_plies = 2};
    contest(&s, &adjudication);
    int plies = s.game->ply;
    *lost = s.scores[1];
    tear_down(&s);
    return plies;
}

static void a_score_of_exactly_the_limit_resigns(void **state)
{
    (void)state;
    int lost = 0, unused = 0;
    assert_int_equal(plies_to_resignation(0, &lost), 2);
    assert_in_range(-lost, 100, 2000);
    assert_int_equal(plies_to_resignation(-lost, &unused), 1);
    assert_int_equal(plies_to_resignation(1 - lost, &unused), 2);
}

static void nobody_resigns_when_resignation_is_off(void **state)
{
    (void)state;
    struct setting s;
    set_up(&s, "american", "W:W21,22,23,24,25,26,27,28:B1,2");
    struct dama_contest_result result =
        contest(&s, &(struct dama_adjudication){.resign_plies = 1, .max_plies = 200});
    check_end(&result, DAMA_END_NO_MOVE, DAMA_DRAW_NONE, 1);
    tear_down(&s);
}

/* King against king is level; plies 0 and 1 do not count. */
static void a_level_game_is_adjudicated_behind_its_row_of_plies(void **state)
{
    (void)state;
    struct setting s;
    set_up(&s, "american", "W:WK23:BK2");
    struct dama_adjudication adjudication = {.draw_score = 10, .draw_plies = 4, .draw_from = 2};
    struct dama_contest_result result = contest(&s, &adjudication);
    check_end(&result, DAMA_END_ADJUDICATED, DAMA_DRAW_NONE, 0);
    assert_int_equal(s.game->ply, 6);
    tear_down(&s);
}

static void a_score_of_exactly_the_limit_is_level(void **state)
{
    (void)state;
    struct setting s;
    set_up(&s, "american", "W:WK23:BK2");
    struct dama_adjudication adjudication = {.draw_score = 0, .draw_plies = 4};
    struct dama_contest_result result = contest(&s, &adjudication);
    check_end(&result, DAMA_END_ADJUDICATED, DAMA_DRAW_NONE, 0);
    assert_int_equal(s.game->ply, 4);
    tear_down(&s);
}

static void a_game_that_is_not_level_is_not_adjudicated(void **state)
{
    (void)state;
    struct setting s;
    set_up(&s, "american", "W:WK23,K24,K27:BK2");
    struct dama_adjudication adjudication = {.draw_score = 10, .draw_plies = 2, .max_plies = 6};
    struct dama_contest_result result = contest(&s, &adjudication);
    check_end(&result, DAMA_END_PLY_CAP, DAMA_DRAW_NONE, 0);
    tear_down(&s);
}

static void the_same_players_play_the_same_game(void **state)
{
    (void)state;
    struct setting s;
    set_up(&s, "brazilian", "W:W21,22,23,24,29,30,31,32:B1,2,3,4,9,10,11,12");
    contest(&s, &(struct dama_adjudication){.max_plies = 60});
    int plies = s.game->ply;
    dama_move first[60];
    for (int i = 0; i < plies; i++) {
        first[i] = s.game->plies[i].move;
    }
    struct dama_position start = s.game->plies[0].position;
    dama_searcher_clear(s.players[0].searcher);
    dama_game_reset(s.game, &start);
    s.told = 0;
    contest(&s, &(struct dama_adjudication){.max_plies = 60});
    assert_int_equal(s.game->ply, plies);
    for (int i = 0; i < plies; i++) {
        assert_true(s.game->plies[i].move == first[i]);
    }
    tear_down(&s);
}

static void levels_play_without_scores(void **state)
{
    (void)state;
    struct setting s;
    set_up(&s, "american", "W:W21,22,23,24:B1,2,3,4");
    for (int side = 0; side < 2; side++) {
        s.players[side].level = dama_level_find(s.rules, "easy");
        assert_non_null(s.players[side].level);
    }
    contest(&s, &(struct dama_adjudication){.max_plies = 10});
    assert_int_equal(s.told, 10);
    for (int i = 0; i < s.told; i++) {
        assert_int_equal(s.scores[i], DAMA_SCORE_NONE);
    }
    tear_down(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c037_the_ply_cap_has_a_termination_of_its_own),
        cmocka_unit_test(a_game_is_played_to_the_end_of_its_rules),
        cmocka_unit_test(only_moves_are_played_without_a_score),
        cmocka_unit_test(the_side_that_sees_itself_lost_resigns),
        cmocka_unit_test(a_score_of_exactly_the_limit_resigns),
        cmocka_unit_test(nobody_resigns_when_resignation_is_off),
        cmocka_unit_test(a_level_game_is_adjudicated_behind_its_row_of_plies),
        cmocka_unit_test(a_score_of_exactly_the_limit_is_level),
        cmocka_unit_test(a_game_that_is_not_level_is_not_adjudicated),
        cmocka_unit_test(the_same_players_play_the_same_game),
        cmocka_unit_test(levels_play_without_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
