/* The tuner's Cholesky factor on systems whose solution is known. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>

#include "tuner/cholesky.h"

enum { HILBERT = 6 };

static void assert_close(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance)) {
        fail_msg("expected %.17g, found %.17g", expected, found);
    }
}

/* Entries 1 / (i + j + 1); its inverse has integer entries (Choi, "Tricks or treats with the
   Hilbert matrix", 1983). */
static void make_hilbert(double *matrix)
{
    for (int i = 0; i < HILBERT; i++) {
        for (int j = 0; j < HILBERT; j++) {
            matrix[i * HILBERT + j] = 1.0 / (i + j + 1);
        }
    }
}

static void solves_a_small_system(void **state)
{
    (void)state;
    const double matrix[] = {4, 2, -2, 2, 10, 2, -2, 2, 6};
    const double x[] = {1, -2, 3};
    const double b[] = {4 - 4 - 6, 2 - 20 + 6, -2 - 4 + 18};
    struct dama_cholesky factor;
    double found[3];
    assert_int_equal(dama_cholesky_factor(&factor, 3, matrix), 0);
    dama_cholesky_solve(&factor, b, found);
    for (int i = 0; i < 3; i++) {
        assert_close(found[i], x[i], 1e-14);
    }
    dama_cholesky_free(&factor);
}

static void inverts_a_hilbert_matrix(void **state)
{
    (void)state;
    double matrix[HILBERT * HILBERT], inverse[HILBERT * HILBERT];
    make_hilbert(matrix);
    struct dama_cholesky factor;
    assert_int_equal(dama_cholesky_factor(&factor, HILBERT, matrix), 0);
    dama_cholesky_inverse(&factor, inverse);
    const double first_row[] = {36, -630, 3360, -7560, 7560, -2772};
    for (int j = 0; j < HILBERT; j++) {
        assert_close(inverse[j], first_row[j], 1e-5);
        assert_close(inverse[j * HILBERT], first_row[j], 1e-5);
    }
    assert_close(inverse[HILBERT * HILBERT - 1], 698544, 1e-2);
    dama_cholesky_free(&factor);
}

/* The pair (1, c), (c, 1) has the eigenvalues 1 + c and 1 - c, whatever the scale. */
static void condition_is_the_ratio_of_eigenvalues(void **state)
{
    (void)state;
    const double matrix[] = {4e6, 0.98 * 2e3, 0.98 * 2e3, 1};
    struct dama_cholesky factor;
    double v[2], next[2];
    assert_int_equal(dama_cholesky_factor(&factor, 2, matrix), 0);
    assert_close(dama_cholesky_condition(&factor, v, next), 1.98 / 0.02, 1e-6);
    dama_cholesky_free(&factor);
}

/* Column 3 is column 1 minus twice column 2 of the factor's matrix B; A = B^T B. */
static void names_what_a_singular_column_depends_on(void **state)
{
    (void)state;
    enum { ROWS = 6, N = 4 };
    double b[ROWS][N], matrix[N * N] = {0};
    for (int r = 0; r < ROWS; r++) {
        b[r][0] = 1 + (r * 7) % 5;
        b[r][1] = (r * r) % 4 - 1;
        b[r][2] = r % 3;
        b[r][3] = b[r][1] - 2 * b[r][2];
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            for (int r = 0; r < ROWS; r++) {
                matrix[i * N + j] += b[r][i] * b[r][j];
            }
        }
    }
    struct dama_cholesky factor;
    double share[N];
    assert_int_equal(dama_cholesky_factor(&factor, N, matrix), 1);
    assert_int_equal(factor.singular, 3);
    dama_cholesky_dependence(&factor, share);
    /* In units of each column's length. */
    double length3 = sqrt(matrix[15]);
    assert_close(share[0], 0, 1e-9);
    assert_close(share[1], sqrt(matrix[5]) / length3, 1e-9);
    assert_close(share[2], -2 * sqrt(matrix[10]) / length3, 1e-9);
    assert_close(share[3], 1, 0);
    dama_cholesky_free(&factor);
}

static void a_column_of_zeros_is_singular(void **state)
{
    (void)state;
    const double matrix[] = {1, 0, 0, 0};
    struct dama_cholesky factor;
    assert_int_equal(dama_cholesky_factor(&factor, 2, matrix), 1);
    assert_int_equal(factor.singular, 1);
    dama_cholesky_free(&factor);
}

static void a_negative_direction_is_refused(void **state)
{
    (void)state;
    const double matrix[] = {1, 2, 2, 1};
    struct dama_cholesky factor;
    assert_int_equal(dama_cholesky_factor(&factor, 2, matrix), 1);
    assert_int_equal(factor.singular, 1);
    dama_cholesky_free(&factor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_a_small_system),
        cmocka_unit_test(inverts_a_hilbert_matrix),
        cmocka_unit_test(condition_is_the_ratio_of_eigenvalues),
        cmocka_unit_test(names_what_a_singular_column_depends_on),
        cmocka_unit_test(a_column_of_zeros_is_singular),
        cmocka_unit_test(a_negative_direction_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
