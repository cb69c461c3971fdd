/* Slope of the parent, Newton's steps, intervals, rounding. */
#include "tuner/fit.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/run_folder.h"
#include "engine/text.h"
#include "tuner/logistic.h"
#include "tuner/pass_log.h"

/* Where the search for the parent's slope starts: a man ahead wins 62 % of the points. */
static const double FIRST_SLOPE = 0.5;
/* The ridge's unit: how far from its parent a weight is expected, in men. */
static const double RIDGE_MEN = 0.5;

/* The problem of one factor on the parent's weights. */
struct slope_problem {
    const struct dama_dataset *data;
    struct dama_slope_question question;
};

static enum dama_status evaluate_slope(void *context, const double *x,
                                       struct dama_newton_point *out, struct dama_error *err)
{
    struct slope_problem *problem = context;
    struct dama_slope_sums sums;
    problem->question.factor = x[0];
    DAMA_TRY(dama_sums_slope(problem->data, &problem->question, &sums, err));
    out->value = sums.loss;
    out->gradient[0] = sums.first;
    out->hessian[0] = sums.second;
    return DAMA_OK;
}

static void name_slope(void *context, int i, char *out, size_t size)
{
    (void)context;
    (void)i;
    dama_text_format(out, size, "the parent's score, which is 0 in every row");
}

/* How many logits a man of the parent's score is worth. */
static enum dama_status fit_slope(const struct dama_dataset *data,
                                  const struct dama_weights *parent, double *slope,
                                  struct dama_error *err)
{
    struct slope_problem context = {.data = data};
    dama_weights_in_men(parent, context.question.weights);
    struct dama_newton_problem problem = {
        .n = 1, .context = &context, .evaluate = evaluate_slope, .name = name_slope};
    struct dama_newton_result result;
    *slope = FIRST_SLOPE;
    enum dama_status status = dama_newton_minimise(&problem, slope, &result, err);
    dama_newton_free(&result);
    if (status != DAMA_OK) {
        return status;
    }
    if (!(*slope > 0)) {
        char found[32];
        snprintf(found, sizeof found, "%.6g", *slope);
        return dama_fail(err, DAMA_NUMERIC,
                         "the parent's score does not tell results: expected a positive number of "
                         "logits a man, found %s",
                         found);
    }
    return DAMA_OK;
}

/* The problem of all columns. */
struct fit_problem {
    const struct dama_dataset *data;
    const struct dama_model *model;
    struct dama_sums *sums;
    double penalty;                /* second derivative of the ridge */
    double ratio[DAMA_PARAMETERS]; /* of each column in the parent, in men */
    int evaluations;
};

/* Adds half the penalty times the squared distance of each column from its ratio to the unit. */
static void add_ridge(const struct fit_problem *problem, const double *x,
                      struct dama_newton_point *out)
{
    size_t n = (size_t)problem->model->columns;
    double k = problem->penalty;
    for (size_t c = 1; c < n; c++) {
        double ratio = problem->ratio[c];
        double distance = x[c] - ratio * x[0];
        out->value += 0.5 * k * distance * distance;
        out->gradient[c] += k * distance;
        out->gradient[0] -= k * ratio * distance;
        out->hessian[c * n + c] += k;
        out->hessian[c * n] -= k * ratio;
        out->hessian[0] += k * ratio * ratio;
    }
}

static enum dama_status evaluate_fit(void *context, const double *x, struct dama_newton_point *out,
                                     struct dama_error *err)
{
    struct fit_problem *problem = context;
    double weights[DAMA_PARAMETERS];
    dama_model_expand(problem->model, x, weights);
    DAMA_TRY(dama_sums_fit(problem->data, weights, problem->sums, err));
    problem->evaluations++;
    out->value = problem->sums->loss;
    dama_model_reduce(problem->model, problem->sums, out->gradient, out->hessian);
    add_ridge(problem, x, out);
    return DAMA_OK;
}

static void name_column(void *context, int i, char *out, size_t size)
{
    const struct fit_problem *problem = context;
    dama_parameter_name(problem->model->parameter[i], out, size);
}

/* The ratios of the ridge and its strength; columns start at the parent. */
static void set_ridge(struct fit_problem *problem, const struct dama_fit_setup *setup,
                      struct dama_fit *fit)
{
    const struct dama_sample_counts *counts = &problem->data->counts;
    double men[DAMA_PARAMETERS];
    dama_weights_in_men(&setup->parent, men);
    for (int c = 0; c < fit->model.columns; c++) {
        problem->ratio[c] = men[fit->model.parameter[c]];
        fit->columns[c] = fit->parent_slope * problem->ratio[c];
    }
    double rows_per_game = (double)counts->fate[DAMA_FATE_TRAIN] / (double)counts->games_train;
    double unit = RIDGE_MEN * fit->parent_slope;
    problem->penalty = setup->ridge * rows_per_game / (unit * unit);
}

static enum dama_status fit_columns(const struct dama_dataset *data,
                                    const struct dama_fit_setup *setup, struct dama_fit *fit,
                                    struct dama_error *err)
{
    struct fit_problem context = {
        .data = data, .model = &fit->model, .sums = malloc(sizeof *context.sums)};
    if (!context.sums) {
        return dama_fail(err, DAMA_MEMORY, "no memory for the sums of a fit");
    }
    set_ridge(&context, setup, fit);
    struct dama_newton_problem problem = {.n = fit->model.columns,
                                          .context = &context,
                                          .evaluate = evaluate_fit,
                                          .name = name_column,
                                          .step = setup->step};
    double start = dama_clock();
    int recalled = dama_pass_log_recalled(data->log);
    enum dama_status status = dama_newton_minimise(&problem, fit->columns, &fit->newton, err);
    fit->seconds = dama_clock() - start;
    int done_here = context.evaluations - (dama_pass_log_recalled(data->log) - recalled);
    fit->rows_per_second = (double)data->counts.fate[DAMA_FATE_TRAIN] * done_here / fit->seconds;
    free(context.sums);
    return status;
}

/* The variance of column c / unit, by its derivatives. */
static double ratio_variance(const struct dama_fit *fit, const double *covariance, size_t c)
{
    size_t n = (size_t)fit->model.columns;
    double unit = fit->columns[0];
    double ratio = fit->columns[c] / unit;
    double variance =
        covariance[c * n + c] - 2 * ratio * covariance[c * n] + ratio * ratio * covariance[0];
    return fmax(variance, 0) / (unit * unit);
}

/* Worth in hundredths of a man, and standard errors. */
static void set_worth(struct dama_fit *fit)
{
    for (int p = 0; p < DAMA_PARAMETERS; p++) {
        fit->worth[p] = DAMA_WEIGHTS_UNIT * fit->weights[p] / fit->columns[0];
    }
    for (int c = 1; c < fit->model.columns; c++) {
        double variance = fmax(ratio_variance(fit, fit->covariance.clustered, (size_t)c),
                               ratio_variance(fit, fit->covariance.independent, (size_t)c));
        fit->error[fit->model.parameter[c]] = DAMA_WEIGHTS_UNIT * sqrt(variance);
    }
}

/* The mean outcome's log-loss on rows with these outcomes. */
static double constant_loss(double mean, double points, double rows)
{
    double win = mean > 0 ? -dama_log(mean) : 0;
    double loss = mean < 1 ? -dama_log(1 - mean) : 0;
    return (points * win + (rows - points) * loss) / rows;
}

/* The mean loss of a table's weights in men, or of weights in logits with slope 1. */
static enum dama_status mean_loss(const struct dama_dataset *data,
                                  const struct dama_slope_question *question, double *out,
                                  struct dama_error *err)
{
    enum dama_sample_fate fate = question->held ? DAMA_FATE_HELD_OUT : DAMA_FATE_TRAIN;
    struct dama_slope_sums sums;
    DAMA_TRY(dama_sums_slope(data, question, &sums, err));
    *out = sums.loss / (double)data->counts.fate[fate];
    return DAMA_OK;
}

static enum dama_status measure(const struct dama_dataset *data, const struct dama_weights *parent,
                                struct dama_fit *fit, bool held, struct dama_error *err)
{
    static const double ppm = 1e-6;
    const struct dama_sample_counts *counts = &data->counts;
    struct dama_fit_loss *out = held ? &fit->held : &fit->train;
    double rows = (double)counts->fate[held ? DAMA_FATE_HELD_OUT : DAMA_FATE_TRAIN];
    double mean = ((double)counts->wins + 0.5 * (double)counts->draws) /
                  (double)counts->fate[DAMA_FATE_TRAIN];
    double points = held ? (double)counts->held_wins + 0.5 * (double)counts->held_draws
                         : (double)counts->wins + 0.5 * (double)counts->draws;
    *out = (struct dama_fit_loss){0};
    if (rows == 0) {
        return DAMA_OK;
    }
    out->constant = constant_loss(mean, points, rows);
    struct dama_slope_question question = {.factor = fit->parent_slope, .held = held};
    dama_weights_in_men(parent, question.weights);
    DAMA_TRY(mean_loss(data, &question, &out->parent, err));
    question.factor = 1;
    memcpy(question.weights, fit->weights, sizeof question.weights);
    DAMA_TRY(mean_loss(data, &question, &out->fitted, err));
    question.factor = DAMA_WEIGHTS_UNIT * ppm * fit->table.slope_ppm;
    dama_weights_in_men(&fit->table, question.weights);
    return mean_loss(data, &question, &out->rounded, err);
}

/* A fit needs both kinds of results: else any weight can grow without end. */
static enum dama_status check_results(const struct dama_dataset *data, struct dama_error *err)
{
    const struct dama_sample_counts *counts = &data->counts;
    uint64_t rows = counts->fate[DAMA_FATE_TRAIN];
    if (rows == 0) {
        return dama_fail(err, DAMA_INVALID, "no row passes the filters: expected some to fit on");
    }
    if (counts->wins == 0 || counts->wins + counts->draws == rows) {
        return dama_fail(err, DAMA_INVALID,
                         "rows to fit on: expected wins and losses, found %lu wins, %lu draws and "
                         "%lu losses",
                         counts->wins, counts->draws, rows - counts->wins - counts->draws);
    }
    return DAMA_OK;
}

enum dama_status dama_fit_run(const struct dama_dataset *data, const struct dama_fit_setup *setup,
                              struct dama_fit *out, struct dama_error *err)
{
    assert(data->threads >= 1 && data->phase_max >= 1);
    *out = (struct dama_fit){.table = setup->parent};
    DAMA_TRY(check_results(data, err));
    DAMA_TRY(
        dama_model_init(&out->model, &setup->parent, setup->frozen, data->counts.support, err));
    DAMA_TRY(fit_slope(data, &setup->parent, &out->parent_slope, err));
    DAMA_TRY(fit_columns(data, setup, out, err));
    dama_model_expand(&out->model, out->columns, out->weights);
    DAMA_TRY(dama_model_export(&out->model, out->columns, &out->table, err));
    DAMA_TRY(dama_covariance_make(&out->covariance, data, &out->model, out->columns,
                                  out->newton.hessian, err));
    set_worth(out);
    DAMA_TRY(measure(data, &setup->parent, out, false, err));
    DAMA_TRY(measure(data, &setup->parent, out, true, err));
    return dama_calibration_measure(data, &out->table, &out->calibration, err);
}

void dama_fit_free(struct dama_fit *fit)
{
    dama_newton_free(&fit->newton);
    dama_covariance_free(&fit->covariance);
}
