/* Newton's method on functions whose minimum is known. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "engine/text.h"
#include "tuner/newton.h"

static void assert_close(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance)) {
        fail_msg("expected %.17g, found %.17g", expected, found);
    }
}

/* (x - 3)^2 + 2 (y + 1)^2 + (x - 3)(y + 1) + 5. */
static enum dama_status quadratic(void *context, const double *x, struct dama_newton_point *out,
                                  struct dama_error *err)
{
    (void)context;
    (void)err;
    double a = x[0] - 3, b = x[1] + 1;
    out->value = a * a + 2 * b * b + a * b + 5;
    out->gradient[0] = 2 * a + b;
    out->gradient[1] = 4 * b + a;
    const double hessian[] = {2, 1, 1, 4};
    memcpy(out->hessian, hessian, sizeof hessian);
    return DAMA_OK;
}

/* sqrt(1 + x^2): convex with its minimum at 0, where Newton's full step from |x| > 1 goes to -x^3
   and so away for ever. */
static enum dama_status hyperbola(void *context, const double *x, struct dama_newton_point *out,
                                  struct dama_error *err)
{
    (void)context;
    (void)err;
    double root = sqrt(1 + x[0] * x[0]);
    out->value = root;
    out->gradient[0] = x[0] / root;
    out->hessian[0] = 1 / (root * root * root);
    return DAMA_OK;
}

/* (x + y)^2: flat along x = -y. */
static enum dama_status valley(void *context, const double *x, struct dama_newton_point *out,
                               struct dama_error *err)
{
    (void)context;
    (void)err;
    double sum = x[0] + x[1];
    out->value = sum * sum;
    out->gradient[0] = out->gradient[1] = 2 * sum;
    const double hessian[] = {2, 2, 2, 2};
    memcpy(out->hessian, hessian, sizeof hessian);
    return DAMA_OK;
}

/* exp(-x): falls for ever, so the decrement never settles before x is beyond all reason. */
static enum dama_status endless(void *context, const double *x, struct dama_newton_point *out,
                                struct dama_error *err)
{
    (void)context;
    (void)err;
    out->value = 1e30 * exp(-x[0]);
    out->gradient[0] = -out->value;
    out->hessian[0] = out->value;
    return DAMA_OK;
}

static enum dama_status not_finite(void *context, const double *x, struct dama_newton_point *out,
                                   struct dama_error *err)
{
    enum dama_status status = hyperbola(context, x, out, err);
    out->value = fabs(x[0]) > 100 ? INFINITY : out->value;
    return status;
}

static void name_fruit(void *context, int i, char *out, size_t size)
{
    (void)context;
    dama_text_format(out, size, "%s", i == 0 ? "apples" : "pears");
}

static void a_quadratic_takes_one_step(void **state)
{
    (void)state;
    struct dama_newton_problem problem = {.n = 2, .evaluate = quadratic};
    struct dama_newton_result result;
    double x[] = {-40, 17};
    assert_int_equal(dama_newton_minimise(&problem, x, &result, NULL), DAMA_OK);
    assert_close(x[0], 3, 1e-12);
    assert_close(x[1], -1, 1e-12);
    assert_int_equal(result.steps, 2);
    assert_close(result.step[0].length, 1, 0);
    assert_close(result.step[1].value, 5, 1e-12);
    assert_close(result.hessian[3], 4, 0);
    dama_newton_free(&result);
}

static void a_step_that_overshoots_is_halved(void **state)
{
    (void)state;
    struct dama_newton_problem problem = {.n = 1, .evaluate = hyperbola};
    struct dama_newton_result result;
    double x = 20;
    assert_int_equal(dama_newton_minimise(&problem, &x, &result, NULL), DAMA_OK);
    assert_close(x, 0, 1e-4);
    assert_true(result.step[0].length < 1);
    for (int i = 1; i < result.steps; i++) {
        assert_true(result.step[i].value < result.step[i - 1].value);
    }
    dama_newton_free(&result);
}

static void c057_a_fixed_step_that_explodes_is_an_error(void **state)
{
    (void)state;
    struct dama_newton_problem problem = {.n = 2, .evaluate = quadratic, .step = 1000};
    struct dama_newton_result result;
    struct dama_error err = {0};
    double x[] = {-40, 17};
    assert_int_equal(dama_newton_minimise(&problem, x, &result, &err), DAMA_NUMERIC);
    assert_non_null(strstr(err.text, "1000 times Newton's"));
    assert_close(x[0], -40, 0); /* the last good point is kept */
    assert_close(x[1], 17, 0);
    dama_newton_free(&result);
}

static void c057_a_value_that_is_not_finite_is_an_error(void **state)
{
    (void)state;
    struct dama_newton_problem problem = {.n = 1, .evaluate = not_finite, .step = 1};
    struct dama_newton_result result;
    struct dama_error err = {0};
    double x = 20;
    assert_int_equal(dama_newton_minimise(&problem, &x, &result, &err), DAMA_NUMERIC);
    assert_non_null(strstr(err.text, "no finite number"));
    assert_close(x, 20, 0);
    dama_newton_free(&result);
}

static void a_singular_system_names_its_variables(void **state)
{
    (void)state;
    struct dama_newton_problem problem = {.n = 2, .evaluate = valley, .name = name_fruit};
    struct dama_newton_result result;
    struct dama_error err = {0};
    double x[] = {1, 1};
    assert_int_equal(dama_newton_minimise(&problem, x, &result, &err), DAMA_NUMERIC);
    assert_string_equal(err.text,
                        "the fit is singular: the data cannot tell these apart: apples, pears");
    dama_newton_free(&result);
}

static void a_function_without_a_minimum_is_an_error(void **state)
{
    (void)state;
    struct dama_newton_problem problem = {.n = 1, .evaluate = endless};
    struct dama_newton_result result;
    struct dama_error err = {0};
    double x = 0;
    assert_int_equal(dama_newton_minimise(&problem, &x, &result, &err), DAMA_NUMERIC);
    assert_non_null(strstr(err.text, "no minimum after"));
    dama_newton_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quadratic_takes_one_step),
        cmocka_unit_test(a_step_that_overshoots_is_halved),
        cmocka_unit_test(c057_a_fixed_step_that_explodes_is_an_error),
        cmocka_unit_test(c057_a_value_that_is_not_finite_is_an_error),
        cmocka_unit_test(a_singular_system_names_its_variables),
        cmocka_unit_test(a_function_without_a_minimum_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
