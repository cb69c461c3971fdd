/* Data whose results are drawn from a known table's own model: the fit finds the table again. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/fit.h"
#include "tuner_games.h"

enum { THREADS = 2, BATCHES = 8, BATCH_ROWS = 15000, SLOPE_PPM = 6000 };

/* Samples of model games, by batches; what a fit needs in memory. */
struct fixture {
    struct dama_ruleset ruleset;
    struct dama_sample_filter filter;
    struct dama_weights truth;
    struct dama_batch batch[BATCHES];
    struct dama_dataset data;
};

static void add_batch(struct fixture *f, struct dama_batch *batch, const struct dama_shard *shard)
{
    *batch = (struct dama_batch){.rules = &f->ruleset.rules,
                                 .kernel = f->ruleset.kernel,
                                 .filter = &f->filter,
                                 .extremes = &f->data.extremes};
    assert_int_equal(dama_batch_add(batch, shard, NULL), DAMA_OK);
    assert_int_equal(dama_batch_finish(batch, NULL), DAMA_OK);
    dama_sample_counts_add(&f->data.counts, &batch->counts);
}

static void setup(struct fixture *f, const char *variant, uint64_t seed)
{
    memset(f, 0, sizeof *f);
    assert_int_equal(dama_ruleset_builtin(variant, &f->ruleset, NULL), DAMA_OK);
    dama_weights_hand_set(&f->ruleset.rules, &f->truth);
    f->truth.slope_ppm = SLOPE_PPM;
    f->data = (struct dama_dataset){.batch = f->batch,
                                    .batches = BATCHES,
                                    .threads = THREADS,
                                    .phase_max = 2 * dama_rules_men(&f->ruleset.rules)};
    struct dama_shard shard = {0};
    for (int b = 0; b < BATCHES; b++) {
        model_games(&shard, &f->ruleset, &f->truth, seed * BATCHES + (uint64_t)b, BATCH_ROWS);
        add_batch(f, &f->batch[b], &shard);
    }
    dama_shard_free(&shard);
}

static void teardown(struct fixture *f)
{
    for (int b = 0; b < BATCHES; b++) {
        dama_batch_free(&f->batch[b]);
    }
}

/* Quantile of chi-square by Wilson and Hilferty (1931); normal is the normal's quantile. */
static double chi_square_quantile(int freedom, double normal)
{
    double share = 2.0 / (9.0 * freedom);
    return freedom * pow(1 - share + normal * sqrt(share), 3);
}

/* Distances of the columns from the truth, in logits. */
static void distances(const struct fixture *f, const struct dama_fit *fit, double *out)
{
    double men[DAMA_PARAMETERS];
    dama_weights_in_men(&f->truth, men);
    for (int c = 0; c < fit->model.columns; c++) {
        out[c] = fit->columns[c] - men[fit->model.parameter[c]] * SLOPE_PPM * 1e-4;
    }
}

/* Every |z| below 4.5, and the chi-square of all of them, by their joint information, inside its
   99 % interval. */
static void assert_recovered(const struct fixture *f, const struct dama_fit *fit)
{
    static const double normal_995 = 2.5758;
    int n = fit->model.columns;
    double distance[DAMA_PARAMETERS], chi_square = 0, worst = 0;
    distances(f, fit, distance);
    for (int i = 0; i < n; i++) {
        double z = distance[i] / sqrt(fit->covariance.independent[i * n + i]);
        worst = fmax(worst, fabs(z));
        for (int j = 0; j < n; j++) {
            chi_square += distance[i] * fit->newton.hessian[i * n + j] * distance[j];
        }
    }
    double low = chi_square_quantile(n, -normal_995), high = chi_square_quantile(n, normal_995);
    print_message("%s: %d weights, worst |z| %.2f, chi-square %.1f of %.1f..%.1f\n",
                  f->ruleset.rules.name, n, worst, chi_square, low, high);
    assert_true(worst < 4.5);
    assert_true(chi_square > low && chi_square < high);
}

/* One row a game: errors by games and by rows agree, where enough rows tell. */
static void assert_errors_agree(const struct fixture *f, const struct dama_fit *fit)
{
    enum { MANY = 2000 };
    int n = fit->model.columns, compared = 0;
    for (int i = 0; i < n; i++) {
        if (f->data.counts.support[fit->model.parameter[i]] >= MANY) {
            double ratio =
                fit->covariance.clustered[i * n + i] / fit->covariance.independent[i * n + i];
            assert_true(ratio > 0.85 && ratio < 1.15);
            compared++;
        }
    }
    assert_true(compared > n / 2);
}

static void recover(const char *variant, uint64_t seed)
{
    struct fixture *f = malloc(sizeof *f);
    assert_non_null(f);
    setup(f, variant, seed);
    struct dama_fit_setup fit_setup = {0};
    dama_weights_material(&f->ruleset.rules, &fit_setup.parent);
    struct dama_fit fit;
    struct dama_error err = {0};
    if (dama_fit_run(&f->data, &fit_setup, &fit, &err) != DAMA_OK) {
        fail_msg("%s", err.text);
    }
    assert_recovered(f, &fit);
    assert_errors_agree(f, &fit);
    dama_fit_free(&fit);
    teardown(f);
    free(f);
}

static void american_weights_are_recovered_on_three_seeds(void **state)
{
    (void)state;
    recover("american", 1);
    recover("american", 2);
    recover("american", 3);
}

static void italian_weights_are_recovered(void **state)
{
    (void)state;
    recover("italian", 1);
}

static void international_weights_are_recovered(void **state)
{
    (void)state;
    recover("international", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(american_weights_are_recovered_on_three_seeds),
        cmocka_unit_test(italian_weights_are_recovered),
        cmocka_unit_test(international_weights_are_recovered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
