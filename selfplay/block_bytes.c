/* Hashing the files of a run on all threads. */
#include "selfplay/block_bytes.h"

#include <string.h>

#include "cluster/log.h"
#include "cluster/run_folder.h"
#include "selfplay/run_store.h"

/* Only of what the manifest knows by its header: what it does not know is read whole elsewhere. */
static bool is_bad(const struct dama_block_bytes *of, int64_t block)
{
    char path[DAMA_PATH_SIZE];
    struct dama_shard_header header;
    struct dama_error error = {0};
    const struct dama_block_result *known = dama_manifest_find(of->manifest, block);
    dama_block_path(of->folder, of->variant, block, path, sizeof path);
    if (!known || dama_shard_peek(path, &header, &error) != DAMA_OK ||
        known->bytes != header.bytes || memcmp(known->sha256, header.sha256, DAMA_HASH_SIZE) != 0 ||
        dama_shard_check_bytes(path, &header, &error) == DAMA_OK) {
        return false;
    }
    dama_log_warn("%s; it is played again", error.text);
    return true;
}

enum dama_status dama_block_bytes_check(const struct dama_block_bytes *of, bool *is_damaged,
                                        struct dama_error *err)
{
    int64_t blocks = dama_block_count(of->plan);
#pragma omp parallel for num_threads(of->threads) schedule(dynamic, 4)
    for (int64_t b = 0; b < blocks; b++) {
        is_damaged[b] = !dama_stop_requested() && is_bad(of, of->plan->first_block + b);
    }
    return dama_stop_requested() ? dama_fail(err, DAMA_STOPPED, "stopped on request") : DAMA_OK;
}
