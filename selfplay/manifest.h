/* RUN/manifest.jsonl: what each shard says of itself, a line a block. A cache: it can be made again
   from the shards. Only rank 0 uses it. */
#ifndef DAMA_MANIFEST_H
#define DAMA_MANIFEST_H

#include "selfplay/block.h"

/* Results of finished blocks, ascending by block; owned by the manifest. */
struct dama_manifest {
    char path[4096];
    size_t count, capacity;
    struct dama_block_result **blocks;
};

/* Reads what is there; a line that cannot be read is left out (the shard is asked again). An absent
 * file is empty. */
enum dama_status dama_manifest_open(struct dama_manifest *manifest, const char *path,
                                    struct dama_error *err);
void dama_manifest_close(struct dama_manifest *manifest);
/* NULL when the block has no line. */
const struct dama_block_result *dama_manifest_find(const struct dama_manifest *manifest,
                                                   int64_t block);
/* Appends one line; a block that is there already is replaced. */
enum dama_status dama_manifest_add(struct dama_manifest *manifest,
                                   const struct dama_block_result *result, struct dama_error *err);

#endif
