/* The levels at play: how they score against each other and against a beginner, on every variant.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/cli/options.h"
#include "engine/level.h"
#include "engine/opening.h"

enum {
    TABLE_KB = 256,
    OPENING_PLIES = 6,
    OPENING_WINDOW = 60,
    PLIES_MAX = 300,
    SEED = 2026,
    GAMES = 60
};
/* Of a score of 60 games around 85 percent, few of them drawn, in percent. */
static const double standard_error = 4.5;

/* Two players of one variant: levels with the table that is shipped, the beginner of C043 with the
   hand-set one. */
struct table {
    const struct dama_rules *rules;
    struct dama_opening_book *book;
    struct dama_game *game;
    struct dama_searcher *searcher;
    struct dama_searcher *hand_set;
    const struct dama_level *levels[2];
};

static void load_shipped(const struct dama_rules *rules, struct dama_weights *out)
{
    struct dama_ruleset ruleset;
    struct dama_error err = {0};
    const struct dama_common common = {.weights = "shipped"};
    if (dama_ruleset_builtin(rules->name, &ruleset, &err) != DAMA_OK ||
        dama_common_weights(&common, &ruleset, out, &err) != DAMA_OK) {
        fail_msg("%s", err.text);
    }
}

static void set_up(struct table *table, const struct dama_rules *rules)
{
    struct dama_weights shipped, hand_set;
    load_shipped(rules, &shipped);
    dama_weights_hand_set(rules, &hand_set);
    *table = (struct table){
        .rules = rules,
        .book = dama_opening_book_new(rules, OPENING_PLIES, NULL),
        .game = dama_game_new(rules, dama_draw_rules_default(rules), NULL),
        .searcher = dama_searcher_new(rules, &shipped, TABLE_KB, NULL),
        .hand_set = dama_searcher_new(rules, &hand_set, TABLE_KB, NULL),
    };
    assert_true(table->book && table->game && table->searcher && table->hand_set);
}

static void tear_down(struct table *table)
{
    dama_opening_book_free(table->book);
    dama_game_free(table->game);
    dama_searcher_free(table->searcher);
    dama_searcher_free(table->hand_set);
}

static dama_move choose(struct table *table, int player, uint64_t seed)
{
    const struct dama_level *level = table->levels[player];
    struct dama_searcher *searcher =
        dama_level_is_partner(level) ? table->hand_set : table->searcher;
    return dama_level_move(level, searcher, table->game, seed);
}

static void choose_opening(struct table *table, uint64_t opening)
{
    const struct dama_opening_wish wish = {.seed = SEED, .number = opening, .high = OPENING_WINDOW};
    dama_opening_choose(table->book, table->hand_set, &wish, table->game);
}

/* Half points of player 0 from one game; he has the side to move when swap is 0. */
static int play(struct table *table, uint64_t opening, int swap)
{
    choose_opening(table, opening);
    int first = (int)dama_game_position(table->game)->side;
    for (int ply = 0; ply < PLIES_MAX; ply++) {
        struct dama_game_state state = dama_game_state(table->game);
        if (state.termination != DAMA_END_ONGOING) {
            int white = (first == DAMA_WHITE) == (swap == 0) ? state.result : -state.result;
            return 1 + white;
        }
        int player = ((int)dama_game_position(table->game)->side == first) == (swap == 0) ? 0 : 1;
        uint64_t seed = 4 * opening + 2 * (uint64_t)swap + (uint64_t)player;
        assert_int_equal(dama_game_play(table->game, choose(table, player, seed)), DAMA_OK);
    }
    return 1;
}

/* Percent of the points that level a makes against b, openings in pairs. */
static double percent(const struct dama_rules *rules, const char *a, const char *b)
{
    struct table table;
    set_up(&table, rules);
    table.levels[0] = dama_level_find(rules, a);
    table.levels[1] = dama_level_find(rules, b);
    int half_points = 0;
    for (int game = 0; game < GAMES; game++) {
        half_points += play(&table, (uint64_t)game / 2, game % 2);
    }
    tear_down(&table);
    double result = 50.0 * half_points / GAMES;
    print_message("%s: %s against %s: %.1f percent of %d games\n", rules->name, a, b, result,
                  GAMES);
    return result;
}

/* The range that the case asks of 200 or 300 games, wider by two standard errors of these few. */
static void check_step(const char *a, const char *b, double least, double most)
{
    int failures = 0;
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        double score = percent(dama_rules_builtin(i), a, b);
        failures += score < least - 2 * standard_error || score > most + 2 * standard_error;
    }
    assert_int_equal(failures, 0);
}

/* C043, with 200 games of each variant, is measured by `dama calibrate --all --measure`. */
static void c043_easy_scores_40_to_80_percent_against_a_beginner(void **state)
{
    (void)state;
    check_step("easy", "beginner", 40, 80);
}

/* C044, with 300 games of each step, likewise. */
static void c044_medium_scores_65_to_95_percent_against_easy(void **state)
{
    (void)state;
    check_step("medium", "easy", 65, 95);
}

static void c044_hard_scores_65_to_95_percent_against_medium(void **state)
{
    (void)state;
    check_step("hard", "medium", 65, 95);
}

static int count_men(const struct dama_position *position, int side)
{
    return dama_bits_count(position->pieces[side]);
}

/* What easy does in positions that are lost by two men, and in level ones. */
struct errors {
    int positions[2]; /* [is lost] */
    int losses[2];
};

static int score_now(struct table *table, int depth)
{
    struct dama_search_result result;
    dama_searcher_clear(table->searcher);
    dama_searcher_search(table->searcher, table->game, &(struct dama_search_limits){.depth = depth},
                         &result);
    return result.score;
}

/* Plays easy's move; counts whether a search of depth 6 sees it lose a man. */
static void judge(struct table *table, struct errors *errors, bool is_lost, dama_move move)
{
    int before = score_now(table, 6);
    assert_int_equal(dama_game_play(table->game, move), DAMA_OK);
    int after = -score_now(table, 5);
    dama_game_undo(table->game);
    errors->positions[is_lost]++;
    errors->losses[is_lost] += before - after >= 80;
}

static void play_and_judge(struct table *table, struct errors *errors, uint64_t opening, int wanted)
{
    choose_opening(table, opening);
    for (int ply = 0;
         ply < PLIES_MAX && dama_game_state(table->game).termination == DAMA_END_ONGOING; ply++) {
        const struct dama_position *position = dama_game_position(table->game);
        int side = (int)position->side;
        int ahead = count_men(position, side) - count_men(position, !side);
        dama_move move = choose(table, 0, 2 * opening + (uint64_t)side);
        bool is_lost = ahead == -2;
        struct dama_move_list list;
        table->game->kernel->generate(table->rules, position, &list);
        if (position->kings == 0 && (ahead == 0 || is_lost) && list.count > 1 &&
            errors->positions[is_lost] < wanted) {
            judge(table, errors, is_lost, move);
        }
        assert_int_equal(dama_game_play(table->game, move), DAMA_OK);
    }
}

/* C046: a level that is losing does not throw pieces away more often than in a level position. */
static void c046_easy_errs_no_more_often_when_it_is_losing(void **state)
{
    (void)state;
    static const char *const variants[] = {"american", "russian", "international", "czech-free"};
    enum { WANTED = 500 };
    for (int i = 0; i < 4; i++) {
        struct table table;
        set_up(&table, dama_rules_find(variants[i]));
        table.levels[0] = dama_level_find(table.rules, "easy");
        struct errors errors = {0};
        for (uint64_t opening = 0; errors.positions[0] < WANTED || errors.positions[1] < WANTED;
             opening++) {
            play_and_judge(&table, &errors, opening, WANTED);
        }
        print_message("%s: easy loses a man in %d of %d level and %d of %d lost positions\n",
                      variants[i], errors.losses[0], WANTED, errors.losses[1], WANTED);
        assert_true((errors.losses[1] - errors.losses[0]) * 100 <= 5 * WANTED);
        tear_down(&table);
    }
}

/* Nodes are what a move costs; 100 nodes a millisecond is a twentieth of what a slow machine does.
 */
static void easy_and_medium_answer_within_50_ms(void **state)
{
    (void)state;
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        const struct dama_rules *rules = dama_rules_builtin(i);
        assert_true(dama_level_find(rules, "easy")->nodes <= 50 * 100);
        assert_true(dama_level_find(rules, "medium")->nodes <= 50 * 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c043_easy_scores_40_to_80_percent_against_a_beginner),
        cmocka_unit_test(c044_medium_scores_65_to_95_percent_against_easy),
        cmocka_unit_test(c044_hard_scores_65_to_95_percent_against_medium),
        cmocka_unit_test(easy_and_medium_answer_within_50_ms),
        cmocka_unit_test(c046_easy_errs_no_more_often_when_it_is_losing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
