/* Calibration of the levels of a variant: node limits at which each step between levels is clear
   and not hopeless. */
#ifndef DAMA_CALIBRATE_H
#define DAMA_CALIBRATE_H

#include "eval/match.h"

/* Level, its opponent, the percent it is to score against it: least, aimed at, most. */
#define DAMA_CALIBRATION_STEPS(X) \
    X(easy, beginner, 40, 68, 80) \
    X(medium, easy, 65, 89, 95)   \
    X(hard, medium, 65, 89, 95)
enum { DAMA_CALIBRATION_STEP_COUNT = 3 };

/* The same on every rank. */
struct dama_calibration_setup {
    struct dama_match_setup match;               /* everything but players, pairs and seed */
    const struct dama_weights *weights;          /* of the levels */
    const struct dama_weights *beginner_weights; /* the hand-set table */
    uint64_t seed;
    int64_t pairs;       /* of the final measurement of a step */
    int64_t probe_pairs; /* of each try at a node limit; 0: measures the levels as they are */
};

struct dama_calibration_step {
    struct dama_level level;
    uint64_t games;
    double percent, error; /* its score against its opponent; half the 95 % interval */
    bool is_good;          /* within least and most */
};
struct dama_calibration {
    struct dama_calibration_step steps[DAMA_CALIBRATION_STEP_COUNT];
};

const char *dama_calibration_opponent(int step);

/* Collective, and the result is everyone's: easy against beginner, then each level against the one
   below as it is then. Only node limits are changed. */
enum dama_status dama_calibrate(const struct dama_calibration_setup *setup,
                                struct dama_calibration *out, struct dama_error *err);

/* The time that moves of a level take: the 99th percentile of `moves` moves from openings on, in
   ms. This rank alone. */
enum dama_status dama_calibration_time(const struct dama_calibration_setup *setup,
                                       const struct dama_level *level, int moves, double *ms,
                                       struct dama_error *err);

/* Whether a levels file can be replaced: it is, by what it holds. To be asked before the play. */
enum dama_status dama_calibration_check_file(const char *path, struct dama_error *err);

/* Puts a variant's levels into a levels file, in place of those it has, with the measured scores
   beside them. */
enum dama_status dama_calibration_write(const char *path, const char *variant,
                                        const struct dama_calibration *calibration,
                                        struct dama_error *err);

#endif
