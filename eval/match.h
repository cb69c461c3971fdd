/* A match of A against B: pairs of games from one opening with colours swapped, over threads and
   ranks, counted in the order of the pairs. */
#ifndef DAMA_MATCH_H
#define DAMA_MATCH_H

#include "engine/cli/options.h"
#include "engine/contest.h"
#include "eval/stats.h"

/* One player. It searches by its limits; a level without limits uses its own, and one with limits
   searches by these with its own noise and margin. At least one limit, unless it is a level;
   time_ms (a move) is not for levels. */
struct dama_match_player {
    const char *name; /* for people and PDN */
    const struct dama_weights *weights;
    const struct dama_level *level; /* NULL: plain search */
    uint64_t nodes;
    int depth;
    int64_t time_ms;
};

/* The same on every rank. What is pointed to must outlive the match. */
struct dama_match_setup {
    const struct dama_ruleset *ruleset;
    struct dama_match_player players[2]; /* A and B */
    enum dama_draw_rules draws;
    int64_t pairs; /* at most; all of them without a sequential test */
    uint64_t seed;
    size_t table_kb; /* of each searcher */
    int random_plies;
    int opening_window;
    int max_plies;
    const struct dama_sprt *sprt; /* NULL: none */
    int threads;                  /* playing threads of this rank */
    const char *pdn;              /* rank 0: where the games go, in order; NULL: nowhere */
    const char *status_path;      /* rank 0: status.json; NULL: none */
};

/* All counted for A, over the pairs played: those up to the first, in order, at which the
   sequential test decides. */
struct dama_match_result {
    struct dama_wdl wdl;
    struct dama_pairs pairs;
    struct dama_elo elo;
    bool has_sprt;
    enum dama_sprt_state sprt;
    double llr;
    uint64_t games;
    uint64_t distinct_games;                     /* by their moves */
    uint64_t terminations[DAMA_END_ONGOING + 1]; /* games by how they ended */
    uint64_t plies;                              /* of all games, openings included */
    double seconds;
};

/* Collective. In pair k of opening k, game 2k has A as the side that moves first and game 2k+1 has
   B. With node or depth limits the result but for its seconds is the same for any ranks and
   threads. The result is everyone's. DAMA_STOPPED when a stop was requested. */
enum dama_status dama_match_run(const struct dama_match_setup *setup,
                                struct dama_match_result *result, struct dama_error *err);

#endif
