/* Whether the files of a run still have the bytes that were written. */
#ifndef DAMA_BLOCK_BYTES_H
#define DAMA_BLOCK_BYTES_H

#include "selfplay/block.h"
#include "selfplay/manifest.h"

struct dama_block_bytes {
    const char *folder;
    const char *variant;
    const struct dama_block_plan *plan;
    const struct dama_manifest *manifest;
    int threads;
};

/* Reads and hashes, on all threads, each file whose header is what the manifest says of its block.
   is_damaged[k], of plan->first_block + k, becomes true when the rest of the file is not; a warning
   names it. Ends early with DAMA_STOPPED when a stop is requested. */
enum dama_status dama_block_bytes_check(const struct dama_block_bytes *of, bool *is_damaged,
                                        struct dama_error *err);

#endif
