/* Calibration: what a table's scores promise, beside what the games brought. */
#ifndef DAMA_CALIBRATION_H
#define DAMA_CALIBRATION_H

#include "engine/weights.h"
#include "tuner/sums.h"

/* Bins of the score for the side to move, DAMA_CALIBRATION_WIDTH hundredths of a man each, the
   middle one around 0; the two at the ends take all beyond. */
enum { DAMA_CALIBRATION_BINS = 15, DAMA_CALIBRATION_WIDTH = 50 };

struct dama_calibration_bin {
    uint64_t rows;
    double expected; /* mean share of the points by the table's slope; 0 without rows */
    double scored;   /* mean share of the points in the games */
};
struct dama_calibration {
    bool is_held; /* on the rows held out; on those fitted on when none are */
    struct dama_calibration_bin bin[DAMA_CALIBRATION_BINS];
};

/* The score in the middle of a bin. */
static inline int dama_calibration_score(int bin)
{
    return (bin - DAMA_CALIBRATION_BINS / 2) * DAMA_CALIBRATION_WIDTH;
}

/* Collective. The same bits for any ranks and threads. DAMA_STOPPED as in pass.h. */
enum dama_status dama_calibration_measure(const struct dama_dataset *data,
                                          const struct dama_weights *table,
                                          struct dama_calibration *out, struct dama_error *err);

#endif
