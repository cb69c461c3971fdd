/* Covariance of fitted weights when the rows of a game share its result. */
#ifndef DAMA_COVARIANCE_H
#define DAMA_COVARIANCE_H

#include "tuner/model.h"

/* Two covariances of columns, columns x columns each, both triangles. */
struct dama_covariance {
    /* The sandwich H^-1 S H^-1 with S the sum over games of s s^T, s the gradient of one game's
       rows (Liang and Zeger, Biometrika 73, 1986), times games / (games - 1). Too small where a
       weight counts in few games, which the fit then follows too well. */
    double *clustered;
    /* H^-1 times the dispersion of rows: the sum of squared residuals by that of p (1 - p), which
       is 1 without draws. What independent rows would give; the larger of both is the safe one. */
    double *independent;
};

/* Collective. columns: the point found; hessian: columns x columns there. The same bits for any
   ranks and threads. DAMA_STOPPED as in pass.h. Free by dama_covariance_free, after failures too.
 */
enum dama_status dama_covariance_make(struct dama_covariance *out, const struct dama_dataset *data,
                                      const struct dama_model *model, const double *columns,
                                      const double *hessian, struct dama_error *err);
void dama_covariance_free(struct dama_covariance *covariance);

#endif
