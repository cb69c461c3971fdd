/* The pieces of a search test, and what holds of every result. */
#include "setting.h"

#include "engine/fen.h"

struct setting set_up(const char *variant, const char *fen, size_t table_kb)
{
    struct setting setting = {.rules = dama_rules_find(variant)};
    struct dama_position position = dama_position_start(setting.rules);
    if (fen) {
        assert_int_equal(dama_fen_parse(setting.rules, DAMA_SQUARES_OFFICIAL, fen, &position, NULL),
                         DAMA_OK);
    }
    struct dama_weights weights;
    dama_weights_hand_set(setting.rules, &weights);
    setting.game = dama_game_new(setting.rules, dama_draw_rules_default(setting.rules), &position);
    setting.searcher = dama_searcher_new(setting.rules, &weights, table_kb, NULL);
    assert_non_null(setting.game);
    assert_non_null(setting.searcher);
    return setting;
}

void tear_down(struct setting *setting)
{
    dama_game_free(setting->game);
    dama_searcher_free(setting->searcher);
}

struct dama_search_result search(const struct setting *setting,
                                 const struct dama_search_limits *limits)
{
    struct dama_search_result result;
    dama_searcher_search(setting->searcher, setting->game, limits, &result);
    return result;
}

void assert_line_is_legal(const struct setting *setting, const struct dama_search_result *result)
{
    struct dama_position position = *dama_game_position(setting->game);
    assert_true(result->pv_length > 0 && result->pv_length <= DAMA_PV_MAX);
    assert_true(result->pv[0] == result->best);
    for (int i = 0; i < result->pv_length; i++) {
        struct dama_move_list list;
        setting->game->kernel->generate(setting->rules, &position, &list);
        int at = 0;
        while (at < list.count && list.moves[at] != result->pv[i]) {
            at++;
        }
        assert_true(at < list.count);
        position = setting->game->kernel->make(setting->rules, &position, result->pv[i]);
    }
}

void assert_same_result(const struct dama_search_result *a, const struct dama_search_result *b)
{
    assert_true(a->best == b->best);
    assert_int_equal(a->score, b->score);
    assert_int_equal(a->depth, b->depth);
    assert_true(a->nodes == b->nodes);
    assert_int_equal(a->pv_length, b->pv_length);
    assert_memory_equal(a->pv, b->pv, (size_t)a->pv_length * sizeof *a->pv);
}
