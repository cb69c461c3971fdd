/* Statistics of a match: pairs, Elo, the sequential test. */
#include "eval/stats.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "engine/rng.h"

static struct dama_sprt test_of(enum dama_elo_model model, double elo0, double elo1)
{
    return (struct dama_sprt){
        .model = model, .elo0 = elo0, .elo1 = elo1, .alpha = 0.05, .beta = 0.05};
}

static void check_near(double found, double expected, double within)
{
    if (!(fabs(found - expected) <= within)) {
        fail_msg("expected %.6f within %.6f, found %.6f", expected, within, found);
    }
}

/* A public test result: the same counts in two models. */
static void c059_llr_is_2_94_normalised_and_4_92_logistic(void **state)
{
    (void)state;
    struct dama_pairs pairs = {{78, 2915, 6397, 3158, 108}};
    struct dama_sprt normalised = test_of(DAMA_MODEL_NORMALISED, 0, 2);
    struct dama_sprt logistic = test_of(DAMA_MODEL_LOGISTIC, 0, 2);
    check_near(dama_sprt_llr(&normalised, &pairs), 2.94, 0.01);
    check_near(dama_sprt_llr(&logistic, &pairs), 4.92, 0.01);
    assert_int_equal(dama_sprt_judge(&normalised, dama_sprt_llr(&normalised, &pairs)),
                     DAMA_SPRT_RUNNING);
    assert_int_equal(dama_sprt_judge(&logistic, dama_sprt_llr(&logistic, &pairs)), DAMA_SPRT_H1);
    assert_string_equal(dama_elo_model_text(normalised.model), "normalised");
    assert_string_equal(dama_elo_model_text(logistic.model), "logistic");
}

/* Only results +1, 0, -1 with pairs of one kind each: LLR by hand. Pairs WW : LL = n : m and s0 =
   1/2, s1: each hypothesis is a coin with that score (the absent kinds weigh a thousandth of a
   pair). */
static void llr_of_a_coin_is_the_binomial_one(void **state)
{
    (void)state;
    struct dama_pairs pairs = {{400, 0, 0, 0, 600}};
    struct dama_sprt sprt = test_of(DAMA_MODEL_LOGISTIC, 0, 50);
    double s1 = 1 / (1 + pow(10, -50.0 / 400));
    check_near(dama_sprt_llr(&sprt, &pairs), 600 * log(s1 / 0.5) + 400 * log((1 - s1) / 0.5), 0.01);
}

/* Swapping the players and the hypotheses turns the sign. */
static void llr_is_antisymmetric(void **state)
{
    (void)state;
    struct dama_pairs pairs = {{5, 30, 80, 41, 9}};
    struct dama_pairs swapped = {{9, 41, 80, 30, 5}};
    for (int model = DAMA_MODEL_NORMALISED; model <= DAMA_MODEL_LOGISTIC; model++) {
        struct dama_sprt one = test_of((enum dama_elo_model)model, -3, 7);
        struct dama_sprt two = test_of((enum dama_elo_model)model, -7, 3);
        check_near(dama_sprt_llr(&one, &pairs), -dama_sprt_llr(&two, &swapped), 1e-9);
    }
}

static void llr_of_no_pairs_is_zero_and_of_one_pair_is_finite(void **state)
{
    (void)state;
    struct dama_sprt sprt = test_of(DAMA_MODEL_NORMALISED, 0, 10);
    assert_true(dama_sprt_llr(&sprt, &(struct dama_pairs){{0}}) == 0);
    for (int kind = 0; kind < DAMA_PAIR_KINDS; kind++) {
        struct dama_pairs pairs = {{0}};
        pairs.count[kind] = 1;
        double llr = dama_sprt_llr(&sprt, &pairs);
        assert_true(isfinite(llr) && fabs(llr) < dama_sprt_upper(&sprt));
    }
}

static void bounds_are_walds(void **state)
{
    (void)state;
    struct dama_sprt sprt = test_of(DAMA_MODEL_NORMALISED, 0, 5);
    check_near(dama_sprt_upper(&sprt), 2.944439, 1e-6);
    check_near(dama_sprt_lower(&sprt), -2.944439, 1e-6);
    sprt.alpha = 0.01;
    sprt.beta = 0.1;
    check_near(dama_sprt_upper(&sprt), log(90), 1e-12);
    check_near(dama_sprt_lower(&sprt), log(0.1 / 0.99), 1e-12);
    assert_int_equal(dama_sprt_judge(&sprt, 5), DAMA_SPRT_H1);
    assert_int_equal(dama_sprt_judge(&sprt, 0), DAMA_SPRT_RUNNING);
    assert_int_equal(dama_sprt_judge(&sprt, -3), DAMA_SPRT_H0);
}

/* By hand: 100 pairs, 20 of score 0 and 80 of score 0.75 a game; their mean is 0.6, which is
   400 log10(0.6 / 0.4) Elo. */
static void elo_and_error_come_from_the_pairs(void **state)
{
    (void)state;
    struct dama_pairs pairs = {{20, 0, 0, 80, 0}};
    struct dama_elo elo = dama_elo_of_pairs(&pairs);
    double sigma = sqrt((0.2 * 0.36 + 0.8 * 0.0225) / 99);
    double low = 0.6 - 1.959964 * sigma;
    double high = 0.6 + 1.959964 * sigma;
    check_near(elo.elo, 70.4365, 1e-3);
    check_near(elo.low, 400 * log10(low / (1 - low)), 1e-3);
    check_near(elo.high, 400 * log10(high / (1 - high)), 1e-3);
}

/* Colours decide every game: the pairs are all one point, and the error bar is small, though the
   games are as spread as can be. */
static void pairs_take_out_what_the_opening_decides(void **state)
{
    (void)state;
    struct dama_elo elo = dama_elo_of_pairs(&(struct dama_pairs){{0, 0, 400, 0, 0}});
    assert_true(elo.elo == 0);
    assert_true(elo.high > 0 && elo.high < 2);
    check_near(elo.low, -elo.high, 1e-9);
}

static void a_clean_sweep_has_a_finite_elo(void **state)
{
    (void)state;
    struct dama_elo all = dama_elo_of_pairs(&(struct dama_pairs){{0, 0, 0, 0, 10}});
    assert_true(all.elo == DAMA_ELO_LIMIT && all.high == DAMA_ELO_LIMIT);
    assert_true(all.low < 700 && all.low > 100);
    struct dama_elo none = dama_elo_of_pairs(&(struct dama_pairs){{0}});
    assert_true(none.elo == 0 && none.low == -DAMA_ELO_LIMIT && none.high == DAMA_ELO_LIMIT);
}

/* Chances of the five kinds in twentieths: a mean of 0.5 (0 Elo) and of 0.55 (34.9 Elo) a game. */
static const int level_players[DAMA_PAIR_KINDS] = {1, 4, 10, 4, 1};
static const int stronger_player[DAMA_PAIR_KINDS] = {1, 2, 10, 6, 1};

static int draw_kind(struct dama_rng *rng, const int chances[DAMA_PAIR_KINDS])
{
    int at = (int)dama_rng_below(rng, 20);
    int kind = 0;
    while (at >= chances[kind]) {
        at -= chances[kind++];
    }
    return kind;
}

/* 95 % of 600 simulated matches is 570; 550 to 588 is nearly four standard deviations. */
static void the_interval_covers_the_truth_as_often_as_it_says(void **state)
{
    (void)state;
    int covered = 0;
    for (uint64_t match = 0; match < 600; match++) {
        struct dama_rng rng = dama_rng_make(1, DAMA_RNG_TEST, match);
        struct dama_pairs pairs = {{0}};
        for (int i = 0; i < 200; i++) {
            pairs.count[draw_kind(&rng, stronger_player)]++;
        }
        struct dama_elo elo = dama_elo_of_pairs(&pairs);
        covered += elo.low <= 34.86 && elo.high >= 34.86;
    }
    assert_in_range(covered, 550, 588);
}

/* Pairs of players of whom one wins nearly always, or who draw nearly always, in hundredths. */
static const int near_sweep[DAMA_PAIR_KINDS] = {0, 0, 6, 0, 94};
static const int near_draws[DAMA_PAIR_KINDS] = {0, 2, 96, 2, 0};

/* How many of 600 simulated matches have the score's Elo in their interval. */
static int count_covered(const int percent[DAMA_PAIR_KINDS], int length)
{
    double score = 0;
    for (int kind = 0; kind < DAMA_PAIR_KINDS; kind++) {
        score += percent[kind] * kind / 400.0;
    }
    double truth = 400 * log10(score / (1 - score));
    int covered = 0;
    for (uint64_t match = 0; match < 600; match++) {
        struct dama_rng rng = dama_rng_make(6, DAMA_RNG_TEST, match);
        struct dama_pairs pairs = {{0}};
        for (int i = 0; i < length; i++) {
            int at = (int)dama_rng_below(&rng, 100);
            int kind = 0;
            while (at >= percent[kind]) {
                at -= percent[kind++];
            }
            pairs.count[kind]++;
        }
        struct dama_elo elo = dama_elo_of_pairs(&pairs);
        covered += elo.low <= truth && elo.high >= truth;
    }
    return covered;
}

/* A match in three of 20 pairs is a sweep here, which a spread of nearly 0 would make certain. */
static void few_pairs_that_are_alike_cover_the_truth(void **state)
{
    (void)state;
    static const int lengths[] = {1, 2, 5, 20, 50, 200};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        assert_in_range(count_covered(near_sweep, lengths[i]), 550, 600);
        assert_in_range(count_covered(near_draws, lengths[i]), 550, 600);
    }
}

/* A point estimate of pairs of one kind or two is no certainty in either Elo. */
static void no_pairs_have_an_interval_without_width(void **state)
{
    (void)state;
    static const struct dama_pairs samples[] = {
        {{0, 0, 0, 0, 1}},  {{0, 0, 0, 1, 0}},   {{0, 0, 0, 10, 0}},
        {{0, 0, 0, 0, 10}}, {{0, 0, 0, 20, 10}}, {{0, 0, 0, 1, 9}},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct dama_elo normalised = dama_normalised_elo_of_pairs(&samples[i]);
        struct dama_elo logistic = dama_elo_of_pairs(&samples[i]);
        assert_true(normalised.low < normalised.elo - 50);
        assert_true(logistic.low < logistic.elo - 50);
    }
    assert_true(dama_elo_of_pairs(&samples[0]).low < 0);
    assert_true(dama_superiority_of_pairs(&samples[0]) < 0.95);
}

/* A sweep of ten pairs, and its mirror: the spread is unknown, who is stronger is not. */
static void both_intervals_agree_on_who_is_stronger(void **state)
{
    (void)state;
    struct dama_elo won = dama_normalised_elo_of_pairs(&(struct dama_pairs){{0, 0, 0, 0, 10}});
    struct dama_elo lost = dama_normalised_elo_of_pairs(&(struct dama_pairs){{10, 0, 0, 0, 0}});
    assert_true(dama_elo_of_pairs(&(struct dama_pairs){{0, 0, 0, 0, 10}}).low > 0);
    assert_true(won.low >= 0 && won.high > 700);
    assert_true(lost.high <= 0 && lost.low < -700);
    /* A lead of a quarter of a pair in 24 leaves the sign open, for either side and in both. */
    const struct dama_pairs ahead = {{1, 5, 11, 6, 1}}, behind = {{1, 6, 11, 5, 1}};
    const struct dama_elo open[] = {dama_normalised_elo_of_pairs(&ahead),
                                    dama_normalised_elo_of_pairs(&behind),
                                    dama_elo_of_pairs(&ahead), dama_elo_of_pairs(&behind)};
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
        assert_true(open[i].low < -20 && open[i].high > 20);
    }
}

/* In normalised Elo the stronger player is t = 0.05 / sqrt(0.0475) apart, 56.36 Elo. */
static void the_normalised_interval_covers_the_truth_as_often_as_it_says(void **state)
{
    (void)state;
    int covered = 0;
    for (uint64_t match = 0; match < 600; match++) {
        struct dama_rng rng = dama_rng_make(4, DAMA_RNG_TEST, match);
        struct dama_pairs pairs = {{0}};
        for (int i = 0; i < 200; i++) {
            pairs.count[draw_kind(&rng, stronger_player)]++;
        }
        struct dama_elo elo = dama_normalised_elo_of_pairs(&pairs);
        covered += elo.low <= 56.36 && elo.high >= 56.36;
    }
    assert_in_range(covered, 550, 588);
}

/* By hand: 100 pairs, mean 0.6 and variance 9 / 99, so t = 0.1 / 0.301511. */
static void normalised_elo_is_in_spreads_of_a_game(void **state)
{
    (void)state;
    struct dama_pairs pairs = {{20, 0, 0, 80, 0}};
    struct dama_elo elo = dama_normalised_elo_of_pairs(&pairs);
    double unit = 800 / (log(10) * sqrt(2));
    check_near(elo.elo, 0.1 / sqrt(9.0 / 99) * unit, 1e-6);
    assert_true(elo.low < elo.elo && elo.elo < elo.high);
    struct dama_elo none = dama_normalised_elo_of_pairs(&(struct dama_pairs){{0}});
    assert_true(none.elo == 0 && none.low == -DAMA_ELO_LIMIT && none.high == DAMA_ELO_LIMIT);
}

/* By hand: 100 pairs, 28 WW and 22 LL: mean 0.53 and variance 0.1241, z = 0.03 / sqrt(0.1241 / 99).
 */
static void superiority_is_the_normal_probability(void **state)
{
    (void)state;
    check_near(dama_superiority_of_pairs(&(struct dama_pairs){{22, 0, 50, 0, 28}}), 0.801595, 1e-4);
    check_near(dama_superiority_of_pairs(&(struct dama_pairs){{28, 0, 50, 0, 22}}), 0.198405, 1e-4);
    check_near(dama_superiority_of_pairs(&(struct dama_pairs){{3, 5, 9, 5, 3}}), 0.5, 1e-12);
    check_near(dama_superiority_of_pairs(&(struct dama_pairs){{0}}), 0.5, 1e-12);
}

/* Between equal players one match in ten looks 95 % superior, one way or the other. */
static void equal_players_rarely_look_superior(void **state)
{
    (void)state;
    int extreme = 0;
    for (uint64_t match = 0; match < 600; match++) {
        struct dama_rng rng = dama_rng_make(5, DAMA_RNG_TEST, match);
        struct dama_pairs pairs = {{0}};
        for (int i = 0; i < 200; i++) {
            pairs.count[draw_kind(&rng, level_players)]++;
        }
        extreme += fabs(dama_superiority_of_pairs(&pairs) - 0.5) > 0.45;
    }
    /* 60 are expected; 29 is four standard deviations. */
    assert_in_range(extreme, 31, 89);
}

static void a_draw_ratio_gives_pairs_of_independent_games(void **state)
{
    (void)state;
    struct dama_pairs pairs = dama_pairs_of_draw_ratio(0.6);
    const struct dama_pairs expected = {{40000, 240000, 440000, 240000, 40000}};
    assert_memory_equal(&pairs, &expected, sizeof pairs);
}

/* How many of 400 simulated matches end with H1. */
static int count_h1(const struct dama_sprt *sprt, const int chances[DAMA_PAIR_KINDS])
{
    int taken = 0;
    for (uint64_t match = 0; match < 400; match++) {
        struct dama_rng rng = dama_rng_make(2, DAMA_RNG_TEST, match);
        struct dama_pairs pairs = {{0}};
        enum dama_sprt_state state = DAMA_SPRT_RUNNING;
        while (state == DAMA_SPRT_RUNNING) {
            pairs.count[draw_kind(&rng, chances)]++;
            state = dama_sprt_judge(sprt, dama_sprt_llr(sprt, &pairs));
        }
        taken += state == DAMA_SPRT_H1;
    }
    return taken;
}

/* One in ten of 400 is 40, and 64 is four standard deviations more. */
static void the_test_errs_no_more_often_than_it_says(void **state)
{
    (void)state;
    struct dama_sprt sprt = test_of(DAMA_MODEL_LOGISTIC, 0, 34.86);
    sprt.alpha = sprt.beta = 0.1;
    assert_in_range(count_h1(&sprt, level_players), 1, 64);
    assert_in_range(count_h1(&sprt, stronger_player), 400 - 64, 399);
}

static void pair_kinds_count_points(void **state)
{
    (void)state;
    assert_int_equal(dama_pair_kind(-1, -1), 0);
    assert_int_equal(dama_pair_kind(0, -1), 1);
    assert_int_equal(dama_pair_kind(0, 0), 2);
    assert_int_equal(dama_pair_kind(1, -1), 2);
    assert_int_equal(dama_pair_kind(0, 1), 3);
    assert_int_equal(dama_pair_kind(1, 1), 4);
}

static void models_are_found_by_name(void **state)
{
    (void)state;
    enum dama_elo_model model = DAMA_MODEL_NORMALISED;
    assert_true(dama_elo_model_find("logistic", &model));
    assert_int_equal(model, DAMA_MODEL_LOGISTIC);
    assert_false(dama_elo_model_find("bayes", &model));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c059_llr_is_2_94_normalised_and_4_92_logistic),
        cmocka_unit_test(llr_of_a_coin_is_the_binomial_one),
        cmocka_unit_test(llr_is_antisymmetric),
        cmocka_unit_test(llr_of_no_pairs_is_zero_and_of_one_pair_is_finite),
        cmocka_unit_test(bounds_are_walds),
        cmocka_unit_test(elo_and_error_come_from_the_pairs),
        cmocka_unit_test(pairs_take_out_what_the_opening_decides),
        cmocka_unit_test(a_clean_sweep_has_a_finite_elo),
        cmocka_unit_test(the_interval_covers_the_truth_as_often_as_it_says),
        cmocka_unit_test(few_pairs_that_are_alike_cover_the_truth),
        cmocka_unit_test(no_pairs_have_an_interval_without_width),
        cmocka_unit_test(both_intervals_agree_on_who_is_stronger),
        cmocka_unit_test(the_normalised_interval_covers_the_truth_as_often_as_it_says),
        cmocka_unit_test(normalised_elo_is_in_spreads_of_a_game),
        cmocka_unit_test(superiority_is_the_normal_probability),
        cmocka_unit_test(equal_players_rarely_look_superior),
        cmocka_unit_test(a_draw_ratio_gives_pairs_of_independent_games),
        cmocka_unit_test(the_test_errs_no_more_often_than_it_says),
        cmocka_unit_test(pair_kinds_count_points),
        cmocka_unit_test(models_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
