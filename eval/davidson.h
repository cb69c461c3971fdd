/* The likelihood of Davidson's model and its maximum. */
#ifndef DAMA_DAVIDSON_H
#define DAMA_DAVIDSON_H

#include "eval/rating.h"

enum { DAMA_DAVIDSON_SIZE = DAMA_RATING_PLAYERS_MAX + 1 };

/* Games of a bout as the model sees them: numbers, not integers. */
struct dama_davidson_bout {
    int a, b;
    double wins, draws, losses;
};

/* strength[player], that of the anchor 0; strength[players] is the logarithm of nu. covariance has
   the same order, that of the anchor is 0. */
struct dama_davidson_fit {
    double strength[DAMA_DAVIDSON_SIZE];
    double covariance[DAMA_DAVIDSON_SIZE][DAMA_DAVIDSON_SIZE];
};

/* DAMA_NUMERIC when the information is singular: a player that is not joined to the anchor. */
enum dama_status dama_davidson_maximise(int players, int anchor,
                                        const struct dama_davidson_bout *bouts, int count,
                                        struct dama_davidson_fit *fit);

/* Variance that one game between players of strengths d apart adds to the knowledge of d. */
double dama_davidson_information(double d, double log_nu);

#endif
