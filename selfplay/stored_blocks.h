/* Which blocks of a run are stored and good, and which are to be played. */
#ifndef DAMA_STORED_BLOCKS_H
#define DAMA_STORED_BLOCKS_H

#include "cluster/shard.h"
#include "selfplay/manifest.h"
#include "selfplay/selfplay.h"

struct dama_missing_blocks {
    int64_t *blocks; /* ascending; the caller's to free */
    int64_t count;
    uint64_t found_games; /* in the plan's other blocks */
};

/* The block's place in the list, which ascends; -1 when it is not there. */
int64_t dama_missing_blocks_find(const struct dama_missing_blocks *list, int64_t block);

/* Before play, quick: looks at the header of each block's file. One that the manifest does not know
   by it is read whole and gets its line. A file that is damaged, of another request or of other
   games is named in a warning and counts as missing. `out` must be zeroed. DAMA_MISMATCH when a
   block has more games than the plan leaves it (no game that was played is thrown away),
   DAMA_MEMORY, or the manifest's failures. */
enum dama_status dama_stored_blocks_find(const struct dama_selfplay_setup *setup,
                                         const struct dama_shard_origin *origin,
                                         struct dama_manifest *manifest,
                                         struct dama_missing_blocks *out, struct dama_error *err);

/* After play: reads and hashes, on all threads, the files that were there before, which are all but
   those of `written`. One that is not what its header or the manifest says is named in a warning
   and listed in `out`, which must be zeroed. DAMA_STOPPED when a stop is requested, DAMA_MEMORY. */
enum dama_status dama_stored_blocks_check(const struct dama_selfplay_setup *setup,
                                          const struct dama_manifest *manifest,
                                          const struct dama_missing_blocks *written,
                                          struct dama_missing_blocks *out, struct dama_error *err);

#endif
