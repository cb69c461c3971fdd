/* The fit itself: samples and a parent table in, weights with their uncertainty out. */
#ifndef DAMA_FIT_H
#define DAMA_FIT_H

#include "tuner/calibration.h"
#include "tuner/covariance.h"
#include "tuner/model.h"
#include "tuner/newton.h"

/* The ridge adds to the summed loss, for each fitted weight but the unit,
       ridge / 2 * (rows / games) * ((weight - parent's ratio * unit) / (half a man))^2,
   weights in logits, the ratio that of the weight to a man of the first phase in the parent, half a
   man at the slope that fits the parent best. So with ridge 1 a table is expected within half a man
   of its parent, weight by weight, and that belief weighs as much as one game does (whose rows
   share one result); a ridge without end gives the parent itself. */
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
    struct dama_covariance covariance;
    /* Of every weight, hundredths of a man as in the table but not rounded, and its standard error
       (0 for unit and held weights): by games, and no less than independent rows would give. */
    double worth[DAMA_PARAMETERS], error[DAMA_PARAMETERS];
    struct dama_weights table; /* the parent with new weights and slope; lineage untouched */
    struct dama_fit_loss train, held;
    struct dama_calibration calibration; /* of the table */
    double seconds;                      /* of Newton's steps */
    double rows_per_second; /* rows x evaluations of loss, gradient and Hessian done here, by
                               seconds */
};

/* Collective: every rank calls it with the same setup and gets the same bits. DAMA_NUMERIC for a
   fit that is singular, explodes or does not fit a table; DAMA_STOPPED as in pass.h; *out is then
   to be freed all the same. */
enum dama_status dama_fit_run(const struct dama_dataset *data, const struct dama_fit_setup *setup,
                              struct dama_fit *out, struct dama_error *err);
void dama_fit_free(struct dama_fit *fit);

#endif
