/* Many shards in one HDF5 file of the same layout, for those who want one. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cluster/run_folder.h"
#include "cluster/shard_file.h"

struct dama_shard_merge {
    char path[PATH_MAX];
    char part[PATH_MAX];
    hid_t file;
    size_t rows;
    size_t games;
    bool has_failed;
    struct dama_hdf5_reason reason;
};

/* The rename at the end would put the file in place of games, or of a device such as /dev/null. */
static enum dama_status check_target(const char *path, struct dama_error *err)
{
    struct stat info;
    struct dama_shard_header header;
    struct dama_error ignored = {0};
    if (stat(path, &info) != 0) {
        return dama_run_check_target(path, err);
    }
    if (!S_ISREG(info.st_mode)) {
        return dama_fail(err, DAMA_IO, "%s: expected a file to replace, found %s", path,
                         S_ISDIR(info.st_mode) ? "a folder" : "a device or pipe");
    }
    return dama_shard_peek(path, &header, &ignored) == DAMA_OK
               ? dama_fail(err, DAMA_INVALID, "%s: a shard is not replaced by an export", path)
               : dama_run_check_target(path, err);
}

struct dama_shard_merge *dama_shard_merge_new(const char *path,
                                              const struct dama_shard_origin *origin,
                                              struct dama_error *err)
{
    struct dama_shard_merge *merge = calloc(1, sizeof *merge);
    if (!merge) {
        dama_fail(err, DAMA_MEMORY, "%s: out of memory", path);
        return NULL;
    }
    merge->file = -1;
    if (snprintf(merge->path, sizeof merge->path, "%s", path) >= (int)sizeof merge->path ||
        snprintf(merge->part, sizeof merge->part, "%s.part", path) >= (int)sizeof merge->part) {
        dama_fail(err, DAMA_INVALID, "%s: path is too long", path);
        free(merge);
        return NULL;
    }
    if (check_target(path, err) != DAMA_OK) {
        free(merge);
        return NULL;
    }
    dama_hdf5_begin(&merge->reason);
    hid_t creation = dama_hdf5_file_list(0);
    merge->file = H5Fcreate(merge->part, H5F_ACC_TRUNC, creation, H5P_DEFAULT);
    H5Pclose(creation);
    struct dama_table_sizes sizes = {.can_grow = true};
    bool is_made = merge->file >= 0 && dama_hdf5_create(merge->file, origin, &sizes);
    dama_hdf5_end();
    if (!is_made) {
        dama_hdf5_fail(err, merge->part, "create the file", &merge->reason);
        dama_shard_merge_end(merge, false, NULL);
        return NULL;
    }
    return merge;
}

static bool extend(hid_t file, const struct dama_table *table, hsize_t length)
{
    bool is_good = true;
    for (int c = 0; is_good && c < table->count; c++) {
        hid_t set = H5Dopen2(file, table->columns[c].path, H5P_DEFAULT);
        is_good = set >= 0 && H5Dset_extent(set, &length) >= 0;
        is_good = (set < 0 || H5Dclose(set) >= 0) && is_good;
    }
    return is_good;
}

static bool append(struct dama_shard_merge *merge, const struct dama_table *table,
                   const void *records, size_t first, size_t count)
{
    dama_hdf5_begin(&merge->reason);
    bool is_good = extend(merge->file, table, first + count) &&
                   dama_hdf5_write(merge->file, table, records, first, count);
    dama_hdf5_end();
    return is_good;
}

enum dama_status dama_shard_merge_add(struct dama_shard_merge *merge,
                                      const struct dama_shard *shard, struct dama_error *err)
{
    if (merge->games + shard->games > UINT32_MAX) {
        merge->has_failed = true;
        return dama_fail(err, DAMA_UNSUPPORTED, "%s: more than %u games in one file", merge->path,
                         UINT32_MAX);
    }
    struct dama_row *rows = malloc(shard->rows * sizeof *rows + 1);
    struct dama_game_row *games = malloc(shard->games * sizeof *games + 1);
    enum dama_status status = DAMA_OK;
    if (!rows || !games) {
        status = dama_fail(err, DAMA_MEMORY, "%s: out of memory", merge->path);
        goto out;
    }
    for (size_t r = 0; r < shard->rows; r++) {
        rows[r] = shard->row[r];
        rows[r].game += (uint32_t)merge->games;
    }
    for (size_t g = 0; g < shard->games; g++) {
        games[g] = shard->game[g];
        games[g].first_row += merge->rows;
    }
    if (!append(merge, &dama_row_table, rows, merge->rows, shard->rows) ||
        !append(merge, &dama_game_table, games, merge->games, shard->games)) {
        status = dama_hdf5_fail(err, merge->part, "write", &merge->reason);
        goto out;
    }
    merge->rows += shard->rows;
    merge->games += shard->games;
out:
    merge->has_failed |= status != DAMA_OK;
    free(rows);
    free(games);
    return status;
}

/* The bytes are on the disk before the name says so. */
static enum dama_status publish(const struct dama_shard_merge *merge, struct dama_error *err)
{
    int file = open(merge->part, O_RDONLY | O_CLOEXEC);
    bool is_good = file >= 0 && fsync(file) == 0;
    int reason = errno;
    if (file >= 0) {
        close(file);
    }
    if (is_good && rename(merge->part, merge->path) != 0) {
        is_good = false;
        reason = errno;
    }
    return is_good ? DAMA_OK
                   : dama_fail(err, DAMA_IO, "%s: cannot write: %s", merge->path, strerror(reason));
}

enum dama_status dama_shard_merge_end(struct dama_shard_merge *merge, bool keep,
                                      struct dama_error *err)
{
    enum dama_status status = DAMA_OK;
    dama_hdf5_begin(&merge->reason);
    if (merge->file >= 0 && H5Fclose(merge->file) < 0) {
        status = dama_hdf5_fail(err, merge->part, "close", &merge->reason);
    }
    dama_hdf5_end();
    bool is_kept = keep && !merge->has_failed && status == DAMA_OK;
    if (is_kept) {
        status = publish(merge, err);
    }
    if (!is_kept || status != DAMA_OK) {
        unlink(merge->part);
    }
    free(merge);
    return status;
}
