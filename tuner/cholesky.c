/* Cholesky's factor with a scaled diagonal, in one fixed order of operations. */
#include "tuner/cholesky.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Steps of the power iterations: the condition number is a diagnosis, three digits are plenty. */
enum { POWER_STEPS = 200 };

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* Fills row i of the factor; returns the squared pivot. */
static double factor_row(struct dama_cholesky *f, int i, const double *matrix)
{
    double *row = f->lower + (size_t)i * f->n;
    for (int j = 0; j < i; j++) {
        const double *other = f->lower + (size_t)j * f->n;
        double entry = matrix[(size_t)i * f->n + j] * f->scale[i] * f->scale[j];
        row[j] = (entry - dot(j, row, other)) / other[j];
    }
    return 1 - dot(i, row, row);
}

int dama_cholesky_factor(struct dama_cholesky *out, int n, const double *matrix)
{
    assert(n >= 1);
    size_t size = (size_t)n;
    *out = (struct dama_cholesky){.n = n, .singular = -1, .pivot = 1};
    out->lower = calloc(size * size, sizeof *out->lower);
    out->scale = calloc(size, sizeof *out->scale);
    if (!out->lower || !out->scale) {
        dama_cholesky_free(out);
        return -1;
    }
    for (int i = 0; i < n; i++) {
        double diagonal = matrix[(size_t)i * size + (size_t)i];
        out->scale[i] = diagonal > 0 ? 1 / sqrt(diagonal) : 0;
    }
    for (int i = 0; i < n; i++) {
        double pivot = out->scale[i] > 0 ? factor_row(out, i, matrix) : 0;
        out->pivot = pivot < out->pivot ? pivot : out->pivot;
        if (!(pivot > DAMA_CHOLESKY_SINGULAR)) {
            out->singular = i;
            return 1;
        }
        out->lower[(size_t)i * size + (size_t)i] = sqrt(pivot);
    }
    return 0;
}

void dama_cholesky_free(struct dama_cholesky *factor)
{
    free(factor->lower);
    free(factor->scale);
    *factor = (struct dama_cholesky){.singular = -1};
}

/* L y = x for the leading n rows, in place. */
static void solve_lower(const struct dama_cholesky *f, double *x)
{
    for (int i = 0; i < f->n; i++) {
        const double *row = f->lower + (size_t)i * f->n;
        x[i] = (x[i] - dot(i, row, x)) / row[i];
    }
}

/* L^T y = x for the leading `rows` rows, in place. */
static void solve_upper(const struct dama_cholesky *f, int rows, double *x)
{
    for (int i = rows - 1; i >= 0; i--) {
        const double *row = f->lower + (size_t)i * f->n;
        x[i] /= row[i];
        for (int j = 0; j < i; j++) {
            x[j] -= row[j] * x[i];
        }
    }
}

void dama_cholesky_solve(const struct dama_cholesky *factor, const double *b, double *x)
{
    assert(factor->singular < 0);
    for (int i = 0; i < factor->n; i++) {
        x[i] = b[i] * factor->scale[i];
    }
    solve_lower(factor, x);
    solve_upper(factor, factor->n, x);
    for (int i = 0; i < factor->n; i++) {
        x[i] *= factor->scale[i];
    }
}

void dama_cholesky_inverse(const struct dama_cholesky *factor, double *out)
{
    size_t n = (size_t)factor->n;
    memset(out, 0, n * n * sizeof *out);
    for (size_t i = 0; i < n; i++) {
        double *row = out + i * n;
        row[i] = 1;
        dama_cholesky_solve(factor, row, row);
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            out[j * n + i] = out[i * n + j];
        }
    }
}

void dama_cholesky_dependence(const struct dama_cholesky *factor, double *share)
{
    assert(factor->singular >= 0);
    int column = factor->singular;
    memset(share, 0, (size_t)factor->n * sizeof *share);
    memcpy(share, factor->lower + (size_t)column * factor->n, (size_t)column * sizeof *share);
    solve_upper(factor, column, share);
    share[column] = 1;
}

/* v becomes a unit vector; returns its length before. */
static double normalise(int n, double *v)
{
    double length = sqrt(dot(n, v, v));
    for (int i = 0; i < n; i++) {
        v[i] /= length;
    }
    return length;
}

/* out = L L^T v. */
static void multiply(const struct dama_cholesky *f, const double *v, double *out)
{
    for (int j = 0; j < f->n; j++) {
        out[j] = 0;
        for (int i = j; i < f->n; i++) {
            out[j] += f->lower[(size_t)i * f->n + j] * v[i];
        }
    }
    for (int i = f->n - 1; i >= 0; i--) {
        out[i] = dot(i + 1, f->lower + (size_t)i * f->n, out);
    }
}

double dama_cholesky_condition(const struct dama_cholesky *factor, double *v, double *next)
{
    assert(factor->singular < 0);
    int n = factor->n;
    double eigenvalue[2] = {1, 1}; /* the largest, and the inverse of the smallest */
    for (int end = 0; end < 2; end++) {
        for (int i = 0; i < n; i++) {
            v[i] = 1 + 0.5 * (i % 7) - (i % 2); /* any vector that is no eigenvector */
        }
        normalise(n, v);
        for (int step = 0; step < POWER_STEPS; step++) {
            if (end == 0) {
                multiply(factor, v, next);
            } else {
                memcpy(next, v, (size_t)n * sizeof *next);
                solve_lower(factor, next);
                solve_upper(factor, n, next);
            }
            eigenvalue[end] = normalise(n, next);
            memcpy(v, next, (size_t)n * sizeof *v);
        }
    }
    return eigenvalue[0] * eigenvalue[1];
}
