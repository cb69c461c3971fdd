/* How long a sequential test is going to take. */
#ifndef DAMA_MATCH_PLAN_H
#define DAMA_MATCH_PLAN_H

#include "eval/match.h"

struct dama_match_plan {
    const struct dama_sprt *sprt;
    double draw_ratio; /* of games between equal players; NAN: a few pairs are played to see */
    bool json;
};

/* Collective. Prints on rank 0 how many pairs and how much time the test needs when the truth is
   H0, halfway, or H1. The setup is that of the match; nothing is stored. */
enum dama_status dama_match_plan_run(const struct dama_match_setup *setup,
                                     const struct dama_match_plan *plan, struct dama_error *err);

#endif
