/* Sums of integers over sparse rows, then linear algebra on what they come to. */
#include "tuner/moments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/cholesky.h"

void dama_moments_add(struct dama_moments *m, const struct dama_samples *s)
{
    for (size_t r = 0; r < s->rows; r++) {
        int phase = s->phase[r], rest = m->phase_max - phase;
        const int64_t weight[DAMA_PHASES + 1] = {phase * phase, phase * rest, rest * rest};
        for (uint32_t i = s->first[r]; i < s->first[r + 1]; i++) {
            m->support[s->feature[i]] += phase > 0;
            m->support[DAMA_FEATURE_COUNT + s->feature[i]] += rest > 0;
            for (uint32_t j = s->first[r]; j <= i; j++) {
                int pair = dama_feature_pair(s->feature[i], s->feature[j]);
                int64_t values = (int64_t)s->value[i] * s->value[j];
                for (int k = 0; k <= DAMA_PHASES; k++) {
                    m->pair[k][pair] += values * weight[k];
                }
            }
        }
        m->rows++;
    }
}

/* Sum of the products of two columns. */
static double product(const struct dama_moments *m, int p, int q)
{
    return (double)m->pair[p / DAMA_FEATURE_COUNT + q / DAMA_FEATURE_COUNT]
                          [dama_feature_pair(p % DAMA_FEATURE_COUNT, q % DAMA_FEATURE_COUNT)];
}

double dama_moments_correlation(const struct dama_moments *m, int p, int q)
{
    double lengths = product(m, p, p) * product(m, q, q);
    return lengths > 0 ? product(m, p, q) / sqrt(lengths) : 0;
}

/* Names the columns of which the singular one is made, largest shares first. */
static void name_makers(const struct dama_cholesky *factor, const int *column, double *share,
                        struct dama_dependence *out)
{
    dama_cholesky_dependence(factor, share);
    share[factor->singular] = 0;
    out->parameter = column[factor->singular];
    for (size_t k = 0; k < sizeof out->maker / sizeof out->maker[0]; k++) {
        int best = -1;
        for (int i = 0; i < factor->singular; i++) {
            /* Less than this is rounding. */
            if (fabs(share[i]) > 1e-4 && (best < 0 || fabs(share[i]) > fabs(share[best]))) {
                best = i;
            }
        }
        out->maker[k] = best < 0 ? -1 : column[best];
        if (best >= 0) {
            share[best] = 0;
        }
    }
}

static void fill_matrix(const struct dama_moments *m, const int *column, int n, double *matrix)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            matrix[(size_t)i * (size_t)n + (size_t)j] = product(m, column[i], column[j]);
        }
    }
}

/* Takes one dependent column out at a time until the rest stands on its own. */
static enum dama_status reduce(const struct dama_moments *m, double *matrix, double *scratch,
                               struct dama_collinearity *out, struct dama_error *err)
{
    int column[DAMA_PARAMETERS];
    int n = 0;
    for (int p = 0; p < DAMA_PARAMETERS; p++) {
        if (m->support[p]) {
            column[n++] = p;
        }
    }
    out->columns = n;
    while (n > 0) {
        struct dama_cholesky factor;
        fill_matrix(m, column, n, matrix);
        int failed = dama_cholesky_factor(&factor, n, matrix);
        if (failed < 0) {
            return dama_fail(err, DAMA_MEMORY, "no memory for %d columns", n);
        }
        if (!failed) {
            out->condition = dama_cholesky_condition(&factor, scratch, scratch + n);
            dama_cholesky_free(&factor);
            return DAMA_OK;
        }
        name_makers(&factor, column, scratch, &out->dependence[out->dependent++]);
        memmove(column + factor.singular, column + factor.singular + 1,
                (size_t)(n - factor.singular - 1) * sizeof column[0]);
        n--;
        dama_cholesky_free(&factor);
    }
    return DAMA_OK;
}

enum dama_status dama_moments_collinearity(const struct dama_moments *m,
                                           struct dama_collinearity *out, struct dama_error *err)
{
    *out = (struct dama_collinearity){.condition = 1};
    size_t most = DAMA_PARAMETERS;
    double *matrix = malloc((most * most + 2 * most) * sizeof *matrix);
    if (!matrix) {
        return dama_fail(err, DAMA_MEMORY, "no memory for %d columns", DAMA_PARAMETERS);
    }
    enum dama_status status = reduce(m, matrix, matrix + most * most, out, err);
    free(matrix);
    return status;
}
