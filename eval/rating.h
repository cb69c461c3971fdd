/* Ratings of several players from their pairs of games, by maximum likelihood, with error bars. */
#ifndef DAMA_RATING_H
#define DAMA_RATING_H

#include "engine/error.h"
#include "eval/stats.h"

enum { DAMA_RATING_PLAYERS_MAX = 32 };

/* All that players a and b (a < b) have played, counted for a. */
struct dama_rating_bout {
    int a, b;
    struct dama_wdl wdl;
    struct dama_pairs pairs;
};

/* Players are numbers 0..players-1. Every player must be joined to the anchor by bouts. */
struct dama_rating_table {
    int players;
    int anchor; /* its rating is 0 */
    int bout_count;
    const struct dama_rating_bout *bouts; /* at most one for two players, none without games */
    uint64_t seed;                        /* of the resampling */
};

/* Elo is 400 log10 of the odds of a win against a loss; 95 % interval against the anchor. */
struct dama_rating {
    double elo, low, high;
};

/* Bradley-Terry with draws in Davidson's form ("On extending the Bradley-Terry model to accommodate
   ties", 1970): a win, a draw and a loss are as exp(d/2) : nu : exp(-d/2), where d is the
   difference in strength. A tenth of a win, a draw and a loss is added to each bout, so that a
   clean sweep stays finite. The interval comes from resampling the pairs of each bout, and is never
   narrower than the information in as many independent games allows: a sweep is no certainty.
   ratings has room for all players; *nu is the draw parameter. DAMA_INVALID when a player is not
   joined to the anchor. */
enum dama_status dama_ratings_fit(const struct dama_rating_table *table,
                                  struct dama_rating *ratings, double *nu, struct dama_error *err);

/* The bout of which `pairs` further pairs narrow the intervals of the players marked in is_wide
   most, each against its own width, among those marked in is_open (players x players, a < b). False
   when there is none. */
bool dama_ratings_next(const struct dama_rating_table *table, const bool *is_wide,
                       const bool *is_open, int pairs, int out[2]);

#endif
