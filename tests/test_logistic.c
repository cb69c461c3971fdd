/* The tuner's own exp, log and loss against the C library's. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>

#include "engine/rng.h"
#include "tuner/logistic.h"

static double uniform(struct dama_rng *rng, double low, double high)
{
    return low + (high - low) * dama_rng_next32(rng) / 4294967296.0;
}

static void assert_close(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance)) {
        fail_msg("expected %.17g, found %.17g", expected, found);
    }
}

static void exp_agrees_with_the_c_library(void **state)
{
    (void)state;
    struct dama_rng rng = dama_rng_make(1, DAMA_RNG_TEST, 0);
    for (int i = 0; i < 100000; i++) {
        double x = uniform(&rng, i % 2 ? -2 : -690, i % 2 ? 2 : 690);
        assert_close(dama_exp(x), exp(x), 1e-15 * exp(x));
    }
    assert_true(dama_exp(0) == 1);
    assert_true(dama_exp(-1e300) == dama_exp(-700));
}

static void log_agrees_with_the_c_library(void **state)
{
    (void)state;
    struct dama_rng rng = dama_rng_make(1, DAMA_RNG_TEST, 1);
    for (int i = 0; i < 100000; i++) {
        double x = exp(uniform(&rng, i % 2 ? -1 : -40, i % 2 ? 1 : 44));
        assert_close(dama_log(x), log(x), 1e-15 * fmax(1, fabs(log(x))));
    }
    assert_true(dama_log(1) == 0);
}

static void logistic_is_symmetric_and_bounded(void **state)
{
    (void)state;
    struct dama_rng rng = dama_rng_make(1, DAMA_RNG_TEST, 2);
    for (int i = 0; i < 1000; i++) {
        double x = uniform(&rng, -30, 30);
        assert_close(dama_logistic(x), 1 / (1 + exp(-x)), 1e-15);
        assert_close(dama_logistic(x) + dama_logistic(-x), 1, 1e-15);
    }
    assert_true(dama_logistic(0) == 0.5);
}

/* The definition, row by row: -(y log p + (1 - y) log(1 - p)), p - y and p (1 - p). */
static void chunk_is_the_sum_of_its_rows(void **state)
{
    (void)state;
    struct dama_rng rng = dama_rng_make(1, DAMA_RNG_TEST, 3);
    double logit[DAMA_LOSS_CHUNK], expected = 0;
    unsigned char outcome[DAMA_LOSS_CHUNK];
    for (int i = 0; i < DAMA_LOSS_CHUNK; i++) {
        logit[i] = uniform(&rng, -9, 9);
        outcome[i] = (unsigned char)dama_rng_below(&rng, 3);
        double p = 1 / (1 + exp(-logit[i])), y = outcome[i] / 2.0;
        expected -= y * log(p) + (1 - y) * log(1 - p);
    }
    struct dama_loss_terms terms[DAMA_LOSS_CHUNK];
    assert_close(dama_loss_chunk(DAMA_LOSS_CHUNK, logit, outcome, terms), expected, 1e-11);
    for (int i = 0; i < DAMA_LOSS_CHUNK; i++) {
        double p = 1 / (1 + exp(-logit[i]));
        assert_close(terms[i].residual, p - outcome[i] / 2.0, 1e-15);
        assert_close(terms[i].curvature, p * (1 - p), 1e-15);
    }
}

static void certain_logits_keep_a_finite_loss(void **state)
{
    (void)state;
    double logit[] = {5000, -5000, 5000};
    unsigned char outcome[] = {2, 0, 0};
    struct dama_loss_terms terms[3];
    assert_close(dama_loss_chunk(3, logit, outcome, terms), 5000, 1e-9);
    assert_close(terms[2].residual, 1, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_agrees_with_the_c_library),
        cmocka_unit_test(log_agrees_with_the_c_library),
        cmocka_unit_test(logistic_is_symmetric_and_bounded),
        cmocka_unit_test(chunk_is_the_sum_of_its_rows),
        cmocka_unit_test(certain_logits_keep_a_finite_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
