/* Second moments of the columns of a fit, and what they tell: silent, rare and collinear
 * weights. */
#ifndef DAMA_MOMENTS_H
#define DAMA_MOMENTS_H

#include "tuner/sums.h"

/* Integer sums over rows, in units of 1 / phase_max. pair[k] holds the pairs of two weights whose
   phase numbers add up to k, as in struct dama_sums. */
struct dama_moments {
    uint64_t rows;
    int phase_max;
    uint64_t support[DAMA_PARAMETERS]; /* rows in which the weight counts */
    int64_t pair[DAMA_PHASES + 1][DAMA_FEATURE_PAIRS];
};
void dama_moments_add(struct dama_moments *moments, const struct dama_samples *samples);

/* The correlation of two weights' columns about zero, not about their means: a fit has no constant
   term. 0 when one of them is silent. */
double dama_moments_correlation(const struct dama_moments *moments, int p, int q);

/* A weight that depends on others: a combination of theirs, but for rounding. */
struct dama_dependence {
    int parameter;
    int maker[3]; /* those with the largest shares in it, largest first; -1: fewer */
};
struct dama_collinearity {
    int columns;      /* weights that are not silent */
    double condition; /* of the scaled second moments, without the dependent ones */
    int dependent;
    struct dama_dependence dependence[DAMA_PARAMETERS];
};
enum dama_status dama_moments_collinearity(const struct dama_moments *moments,
                                           struct dama_collinearity *out, struct dama_error *err);

#endif
