/* Walks folders and the shards of a run in the order of their names. */
#include "cluster/run_shards.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cluster/comm.h"

static const char generations[] = "gen-*";

static enum dama_status join(char out[PATH_MAX], const char *folder, const char *name,
                             struct dama_error *err)
{
    return snprintf(out, PATH_MAX, "%s/%s", folder, name) < PATH_MAX
               ? DAMA_OK
               : dama_fail(err, DAMA_UNSUPPORTED, "%s: a path longer than %d bytes", folder,
                           PATH_MAX - 1);
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static int is_entry(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

enum dama_status dama_folder_visit(const char *folder, const char *pattern, dama_path_visit visit,
                                   void *context, struct dama_error *err)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_entry, versionsort);
    if (count < 0) {
        return dama_fail(err, DAMA_IO, "%s: cannot read: %s", folder, strerror(errno));
    }
    enum dama_status status = DAMA_OK;
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];
        if (status == DAMA_OK && fnmatch(pattern, entries[i]->d_name, 0) == 0) {
            status = join(path, folder, entries[i]->d_name, err);
            status = status == DAMA_OK ? visit(context, path, err) : status;
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

/* What is wanted of a run and of each of its generations. */
struct search {
    const char *below;
    char pattern[NAME_MAX];
    dama_path_visit visit;
    void *context;
};

static enum dama_status visit_below(void *context, const char *folder, struct dama_error *err)
{
    const struct search *search = context;
    char path[PATH_MAX];
    DAMA_TRY(join(path, folder, search->below, err));
    return is_folder(path)
               ? dama_folder_visit(path, search->pattern, search->visit, search->context, err)
               : DAMA_OK;
}

/* RUN/below and RUN/gen-NNN/below; below may be ".". */
static enum dama_status visit_run(const char *run, const char *ending, struct search *search,
                                  struct dama_error *err)
{
    snprintf(search->pattern, sizeof search->pattern, "*%s", ending);
    DAMA_TRY(visit_below(search, run, err));
    return dama_folder_visit(run, generations, visit_below, search, err);
}

enum dama_status dama_run_shards(const char *run, const char *ending, dama_path_visit visit,
                                 void *context, struct dama_error *err)
{
    struct search search = {.below = "shards", .visit = visit, .context = context};
    return visit_run(run, ending, &search, err);
}

enum dama_status dama_run_files(const char *run, const char *ending, dama_path_visit visit,
                                void *context, struct dama_error *err)
{
    struct search search = {.below = ".", .visit = visit, .context = context};
    return visit_run(run, ending, &search, err);
}

enum dama_status dama_folder_shards(const char *folder, dama_path_visit visit, void *context,
                                    struct dama_error *err)
{
    char path[PATH_MAX];
    DAMA_TRY(join(path, folder, "shards", err));
    return dama_folder_visit(path, "*.h5", visit, context, err);
}

static enum dama_status count_one(void *context, const char *path, struct dama_error *err)
{
    int *count = context;
    (void)path;
    (void)err;
    ++*count;
    return DAMA_OK;
}

enum dama_status dama_run_folders(const char *run, dama_path_visit visit, void *context,
                                  struct dama_error *err)
{
    char path[PATH_MAX];
    DAMA_TRY(join(path, run, "shards", err));
    if (access(path, F_OK) == 0) {
        return visit(context, run, err);
    }
    int count = 0;
    DAMA_TRY(dama_folder_visit(run, generations, count_one, &count, err));
    DAMA_TRY(join(path, run, "run.conf", err));
    /* A training may have stopped before its first generation. */
    if (count == 0 && access(path, F_OK) != 0) {
        return dama_fail(err, DAMA_INVALID, "%s: expected a run (shards/, gen-000/), found none",
                         run);
    }
    return dama_folder_visit(run, generations, visit, context, err);
}

/* Paths, each with its end, one behind the other. */
struct paths {
    char *text;
    size_t size;
};

static enum dama_status add_path(void *context, const char *path, struct dama_error *err)
{
    struct paths *paths = context;
    size_t length = strlen(path) + 1;
    char *grown = realloc(paths->text, paths->size + length);
    if (!grown) {
        return dama_fail(err, DAMA_MEMORY, "no memory for a list of folders");
    }
    memcpy(grown + paths->size, path, length);
    paths->text = grown;
    paths->size += length;
    return DAMA_OK;
}

/* Collective: rank 0's paths, on every rank. */
static enum dama_status share_paths(struct paths *paths, struct dama_error *err)
{
    dama_comm_broadcast(&paths->size, sizeof paths->size);
    if (dama_comm_rank() != 0) {
        paths->text = malloc(paths->size + 1);
    }
    DAMA_TRY(dama_comm_agree(paths->text || paths->size == 0
                                 ? DAMA_OK
                                 : dama_fail(err, DAMA_MEMORY, "no memory for a list of folders"),
                             err));
    dama_comm_broadcast(paths->text, paths->size);
    return DAMA_OK;
}

enum dama_status dama_run_folders_together(const char *run, dama_path_visit visit, void *context,
                                           struct dama_error *err)
{
    struct paths paths = {0};
    bool is_first = dama_comm_rank() == 0;
    enum dama_status status =
        dama_comm_agree(is_first ? dama_run_folders(run, add_path, &paths, err) : DAMA_OK, err);
    if (status == DAMA_OK) {
        status = share_paths(&paths, err);
    }
    for (size_t at = 0; at < paths.size && status == DAMA_OK; at += strlen(paths.text + at) + 1) {
        status = visit(context, paths.text + at, err);
    }
    free(paths.text);
    return status;
}

bool dama_run_games_are_spent(const char *run, int generation, int64_t window)
{
    char path[PATH_MAX];
    /* The newest generation's games are kept in any case: a resumed training counts them. */
    long long last = generation + (window > 2 ? window : 2) - 1;
    return snprintf(path, sizeof path, "%s/gen-%03lld/weights.dama", run, last) < PATH_MAX &&
           access(path, F_OK) == 0;
}
