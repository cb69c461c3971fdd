/* Which openings tell two players apart best: matches from biased openings, window by window. */
#ifndef DAMA_OPENING_WINDOW_H
#define DAMA_OPENING_WINDOW_H

#include "eval/match.h"

/* A window of opening scores, and what pairs from it brought. */
struct dama_window_trial {
    int low, high;
    struct dama_match_result result;
};
/* Share of pairs that do not end level, with its standard error: such pairs tell the players
   apart. */
struct dama_window_share {
    double share, error;
};
struct dama_window_share dama_window_decisive(const struct dama_pairs *pairs);

/* Collective. Plays the match once for each of `count` windows: low and high are read from trials,
   results are written there. The setup's openings are replaced. */
enum dama_status dama_window_measure(const struct dama_match_setup *setup,
                                     struct dama_window_trial *trials, int count,
                                     struct dama_error *err);
/* The trial with the most decisive pairs; the first of equals. */
int dama_window_best(const struct dama_window_trial *trials, int count);

#endif
