/* The sequential test against simulated players: its error rates, and how long it takes. */
#include "eval/stats.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "engine/rng.h"

enum { MATCHES = 400 };

/* Chances of the five kinds in twentieths. The stronger player has mean 0.55 and variance 0.0475 a
   pair: t = 0.05 / 0.217945, which is 56.36 normalised Elo and 34.86 logistic. */
static const int level_players[DAMA_PAIR_KINDS] = {1, 4, 10, 4, 1};
static const int stronger_player[DAMA_PAIR_KINDS] = {1, 2, 10, 6, 1};
static const double elo_of_stronger[] = {56.36, 34.86};

static int draw_kind(struct dama_rng *rng, const int chances[DAMA_PAIR_KINDS])
{
    int at = (int)dama_rng_below(rng, 20);
    int kind = 0;
    while (at >= chances[kind]) {
        at -= chances[kind++];
    }
    return kind;
}

struct outcome {
    int h1;
    double pairs, error; /* mean, and its standard error */
};

static struct outcome simulate(const struct dama_sprt *sprt, const int chances[DAMA_PAIR_KINDS])
{
    struct outcome outcome = {0};
    double sum = 0;
    double squares = 0;
    for (uint64_t match = 0; match < MATCHES; match++) {
        struct dama_rng rng = dama_rng_make(3, DAMA_RNG_TEST, match);
        struct dama_pairs pairs = {{0}};
        enum dama_sprt_state state = DAMA_SPRT_RUNNING;
        while (state == DAMA_SPRT_RUNNING) {
            pairs.count[draw_kind(&rng, chances)]++;
            state = dama_sprt_judge(sprt, dama_sprt_llr(sprt, &pairs));
        }
        double length = (double)dama_pairs_total(&pairs);
        outcome.h1 += state == DAMA_SPRT_H1;
        sum += length;
        squares += length * length;
    }
    outcome.pairs = sum / MATCHES;
    outcome.error = sqrt((squares / MATCHES - outcome.pairs * outcome.pairs) / MATCHES);
    return outcome;
}

static struct dama_pairs pairs_of(const int chances[DAMA_PAIR_KINDS])
{
    struct dama_pairs pairs;
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        pairs.count[i] = (uint64_t)chances[i] * 50;
    }
    return pairs;
}

/* Within 8 % of the formula and three standard errors of the simulation. */
static void check_length(const struct dama_sprt *sprt, const int chances[DAMA_PAIR_KINDS],
                         double elo, const struct outcome *found)
{
    struct dama_pairs seen = pairs_of(chances);
    struct dama_sprt_length expected = dama_sprt_expect(sprt, &seen, elo);
    double within = 0.08 * expected.pairs + 3 * found->error;
    if (!(fabs(expected.pairs - found->pairs) <= within)) {
        fail_msg("%s: expected %.1f pairs within %.1f, found %.1f",
                 dama_elo_model_text(sprt->model), expected.pairs, within, found->pairs);
    }
}

/* At most one in 20 of 400 errs: 20, and 34 is more than three standard deviations above. */
static void check_model(enum dama_elo_model model)
{
    struct dama_sprt sprt = {
        .model = model, .elo0 = 0, .elo1 = elo_of_stronger[model], .alpha = 0.05, .beta = 0.05};
    struct outcome under_h0 = simulate(&sprt, level_players);
    struct outcome under_h1 = simulate(&sprt, stronger_player);
    assert_in_range(under_h0.h1, 1, 34);
    assert_in_range(MATCHES - under_h1.h1, 1, 34);
    check_length(&sprt, level_players, sprt.elo0, &under_h0);
    check_length(&sprt, stronger_player, sprt.elo1, &under_h1);
}

static void errors_and_length_are_as_planned_in_normalised_elo(void **state)
{
    (void)state;
    check_model(DAMA_MODEL_NORMALISED);
}

static void errors_and_length_are_as_planned_in_logistic_elo(void **state)
{
    (void)state;
    check_model(DAMA_MODEL_LOGISTIC);
}

static void unequal_error_rates_hold(void **state)
{
    (void)state;
    struct dama_sprt sprt = {.model = DAMA_MODEL_LOGISTIC,
                             .elo0 = 0,
                             .elo1 = elo_of_stronger[DAMA_MODEL_LOGISTIC],
                             .alpha = 0.02,
                             .beta = 0.2};
    /* 8 and 80 of 400 are expected at most; 19 and 104 are more than three deviations above. */
    assert_in_range(simulate(&sprt, level_players).h1, 1, 19);
    assert_in_range(MATCHES - simulate(&sprt, stronger_player).h1, 20, 104);
}

/* Halfway between the hypotheses the test is longest and as likely to end either way. */
static void the_longest_test_is_halfway(void **state)
{
    (void)state;
    struct dama_pairs seen = dama_pairs_of_draw_ratio(0.6);
    struct dama_sprt sprt = {
        .model = DAMA_MODEL_NORMALISED, .elo0 = 0, .elo1 = 10, .alpha = 0.05, .beta = 0.05};
    struct dama_sprt_length at0 = dama_sprt_expect(&sprt, &seen, 0);
    struct dama_sprt_length middle = dama_sprt_expect(&sprt, &seen, 5);
    struct dama_sprt_length at1 = dama_sprt_expect(&sprt, &seen, 10);
    assert_true(middle.pairs > at0.pairs && middle.pairs > at1.pairs);
    assert_true(fabs(middle.h1 - 0.5) < 0.01 && at0.h1 < 0.05 && at1.h1 > 0.95);
    /* By hand, with t1 = sqrt(2) 10 ln(10) / 800 the LLR of a pair has variance t1^2 and the bounds
       are 2.944: (2.944 / t1)^2 = 5232 pairs without the correction for steps. */
    assert_true(middle.pairs > 5232 && middle.pairs < 1.1 * 5232);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_and_length_are_as_planned_in_normalised_elo),
        cmocka_unit_test(errors_and_length_are_as_planned_in_logistic_elo),
        cmocka_unit_test(unequal_error_rates_hold),
        cmocka_unit_test(the_longest_test_is_halfway),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
