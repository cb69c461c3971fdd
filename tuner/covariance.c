/* The sandwich covariance, clustered by game. */
#include "tuner/covariance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/comm.h"
#include "tuner/cholesky.h"
#include "tuner/logistic.h"
#include "tuner/pass.h"

static size_t triangle(int n)
{
    return (size_t)n * ((size_t)n + 1) / 2;
}

/* S as a packed lower triangle, then the two sums of the dispersion: squared residuals, and what
   the model expects of them. */
static size_t meat_size(int n)
{
    return triangle(n) + 2;
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

/* Adds one row's gradient by weights, and its share of the dispersion. */
static void add_row(const struct job *job, const struct dama_samples *s, size_t row,
                    double *by_weight, double dispersion[2])
{
    double first = (double)s->phase[row] / job->data->phase_max;
    double phase_weights[DAMA_FEATURE_COUNT];
    dama_phase_weights(job->weights, s->phase[row], job->data->phase_max, phase_weights);
    double probability = dama_logistic(dama_sample_logit(s, row, phase_weights));
    double residual = probability - 0.5 * s->twice_outcome[row];
    dispersion[0] += residual * residual;
    dispersion[1] += probability * (1 - probability);
    for (uint32_t e = s->first[row]; e < s->first[row + 1]; e++) {
        double share = residual * s->value[e];
        by_weight[s->feature[e]] += first * share;
        by_weight[DAMA_FEATURE_COUNT + s->feature[e]] += (1 - first) * share;
    }
}

/* The gradient of one game by columns, and its products into the packed triangle. */
static void add_game(const struct job *job, const double *by_weight, double *gradient, double *out)
{
    const struct dama_model *model = job->model;
    gradient[0] = 0;
    for (int p = 0; p < DAMA_PARAMETERS; p++) {
        gradient[0] += model->ratio[p] * by_weight[p];
    }
    for (int c = 1; c < model->columns; c++) {
        gradient[c] = by_weight[model->parameter[c]];
    }
    for (int c = 0; c < model->columns; c++) {
        for (int d = 0; d <= c; d++) {
            *out++ += gradient[c] * gradient[d];
        }
    }
}

/* scratch: the batch's share of the sums before it is rounded, then the gradient of one game. */
static bool add_batch(const void *context, const struct dama_batch *batch, void *scratch,
                      uint64_t *sums)
{
    const struct job *job = context;
    uint32_t *start = NULL;
    uint32_t *order = rows_by_game(&batch->train, batch->games, &start);
    if (!order) {
        return false;
    }
    size_t size = meat_size(job->model->columns);
    double *meat = scratch;
    double *dispersion = meat + triangle(job->model->columns);
    memset(meat, 0, size * sizeof *meat);
    for (uint32_t g = 0; g < batch->games; g++) {
        if (start[g] == start[g + 1]) {
            continue;
        }
        double by_weight[DAMA_PARAMETERS] = {0};
        for (uint32_t i = start[g]; i < start[g + 1]; i++) {
            add_row(job, &batch->train, order[i], by_weight, dispersion);
        }
        add_game(job, by_weight, meat + size, meat);
    }
    for (size_t i = 0; i < size; i++) {
        sums[i] += (uint64_t)dama_fixed(meat[i], job->scale);
    }
    free(order);
    free(start);
    return true;
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

/* The covariances from H and S, which is the same work on every rank. */
static enum dama_status finish(struct dama_covariance *out, const struct job *job,
                               const int64_t *sums, const double *hessian, struct dama_error *err)
{
    int n = job->model->columns;
    size_t entries = (size_t)n * (size_t)n;
    out->clustered = calloc(entries, sizeof *out->clustered);
    out->independent = calloc(entries, sizeof *out->independent);
    double *work = calloc(entries, sizeof *work);
    double *meat = calloc(triangle(n), sizeof *meat);
    struct dama_cholesky factor = {0};
    enum dama_status status =
        out->clustered && out->independent && work && meat &&
                dama_cholesky_factor(&factor, n, hessian) == 0
            ? DAMA_OK
            : dama_fail(err, DAMA_MEMORY, "no memory for the covariance of %d weights", n);
    if (status == DAMA_OK) {
        double games = (double)job->data->counts.games_train;
        double few = games > 1 ? games / (games - 1) : 1;
        for (size_t i = 0; i < triangle(n); i++) {
            meat[i] = (double)sums[i] / job->scale * few;
        }
        const int64_t *both = sums + triangle(n);
        double dispersion = both[1] ? (double)both[0] / (double)both[1] : 1;
        dama_cholesky_inverse(&factor, out->independent);
        sandwich(n, out->independent, meat, work, out->clustered);
        for (size_t i = 0; i < entries; i++) {
            out->independent[i] *= dispersion;
        }
    }
    free(work);
    free(meat);
    dama_cholesky_free(&factor);
    return status;
}

enum dama_status dama_covariance_make(struct dama_covariance *out, const struct dama_dataset *data,
                                      const struct dama_model *model, const double *columns,
                                      const double *hessian, struct dama_error *err)
{
    *out = (struct dama_covariance){0};
    struct job job = {.data = data, .model = model};
    dama_model_expand(model, columns, job.weights);
    job.scale = dama_fixed_scale(meat_bound(&job));
    size_t size = meat_size(model->columns);
    const struct dama_pass pass = {.name = "covariance",
                                   .question = job.weights,
                                   .question_size = sizeof job.weights,
                                   .context = &job,
                                   .add = add_batch,
                                   .scratch_size = (size + (size_t)model->columns) * sizeof(double),
                                   .count = (int)size};
    uint64_t *sums = calloc(size, sizeof *sums);
    enum dama_status status =
        sums ? DAMA_OK
             : dama_fail(err, DAMA_MEMORY, "no memory for the covariance of %d weights",
                         model->columns);
    status = dama_comm_agree(status, err);
    if (status == DAMA_OK) {
        status = dama_pass_run(data, &pass, sums, err);
    }
    if (status == DAMA_OK) {
        status = finish(out, &job, (const int64_t *)sums, hessian, err);
    }
    free(sums);
    return status;
}

void dama_covariance_free(struct dama_covariance *covariance)
{
    free(covariance->clustered);
    free(covariance->independent);
    *covariance = (struct dama_covariance){0};
}
