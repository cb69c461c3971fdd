/* The fit itself: samples and a parent table in, weights with their uncertainty out. */
#ifndef DAMA_FIT_H
#define DAMA_FIT_H

#include "tuner/model.h"
#include "tuner/newton.h"

/* The ridge adds to the summed loss, for each fitted weight but the unit,
       ridge / 2 * (rows / games) * ((weight - parent's) / (half a man))^2.
   So with ridge 1 a fitted table is expected within half a man of its parent, weight by weight, and
   that belief weighs as much as one game does (whose rows share one result). The parent's weights
   enter at the slope that fits the parent best. */
struct dama_fit_setup {
    struct dama_weights parent;
    bool frozen[DAMA_FEATURE_COUNT];
    double ridge; /* 0: none; a singular fit is then an error */
    double step;  /* as in struct dama_newton_problem */
};

/* Mean log-loss of rows. */
struct dama_fit_loss {
    double constant; /* of the mean outcome of the rows fitted on, whatever the position */
    double parent;   /* of the parent at its best slope */
    double fitted;   /* of the weights found */
    double rounded;  /* of the table, after rounding */
};

/* Owned by the caller; free by dama_fit_free. Vectors are by column of the model, in logits. */
struct dama_fit {
    struct dama_model model;
    double parent_slope; /* logits a man of the parent's score */
    double columns[DAMA_PARAMETERS];
    double weights[DAMA_PARAMETERS]; /* both phases, logits */
    struct dama_newton_result newton;
    double *covariance; /* columns x columns, clustered by game */
    /* Of every weight, hundredths of a man as in the table but not rounded, and its standard error
       (0 for unit and held weights). */
    double worth[DAMA_PARAMETERS], error[DAMA_PARAMETERS];
    struct dama_weights table; /* the parent with new weights and slope; lineage untouched */
    struct dama_fit_loss train, held;
    double seconds;         /* of Newton's steps */
    double rows_per_second; /* rows x evaluations of loss, gradient and Hessian by seconds */
};

/* Collective: every rank calls it with the same setup and gets the same bits. DAMA_NUMERIC for a
   fit that is singular, explodes or does not fit a table; *out is then to be freed all the same. */
enum dama_status dama_fit_run(const struct dama_dataset *data, const struct dama_fit_setup *setup,
                              struct dama_fit *out, struct dama_error *err);
void dama_fit_free(struct dama_fit *fit);

#endif
