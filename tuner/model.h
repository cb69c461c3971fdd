/* Which weights a fit moves. A man of the first phase is the unit: weights that are held keep their
   worth in men, so they move together with it as one column of the fit. */
#ifndef DAMA_MODEL_H
#define DAMA_MODEL_H

#include "engine/weights.h"
#include "tuner/sums.h"

/* What a fit does with a weight. */
#define DAMA_WEIGHT_STATES(X)                                  \
    X(UNIT, "unit") /* a man of the first phase: 100 always */ \
    X(FITTED, "fitted")                                        \
    X(FROZEN, "frozen") /* asked to keep the parent's value */ \
    X(SILENT, "silent") /* in no row fitted on: the parent's value */

enum dama_weight_state {
#define X(name, text) DAMA_WEIGHT_##name,
    DAMA_WEIGHT_STATES(X)
#undef X
};
const char *dama_weight_state_text(enum dama_weight_state state);

/* Column 0 is the unit; column c >= 1 is the weight parameter[c]. Columns are in logits. */
struct dama_model {
    int columns;
    int parameter[DAMA_PARAMETERS];
    double ratio[DAMA_PARAMETERS]; /* of unit and held weights: worth in men; fitted ones: 0 */
    enum dama_weight_state state[DAMA_PARAMETERS];
};

/* frozen[f]: feature f keeps the parent's weights. support: rows in which each weight counts.
   DAMA_INVALID when the parent's man of the first phase is not 100. */
enum dama_status dama_model_init(struct dama_model *model, const struct dama_weights *parent,
                                 const bool frozen[DAMA_FEATURE_COUNT],
                                 const uint64_t support[DAMA_PARAMETERS], struct dama_error *err);
/* Weights of both phases in logits from columns. */
void dama_model_expand(const struct dama_model *model, const double *columns, double *weights);
/* Gradient (columns) and Hessian (columns x columns) by columns. */
void dama_model_reduce(const struct dama_model *model, const struct dama_sums *sums,
                       double *gradient, double *hessian);

/* "king" in the first phase, "king'" in the second. */
void dama_parameter_name(int parameter, char *out, size_t size);

/* The parent's weights in men. */
void dama_weights_in_men(const struct dama_weights *table, double *out);
/* Puts columns into a table: 100 x weight / unit, rounded; held weights as in the parent; the
   slope. DAMA_NUMERIC, with the table as it was, when a weight is no finite number or no int16
   (named), or the unit is not positive. */
enum dama_status dama_model_export(const struct dama_model *model, const double *columns,
                                   struct dama_weights *table, struct dama_error *err);

/* A list "king,back_row" of feature groups into a mask of features: *out is set for those named.
   Unknown names are errors that list the groups. NULL and "" name none. */
enum dama_status dama_feature_groups(const char *list, bool out[DAMA_FEATURE_COUNT],
                                     struct dama_error *err);

#endif
