/* Newton's method on a convex function. */
#include "tuner/newton.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/text.h"
#include "tuner/cholesky.h"

/* A fall of the summed log-loss that no statistic can see: weights are then within 1e-5 of their
   standard errors, and the next step would be smaller by its square. */
static const double DECREMENT_DONE = 1e-10;
/* A step must bring this share of the fall that its slope promises (Armijo's rule). */
static const double FALL_SHARE = 1e-4;
/* Differences of a sum below this share of it are rounding. */
static const double ROUNDING = 1e-13;
/* 2^-40 of Newton's step: what is no better then never will be. */
static const int HALVINGS_MAX = 40;
/* A column's share in a dependence, below which it is not named. */
static const double SHARE_NAMED = 0.05;

/* Memory of one minimisation: the point where it stands, the trial, and the direction. */
struct search {
    struct dama_newton_point at, trial;
    double *direction;
    double *x;
};

static bool point_new(struct dama_newton_point *point, size_t n)
{
    point->gradient = calloc(n, sizeof *point->gradient);
    point->hessian = calloc(n * n, sizeof *point->hessian);
    return point->gradient && point->hessian;
}

static void point_free(struct dama_newton_point *point)
{
    free(point->gradient);
    free(point->hessian);
}

static void variable_name(const struct dama_newton_problem *problem, int i, char *out, size_t size)
{
    if (problem->name) {
        problem->name(problem->context, i, out, size);
    } else {
        dama_text_format(out, size, "variable %d", i);
    }
}

/* Names the variables whose columns add up to nothing. */
static enum dama_status fail_singular(const struct dama_newton_problem *problem,
                                      const struct dama_cholesky *factor, struct dama_error *err)
{
    double *share = calloc((size_t)problem->n, sizeof *share);
    if (!share) {
        return dama_fail(err, DAMA_MEMORY, "no memory for the error of a singular fit");
    }
    dama_cholesky_dependence(factor, share);
    char list[200] = "";
    struct dama_text names = {.at = list, .size = sizeof list};
    int left_out = 0;
    for (int i = 0; i < problem->n; i++) {
        if (fabs(share[i]) < SHARE_NAMED) {
            continue;
        }
        char name[64];
        variable_name(problem, i, name, sizeof name);
        if (names.length + strlen(name) + 2 < sizeof list) {
            dama_text_add(&names, "%s%s", names.length ? ", " : "", name);
        } else {
            left_out++;
        }
    }
    free(share);
    char more[32] = "";
    if (left_out) {
        dama_text_format(more, sizeof more, " and %d more", left_out);
    }
    return dama_fail(err, DAMA_NUMERIC,
                     "the fit is singular: the data cannot tell these apart: %s%s", list, more);
}

/* direction = H^-1 g, decrement = half of g . direction. */
static enum dama_status solve(const struct dama_newton_problem *problem, struct search *s,
                              double *decrement, struct dama_error *err)
{
    struct dama_cholesky factor;
    int outcome = dama_cholesky_factor(&factor, problem->n, s->at.hessian);
    if (outcome < 0) {
        return dama_fail(err, DAMA_MEMORY, "no memory for a system of %d unknowns", problem->n);
    }
    if (outcome > 0) {
        enum dama_status status = fail_singular(problem, &factor, err);
        dama_cholesky_free(&factor);
        return status;
    }
    dama_cholesky_solve(&factor, s->at.gradient, s->direction);
    dama_cholesky_free(&factor);
    *decrement = 0;
    for (int i = 0; i < problem->n; i++) {
        *decrement += 0.5 * s->at.gradient[i] * s->direction[i];
    }
    return DAMA_OK;
}

static enum dama_status evaluate_at(const struct dama_newton_problem *problem, struct search *s,
                                    const double *x, double length, struct dama_error *err)
{
    for (int i = 0; i < problem->n; i++) {
        s->x[i] = x[i] - length * s->direction[i];
    }
    return problem->evaluate(problem->context, s->x, &s->trial, err);
}

/* Takes a step from x that lowers the value: trial is then the new point and s->x its place. */
static enum dama_status step_down(const struct dama_newton_problem *problem, struct search *s,
                                  const double *x, struct dama_newton_step *step,
                                  struct dama_error *err)
{
    double slack = ROUNDING * fabs(s->at.value);
    double length = problem->step > 0 ? problem->step : 1;
    int halvings = problem->step > 0 ? 0 : HALVINGS_MAX;
    for (int i = 0; i <= halvings; i++, length /= 2) {
        DAMA_TRY(evaluate_at(problem, s, x, length, err));
        double promised = problem->step > 0 ? 0 : 2 * FALL_SHARE * length * step->decrement;
        if (isfinite(s->trial.value) && s->trial.value <= s->at.value - promised + slack) {
            step->length = length;
            return DAMA_OK;
        }
    }
    char text[160];
    if (problem->step > 0) {
        snprintf(text, sizeof text,
                 "a step of %g times Newton's: expected the loss to fall from %g", problem->step,
                 s->at.value);
    } else {
        snprintf(text, sizeof text,
                 "%d halvings of Newton's step: expected the loss to fall from %g", halvings,
                 s->at.value);
    }
    char found[48];
    if (isfinite(s->trial.value)) {
        snprintf(found, sizeof found, "%g", s->trial.value);
    } else {
        snprintf(found, sizeof found, "no finite number");
    }
    return dama_fail(err, DAMA_NUMERIC, "%s, found %s", text, found);
}

static enum dama_status iterate(const struct dama_newton_problem *problem, double *x,
                                struct search *s, struct dama_newton_result *out,
                                struct dama_error *err)
{
    size_t n = (size_t)problem->n;
    DAMA_TRY(problem->evaluate(problem->context, x, &s->at, err));
    if (!isfinite(s->at.value)) {
        return dama_fail(err, DAMA_NUMERIC, "the loss at the start is no finite number");
    }
    while (out->steps < DAMA_NEWTON_STEPS_MAX) {
        struct dama_newton_step *step = &out->step[out->steps];
        *step = (struct dama_newton_step){.value = s->at.value};
        for (size_t i = 0; i < n; i++) {
            step->gradient = fmax(step->gradient, fabs(s->at.gradient[i]));
        }
        DAMA_TRY(solve(problem, s, &step->decrement, err));
        out->steps++;
        if (step->decrement < DECREMENT_DONE) {
            return DAMA_OK;
        }
        DAMA_TRY(step_down(problem, s, x, step, err));
        memcpy(x, s->x, n * sizeof *x);
        struct dama_newton_point left = s->at;
        s->at = s->trial;
        s->trial = left;
    }
    return dama_fail(err, DAMA_NUMERIC, "no minimum after %d steps: expected the loss to settle",
                     DAMA_NEWTON_STEPS_MAX);
}

/* Hands the Hessian of the point found over to the result, with its condition number. */
static enum dama_status finish(const struct dama_newton_problem *problem, struct search *s,
                               struct dama_newton_result *out, struct dama_error *err)
{
    struct dama_cholesky factor;
    if (dama_cholesky_factor(&factor, problem->n, s->at.hessian) != 0) {
        return dama_fail(err, DAMA_MEMORY, "no memory for a system of %d unknowns", problem->n);
    }
    out->condition = dama_cholesky_condition(&factor, s->x, s->direction);
    dama_cholesky_free(&factor);
    out->hessian = s->at.hessian;
    s->at.hessian = NULL;
    return DAMA_OK;
}

enum dama_status dama_newton_minimise(const struct dama_newton_problem *problem, double *x,
                                      struct dama_newton_result *out, struct dama_error *err)
{
    assert(problem->n >= 1);
    size_t n = (size_t)problem->n;
    *out = (struct dama_newton_result){0};
    struct search s = {.direction = calloc(n, sizeof(double)), .x = calloc(n, sizeof(double))};
    bool has_memory = point_new(&s.at, n) & point_new(&s.trial, n);
    enum dama_status status =
        has_memory && s.direction && s.x
            ? iterate(problem, x, &s, out, err)
            : dama_fail(err, DAMA_MEMORY, "no memory for a fit of %d weights", problem->n);
    if (status == DAMA_OK) {
        status = finish(problem, &s, out, err);
    }
    point_free(&s.at);
    point_free(&s.trial);
    free(s.direction);
    free(s.x);
    return status;
}

void dama_newton_free(struct dama_newton_result *result)
{
    free(result->hessian);
    result->hessian = NULL;
}
