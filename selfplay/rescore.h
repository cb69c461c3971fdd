/* Other scores for stored games: the same rows and labels, searched deeper or with another table.
 */
#ifndef DAMA_RESCORE_H
#define DAMA_RESCORE_H

#include "selfplay/rescore_queue.h"

struct dama_rescore_setup {
    const char *run; /* the games: a run of self-play, training, import or rescore */
    const char *out; /* the new run, locked by the caller: the same folders and shards */
    const struct dama_common *table; /* its weights: NULL is the table beside the games */
    uint64_t nodes;                  /* a position; 0 is no limit */
    int depth;
    size_t table_kb;
    int threads;
};
/* All shards of the new run, those found included; the same on every rank. */
struct dama_rescore_summary {
    uint64_t shards, games, rows;
    uint64_t searched; /* shards of this call */
    double seconds;
};

/* Collective. Gives scores to the shards that the new run lacks, over threads and ranks; the bytes
   do not depend on either. The request keeps the lines that describe the games, has the new table
   and engine, the limits (rescore_nodes ...), and the SHA-256 of the parent's request, which is
   kept as parent.conf. DAMA_STOPPED after a stop signal: the same call goes on. */
enum dama_status dama_rescore_run(const struct dama_rescore_setup *setup,
                                  struct dama_rescore_summary *summary, struct dama_error *err);

#endif
