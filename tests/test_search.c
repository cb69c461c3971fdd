/* The search: exact limits, legal results, draws, reproducibility. */
#include "setting.h"

enum { TABLE_KB = 256 };

static void a_node_limit_is_never_passed_and_the_move_is_legal(void **state)
{
    (void)state;
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        struct setting setting = set_up(dama_rules_builtin(i)->name, NULL, TABLE_KB);
        for (uint64_t nodes = 1; nodes < 3000; nodes += 1 + nodes / 3) {
            struct dama_search_result result =
                search(&setting, &(struct dama_search_limits){.nodes = nodes});
            assert_true(result.nodes <= nodes);
            assert_line_is_legal(&setting, &result);
        }
        tear_down(&setting);
    }
}

static void a_node_limit_is_used_up(void **state)
{
    (void)state;
    struct setting setting = set_up("russian", NULL, TABLE_KB);
    for (uint64_t nodes = 1; nodes <= 4096; nodes *= 8) {
        struct dama_search_result result =
            search(&setting, &(struct dama_search_limits){.nodes = nodes});
        assert_true(result.nodes == nodes);
    }
    tear_down(&setting);
}

static void a_table_size_out_of_range_is_refused(void **state)
{
    (void)state;
    struct dama_weights weights;
    const struct dama_rules *rules = dama_rules_find("italian");
    dama_weights_hand_set(rules, &weights);
    struct dama_error err = {0};
    assert_null(dama_searcher_new(rules, &weights, 0, &err));
    assert_int_equal(err.status, DAMA_INVALID);
    assert_string_equal(err.text, "table size: expected 1..1048576 KiB, found 0");
}

static void clearing_forgets_what_was_searched_before(void **state)
{
    (void)state;
    static const size_t sizes_kb[] = {1, 256, 4096};
    const struct dama_search_limits limits = {.nodes = 30000};
    for (size_t i = 0; i < 3; i++) {
        struct setting fresh = set_up("brazilian", NULL, sizes_kb[i]);
        struct dama_search_result first = search(&fresh, &limits);
        struct setting used = set_up("brazilian", "B:Wa1,c3,e3,Kg1:Bb8,d6,f6,h4", sizes_kb[i]);
        search(&used, &limits);
        search(&used, &limits);
        dama_game_reset(used.game, NULL);
        dama_searcher_clear(used.searcher);
        struct dama_search_result second = search(&used, &limits);
        assert_same_result(&first, &second);
        tear_down(&fresh);
        tear_down(&used);
    }
}

static void new_weights_act_at_once(void **state)
{
    (void)state;
    struct setting setting = set_up("american", NULL, TABLE_KB);
    struct setting fresh = set_up("american", NULL, TABLE_KB);
    struct dama_weights material;
    dama_weights_material(setting.rules, &material);
    const struct dama_search_limits limits = {.depth = 6};
    search(&setting, &limits);
    dama_searcher_set_weights(setting.searcher, &material);
    dama_searcher_set_weights(fresh.searcher, &material);
    struct dama_search_result changed = search(&setting, &limits);
    struct dama_search_result expected = search(&fresh, &limits);
    assert_same_result(&changed, &expected);
    tear_down(&setting);
    tear_down(&fresh);
}

static void a_side_without_a_move_has_lost(void **state)
{
    (void)state;
    struct setting setting = set_up("american", "B:W16,19:B12", TABLE_KB);
    struct dama_search_result result = search(&setting, &(struct dama_search_limits){.depth = 5});
    assert_true(result.best == DAMA_MOVE_NONE);
    assert_int_equal(result.score, -DAMA_SCORE_WIN);
    assert_int_equal(result.pv_length, 0);
    assert_true(result.nodes == 0);
    tear_down(&setting);
}

static void a_win_in_one_is_one_ply_away(void **state)
{
    (void)state;
    struct setting setting = set_up("american", "W:W22:B18", TABLE_KB);
    struct dama_search_result result = search(&setting, &(struct dama_search_limits){.depth = 4});
    assert_int_equal(result.score, DAMA_SCORE_WIN - 1);
    assert_int_equal(result.pv_length, 1);
    tear_down(&setting);
}

static void a_single_legal_move_costs_one_iteration(void **state)
{
    (void)state;
    struct setting setting = set_up("american", "W:W22,25,30,31,32:B18,1,2,3,4,5", TABLE_KB);
    struct dama_search_result at_once =
        search(&setting, &(struct dama_search_limits){.nodes = 100000});
    assert_int_equal(at_once.depth, 1);
    assert_true(at_once.nodes < 1000);
    struct dama_search_result analysed =
        search(&setting, &(struct dama_search_limits){.nodes = 100000, .is_analysis = true});
    assert_true(analysed.depth > 1);
    struct dama_search_result deep = search(&setting, &(struct dama_search_limits){.depth = 6});
    assert_int_equal(deep.depth, 6);
    assert_true(at_once.best == analysed.best && deep.best == analysed.best);
    tear_down(&setting);
}

static bool stop_now(void *context)
{
    ++*(int *)context;
    return true;
}

static void the_caller_stops_the_search_after_1024_nodes(void **state)
{
    (void)state;
    struct setting setting = set_up("international", NULL, TABLE_KB);
    int calls = 0;
    struct dama_search_result result =
        search(&setting, &(struct dama_search_limits){.stop = stop_now, .context = &calls});
    assert_int_equal(calls, 1);
    assert_true(result.nodes == 1024);
    assert_line_is_legal(&setting, &result);
    tear_down(&setting);
}

struct reports {
    int count;
    struct dama_search_result last;
};

static void keep_report(void *context, const struct dama_search_result *result)
{
    struct reports *reports = context;
    reports->count++;
    assert_int_equal(result->depth, reports->count);
    assert_true(result->nodes > reports->last.nodes);
    reports->last = *result;
}

static void every_iteration_is_reported(void **state)
{
    (void)state;
    struct setting setting = set_up("italian", NULL, TABLE_KB);
    struct reports reports = {0};
    struct dama_search_result result = search(
        &setting,
        &(struct dama_search_limits){.depth = 7, .report = keep_report, .context = &reports});
    assert_int_equal(reports.count, 7);
    assert_same_result(&reports.last, &result);
    tear_down(&setting);
}

static void a_count_that_runs_out_draws_a_won_ending(void **state)
{
    (void)state;
    /* Two kings win against one outside the double corner, given time. */
    struct setting setting = set_up("american", "W:WK18,K15:BK4", TABLE_KB);
    struct dama_search_result result = search(&setting, &(struct dama_search_limits){.depth = 13});
    assert_true(dama_score_is_decided(result.score) && result.score > 0);
    /* The site draws after 80 plies without a capture. */
    setting.game->plies[0].counts.site = 79;
    result = search(&setting, &(struct dama_search_limits){.depth = 13});
    assert_int_equal(result.score, 0);
    tear_down(&setting);
}

static void going_back_to_a_position_of_the_game_is_a_draw(void **state)
{
    (void)state;
    struct setting setting = set_up("american", "W:WK30,K22,K21:BK1", TABLE_KB);
    /* Both kings go out and home again: the start has stood twice. */
    static const int squares[4][2] = {{30, 26}, {1, 6}, {26, 30}, {6, 1}};
    for (int i = 0; i < 4; i++) {
        dama_move move = dama_move_make(dama_square_bit(8, squares[i][0]),
                                        dama_square_bit(8, squares[i][1]), 0, false);
        assert_int_equal(dama_game_play(setting.game, move), DAMA_OK);
    }
    struct dama_move_list list;
    int16_t scores[DAMA_MOVES_MAX];
    dama_searcher_score_moves(setting.searcher, setting.game,
                              &(struct dama_search_limits){.depth = 1}, &list, scores);
    int draws = 0;
    for (int i = 0; i < list.count; i++) {
        bool goes_back = dama_move_from(list.moves[i]) == dama_square_bit(8, 30) &&
                         dama_move_to(list.moves[i]) == dama_square_bit(8, 26);
        assert_int_equal(scores[i] == 0, goes_back);
        draws += goes_back;
    }
    assert_int_equal(draws, 1);
    tear_down(&setting);
}

static void scores_of_moves_hold_the_score_of_the_search(void **state)
{
    (void)state;
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        struct setting setting = set_up(dama_rules_builtin(i)->name, NULL, TABLE_KB);
        struct dama_move_list list;
        int16_t scores[DAMA_MOVES_MAX];
        const struct dama_search_limits limits = {.depth = 3};
        dama_searcher_score_moves(setting.searcher, setting.game, &limits, &list, scores);
        int best = 0;
        for (int k = 1; k < list.count; k++) {
            best = scores[k] > scores[best] ? k : best;
        }
        dama_searcher_clear(setting.searcher);
        assert_int_equal(search(&setting, &limits).score, scores[best]);
        tear_down(&setting);
    }
}

static void scores_of_moves_keep_to_a_node_limit(void **state)
{
    (void)state;
    struct setting setting = set_up("spanish", NULL, TABLE_KB);
    struct dama_move_list list;
    int16_t scores[DAMA_MOVES_MAX];
    for (uint64_t nodes = 1; nodes < 500; nodes += 7) {
        const struct dama_search_limits limits = {.nodes = nodes};
        uint64_t used =
            dama_searcher_score_moves(setting.searcher, setting.game, &limits, &list, scores);
        assert_true(used <= nodes);
        assert_int_equal(list.count, 7);
        int unknown = 0;
        for (int i = 0; i < list.count; i++) {
            unknown += scores[i] == DAMA_SCORE_NONE;
        }
        assert_int_equal(unknown, nodes < 7 ? 7 - (int)nodes : 0);
    }
    tear_down(&setting);
}

static void where_captures_are_optional_a_bad_one_is_declined(void **state)
{
    (void)state;
    /* The king's capture of 18 is answered by 11x18; moving away loses nothing. */
    static const char fen[] = "W:WK22,32:B18,11,8";
    struct setting must = set_up("american", fen, TABLE_KB);
    struct setting may = set_up("american-free", fen, TABLE_KB);
    const struct dama_search_limits limits = {.depth = 1};
    struct dama_search_result forced = search(&must, &limits);
    struct dama_search_result chosen = search(&may, &limits);
    assert_true(dama_move_is_capture(forced.best));
    assert_false(dama_move_is_capture(chosen.best));
    assert_true(chosen.score > forced.score);
    tear_down(&must);
    tear_down(&may);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_limit_is_never_passed_and_the_move_is_legal),
        cmocka_unit_test(a_node_limit_is_used_up),
        cmocka_unit_test(a_table_size_out_of_range_is_refused),
        cmocka_unit_test(clearing_forgets_what_was_searched_before),
        cmocka_unit_test(new_weights_act_at_once),
        cmocka_unit_test(a_side_without_a_move_has_lost),
        cmocka_unit_test(a_win_in_one_is_one_ply_away),
        cmocka_unit_test(a_single_legal_move_costs_one_iteration),
        cmocka_unit_test(the_caller_stops_the_search_after_1024_nodes),
        cmocka_unit_test(every_iteration_is_reported),
        cmocka_unit_test(a_count_that_runs_out_draws_a_won_ending),
        cmocka_unit_test(going_back_to_a_position_of_the_game_is_a_draw),
        cmocka_unit_test(scores_of_moves_hold_the_score_of_the_search),
        cmocka_unit_test(scores_of_moves_keep_to_a_node_limit),
        cmocka_unit_test(where_captures_are_optional_a_bad_one_is_declined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
