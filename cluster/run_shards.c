/* Walks the shards of a run in the order of their names. */
#include "cluster/run_shards.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_ending(const char *name, const char *ending)
{
    size_t length = strlen(name);
    size_t end = strlen(ending);
    return length > end && strcmp(name + length - end, ending) == 0;
}

/* The entries of a folder in order; -1 with errno. */
static int list(const char *folder, struct dirent ***entries)
{
    return scandir(folder, entries, NULL, versionsort);
}

static void free_entries(struct dirent **entries, int count)
{
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
}

static enum dama_status visit_folder(const char *folder, const char *ending, dama_shard_visit visit,
                                     void *context, struct dama_error *err)
{
    struct dirent **entries = NULL;
    int count = list(folder, &entries);
    if (count < 0) {
        return errno == ENOENT || errno == ENOTDIR
                   ? DAMA_OK
                   : dama_fail(err, DAMA_IO, "%s: cannot read: %s", folder, strerror(errno));
    }
    enum dama_status status = DAMA_OK;
    for (int i = 0; i < count && status == DAMA_OK; i++) {
        char path[PATH_MAX];
        if (has_ending(entries[i]->d_name, ending) &&
            snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name) < PATH_MAX) {
            status = visit(context, path, err);
        }
    }
    free_entries(entries, count);
    return status;
}

/* RUN/below and RUN/gen-NNN/below; below may be ".". */
static enum dama_status visit_run(const char *run, const char *below, const char *ending,
                                  dama_shard_visit visit, void *context, struct dama_error *err)
{
    struct dirent **entries = NULL;
    int count = list(run, &entries);
    if (count < 0) {
        return dama_fail(err, DAMA_IO, "%s: cannot read: %s", run, strerror(errno));
    }
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", run, below);
    enum dama_status status = visit_folder(path, ending, visit, context, err);
    for (int i = 0; i < count && status == DAMA_OK; i++) {
        if (strncmp(entries[i]->d_name, "gen-", 4) == 0 &&
            snprintf(path, sizeof path, "%s/%s/%s", run, entries[i]->d_name, below) < PATH_MAX) {
            status = visit_folder(path, ending, visit, context, err);
        }
    }
    free_entries(entries, count);
    return status;
}

enum dama_status dama_run_shards(const char *run, const char *ending, dama_shard_visit visit,
                                 void *context, struct dama_error *err)
{
    return visit_run(run, "shards", ending, visit, context, err);
}

enum dama_status dama_run_files(const char *run, const char *ending, dama_shard_visit visit,
                                void *context, struct dama_error *err)
{
    return visit_run(run, ".", ending, visit, context, err);
}

bool dama_run_games_are_spent(const char *run, int generation, int64_t window)
{
    char path[PATH_MAX];
    /* The newest generation's games are kept in any case: a resumed training counts them. */
    long long last = generation + (window > 2 ? window : 2) - 1;
    return snprintf(path, sizeof path, "%s/gen-%03lld/weights.dama", run, last) < PATH_MAX &&
           access(path, F_OK) == 0;
}
