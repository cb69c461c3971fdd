/* Symmetric positive definite systems: a Cholesky factor of our own, because a library's result
   depends on the processor and on the threads. */
#ifndef DAMA_CHOLESKY_H
#define DAMA_CHOLESKY_H

/* The factor of a matrix that was first scaled to a unit diagonal: S A S = L L^T, S = diag(scale).
   Owned by the caller: free() lower and scale by dama_cholesky_free. */
struct dama_cholesky {
    int n;
    double *lower; /* n x n by rows; above the diagonal meaningless */
    double *scale; /* n */
    int singular;  /* first column that depends on those before it, -1 when none */
    double pivot;  /* smallest squared pivot met, of 1: the share of a column that is its own */
};

/* A pivot below this share of its column is rounding: the column depends on the earlier ones. */
#define DAMA_CHOLESKY_SINGULAR 1e-10

/* Factors the n x n matrix (its lower triangle is read). Returns 0 when positive definite, 1 when
   it stops at column `singular` (factor filled up to there), -1 when memory ran out. Entries must
   be finite; a diagonal entry that is not positive is singular. */
int dama_cholesky_factor(struct dama_cholesky *out, int n, const double *matrix);
void dama_cholesky_free(struct dama_cholesky *factor);

/* x = A^-1 b; x may be b. */
void dama_cholesky_solve(const struct dama_cholesky *factor, const double *b, double *x);
/* The n x n inverse, both triangles, by rows. */
void dama_cholesky_inverse(const struct dama_cholesky *factor, double *out);
/* Of a singular factor: share[i], i < singular, how much of column i (as a unit vector) the
   singular column is made of. Columns beyond get 0, the singular one 1. */
void dama_cholesky_dependence(const struct dama_cholesky *factor, double *share);
/* Condition number of the scaled matrix (largest by smallest eigenvalue, by power iteration). v
   and next are scratch of n numbers each. */
double dama_cholesky_condition(const struct dama_cholesky *factor, double *v, double *next);

#endif
