/* The files of a run against its plan: by their headers at its start, by every byte at its end. */
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
    bool is_same = line && line->games == header->games && line->rows == header->rows &&
                   line->bytes == header->bytes &&
                   memcmp(line->sha256, header->sha256, DAMA_HASH_SIZE) == 0;
    return is_same ? line : NULL;
}

static void block_path(const struct dama_selfplay_setup *setup, int64_t block,
                       char path[DAMA_PATH_SIZE])
{
    dama_block_path(setup->folder, setup->ruleset->rules.name, block, path, DAMA_PATH_SIZE);
}

/* Room for every block of the plan. */
static enum dama_status reserve(struct dama_missing_blocks *out, const struct dama_block_plan *plan,
                                struct dama_error *err)
{
    size_t blocks = (size_t)dama_block_count(plan);
    out->blocks = malloc(blocks * sizeof *out->blocks);
    return out->blocks ? DAMA_OK
                       : dama_fail(err, DAMA_MEMORY, "no memory for a list of %lu blocks",
                                   (unsigned long long)blocks);
}

/* Whether the bytes of a block's file are not those that its line and header tell of. */
static bool is_damaged(const struct dama_selfplay_setup *setup,
                       const struct dama_manifest *manifest, int64_t block)
{
    char path[DAMA_PATH_SIZE];
    struct dama_shard_header header;
    struct dama_error error = {0};
    block_path(setup, block, path);
    if (dama_shard_check_bytes(path, &header, &error) != DAMA_OK) {
        dama_log_warn("%s; it is played again", error.text);
        return true;
    }
    if (!find_line(manifest, &header) || header.block != (uint64_t)block) {
        dama_log_warn("%s: has changed since the run began; it is played again", path);
        return true;
    }
    return false;
}

/* What a shard says, read whole; NULL when it is damaged, of another request or of other games. */
static const struct dama_block_result *read_block(struct search *search, const char *path,
                                                  struct dama_error *err)
{
    struct dama_shard *shard = &search->shard;
    struct dama_shard_header header;
    struct dama_error error = {0};
    enum dama_status status = dama_shard_load(path, search->origin, shard, &header, &error);
    if (status == DAMA_MEMORY) {
        *err = error;
        return NULL;
    }
    if (status != DAMA_OK) {
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
    block_path(search->setup, block, path);
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

enum dama_status dama_stored_blocks_find(const struct dama_selfplay_setup *setup,
                                         const struct dama_shard_origin *origin,
                                         struct dama_manifest *manifest,
                                         struct dama_missing_blocks *out, struct dama_error *err)
{
    struct search search = {.setup = setup, .origin = origin, .manifest = manifest};
    DAMA_TRY(reserve(out, &setup->plan, err));
    int64_t end = setup->plan.first_block + dama_block_count(&setup->plan);
    for (int64_t block = setup->plan.first_block; block < end; block++) {
        const struct dama_block_result *found = find_block(&search, block, err);
        if (err->status != DAMA_OK) {
            break;
        }
        if (found) {
            out->found_games += found->games;
        } else {
            out->blocks[out->count++] = block;
        }
    }
    dama_shard_free(&search.shard);
    return err->status;
}

static int compare_blocks(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int64_t dama_missing_blocks_find(const struct dama_missing_blocks *list, int64_t block)
{
    const int64_t *at = list->count > 0 ? bsearch(&block, list->blocks, (size_t)list->count,
                                                  sizeof block, compare_blocks)
                                        : NULL;
    return at ? at - list->blocks : -1;
}

enum dama_status dama_stored_blocks_check(const struct dama_selfplay_setup *setup,
                                          const struct dama_manifest *manifest,
                                          const struct dama_missing_blocks *written,
                                          struct dama_missing_blocks *out, struct dama_error *err)
{
    const struct dama_block_plan *plan = &setup->plan;
    int64_t end = plan->first_block + dama_block_count(plan);
    DAMA_TRY(reserve(out, plan, err));
    out->found_games = (uint64_t)plan->games;
#pragma omp parallel for num_threads(setup->threads) schedule(dynamic, 4)
    for (int64_t block = plan->first_block; block < end; block++) {
        if (!dama_stop_requested() && dama_missing_blocks_find(written, block) < 0 &&
            is_damaged(setup, manifest, block)) {
#pragma omp critical(dama_stored_blocks)
            {
                out->found_games -= (uint64_t)dama_block_games(plan, block);
                out->blocks[out->count++] = block;
            }
        }
    }
    qsort(out->blocks, (size_t)out->count, sizeof *out->blocks, compare_blocks);
    return dama_stop_requested() ? dama_fail(err, DAMA_STOPPED, "stopped on request") : DAMA_OK;
}
