/* The distribution of pairs over their kinds, and its moments. */
#ifndef DAMA_PAIR_MOMENTS_H
#define DAMA_PAIR_MOMENTS_H

#include "eval/stats.h"

/* Score of a pair kind, per game: kind times this. */
static const double dama_pair_step = 0.25;

struct dama_pair_distribution {
    double p[DAMA_PAIR_KINDS];
};
struct dama_pair_moments {
    double mean, variance; /* of a pair's score per game */
};

static inline double dama_pair_score(int kind)
{
    return dama_pair_step * kind;
}

static inline struct dama_pair_moments dama_pair_moments_of(const struct dama_pair_distribution *d)
{
    struct dama_pair_moments m = {0};
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        m.mean += d->p[i] * dama_pair_score(i);
    }
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        double off = dama_pair_score(i) - m.mean;
        m.variance += d->p[i] * off * off;
    }
    return m;
}

#endif
