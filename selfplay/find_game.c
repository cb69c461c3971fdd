/* Binary search over the shards of each folder. */
#include "selfplay/find_game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/run_shards.h"

struct paths {
    char **at;
    size_t count, capacity;
};

struct search {
    uint64_t number;
    struct dama_found_game *out;
    bool is_found;
};

static enum dama_status add_path(void *context, const char *path, struct dama_error *err)
{
    struct paths *paths = context;
    if (paths->count == paths->capacity) {
        size_t capacity = paths->capacity ? 2 * paths->capacity : 64;
        char **grown = realloc(paths->at, capacity * sizeof *grown);
        if (!grown) {
            return dama_fail(err, DAMA_MEMORY, "no memory for a list of shards");
        }
        paths->at = grown;
        paths->capacity = capacity;
    }
    paths->at[paths->count] = strdup(path);
    return paths->at[paths->count++] ? DAMA_OK
                                     : dama_fail(err, DAMA_MEMORY, "no memory for a path");
}

/* Loads shards until the one with the game is found, halving the range each time. */
static enum dama_status search_paths(struct search *search, const struct paths *paths,
                                     struct dama_error *err)
{
    struct dama_shard *shard = &search->out->shard;
    size_t low = 0, high = paths->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *path = paths->at[middle];
        DAMA_TRY(dama_shard_load(path, NULL, shard, NULL, err));
        if (shard->games == 0 || search->number > shard->game[shard->games - 1].id) {
            low = middle + 1;
        } else if (search->number < shard->game[0].id) {
            high = middle;
        } else {
            search->out->index = (size_t)(search->number - shard->game[0].id);
            search->is_found = true;
            snprintf(search->out->path, sizeof search->out->path, "%s", path);
            return DAMA_OK;
        }
    }
    return DAMA_OK;
}

static enum dama_status search_folder(void *context, const char *folder, struct dama_error *err)
{
    struct search *search = context;
    struct paths paths = {0};
    if (search->is_found) {
        return DAMA_OK;
    }
    enum dama_status status = dama_folder_shards(folder, add_path, &paths, err);
    if (status == DAMA_OK) {
        status = search_paths(search, &paths, err);
    }
    for (size_t i = 0; i < paths.count; i++) {
        free(paths.at[i]);
    }
    free(paths.at);
    snprintf(search->out->folder, sizeof search->out->folder, "%s", folder);
    return status;
}

enum dama_status dama_find_game(const char *run, uint64_t number, struct dama_found_game *out,
                                struct dama_error *err)
{
    memset(out, 0, sizeof *out);
    struct search search = {.number = number, .out = out};
    enum dama_status status = dama_run_folders(run, search_folder, &search, err);
    if (status == DAMA_OK && !search.is_found) {
        status = dama_fail(err, DAMA_INVALID, "%s: no shard has game %lu", run,
                           (unsigned long long)number);
    }
    if (status != DAMA_OK) {
        dama_shard_free(&out->shard);
    }
    return status;
}
