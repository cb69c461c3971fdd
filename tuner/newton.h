/* Newton's method for a smooth convex function, with steps halved until they lower it. */
#ifndef DAMA_NEWTON_H
#define DAMA_NEWTON_H

#include "engine/error.h"

/* The function at one point; gradient has n numbers, hessian n x n (the lower triangle is used). */
struct dama_newton_point {
    double value;
    double *gradient;
    double *hessian;
};

/* What is minimised. evaluate fills the point at x, or fails; a value that is not finite is a
   result, not a failure. name (may be NULL) writes the name of variable i, for the error of a
   singular system. */
struct dama_newton_problem {
    int n;
    void *context;
    enum dama_status (*evaluate)(void *context, const double *x, struct dama_newton_point *out,
                                 struct dama_error *err);
    void (*name)(void *context, int i, char *out, size_t size);
    /* 0: Newton's step, halved while it does not lower the value. Else this many times Newton's
       step, never halved: a step that raises the value ends the fit with DAMA_NUMERIC. */
    double step;
};

struct dama_newton_step {
    double value;     /* where the step starts */
    double gradient;  /* largest entry of the gradient there, by magnitude */
    double decrement; /* half of g H^-1 g: the fall that a quadratic function would have */
    double length;    /* share of Newton's step taken; 0 at the end */
};

enum { DAMA_NEWTON_STEPS_MAX = 60 };

/* Owned by the caller; free by dama_newton_free. */
struct dama_newton_result {
    int steps; /* entries of step; the last one is the point found */
    struct dama_newton_step step[DAMA_NEWTON_STEPS_MAX];
    double *hessian; /* n x n at the point found */
    double condition;
};

/* Moves x (n numbers, the start) to the minimum, where the decrement is below 1e-10. DAMA_NUMERIC:
   a singular system (the variables that depend on each other are named), a value that is not finite
   or rises, no convergence; x is then the last point that was an improvement. */
enum dama_status dama_newton_minimise(const struct dama_newton_problem *problem, double *x,
                                      struct dama_newton_result *out, struct dama_error *err);
void dama_newton_free(struct dama_newton_result *result);

#endif
