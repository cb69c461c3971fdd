/* Ratings of players whose true strength is known. */
#include "eval/rating.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "engine/rng.h"

enum { PLAYERS = 5, BOUTS_MAX = PLAYERS * (PLAYERS - 1) / 2 };
static const double true_elo[PLAYERS] = {-400, -120, 0, 90, 300};
static const double true_nu = 0.8;
enum { ANCHOR = 2 };

static void check_near(double found, double expected, double within)
{
    if (!(fabs(found - expected) <= within)) {
        fail_msg("expected %.6f within %.6f, found %.6f", expected, within, found);
    }
}

/* +1, 0 or -1 of the first player, d strengths ahead. */
static int play_game(struct dama_rng *rng, double d)
{
    double win = exp(d / 2);
    double loss = exp(-d / 2);
    double at = dama_rng_next32(rng) / 4294967296.0 * (win + loss + true_nu);
    return at < win ? 1 : at < win + loss ? -1 : 0;
}

static void play_pair(struct dama_rating_bout *bout, struct dama_rng *rng)
{
    double d = (true_elo[bout->a] - true_elo[bout->b]) * log(10) / 400;
    int results[2];
    for (int g = 0; g < 2; g++) {
        results[g] = play_game(rng, d);
        bout->wdl.wins += results[g] > 0;
        bout->wdl.draws += results[g] == 0;
        bout->wdl.losses += results[g] < 0;
    }
    bout->pairs.count[dama_pair_kind(results[0], results[1])]++;
}

struct league {
    struct dama_rating_bout bouts[BOUTS_MAX];
    struct dama_rating_table table;
};

/* Everybody against everybody, or only neighbours. */
static void play_league(struct league *league, uint64_t number, int pairs, bool only_neighbours)
{
    struct dama_rng rng = dama_rng_make(6, DAMA_RNG_TEST, number);
    *league = (struct league){0};
    league->table = (struct dama_rating_table){
        .players = PLAYERS, .anchor = ANCHOR, .bouts = league->bouts, .seed = number};
    for (int a = 0; a < PLAYERS; a++) {
        for (int b = a + 1; b < PLAYERS && (b == a + 1 || !only_neighbours); b++) {
            struct dama_rating_bout *bout = &league->bouts[league->table.bout_count++];
            *bout = (struct dama_rating_bout){.a = a, .b = b};
            for (int i = 0; i < pairs; i++) {
                play_pair(bout, &rng);
            }
        }
    }
}

static void fit(const struct league *league, struct dama_rating ratings[PLAYERS], double *nu)
{
    struct dama_error err = {0};
    if (dama_ratings_fit(&league->table, ratings, nu, &err) != DAMA_OK) {
        fail_msg("%s", err.text);
    }
}

static void many_games_recover_the_true_ratings(void **state)
{
    (void)state;
    struct league league;
    struct dama_rating ratings[PLAYERS];
    double nu;
    play_league(&league, 1, 2000, false);
    fit(&league, ratings, &nu);
    for (int i = 0; i < PLAYERS; i++) {
        check_near(ratings[i].elo, true_elo[i], 12);
        assert_true(ratings[i].high - ratings[i].low < 30);
    }
    check_near(nu, true_nu, 0.04);
}

static void the_anchor_is_zero_without_an_error(void **state)
{
    (void)state;
    struct league league;
    struct dama_rating ratings[PLAYERS];
    double nu;
    play_league(&league, 2, 30, true);
    for (int anchor = 0; anchor < PLAYERS; anchor++) {
        league.table.anchor = anchor;
        fit(&league, ratings, &nu);
        assert_true(ratings[anchor].elo == 0 && ratings[anchor].low == 0 &&
                    ratings[anchor].high == 0);
    }
}

/* Another anchor moves every rating by the same number. */
static void differences_do_not_depend_on_the_anchor(void **state)
{
    (void)state;
    struct league league;
    struct dama_rating one[PLAYERS], two[PLAYERS];
    double nu;
    play_league(&league, 3, 30, false);
    fit(&league, one, &nu);
    league.table.anchor = 0;
    fit(&league, two, &nu);
    for (int i = 0; i < PLAYERS; i++) {
        check_near(two[i].elo - one[i].elo, -one[0].elo, 1e-6);
    }
}

/* Two players with w wins and l losses: exp(d) = w / l, whatever the draws. */
static void two_players_are_their_odds_apart(void **state)
{
    (void)state;
    const struct dama_rating_bout bout = {
        .a = 0, .b = 1, .wdl = {60, 60, 20}, .pairs = {{0, 20, 10, 30, 10}}};
    struct dama_rating_table table = {.players = 2, .bout_count = 1, .bouts = &bout};
    struct dama_rating ratings[2];
    double nu;
    assert_int_equal(dama_ratings_fit(&table, ratings, &nu, NULL), DAMA_OK);
    /* A tenth of a game is added to each count, and nu = draws / sqrt(wins losses). */
    check_near(ratings[1].elo, -400 * log10(60.1 / 20.1), 1e-6);
    check_near(nu, 60.1 / sqrt(60.1 * 20.1), 1e-9);
}

/* 95 % of 4 * 60 intervals is 228; 214 is more than four standard deviations below, had they been
   independent. */
static void intervals_cover_the_truth(void **state)
{
    (void)state;
    int covered = 0;
    for (uint64_t number = 0; number < 60; number++) {
        struct league league;
        struct dama_rating ratings[PLAYERS];
        double nu;
        play_league(&league, 100 + number, 60, true);
        fit(&league, ratings, &nu);
        for (int i = 0; i < PLAYERS; i++) {
            covered +=
                i != ANCHOR && ratings[i].low <= true_elo[i] && ratings[i].high >= true_elo[i];
        }
    }
    assert_in_range(covered, 214, 239);
}

static void a_clean_sweep_is_finite_and_uncertain(void **state)
{
    (void)state;
    const struct dama_rating_bout bout = {
        .a = 0, .b = 1, .wdl = {100, 0, 0}, .pairs = {{0, 0, 0, 0, 50}}};
    struct dama_rating_table table = {.players = 2, .anchor = 1, .bout_count = 1, .bouts = &bout};
    struct dama_rating ratings[2];
    double nu;
    assert_int_equal(dama_ratings_fit(&table, ratings, &nu, NULL), DAMA_OK);
    assert_true(isfinite(ratings[0].elo) && ratings[0].elo > 400);
    assert_true(ratings[0].high - ratings[0].low > 400);
}

static void a_player_without_games_is_refused(void **state)
{
    (void)state;
    const struct dama_rating_bout bout = {
        .a = 0, .b = 1, .wdl = {6, 6, 6}, .pairs = {{1, 2, 3, 2, 1}}};
    struct dama_rating_table table = {.players = 3, .bout_count = 1, .bouts = &bout};
    struct dama_rating ratings[3];
    double nu;
    struct dama_error err = {0};
    assert_int_equal(dama_ratings_fit(&table, ratings, &nu, &err), DAMA_INVALID);
    assert_string_equal(err.text, "ratings: expected games that join every player to the anchor");
}

/* Only player 4 is wide: the link by which it hangs is played, and when that is closed, the nearest
   other opponent. */
static void the_next_bout_narrows_the_wide_player(void **state)
{
    (void)state;
    struct league league;
    play_league(&league, 7, 60, true);
    bool is_wide[PLAYERS] = {[4] = true};
    bool is_open[PLAYERS * PLAYERS];
    for (int i = 0; i < PLAYERS * PLAYERS; i++) {
        is_open[i] = true;
    }
    int bout[2];
    assert_true(dama_ratings_next(&league.table, is_wide, is_open, 10, bout));
    assert_int_equal(bout[1], 4);
    is_open[2 * PLAYERS + 4] = is_open[3 * PLAYERS + 4] = false;
    assert_true(dama_ratings_next(&league.table, is_wide, is_open, 10, bout));
    assert_false((bout[0] == 2 || bout[0] == 3) && bout[1] == 4);
    const bool nobody[PLAYERS] = {false};
    assert_false(dama_ratings_next(&league.table, nobody, is_open, 10, bout));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_games_recover_the_true_ratings),
        cmocka_unit_test(the_anchor_is_zero_without_an_error),
        cmocka_unit_test(differences_do_not_depend_on_the_anchor),
        cmocka_unit_test(two_players_are_their_odds_apart),
        cmocka_unit_test(intervals_cover_the_truth),
        cmocka_unit_test(a_clean_sweep_is_finite_and_uncertain),
        cmocka_unit_test(a_player_without_games_is_refused),
        cmocka_unit_test(the_next_bout_narrows_the_wide_player),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
