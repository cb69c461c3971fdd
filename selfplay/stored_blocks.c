/* The files of a run against its plan: hashed on all threads, then listed in order. */
#include "selfplay/stored_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "cluster/log.h"
#include "cluster/run_folder.h"
#include "selfplay/run_store.h"

struct search {
    const struct dama_selfplay_setup *setup;
    const struct dama_shard_origin *origin;
    struct dama_manifest *manifest;
    struct dama_shard shard; /* read whole */
};

/* The manifest's line of a block when it is of the file with this header, else NULL. */
static const struct dama_block_result *find_line(const struct dama_manifest *manifest,
                                                 const struct dama_shard_header *header)
{
    const struct dama_block_result *line = dama_manifest_find(manifest, (int64_t)header->block);
    bool is_same = line && line->bytes == header->bytes &&
                   memcmp(line->sha256, header->sha256, DAMA_HASH_SIZE) == 0;
    return is_same ? line : NULL;
}

static void block_path(const struct search *search, int64_t block, char path[DAMA_PATH_SIZE])
{
    dama_block_path(search->setup->folder, search->setup->ruleset->rules.name, block, path,
                    DAMA_PATH_SIZE);
}

/* True when the manifest knows the file by its header, and the bytes behind it are others. */
static bool is_damaged(const struct search *search, int64_t block)
{
    char path[DAMA_PATH_SIZE];
    struct dama_shard_header header;
    struct dama_error error = {0};
    block_path(search, block, path);
    if (dama_shard_peek(path, &header, &error) != DAMA_OK || header.block != (uint64_t)block ||
        !find_line(search->manifest, &header) ||
        dama_shard_check_bytes(path, &header, &error) == DAMA_OK) {
        return false;
    }
    dama_log_warn("%s; it is played again", error.text);
    return true;
}

/* What a shard says, read whole; NULL when it is damaged, of another request or of other games. */
static const struct dama_block_result *read_block(struct search *search, const char *path,
                                                  struct dama_error *err)
{
    struct dama_shard *shard = &search->shard;
    struct dama_shard_header header;
    struct dama_error error = {0};
    if (dama_shard_load(path, search->origin, shard, &header, &error) != DAMA_OK) {
        dama_log_warn("%s; it is played again", error.text);
        return NULL;
    }
    int64_t first = dama_block_first_game(&search->setup->plan, (int64_t)header.block);
    if (shard->game[0].id != (uint64_t)first) {
        dama_log_warn("%s: expected game %lld first, found %llu; it is played again", path,
                      (long long)first, (unsigned long long)shard->game[0].id);
        return NULL;
    }
    struct dama_block_result *result = calloc(1, dama_block_result_size((int64_t)header.games));
    if (!result) {
        dama_fail(err, DAMA_MEMORY, "no memory for a block of %lu games",
                  (unsigned long long)header.games);
        return NULL;
    }
    dama_block_result_fill(result, shard, &header);
    dama_manifest_add(search->manifest, result, err);
    free(result);
    return dama_manifest_find(search->manifest, (int64_t)header.block);
}

/* What the file of a block says, by the manifest or read whole; NULL: to be played. */
static const struct dama_block_result *find_block(struct search *search, int64_t block,
                                                  struct dama_error *err)
{
    char path[DAMA_PATH_SIZE];
    struct dama_shard_header header;
    struct dama_error error = {0};
    block_path(search, block, path);
    if (!dama_file_exists(path)) {
        return NULL;
    }
    if (dama_shard_peek(path, &header, &error) != DAMA_OK) {
        dama_log_warn("%s; it is played again", error.text);
        return NULL;
    }
    if (header.block != (uint64_t)block) {
        dama_log_warn("%s: expected block %lld, found %llu; it is played again", path,
                      (long long)block, (unsigned long long)header.block);
        return NULL;
    }
    int games = dama_block_games(&search->setup->plan, block);
    if (header.games > (uint64_t)games) {
        dama_fail(err, DAMA_MISMATCH,
                  "%s holds %lu games, %d would be left of them; the games of a run may only grow",
                  path, (unsigned long long)header.games, games);
        return NULL;
    }
    if (header.games < (uint64_t)games) {
        return NULL;
    }
    const struct dama_block_result *known = find_line(search->manifest, &header);
    return known ? known : read_block(search, path, err);
}

static enum dama_status hash_blocks(const struct search *search, bool *damaged,
                                    struct dama_error *err)
{
    const struct dama_block_plan *plan = &search->setup->plan;
    int64_t blocks = dama_block_count(plan);
#pragma omp parallel for num_threads(search->setup->threads) schedule(dynamic, 4)
    for (int64_t i = 0; i < blocks; i++) {
        damaged[i] = !dama_stop_requested() && is_damaged(search, plan->first_block + i);
    }
    return dama_stop_requested() ? dama_fail(err, DAMA_STOPPED, "stopped on request") : DAMA_OK;
}

static enum dama_status list_missing(struct search *search, const bool *damaged,
                                     struct dama_missing_blocks *out, struct dama_error *err)
{
    const struct dama_block_plan *plan = &search->setup->plan;
    for (int64_t i = 0; i < dama_block_count(plan); i++) {
        int64_t block = plan->first_block + i;
        const struct dama_block_result *found = damaged[i] ? NULL : find_block(search, block, err);
        if (err->status != DAMA_OK) {
            return err->status;
        }
        if (found) {
            out->found_games += found->games;
        } else {
            out->blocks[out->count++] = block;
        }
    }
    return DAMA_OK;
}

enum dama_status dama_stored_blocks_find(const struct dama_selfplay_setup *setup,
                                         const struct dama_shard_origin *origin,
                                         struct dama_manifest *manifest,
                                         struct dama_missing_blocks *out, struct dama_error *err)
{
    struct search search = {.setup = setup, .origin = origin, .manifest = manifest};
    size_t blocks = (size_t)dama_block_count(&setup->plan);
    bool *damaged = calloc(blocks, sizeof *damaged);
    out->blocks = malloc(blocks * sizeof *out->blocks);
    enum dama_status status =
        damaged && out->blocks ? hash_blocks(&search, damaged, err)
                               : dama_fail(err, DAMA_MEMORY, "no memory for a list of %lu blocks",
                                           (unsigned long long)blocks);
    if (status == DAMA_OK) {
        status = list_missing(&search, damaged, out, err);
    }
    dama_shard_free(&search.shard);
    free(damaged);
    return status;
}
