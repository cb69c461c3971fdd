/* Covariance of fitted weights when the rows of a game share its result. */
#ifndef DAMA_COVARIANCE_H
#define DAMA_COVARIANCE_H

#include "tuner/model.h"

/* Collective. The sandwich H^-1 S H^-1 with S the sum over games of s s^T, s the gradient of one
   game's rows (Liang and Zeger, Biometrika 73, 1986), times games / (games - 1). columns: the point
   found; hessian: columns x columns there. out (the same size, both triangles) may not be hessian.
   The same bits for any ranks and threads. */
enum dama_status dama_covariance(const struct dama_dataset *data, const struct dama_model *model,
                                 const double *columns, const double *hessian, double *out,
                                 struct dama_error *err);

#endif
