/* Sums over samples that are the same for any number of ranks and threads. */
#include "tuner/sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/comm.h"
#include "tuner/logistic.h"
#include "tuner/pass.h"

/* A mean loss beyond this is an explosion: 0.7 is a guess, and 500 is certainty of the wrong result
   by 700 logits. */
static const double LOSS_REASON = 512;
/* Of 63 bits one is left for the rounding of partial sums. */
enum { FIXED_BITS = 62 };

/* The integers that add up over batches; a flat array of 64-bit counts for MPI. */
struct fixed_sums {
    uint64_t exploded; /* batches whose loss is beyond reason */
    int64_t loss;
    int64_t gradient[DAMA_PARAMETERS];
    int64_t hessian[DAMA_PHASES + 1][DAMA_FEATURE_PAIRS];
};
enum { FIXED_COUNT = sizeof(struct fixed_sums) / sizeof(uint64_t) };

struct scales {
    double loss, gradient, hessian;
};

/* Sums of the rows of one phase, by feature alone. */
struct phase_sums {
    double gradient[DAMA_FEATURE_COUNT];
    double hessian[DAMA_FEATURE_PAIRS];
};

/* Sums of one batch. */
struct batch_sums {
    double loss;
    double gradient[DAMA_PARAMETERS];
    double hessian[DAMA_PHASES + 1][DAMA_FEATURE_PAIRS];
};

double dama_fixed_scale(double bound)
{
    int exponent;
    frexp(bound > 0 ? bound : 1, &exponent);
    return ldexp(1, FIXED_BITS - 1 - exponent);
}

void dama_phase_weights(const double *weights, int phase, int phase_max, double *out)
{
    double first = (double)phase / phase_max;
    for (int f = 0; f < DAMA_FEATURE_COUNT; f++) {
        out[f] = first * weights[f] + (1 - first) * weights[DAMA_FEATURE_COUNT + f];
    }
}

/* Ends the run of rows from `row` that share its phase and fit a chunk. */
static size_t chunk_end(const struct dama_samples *s, size_t row)
{
    size_t end = row + 1;
    while (end < s->rows && end - row < DAMA_LOSS_CHUNK && s->phase[end] == s->phase[row]) {
        end++;
    }
    return end;
}

/* Logits of the rows; false when one is not finite. */
static bool chunk_logits(const struct dama_samples *s, size_t row, size_t end,
                         const double *phase_weights, double *logit)
{
    bool is_finite = true;
    for (size_t r = row; r < end; r++) {
        logit[r - row] = dama_sample_logit(s, r, phase_weights);
        is_finite = is_finite && isfinite(logit[r - row]);
    }
    return is_finite;
}

static void add_row(struct phase_sums *sums, const struct dama_samples *s, size_t row,
                    struct dama_loss_terms terms)
{
    uint32_t first = s->first[row];
    int count = (int)(s->first[row + 1] - first);
    const uint8_t *feature = s->feature + first;
    double value[DAMA_FEATURE_COUNT];
    for (int i = 0; i < count; i++) {
        value[i] = s->value[first + (uint32_t)i];
    }
    for (int i = 0; i < count; i++) {
        int f = feature[i];
        sums->gradient[f] += terms.residual * value[i];
        double *pairs = sums->hessian + f * (f + 1) / 2;
        double weighted = terms.curvature * value[i];
        for (int j = 0; j <= i; j++) {
            pairs[feature[j]] += weighted * value[j];
        }
    }
}

/* Spreads the sums of a phase over both ends of the taper, and clears them. */
static void close_phase(struct batch_sums *batch, struct phase_sums *sums, double first)
{
    const double last = 1 - first;
    for (int f = 0; f < DAMA_FEATURE_COUNT; f++) {
        batch->gradient[f] += first * sums->gradient[f];
        batch->gradient[DAMA_FEATURE_COUNT + f] += last * sums->gradient[f];
    }
    const double factor[DAMA_PHASES + 1] = {first * first, first * last, last * last};
    for (int k = 0; k <= DAMA_PHASES; k++) {
        for (int i = 0; i < DAMA_FEATURE_PAIRS; i++) {
            batch->hessian[k][i] += factor[k] * sums->hessian[i];
        }
    }
    memset(sums, 0, sizeof *sums);
}

/* Fills the sums of one batch; false when a logit is not finite. */
static bool sum_batch(const struct dama_samples *s, const double *weights, int phase_max,
                      struct batch_sums *out)
{
    struct phase_sums phase_sums = {0};
    memset(out, 0, sizeof *out);
    for (size_t row = 0; row < s->rows;) {
        int phase = s->phase[row];
        double phase_weights[DAMA_FEATURE_COUNT];
        dama_phase_weights(weights, phase, phase_max, phase_weights);
        while (row < s->rows && s->phase[row] == phase) {
            size_t end = chunk_end(s, row);
            double logit[DAMA_LOSS_CHUNK];
            struct dama_loss_terms terms[DAMA_LOSS_CHUNK];
            if (!chunk_logits(s, row, end, phase_weights, logit)) {
                return false;
            }
            out->loss += dama_loss_chunk((int)(end - row), logit, s->twice_outcome + row, terms);
            for (size_t r = row; r < end; r++) {
                add_row(&phase_sums, s, r, terms[r - row]);
            }
            row = end;
        }
        close_phase(out, &phase_sums, (double)phase / phase_max);
    }
    return out->loss <= LOSS_REASON * (double)s->rows;
}

static void fix_batch(struct fixed_sums *sums, const struct batch_sums *batch, struct scales scale)
{
    sums->loss += dama_fixed(batch->loss, scale.loss);
    for (int p = 0; p < DAMA_PARAMETERS; p++) {
        sums->gradient[p] += dama_fixed(batch->gradient[p], scale.gradient);
    }
    for (int k = 0; k <= DAMA_PHASES; k++) {
        for (int i = 0; i < DAMA_FEATURE_PAIRS; i++) {
            sums->hessian[k][i] += dama_fixed(batch->hessian[k][i], scale.hessian);
        }
    }
}

static uint64_t row_count(const struct dama_dataset *data, bool held)
{
    return data->counts.fate[held ? DAMA_FATE_HELD_OUT : DAMA_FATE_TRAIN];
}

static struct scales scales_of(const struct dama_dataset *data)
{
    double rows = (double)row_count(data, false);
    double value = data->extremes.value;
    return (struct scales){.loss = dama_fixed_scale(rows * LOSS_REASON),
                           .gradient = dama_fixed_scale(rows * value),
                           .hessian = dama_fixed_scale(rows * value * value / 4)};
}

/* What all threads of a pass share. */
struct fit_job {
    const struct dama_dataset *data;
    const double *weights;
    struct scales scale;
};

static bool fit_batch(const void *context, const struct dama_batch *batch, void *scratch,
                      uint64_t *sums)
{
    const struct fit_job *job = context;
    struct fixed_sums *fixed = (struct fixed_sums *)sums;
    if (sum_batch(&batch->train, job->weights, job->data->phase_max, scratch)) {
        fix_batch(fixed, scratch, job->scale);
    } else {
        fixed->exploded++;
    }
    return true;
}

static void unfix(struct dama_sums *out, const struct fixed_sums *fixed, struct scales scale)
{
    out->loss = fixed->exploded ? INFINITY : (double)fixed->loss / scale.loss;
    for (int p = 0; p < DAMA_PARAMETERS; p++) {
        out->gradient[p] = (double)fixed->gradient[p] / scale.gradient;
    }
    for (int k = 0; k <= DAMA_PHASES; k++) {
        for (int i = 0; i < DAMA_FEATURE_PAIRS; i++) {
            out->hessian[k][i] = (double)fixed->hessian[k][i] / scale.hessian;
        }
    }
}

enum dama_status dama_sums_fit(const struct dama_dataset *data, const double *weights,
                               struct dama_sums *out, struct dama_error *err)
{
    const struct fit_job job = {data, weights, scales_of(data)};
    const struct dama_pass pass = {.name = "fit",
                                   .question = weights,
                                   .question_size = DAMA_PARAMETERS * sizeof *weights,
                                   .context = &job,
                                   .add = fit_batch,
                                   .scratch_size = sizeof(struct batch_sums),
                                   .count = FIXED_COUNT};
    struct fixed_sums *fixed = malloc(sizeof *fixed);
    enum dama_status status = fixed ? DAMA_OK : dama_fail(err, DAMA_MEMORY, "no memory for sums");
    status = dama_comm_agree(status, err);
    if (status == DAMA_OK) {
        status = dama_pass_run(data, &pass, (uint64_t *)fixed, err);
    }
    if (status == DAMA_OK) {
        unfix(out, fixed, job.scale);
    }
    free(fixed);
    return status;
}

/* One batch by one factor; false when a logit is not finite. */
static bool sum_slope(const struct dama_samples *s, const struct dama_slope_question *question,
                      int phase_max, struct dama_slope_sums *out)
{
    *out = (struct dama_slope_sums){0};
    for (size_t row = 0; row < s->rows;) {
        size_t end = chunk_end(s, row);
        double phase_weights[DAMA_FEATURE_COUNT];
        dama_phase_weights(question->weights, s->phase[row], phase_max, phase_weights);
        double score[DAMA_LOSS_CHUNK], logit[DAMA_LOSS_CHUNK];
        bool is_finite = chunk_logits(s, row, end, phase_weights, score);
        int count = (int)(end - row);
        for (int i = 0; i < count; i++) {
            logit[i] = question->factor * score[i];
            is_finite = is_finite && isfinite(logit[i]);
        }
        if (!is_finite) {
            return false;
        }
        struct dama_loss_terms terms[DAMA_LOSS_CHUNK];
        out->loss += dama_loss_chunk(count, logit, s->twice_outcome + row, terms);
        for (int i = 0; i < count; i++) {
            out->first += terms[i].residual * score[i];
            out->second += terms[i].curvature * score[i] * score[i];
        }
        row = end;
    }
    return out->loss <= LOSS_REASON * (double)s->rows;
}

/* Bounds a row's score at these weights: every feature at its largest value. */
static double score_bound(const struct dama_dataset *data, const double *weights)
{
    double sum = 0;
    for (int p = 0; p < DAMA_PARAMETERS; p++) {
        sum += fabs(weights[p]) * data->extremes.value;
    }
    return isfinite(sum) && sum > 0 ? sum : 1;
}

struct slope_job {
    const struct dama_dataset *data;
    const struct dama_slope_question *question;
    struct scales scale;
};

enum { EXPLODED, LOSS, FIRST, SECOND, SLOPE_COUNT };

static bool slope_batch(const void *context, const struct dama_batch *batch, void *scratch,
                        uint64_t *sums)
{
    (void)scratch;
    const struct slope_job *job = context;
    struct dama_slope_sums part;
    if (!sum_slope(job->question->held ? &batch->held : &batch->train, job->question,
                   job->data->phase_max, &part)) {
        sums[EXPLODED]++;
        return true;
    }
    sums[LOSS] += (uint64_t)dama_fixed(part.loss, job->scale.loss);
    sums[FIRST] += (uint64_t)dama_fixed(part.first, job->scale.gradient);
    sums[SECOND] += (uint64_t)dama_fixed(part.second, job->scale.hessian);
    return true;
}

enum dama_status dama_sums_slope(const struct dama_dataset *data,
                                 const struct dama_slope_question *question,
                                 struct dama_slope_sums *out, struct dama_error *err)
{
    double rows = (double)row_count(data, question->held != 0);
    double bound = score_bound(data, question->weights);
    const struct slope_job job = {data,
                                  question,
                                  {.loss = dama_fixed_scale(rows * LOSS_REASON),
                                   .gradient = dama_fixed_scale(rows * bound),
                                   .hessian = dama_fixed_scale(rows * bound * bound / 4)}};
    const struct dama_pass pass = {.name = "slope",
                                   .question = question,
                                   .question_size = sizeof *question,
                                   .context = &job,
                                   .add = slope_batch,
                                   .count = SLOPE_COUNT};
    uint64_t sums[SLOPE_COUNT];
    DAMA_TRY(dama_pass_run(data, &pass, sums, err));
    out->loss = sums[EXPLODED] ? INFINITY : (double)(int64_t)sums[LOSS] / job.scale.loss;
    out->first = (double)(int64_t)sums[FIRST] / job.scale.gradient;
    out->second = (double)(int64_t)sums[SECOND] / job.scale.hessian;
    return DAMA_OK;
}
