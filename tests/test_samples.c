/* Filters, held-out games, and sums over samples against their definition. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/calibration.h"
#include "tuner/covariance.h"
#include "tuner/model.h"
#include "tuner_games.h"

enum { GAMES = 60, PLIES_MAX = 90 };

/* One batch of random American games. */
struct fixture {
    struct dama_ruleset ruleset;
    struct dama_sample_filter filter;
    struct dama_shard shard;
    struct dama_sample_extremes extremes;
    struct dama_batch batch;
};

static struct fixture *fixture_new(struct dama_sample_filter filter)
{
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    assert_int_equal(dama_ruleset_builtin("american", &f->ruleset, NULL), DAMA_OK);
    f->filter = filter;
    random_games(&f->shard, &f->ruleset, 0, GAMES, PLIES_MAX);
    f->batch = (struct dama_batch){.rules = &f->ruleset.rules,
                                   .kernel = f->ruleset.kernel,
                                   .filter = &f->filter,
                                   .extremes = &f->extremes};
    assert_int_equal(dama_batch_add(&f->batch, &f->shard, NULL), DAMA_OK);
    assert_int_equal(dama_batch_finish(&f->batch, NULL), DAMA_OK);
    return f;
}

static void fixture_free(struct fixture *f)
{
    dama_batch_free(&f->batch);
    dama_shard_free(&f->shard);
    free(f);
}

static uint64_t all_fates(const struct fixture *f)
{
    uint64_t sum = 0;
    for (int fate = 0; fate < DAMA_FATE_COUNT; fate++) {
        sum += f->batch.counts.fate[fate];
    }
    return sum;
}

static bool is_capped(const struct fixture *f, const struct dama_row *row)
{
    return f->shard.game[row->game].termination == DAMA_END_PLY_CAP;
}

static void filters_leave_out_what_they_say(void **state)
{
    (void)state;
    struct fixture *f =
        fixture_new((struct dama_sample_filter){.score_cap = 1500, .skip_plies = 8, .max_ply = 70});
    uint64_t train = 0, captures = 0, scores = 0;
    for (size_t r = 0; r < f->shard.rows; r++) {
        const struct dama_row *row = &f->shard.row[r];
        bool is_in = !is_capped(f, row) && row->ply >= 8 && row->ply < 70;
        captures += is_in && row->flags & DAMA_ROW_CAPTURE;
        scores += is_in && !(row->flags & DAMA_ROW_CAPTURE) && row->score == 3000;
        train += is_in && !(row->flags & DAMA_ROW_CAPTURE) && row->score == 0;
    }
    assert_true(train > 300 && captures > 100 && scores > 20);
    assert_int_equal(f->batch.counts.fate[DAMA_FATE_TRAIN], train);
    assert_int_equal(f->batch.counts.fate[DAMA_FATE_CAPTURE], captures);
    assert_int_equal(f->batch.counts.fate[DAMA_FATE_SCORE], scores);
    assert_int_equal(f->batch.train.rows, train);
    assert_int_equal(all_fates(f), f->shard.rows);
    fixture_free(f);
}

static void c037_games_at_the_ply_cap_are_left_out_unless_asked_for(void **state)
{
    (void)state;
    uint64_t capped_rows = 0, capped_games = 0;
    struct fixture *f = fixture_new((struct dama_sample_filter){0});
    for (size_t g = 0; g < f->shard.games; g++) {
        if (f->shard.game[g].termination == DAMA_END_PLY_CAP) {
            capped_games++;
            capped_rows += f->shard.game[g].rows;
        }
    }
    uint64_t without = f->batch.counts.fate[DAMA_FATE_TRAIN];
    assert_true(capped_games > 0 && capped_games < GAMES);
    assert_int_equal(f->batch.counts.games_capped, capped_games);
    assert_int_equal(f->batch.counts.fate[DAMA_FATE_CAPPED], capped_rows);
    fixture_free(f);
    f = fixture_new((struct dama_sample_filter){.include_capped = true});
    assert_int_equal(f->batch.counts.fate[DAMA_FATE_CAPPED], 0);
    assert_true(f->batch.counts.fate[DAMA_FATE_TRAIN] > without);
    fixture_free(f);
}

static void a_game_gives_no_more_rows_than_asked_for(void **state)
{
    (void)state;
    enum { MOST = 5 };
    struct fixture *f = fixture_new((struct dama_sample_filter){.rows_per_game = MOST});
    uint32_t rows[GAMES] = {0};
    for (size_t r = 0; r < f->batch.train.rows; r++) {
        rows[f->batch.train.game[r]]++;
    }
    for (uint32_t g = 0; g < f->batch.games; g++) {
        assert_int_equal(rows[g], MOST);
    }
    assert_int_equal(all_fates(f), f->shard.rows);
    fixture_free(f);
}

static void held_out_games_share_no_row_with_the_fit(void **state)
{
    (void)state;
    struct fixture *f = fixture_new((struct dama_sample_filter){.holdout = 0.4});
    bool in_train[GAMES] = {false};
    for (size_t r = 0; r < f->batch.train.rows; r++) {
        in_train[f->batch.train.game[r]] = true;
    }
    for (size_t r = 0; r < f->batch.held.rows; r++) {
        assert_false(in_train[f->batch.held.game[r]]);
    }
    assert_true(f->batch.counts.games_train > 0 && f->batch.counts.games_held > 0);
    assert_int_equal(f->batch.counts.games_train + f->batch.counts.games_held, f->batch.games);
    fixture_free(f);
}

/* 5 standard errors around the share. */
static void the_share_of_held_out_games_is_as_asked_for(void **state)
{
    (void)state;
    enum { MANY = 20000 };
    int held = 0;
    for (uint64_t id = 0; id < MANY; id++) {
        held += dama_game_is_held_out(&(struct dama_game_row){.id = id, .seed = id * id}, 0.1);
    }
    assert_true(abs(held - MANY / 10) < 5 * sqrt(MANY * 0.09));
}

static void distinct_positions_are_counted(void **state)
{
    (void)state;
    struct fixture *f = fixture_new((struct dama_sample_filter){0});
    double once = dama_sample_distinct(&f->extremes);
    /* The same games again add no position. */
    assert_int_equal(dama_batch_add(&f->batch, &f->shard, NULL), DAMA_OK);
    assert_true(dama_sample_distinct(&f->extremes) == once);
    double rows = (double)f->batch.train.rows / 2;
    assert_true(once > 0.95 * rows && once < 1.02 * rows);
    fixture_free(f);
}

/* The dense feature vector of a row over both phases. */
static void dense_row(const struct dama_samples *s, size_t row, int phase_max, double *x)
{
    memset(x, 0, DAMA_PARAMETERS * sizeof *x);
    for (uint32_t e = s->first[row]; e < s->first[row + 1]; e++) {
        double share = (double)s->phase[row] / phase_max;
        x[s->feature[e]] = share * s->value[e];
        x[DAMA_FEATURE_COUNT + s->feature[e]] = (1 - share) * s->value[e];
    }
}

struct dense {
    double loss, gradient[DAMA_PARAMETERS], hessian[DAMA_PARAMETERS][DAMA_PARAMETERS];
};

/* Loss and derivatives by their definition, with the C library. */
static void dense_sums(const struct dama_samples *s, const double *weights, int phase_max,
                       struct dense *out)
{
    memset(out, 0, sizeof *out);
    for (size_t r = 0; r < s->rows; r++) {
        double x[DAMA_PARAMETERS], logit = 0, y = s->twice_outcome[r] / 2.0;
        dense_row(s, r, phase_max, x);
        for (int p = 0; p < DAMA_PARAMETERS; p++) {
            logit += weights[p] * x[p];
        }
        double probability = 1 / (1 + exp(-logit));
        out->loss -= y * log(probability) + (1 - y) * log(1 - probability);
        for (int p = 0; p < DAMA_PARAMETERS; p++) {
            out->gradient[p] += (probability - y) * x[p];
            for (int q = 0; q < DAMA_PARAMETERS; q++) {
                out->hessian[p][q] += probability * (1 - probability) * x[p] * x[q];
            }
        }
    }
}

static void some_weights(const struct fixture *f, double *weights)
{
    struct dama_weights table;
    dama_weights_hand_set(&f->ruleset.rules, &table);
    dama_weights_in_men(&table, weights);
    for (int p = 0; p < DAMA_PARAMETERS; p++) {
        weights[p] *= 0.6;
    }
}

static struct dama_dataset dataset_of(struct fixture *f, int threads)
{
    return (struct dama_dataset){.batch = &f->batch,
                                 .batches = 1,
                                 .threads = threads,
                                 .phase_max = 2 * dama_rules_men(&f->ruleset.rules),
                                 .counts = f->batch.counts,
                                 .extremes = f->extremes};
}

static void assert_near(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-9 * fmax(1, fabs(expected)))) {
        fail_msg("expected %.12g, found %.12g", expected, found);
    }
}

static void sums_agree_with_their_definition(void **state)
{
    (void)state;
    struct fixture *f = fixture_new((struct dama_sample_filter){.holdout = 0.2});
    struct dama_dataset data = dataset_of(f, 1);
    struct dense *dense = malloc(sizeof *dense);
    struct dama_sums *sums = malloc(sizeof *sums);
    assert_true(dense && sums);
    double weights[DAMA_PARAMETERS];
    some_weights(f, weights);
    dense_sums(&f->batch.train, weights, data.phase_max, dense);
    assert_int_equal(dama_sums_fit(&data, weights, sums, NULL), DAMA_OK);
    assert_near(sums->loss, dense->loss);
    for (int p = 0; p < DAMA_PARAMETERS; p++) {
        assert_near(sums->gradient[p], dense->gradient[p]);
        for (int q = 0; q < DAMA_PARAMETERS; q++) {
            assert_near(dama_sums_hessian(sums, p, q), dense->hessian[p][q]);
        }
    }
    struct dama_slope_sums slope;
    struct dama_slope_question question = {.factor = 1};
    memcpy(question.weights, weights, sizeof weights);
    assert_int_equal(dama_sums_slope(&data, &question, &slope, NULL), DAMA_OK);
    assert_near(slope.loss, dense->loss);
    dense_sums(&f->batch.held, weights, data.phase_max, dense);
    question.held = 1;
    assert_int_equal(dama_sums_slope(&data, &question, &slope, NULL), DAMA_OK);
    assert_near(slope.loss, dense->loss);
    free(dense);
    free(sums);
    fixture_free(f);
}

static void logits_that_are_not_finite_make_the_loss_infinite(void **state)
{
    (void)state;
    struct fixture *f = fixture_new((struct dama_sample_filter){0});
    struct dama_dataset data = dataset_of(f, 1);
    struct dama_sums *sums = malloc(sizeof *sums);
    assert_non_null(sums);
    double weights[DAMA_PARAMETERS];
    for (double size = 1e6; size > 0; size = size < 1e300 ? size * 1e300 : -1) {
        for (int p = 0; p < DAMA_PARAMETERS; p++) {
            weights[p] = p % 2 ? size : -size;
        }
        assert_int_equal(dama_sums_fit(&data, weights, sums, NULL), DAMA_OK);
        assert_true(isinf(sums->loss));
    }
    free(sums);
    fixture_free(f);
}

/* Each game's rows twice: the naive variance halves, the one by games stays. */
static void rows_of_a_game_count_as_one_result(void **state)
{
    (void)state;
    enum { COLUMNS = 3 };
    struct fixture *f = fixture_new((struct dama_sample_filter){0});
    struct dama_dataset data = dataset_of(f, 1);
    struct dama_model model = {
        .columns = COLUMNS,
        .parameter = {DAMA_FEATURE_man, DAMA_FEATURE_king, DAMA_FEATURE_COUNT + DAMA_FEATURE_king}};
    model.ratio[DAMA_FEATURE_man] = model.ratio[DAMA_FEATURE_COUNT + DAMA_FEATURE_man] = 1;
    const double columns[COLUMNS] = {0.5, 1, 1.2};
    struct dama_covariance once, twice, few;
    double weights[DAMA_PARAMETERS], gradient[COLUMNS], hessian[COLUMNS * COLUMNS];
    struct dama_sums *sums = malloc(sizeof *sums);
    assert_non_null(sums);
    dama_model_expand(&model, columns, weights);
    assert_int_equal(dama_sums_fit(&data, weights, sums, NULL), DAMA_OK);
    dama_model_reduce(&model, sums, gradient, hessian);
    assert_int_equal(dama_covariance_make(&once, &data, &model, columns, hessian, NULL), DAMA_OK);

    /* A second copy of the games, under the numbers of the first. */
    f->batch.games = 0;
    uint32_t games = (uint32_t)f->batch.counts.games_train;
    assert_int_equal(dama_batch_add(&f->batch, &f->shard, NULL), DAMA_OK);
    assert_int_equal(dama_batch_finish(&f->batch, NULL), DAMA_OK);
    data = dataset_of(f, 1);
    data.counts.games_train = games;
    data.extremes.game_rows *= 2;
    for (int i = 0; i < COLUMNS * COLUMNS; i++) {
        hessian[i] *= 2;
    }
    assert_int_equal(dama_covariance_make(&twice, &data, &model, columns, hessian, NULL), DAMA_OK);
    for (int i = 0; i < COLUMNS * COLUMNS; i++) {
        assert_near(twice.clustered[i], once.clustered[i]);
        assert_near(twice.independent[i], once.independent[i] / 2);
    }
    /* Of G games the sum is taken G / (G - 1) times: twice, were these two games. */
    data.counts.games_train = 2;
    assert_int_equal(dama_covariance_make(&few, &data, &model, columns, hessian, NULL), DAMA_OK);
    for (int i = 0; i < COLUMNS * COLUMNS; i++) {
        assert_near(few.clustered[i], twice.clustered[i] * 2 * (games - 1) / games);
    }
    dama_covariance_free(&once);
    dama_covariance_free(&twice);
    dama_covariance_free(&few);
    free(sums);
    fixture_free(f);
}

/* Row by row from the trace's definition: a table's score, its bin, the points. Of the games that
   are held out, where there are such. */
static void check_calibration(double holdout)
{
    struct fixture *f = fixture_new((struct dama_sample_filter){.holdout = holdout});
    const struct dama_samples *rows = holdout > 0 ? &f->batch.held : &f->batch.train;
    struct dama_dataset data = dataset_of(f, 2);
    struct dama_weights table;
    dama_weights_hand_set(&f->ruleset.rules, &table);
    table.slope_ppm = 5000;
    struct dama_calibration expected = {0}, found;
    for (size_t r = 0; r < rows->rows; r++) {
        struct dama_trace trace = {.phase = rows->phase[r], .phase_max = data.phase_max};
        for (uint32_t e = rows->first[r]; e < rows->first[r + 1]; e++) {
            trace.value[rows->feature[e]] = rows->value[e];
        }
        double score = (double)dama_trace_sum(&trace, &table) / data.phase_max;
        int bin = (int)fmin(fmax(floor(score / 50 + 0.5), -7), 7) + 7;
        expected.bin[bin].rows++;
        expected.bin[bin].expected += 1 / (1 + exp(-0.005 * score));
        expected.bin[bin].scored += rows->twice_outcome[r] / 2.0;
    }
    assert_int_equal(dama_calibration_measure(&data, &table, &found, NULL), DAMA_OK);
    assert_int_equal(found.is_held, holdout > 0);
    for (int i = 0; i < DAMA_CALIBRATION_BINS; i++) {
        assert_true(expected.bin[i].rows > 0);
        assert_int_equal(found.bin[i].rows, expected.bin[i].rows);
        assert_near(found.bin[i].expected, expected.bin[i].expected / (double)found.bin[i].rows);
        assert_near(found.bin[i].scored, expected.bin[i].scored / (double)found.bin[i].rows);
    }
    fixture_free(f);
}

static void calibration_counts_points_by_score(void **state)
{
    (void)state;
    check_calibration(0);
}

static void calibration_is_of_held_out_games_where_there_are_any(void **state)
{
    (void)state;
    check_calibration(0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters_leave_out_what_they_say),
        cmocka_unit_test(c037_games_at_the_ply_cap_are_left_out_unless_asked_for),
        cmocka_unit_test(a_game_gives_no_more_rows_than_asked_for),
        cmocka_unit_test(held_out_games_share_no_row_with_the_fit),
        cmocka_unit_test(the_share_of_held_out_games_is_as_asked_for),
        cmocka_unit_test(distinct_positions_are_counted),
        cmocka_unit_test(sums_agree_with_their_definition),
        cmocka_unit_test(logits_that_are_not_finite_make_the_loss_infinite),
        cmocka_unit_test(rows_of_a_game_count_as_one_result),
        cmocka_unit_test(calibration_counts_points_by_score),
        cmocka_unit_test(calibration_is_of_held_out_games_where_there_are_any),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
