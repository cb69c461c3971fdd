/* Which blocks of a run are stored and good, and which are to be played. */
#ifndef DAMA_STORED_BLOCKS_H
#define DAMA_STORED_BLOCKS_H

#include "cluster/shard.h"
#include "selfplay/manifest.h"
#include "selfplay/selfplay.h"

struct dama_missing_blocks {
    int64_t *blocks; /* ascending; the caller's to free */
    int64_t count;
    uint64_t found_games; /* in the plan's blocks that need not be played */
};

/* Looks at the file of each block of the plan. One that the manifest knows by its header is hashed,
   on all threads; any other is read whole and gets its line. A file that is damaged, of another
   request or of other games is named in a warning and counts as missing. `out` must be zeroed.
   DAMA_MISMATCH when a block has more games than the plan leaves it (no game that was played is
   thrown away), DAMA_STOPPED when a stop is requested, DAMA_MEMORY, or the manifest's failures. */
enum dama_status dama_stored_blocks_find(const struct dama_selfplay_setup *setup,
                                         const struct dama_shard_origin *origin,
                                         struct dama_manifest *manifest,
                                         struct dama_missing_blocks *out, struct dama_error *err);

#endif
