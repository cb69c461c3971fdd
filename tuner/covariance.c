/* The sandwich covariance, clustered by game. */
#include "tuner/covariance.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/comm.h"
#include "tuner/cholesky.h"
#include "tuner/logistic.h"

/* A thread's memory: what it has summed, and one batch's share before it is rounded. */
struct meat {
    int64_t *fixed;   /* packed lower triangle of columns */
    double *batch;    /* the same */
    double *gradient; /* of one game, by columns */
};

static size_t triangle(int n)
{
    return (size_t)n * ((size_t)n + 1) / 2;
}

/* What all threads share. */
struct job {
    const struct dama_dataset *data;
    const struct dama_model *model;
    double weights[DAMA_PARAMETERS];
    double scale;
};

/* Rows of a batch by game: order[start[g]] .. order[start[g + 1] - 1]. NULL without memory. */
static uint32_t *rows_by_game(const struct dama_samples *s, uint32_t games, uint32_t **start)
{
    uint32_t *order = calloc(s->rows + 1, sizeof *order);
    uint32_t *at = calloc((size_t)games + 2, sizeof *at);
    if (!order || !at) {
        free(order);
        free(at);
        return NULL;
    }
    /* Counting two places ahead leaves at[g + 1] as the next free place of game g, and in the end
       at[g] as its first. */
    for (size_t r = 0; r < s->rows; r++) {
        at[s->game[r] + 2]++;
    }
    for (uint32_t g = 1; g <= games; g++) {
        at[g + 1] += at[g];
    }
    for (size_t r = 0; r < s->rows; r++) {
        order[at[s->game[r] + 1]++] = (uint32_t)r;
    }
    *start = at;
    return order;
}

/* Adds one row's gradient by weights. */
static void add_row(const struct job *job, const struct dama_samples *s, size_t row,
                    double *by_weight)
{
    double first = (double)s->phase[row] / job->data->phase_max;
    double phase_weights[DAMA_FEATURE_COUNT];
    dama_phase_weights(job->weights, s->phase[row], job->data->phase_max, phase_weights);
    double residual =
        dama_logistic(dama_sample_logit(s, row, phase_weights)) - 0.5 * s->twice_outcome[row];
    for (uint32_t e = s->first[row]; e < s->first[row + 1]; e++) {
        double share = residual * s->value[e];
        by_weight[s->feature[e]] += first * share;
        by_weight[DAMA_FEATURE_COUNT + s->feature[e]] += (1 - first) * share;
    }
}

static void add_game(const struct job *job, const double *by_weight, struct meat *meat)
{
    const struct dama_model *model = job->model;
    meat->gradient[0] = 0;
    for (int p = 0; p < DAMA_PARAMETERS; p++) {
        meat->gradient[0] += model->ratio[p] * by_weight[p];
    }
    for (int c = 1; c < model->columns; c++) {
        meat->gradient[c] = by_weight[model->parameter[c]];
    }
    double *out = meat->batch;
    for (int c = 0; c < model->columns; c++) {
        for (int d = 0; d <= c; d++) {
            *out++ += meat->gradient[c] * meat->gradient[d];
        }
    }
}

static bool add_batch(const struct job *job, const struct dama_batch *batch, struct meat *meat)
{
    uint32_t *start = NULL;
    uint32_t *order = rows_by_game(&batch->train, batch->games, &start);
    if (!order) {
        return false;
    }
    size_t size = triangle(job->model->columns);
    memset(meat->batch, 0, size * sizeof *meat->batch);
    for (uint32_t g = 0; g < batch->games; g++) {
        if (start[g] == start[g + 1]) {
            continue;
        }
        double by_weight[DAMA_PARAMETERS] = {0};
        for (uint32_t i = start[g]; i < start[g + 1]; i++) {
            add_row(job, &batch->train, order[i], by_weight);
        }
        add_game(job, by_weight, meat);
    }
    for (size_t i = 0; i < size; i++) {
        meat->fixed[i] += dama_fixed(meat->batch[i], job->scale);
    }
    free(order);
    free(start);
    return true;
}

static bool meat_new(struct meat *meat, int columns)
{
    meat->fixed = calloc(triangle(columns), sizeof *meat->fixed);
    meat->batch = calloc(triangle(columns), sizeof *meat->batch);
    meat->gradient = calloc((size_t)columns, sizeof *meat->gradient);
    return meat->fixed && meat->batch && meat->gradient;
}

static void meat_free(struct meat *meat)
{
    free(meat->fixed);
    free(meat->batch);
    free(meat->gradient);
}

/* No entry of the sum exceeds this: every row of the longest game wrong by 1, in every column. */
static double meat_bound(const struct job *job)
{
    double ratio = 1;
    for (int p = 0; p < DAMA_PARAMETERS; p++) {
        ratio += fabs(job->model->ratio[p]);
    }
    double row = ratio * job->data->extremes.value;
    return (double)job->data->counts.fate[DAMA_FATE_TRAIN] * job->data->extremes.game_rows * row *
           row;
}

/* S over this rank's batches, into meat[0]. */
static bool sum_rank(const struct job *job, struct meat *meat)
{
    int threads = job->data->threads;
    bool done = true;
    for (int t = 0; t < threads; t++) {
        done = meat_new(&meat[t], job->model->columns) && done;
    }
    if (!done) {
        return false;
    }
#pragma omp parallel for num_threads(threads) schedule(static, 1) reduction(&& : done)
    for (int t = 0; t < threads; t++) {
        for (int b = t; b < job->data->batches; b += threads) {
            done = add_batch(job, &job->data->batch[b], &meat[t]) && done;
        }
    }
    for (int t = 1; t < threads; t++) {
        for (size_t i = 0; i < triangle(job->model->columns); i++) {
            meat[0].fixed[i] += meat[t].fixed[i];
        }
    }
    return done;
}

/* out = B M B with the symmetric B (n x n) and M packed; work has n * n numbers. */
static void sandwich(int n, const double *bread, const double *meat, double *work, double *out)
{
    size_t size = (size_t)n;
    memset(work, 0, size * size * sizeof *work);
    for (size_t i = 0; i < size; i++) {
        for (size_t k = 0; k < size; k++) {
            size_t high = i > k ? i : k;
            double entry = meat[high * (high + 1) / 2 + (i > k ? k : i)];
            for (size_t j = 0; j < size; j++) {
                work[i * size + j] += entry * bread[k * size + j];
            }
        }
    }
    memset(out, 0, size * size * sizeof *out);
    for (size_t i = 0; i < size; i++) {
        for (size_t k = 0; k < size; k++) {
            for (size_t j = 0; j < size; j++) {
                out[i * size + j] += bread[i * size + k] * work[k * size + j];
            }
        }
    }
}

/* The covariance from H and S, which is the same work on every rank. */
static enum dama_status finish(const struct job *job, const struct meat *meat,
                               const double *hessian, double *out, struct dama_error *err)
{
    int n = job->model->columns;
    struct dama_cholesky factor;
    if (dama_cholesky_factor(&factor, n, hessian) != 0) {
        return dama_fail(err, DAMA_NUMERIC, "no inverse of a Hessian of %d weights", n);
    }
    double *bread = calloc((size_t)n * (size_t)n, sizeof *bread);
    double *work = calloc((size_t)n * (size_t)n, sizeof *work);
    enum dama_status status = DAMA_OK;
    if (bread && work) {
        double games = (double)job->data->counts.games_train;
        double factor_games = games > 1 ? games / (games - 1) : 1;
        for (size_t i = 0; i < triangle(n); i++) {
            meat->batch[i] = (double)meat->fixed[i] / job->scale * factor_games;
        }
        dama_cholesky_inverse(&factor, bread);
        sandwich(n, bread, meat->batch, work, out);
    } else {
        status = dama_fail(err, DAMA_MEMORY, "no memory for the covariance of %d weights", n);
    }
    free(bread);
    free(work);
    dama_cholesky_free(&factor);
    return status;
}

enum dama_status dama_covariance(const struct dama_dataset *data, const struct dama_model *model,
                                 const double *columns, const double *hessian, double *out,
                                 struct dama_error *err)
{
    struct job job = {.data = data, .model = model};
    dama_model_expand(model, columns, job.weights);
    job.scale = dama_fixed_scale(meat_bound(&job));
    struct meat *meat = calloc((size_t)data->threads, sizeof *meat);
    enum dama_status status = DAMA_OK;
    if (!meat || !sum_rank(&job, meat)) {
        status = dama_fail(err, DAMA_MEMORY, "no memory for the covariance of %d weights",
                           model->columns);
    }
    status = dama_comm_agree(status, err);
    if (status == DAMA_OK) {
        dama_comm_sum_u64((uint64_t *)meat[0].fixed, (int)triangle(model->columns));
        status = finish(&job, &meat[0], hessian, out, err);
    }
    for (int t = 0; meat && t < data->threads; t++) {
        meat_free(&meat[t]);
    }
    free(meat);
    return status;
}
