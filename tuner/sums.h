/* The log-loss of samples with its gradient and Hessian, summed over batches, threads and ranks so
   that the bits depend on none of them: what a batch adds is rounded once to a fixed-point integer,
   and integers add up to the same in any order. */
#ifndef DAMA_SUMS_H
#define DAMA_SUMS_H

#include "tuner/samples.h"

enum { DAMA_FEATURE_PAIRS = DAMA_FEATURE_COUNT * (DAMA_FEATURE_COUNT + 1) / 2 };

/* Place of a pair of features, in either order, in a packed lower triangle. */
static inline int dama_feature_pair(int f, int g)
{
    return f >= g ? f * (f + 1) / 2 + g : g * (g + 1) / 2 + f;
}

struct dama_pass_log;

/* The batches of this rank, and facts of all ranks' samples that bound every sum. */
struct dama_dataset {
    struct dama_batch *batch;
    int batches;
    int threads;
    int phase_max;
    struct dama_sample_counts counts;     /* of all ranks */
    struct dama_sample_extremes extremes; /* of all ranks */
    struct dama_pass_log *log; /* finished passes (pass_log.h); NULL: none are kept. Not owned */
};

/* At weights in logits per unit of a feature. hessian[k] holds the pairs of two weights whose phase
   numbers add up to k. */
struct dama_sums {
    double loss; /* infinite when a logit is no finite number or a loss beyond all reason */
    double gradient[DAMA_PARAMETERS];
    double hessian[DAMA_PHASES + 1][DAMA_FEATURE_PAIRS];
};

/* Second derivative by the weights p and q of 0..DAMA_PARAMETERS-1. */
static inline double dama_sums_hessian(const struct dama_sums *sums, int p, int q)
{
    return sums->hessian[p / DAMA_FEATURE_COUNT + q / DAMA_FEATURE_COUNT]
                        [dama_feature_pair(p % DAMA_FEATURE_COUNT, q % DAMA_FEATURE_COUNT)];
}

/* Collective. Loss, gradient and Hessian over the rows fitted on. DAMA_STOPPED as in pass.h. */
enum dama_status dama_sums_fit(const struct dama_dataset *data, const double *weights,
                               struct dama_sums *out, struct dama_error *err);

/* Loss and derivatives by one factor on all weights. */
struct dama_slope_sums {
    double loss, first, second;
};
struct dama_slope_question {
    double weights[DAMA_PARAMETERS];
    double factor;
    uint64_t held; /* 1: of the rows held out */
};
/* Collective. The same for weights times the factor. */
enum dama_status dama_sums_slope(const struct dama_dataset *data,
                                 const struct dama_slope_question *question,
                                 struct dama_slope_sums *out, struct dama_error *err);

/* The logit of a row. phase_weights is from dama_phase_weights of the row's phase. */
static inline double dama_sample_logit(const struct dama_samples *s, size_t row,
                                       const double *phase_weights)
{
    double logit = 0;
    for (uint32_t e = s->first[row]; e < s->first[row + 1]; e++) {
        logit += s->value[e] * phase_weights[s->feature[e]];
    }
    return logit;
}
/* What a unit of each feature is worth in this phase. */
void dama_phase_weights(const double *weights, int phase, int phase_max, double *out);

/* A fixed-point scale: a power of two with which sums up to `bound` fit 62 bits. */
double dama_fixed_scale(double bound);
/* Rounded to the nearest, half away from zero. |x * scale| < 2^62. */
static inline int64_t dama_fixed(double x, double scale)
{
    return (int64_t)(x * scale + (x < 0 ? -0.5 : 0.5));
}

#endif
