/* The columns of a fit: what is held, the chain rule, and the table they become. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "engine/rng.h"
#include "tuner/model.h"

enum { KING_LAST = DAMA_FEATURE_COUNT + DAMA_FEATURE_king };

/* American rules, the hand-set parent; all weights but those of `king` and `centre` frozen. */
struct fixture {
    struct dama_weights parent;
    bool frozen[DAMA_FEATURE_COUNT];
    uint64_t support[DAMA_PARAMETERS];
    struct dama_model model;
    double columns[DAMA_PARAMETERS];
};

static void init(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    dama_weights_hand_set(dama_rules_find("american"), &f->parent);
    bool only[DAMA_FEATURE_COUNT];
    assert_int_equal(dama_feature_groups("king,centre", only, NULL), DAMA_OK);
    for (int i = 0; i < DAMA_FEATURE_COUNT; i++) {
        f->frozen[i] = !only[i];
    }
    for (int p = 0; p < DAMA_PARAMETERS; p++) {
        f->support[p] = 100;
    }
    f->support[DAMA_FEATURE_centre + 1] = 0;
    assert_int_equal(dama_model_init(&f->model, &f->parent, f->frozen, f->support, NULL), DAMA_OK);
    for (int c = 0; c < f->model.columns; c++) {
        f->columns[c] = 0.5 + 0.01 * c;
    }
}

static void every_weight_has_its_state(void **state)
{
    (void)state;
    struct fixture f;
    init(&f);
    /* Two weights of the king, six of the centre without a silent one, and the unit. */
    assert_int_equal(f.model.columns, 1 + 2 + 5);
    assert_int_equal(f.model.state[DAMA_FEATURE_man], DAMA_WEIGHT_UNIT);
    assert_int_equal(f.model.state[KING_LAST], DAMA_WEIGHT_FITTED);
    assert_int_equal(f.model.state[DAMA_FEATURE_turn], DAMA_WEIGHT_FROZEN);
    assert_int_equal(f.model.state[DAMA_FEATURE_centre + 1], DAMA_WEIGHT_SILENT);
}

static void held_weights_keep_their_worth_in_men(void **state)
{
    (void)state;
    struct fixture f;
    double weights[DAMA_PARAMETERS];
    init(&f);
    dama_model_expand(&f.model, f.columns, weights);
    for (int p = 0; p < DAMA_PARAMETERS; p++) {
        if (f.model.state[p] != DAMA_WEIGHT_FITTED) {
            int worth = f.parent.w[p / DAMA_FEATURE_COUNT][p % DAMA_FEATURE_COUNT];
            assert_true(fabs(100 * weights[p] - worth * weights[DAMA_FEATURE_man]) < 1e-12);
        }
    }
    assert_true(weights[f.model.parameter[1]] == f.columns[1]);
}

/* Weights are a linear function of columns: d/dc = sum over weights of (dw/dc) d/dw. */
static void derivatives_by_columns_follow_the_chain_rule(void **state)
{
    (void)state;
    struct fixture f;
    init(&f);
    int n = f.model.columns;
    struct dama_sums *sums = calloc(1, sizeof *sums);
    assert_non_null(sums);
    struct dama_rng rng = dama_rng_make(1, DAMA_RNG_TEST, 0);
    for (int p = 0; p < DAMA_PARAMETERS; p++) {
        sums->gradient[p] = dama_rng_below(&rng, 1000);
    }
    for (int k = 0; k <= DAMA_PHASES; k++) {
        for (int i = 0; i < DAMA_FEATURE_PAIRS; i++) {
            sums->hessian[k][i] = dama_rng_below(&rng, 1000);
        }
    }
    double gradient[DAMA_PARAMETERS], hessian[64], by_column[8][DAMA_PARAMETERS];
    assert_true(n == 8);
    dama_model_reduce(&f.model, sums, gradient, hessian);
    for (int c = 0; c < n; c++) {
        double unit[DAMA_PARAMETERS] = {0};
        unit[c] = 1;
        dama_model_expand(&f.model, unit, by_column[c]);
    }
    for (int c = 0; c < n; c++) {
        double first = 0;
        for (int p = 0; p < DAMA_PARAMETERS; p++) {
            first += by_column[c][p] * sums->gradient[p];
        }
        assert_true(fabs(gradient[c] - first) < 1e-9);
        for (int d = 0; d < n; d++) {
            double second = 0;
            for (int p = 0; p < DAMA_PARAMETERS; p++) {
                for (int q = 0; q < DAMA_PARAMETERS; q++) {
                    second += by_column[c][p] * by_column[d][q] * dama_sums_hessian(sums, p, q);
                }
            }
            assert_true(fabs(hessian[c * n + d] - second) < 1e-8);
        }
    }
    free(sums);
}

static void a_table_is_rounded_in_hundredths_of_a_man(void **state)
{
    (void)state;
    struct fixture f;
    init(&f);
    struct dama_weights table = f.parent;
    f.columns[0] = 0.5;
    f.columns[1] = 0.5 * 1.4649;
    f.columns[2] = 0.5 * -0.0351;
    assert_int_equal(dama_model_export(&f.model, f.columns, &table, NULL), DAMA_OK);
    assert_int_equal(table.slope_ppm, 5000);
    int first = f.model.parameter[1], second = f.model.parameter[2];
    assert_int_equal(table.w[first / DAMA_FEATURE_COUNT][first % DAMA_FEATURE_COUNT], 146);
    assert_int_equal(table.w[second / DAMA_FEATURE_COUNT][second % DAMA_FEATURE_COUNT], -4);
    assert_int_equal(table.w[0][DAMA_FEATURE_turn], f.parent.w[0][DAMA_FEATURE_turn]);
}

static void c057_a_weight_out_of_range_is_named_and_the_table_kept(void **state)
{
    (void)state;
    static const double wrong[] = {328, -329, NAN, INFINITY};
    struct fixture f;
    init(&f);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct dama_weights table = f.parent;
        struct dama_error err = {0};
        f.columns[0] = 1;
        f.columns[1] = wrong[i];
        assert_int_equal(dama_model_export(&f.model, f.columns, &table, &err), DAMA_NUMERIC);
        assert_non_null(strstr(err.text, "weight king: expected -32768 to 32767, found "));
        assert_memory_equal(&table, &f.parent, sizeof table);
    }
}

static void c057_a_man_worth_nothing_is_refused(void **state)
{
    (void)state;
    static const double wrong[] = {0, -0.5, NAN, INFINITY};
    struct fixture f;
    init(&f);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct dama_weights table = f.parent;
        struct dama_error err = {0};
        f.columns[0] = wrong[i];
        assert_int_equal(dama_model_export(&f.model, f.columns, &table, &err), DAMA_NUMERIC);
        assert_non_null(strstr(err.text, "expected a positive number of logits"));
        assert_memory_equal(&table, &f.parent, sizeof table);
    }
}

static void a_parent_with_another_unit_is_refused(void **state)
{
    (void)state;
    struct fixture f;
    struct dama_error err = {0};
    init(&f);
    f.parent.w[0][DAMA_FEATURE_man] = 90;
    assert_int_equal(dama_model_init(&f.model, &f.parent, f.frozen, f.support, &err), DAMA_INVALID);
    assert_string_equal(err.text,
                        "the parent table's man of the first phase: expected 100, found 90");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_weight_has_its_state),
        cmocka_unit_test(held_weights_keep_their_worth_in_men),
        cmocka_unit_test(derivatives_by_columns_follow_the_chain_rule),
        cmocka_unit_test(a_table_is_rounded_in_hundredths_of_a_man),
        cmocka_unit_test(c057_a_weight_out_of_range_is_named_and_the_table_kept),
        cmocka_unit_test(c057_a_man_worth_nothing_is_refused),
        cmocka_unit_test(a_parent_with_another_unit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
