/* Finding shards below folders. */
#include "tuner/shard_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cluster/comm.h"
#include "cluster/run_shards.h"

/* Folders nested deeper are not ours (a link that leads in a circle). */
enum { DEPTH_MAX = 16, FIRST_CAPACITY = 64 };

struct walk {
    struct dama_shard_list *list;
    int capacity;
    int depth; /* of the present folder below the given one */
};

static enum dama_status add_file(struct walk *walk, const char *path, struct dama_error *err)
{
    struct dama_shard_list *list = walk->list;
    if (list->count == walk->capacity) {
        int capacity = walk->capacity ? 2 * walk->capacity : FIRST_CAPACITY;
        void *grown = realloc(list->file, (size_t)capacity * sizeof *list->file);
        if (!grown) {
            return dama_fail(err, DAMA_MEMORY, "no memory for a list of %d shards", capacity);
        }
        list->file = grown;
        walk->capacity = capacity;
    }
    struct dama_shard_file *file = &list->file[list->count++];
    memset(file, 0, sizeof *file);
    if ((size_t)snprintf(file->path, sizeof file->path, "%s", path) >= sizeof file->path) {
        return dama_fail(err, DAMA_UNSUPPORTED, "%s: a path longer than %d bytes", path,
                         DAMA_SHARD_PATH_SIZE - 1);
    }
    struct dama_shard_header header;
    struct dama_error ignored = {0};
    if (dama_shard_peek(path, &header, &ignored) == DAMA_OK) {
        file->rows = header.rows;
        memcpy(file->sha256, header.sha256, DAMA_HASH_SIZE);
    }
    return DAMA_OK;
}

/* Whether the file lies in a folder named shards and is called as one. */
static bool is_shard(const char *path)
{
    static const char folder[] = "/shards", ending[] = ".h5";
    const char *name = strrchr(path, '/');
    size_t before = (size_t)(name - path), length = strlen(name);
    return before >= strlen(folder) && !strncmp(name - strlen(folder), folder, strlen(folder)) &&
           length > strlen(ending) && !strcmp(name + length - strlen(ending), ending);
}

static enum dama_status visit_entry(void *context, const char *path, struct dama_error *err)
{
    struct walk *walk = context;
    struct stat info;
    if (stat(path, &info) != 0) {
        return DAMA_OK;
    }
    if (!S_ISDIR(info.st_mode)) {
        return is_shard(path) ? add_file(walk, path, err) : DAMA_OK;
    }
    if (walk->depth == DEPTH_MAX) {
        return DAMA_OK;
    }
    walk->depth++;
    enum dama_status status = dama_folder_visit(path, "*", visit_entry, walk, err);
    walk->depth--;
    return status;
}

static int compare_paths(const void *a, const void *b)
{
    const struct dama_shard_file *left = a, *right = b;
    return strcmp(left->path, right->path);
}

static enum dama_status add_given(struct walk *walk, const char *given, struct dama_error *err)
{
    char folder[DAMA_SHARD_PATH_SIZE];
    /* realpath makes "shards" and "." what they are called, for the test of the folder's name. */
    char *resolved = realpath(given, NULL);
    if (!resolved || strlen(resolved) >= sizeof folder) {
        free(resolved);
        return dama_fail(err, DAMA_IO, "%s: expected a folder of self-play games, found none",
                         given);
    }
    snprintf(folder, sizeof folder, "%s", resolved);
    free(resolved);
    int first = walk->list->count;
    DAMA_TRY(dama_folder_visit(folder, "*", visit_entry, walk, err));
    int found = walk->list->count - first;
    if (found == 0) {
        return dama_fail(err, DAMA_INVALID, "%s: expected shards/*.h5 below it, found none", given);
    }
    qsort(walk->list->file + first, (size_t)found, sizeof *walk->list->file, compare_paths);
    return DAMA_OK;
}

static int compare_content(const void *a, const void *b)
{
    const struct dama_shard_file *const *left = a, *const *right = b;
    int order = memcmp((*left)->sha256, (*right)->sha256, DAMA_HASH_SIZE);
    return order ? order : (*left > *right) - (*left < *right);
}

/* Two files with one content: the same games. */
static enum dama_status refuse_twins(const struct dama_shard_list *list, struct dama_error *err)
{
    static const unsigned char unread[DAMA_HASH_SIZE];
    const struct dama_shard_file **sorted = malloc((size_t)list->count * sizeof *sorted);
    if (!sorted) {
        return dama_fail(err, DAMA_MEMORY, "no memory to compare %d shards", list->count);
    }
    for (int i = 0; i < list->count; i++) {
        sorted[i] = &list->file[i];
    }
    qsort(sorted, (size_t)list->count, sizeof *sorted, compare_content);
    enum dama_status status = DAMA_OK;
    for (int i = 1; i < list->count && status == DAMA_OK; i++) {
        const struct dama_shard_file *a = sorted[i - 1], *b = sorted[i];
        if (memcmp(a->sha256, unread, DAMA_HASH_SIZE) != 0 &&
            memcmp(a->sha256, b->sha256, DAMA_HASH_SIZE) == 0) {
            status = dama_fail(err, DAMA_INVALID, "%s: the same games as %s would count twice",
                               b->path, a->path);
        }
    }
    free(sorted);
    return status;
}

static enum dama_status look(struct dama_shard_list *out, const char *const *folders, int count,
                             struct dama_error *err)
{
    struct walk walk = {.list = out};
    for (int i = 0; i < count; i++) {
        DAMA_TRY(add_given(&walk, folders[i], err));
    }
    return refuse_twins(out, err);
}

enum dama_status dama_shard_list_make(struct dama_shard_list *out, const char *const *folders,
                                      int count, struct dama_error *err)
{
    *out = (struct dama_shard_list){0};
    bool is_first = dama_comm_rank() == 0;
    enum dama_status status = is_first ? look(out, folders, count, err) : DAMA_OK;
    status = dama_comm_agree(status, err);
    if (status != DAMA_OK) {
        dama_shard_list_free(out);
        return status;
    }
    dama_comm_broadcast(&out->count, sizeof out->count);
    if (!is_first) {
        out->file = calloc((size_t)out->count, sizeof *out->file);
        status = out->file
                     ? DAMA_OK
                     : dama_fail(err, DAMA_MEMORY, "no memory for a list of %d shards", out->count);
    }
    status = dama_comm_agree(status, err);
    if (status != DAMA_OK) {
        dama_shard_list_free(out);
        return status;
    }
    dama_comm_broadcast(out->file, (size_t)out->count * sizeof *out->file);
    return DAMA_OK;
}

void dama_shard_list_free(struct dama_shard_list *list)
{
    free(list->file);
    *list = (struct dama_shard_list){0};
}
