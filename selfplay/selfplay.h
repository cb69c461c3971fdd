/* A self-play run: plays the blocks that are missing in a folder, over threads and ranks. */
#ifndef DAMA_SELFPLAY_H
#define DAMA_SELFPLAY_H

#include "selfplay/block.h"

struct dama_selfplay_setup {
    const struct dama_ruleset *ruleset;
    const struct dama_weights *weights; /* the table that plays */
    const struct dama_run_config *config;
    const char
        *folder; /* run.conf, player.dama and shards/ are here: RUN, or RUN/gen-NNN of `train` */
    const char *run; /* manifest.jsonl, status.json and log.jsonl are here */
    struct dama_block_plan plan;
    int threads; /* playing threads of this rank */
};

/* Totals of all blocks of the plan, those found included; the same on every rank. */
struct dama_selfplay_summary {
    uint64_t games, rows, plies, bytes;
    uint64_t results[3];             /* Black won, drawn, White won */
    uint64_t ends[DAMA_END_ONGOING]; /* by termination */
    uint64_t distinct_games, distinct_openings;
    uint64_t played; /* games of this call */
    double seconds;  /* of this call */
};

/* Collective. Stores or checks the request, finds the valid shards, plays the rest. DAMA_STOPPED
   after a stop signal: what is finished is kept. The run must be locked by the caller. Only the
   main thread; opens its own OpenMP team. */
enum dama_status dama_selfplay_run(const struct dama_selfplay_setup *setup,
                                   struct dama_selfplay_summary *summary, struct dama_error *err);

/* Plays a few games of the plan without storing them and fills the estimate of the whole: for
 * --plan. */
struct dama_selfplay_estimate {
    uint64_t sample_games;
    double games_per_second; /* of all `threads` of this rank */
    double rows_per_game;
    double seconds; /* for the plan's games */
    double bytes;
};
enum dama_status dama_selfplay_plan(const struct dama_selfplay_setup *setup,
                                    struct dama_selfplay_estimate *out, struct dama_error *err);

#endif
