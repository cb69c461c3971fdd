/* HDF5 layout of a shard: groups, datasets, attributes, and writing of columns. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/shard_file.h"
#include "engine/cli/options.h"

/* Half the children of a node of a dataset's chunk index: 8 chunks are half a million rows. The
   library's 32 costs 2 KiB a dataset, as much as the data of a small block. */
enum { INDEX_HALF_CHILDREN = 4 };
enum { CHUNK_ROWS = 65536, DEFLATE_LEVEL = 1, TEXT_SIZE = 80 };

/* Not every build of the library may be called by two threads at once. */
static pthread_mutex_t library_mutex = PTHREAD_MUTEX_INITIALIZER;

/* What failed, and the system's words for it, out of what the library says of a file: several lines
   with the time, the file and the sizes. */
static void keep_words(struct dama_hdf5_reason *reason, const char *words)
{
    static const char mark[] = "error message = '";
    const char *cause = strstr(words, mark);
    if (cause) {
        cause += strlen(mark);
        snprintf(reason->text, sizeof reason->text, "%.*s: %.*s", (int)strcspn(words, ":\n"), words,
                 (int)strcspn(cause, "'\n"), cause);
        return;
    }
    snprintf(reason->text, sizeof reason->text, "%.*s", (int)strcspn(words, "\n"), words);
}

static herr_t keep_innermost(unsigned depth, const H5E_error2_t *entry, void *context)
{
    if (depth == 0 && entry->desc) {
        keep_words(context, entry->desc);
    }
    return 0;
}

/* HDF5 calls this when a call fails; the next call would empty its stack. */
static herr_t keep_first(hid_t stack, void *context)
{
    const struct dama_hdf5_reason *reason = context;
    return reason->text[0] ? 0 : H5Ewalk2(stack, H5E_WALK_UPWARD, keep_innermost, context);
}

void dama_hdf5_begin(struct dama_hdf5_reason *reason)
{
    static bool has_begun;
    pthread_mutex_lock(&library_mutex);
    if (!has_begun) {
        /* At exit the library would close once more a file that a full disk has kept it from
           closing, and crash. All files are closed by then. */
        H5dont_atexit();
        has_begun = true;
    }
    reason->text[0] = 0;
    H5Eset_auto2(H5E_DEFAULT, keep_first, reason);
}

void dama_hdf5_end(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    pthread_mutex_unlock(&library_mutex);
}

enum dama_status dama_hdf5_fail(struct dama_error *err, const char *path, const char *what,
                                const struct dama_hdf5_reason *reason)
{
    /* Not damage: what is damaged may be left out when that is asked for. */
    bool is_memory = !reason->text[0] || strstr(reason->text, "memory");
    return dama_fail(err, is_memory ? DAMA_MEMORY : DAMA_CORRUPT, "%s: HDF5 cannot %s: %s", path,
                     what, reason->text[0] ? reason->text : "out of memory");
}

int dama_origin_men(const struct dama_shard_origin *origin)
{
    return origin->men ? origin->men : (origin->board_size / 2 - 1) * origin->board_size / 2;
}

/* Variable-length UTF-8: arrives as str in h5py. */
static bool write_text(hid_t object, const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    hid_t space = H5Screate(H5S_SCALAR);
    bool is_good = type >= 0 && space >= 0 && H5Tset_size(type, H5T_VARIABLE) >= 0 &&
                   H5Tset_cset(type, H5T_CSET_UTF8) >= 0;
    hid_t attribute =
        is_good ? H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
    is_good = attribute >= 0 && H5Awrite(attribute, type, &text) >= 0;
    if (attribute >= 0) {
        is_good &= H5Aclose(attribute) >= 0;
    }
    H5Sclose(space);
    H5Tclose(type);
    return is_good;
}

static bool write_number(hid_t object, const char *name, const char *format, unsigned value)
{
    char text[TEXT_SIZE];
    snprintf(text, sizeof text, format, value);
    return write_text(object, name, text);
}

static bool write_hash(hid_t object, const char *name, const unsigned char *hash)
{
    char text[2 * DAMA_HASH_SIZE + 1];
    dama_hash_hex(hash, text);
    return write_text(object, name, text);
}

static bool write_root(hid_t file, const struct dama_shard_origin *origin)
{
    hid_t root = H5Gopen2(file, "/", H5P_DEFAULT);
    if (root < 0) {
        return false;
    }
    bool is_good = write_number(root, "format_version", "%u", DAMA_SHARD_VERSION) &&
                   write_text(root, "variant", origin->variant) &&
                   write_number(root, "board_size", "%u", (unsigned)origin->board_size) &&
                   write_number(root, "men", "%u", (unsigned)dama_origin_men(origin)) &&
                   write_number(root, "engine_signature", "%08x", origin->engine_signature) &&
                   write_hash(root, "rules_hash", origin->rules_hash) &&
                   write_hash(root, "weights_hash", origin->weights_hash) &&
                   write_hash(root, "features_hash", origin->features_hash) &&
                   write_text(root, "request", origin->request);
    return H5Gclose(root) >= 0 && is_good;
}

/* No time stamps: the same rows give the same bytes. An empty column has no chunks, since a fixed
   dataset may not be smaller than its chunk. */
static hid_t dataset_list(size_t count, bool can_grow)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t chunk = can_grow || count > CHUNK_ROWS ? CHUNK_ROWS : count;
    bool is_good = list >= 0 && H5Pset_obj_track_times(list, false) >= 0;
    if (is_good && chunk > 0) {
        is_good = H5Pset_chunk(list, 1, &chunk) >= 0 && H5Pset_shuffle(list) >= 0 &&
                  H5Pset_deflate(list, DEFLATE_LEVEL) >= 0 && H5Pset_fletcher32(list) >= 0;
    }
    return is_good ? list : -1;
}

static bool create_column(hid_t file, const struct dama_column *column, int board_size,
                          size_t count, bool can_grow)
{
    hsize_t length = count;
    hsize_t limit = can_grow ? H5S_UNLIMITED : count;
    hid_t list = dataset_list(count, can_grow);
    hid_t space = H5Screate_simple(1, &length, &limit);
    hid_t set = list >= 0 && space >= 0
                    ? H5Dcreate2(file, column->path, dama_column_file_type(column, board_size),
                                 space, H5P_DEFAULT, list, H5P_DEFAULT)
                    : -1;
    bool is_good = set >= 0 && write_text(set, "description", column->description) &&
                   write_text(set, "units", column->units);
    if (set >= 0) {
        is_good &= H5Dclose(set) >= 0;
    }
    H5Sclose(space);
    H5Pclose(list);
    return is_good;
}

static bool create_table(hid_t file, const struct dama_table *table, int board_size, size_t count,
                         bool can_grow)
{
    hid_t list = H5Pcreate(H5P_GROUP_CREATE);
    hid_t group = -1;
    if (list >= 0 && H5Pset_obj_track_times(list, false) >= 0) {
        group = H5Gcreate2(file, table->group, H5P_DEFAULT, list, H5P_DEFAULT);
    }
    H5Pclose(list);
    if (group < 0 || H5Gclose(group) < 0) {
        return false;
    }
    for (int c = 0; c < table->count; c++) {
        if (!create_column(file, &table->columns[c], board_size, count, can_grow)) {
            return false;
        }
    }
    return true;
}

bool dama_hdf5_create(hid_t file, const struct dama_shard_origin *origin,
                      const struct dama_table_sizes *sizes)
{
    int board_size = origin->board_size;
    return create_table(file, &dama_row_table, board_size, sizes->rows, sizes->can_grow) &&
           create_table(file, &dama_game_table, board_size, sizes->games, sizes->can_grow) &&
           write_root(file, origin);
}

hid_t dama_hdf5_file_list(hsize_t user_block)
{
    hid_t list = H5Pcreate(H5P_FILE_CREATE);
    if (list >= 0 &&
        (H5Pset_userblock(list, user_block) < 0 || H5Pset_istore_k(list, INDEX_HALF_CHILDREN) < 0 ||
         H5Pset_obj_track_times(list, false) < 0)) {
        H5Pclose(list);
        return -1;
    }
    return list;
}

static bool write_column(hid_t file, const struct dama_column *column, const void *values,
                         hsize_t first, hsize_t count)
{
    hid_t set = H5Dopen2(file, column->path, H5P_DEFAULT);
    hid_t space = set >= 0 ? H5Dget_space(set) : -1;
    hid_t memory = H5Screate_simple(1, &count, NULL);
    bool is_good = space >= 0 && memory >= 0 &&
                   H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &count, NULL) >= 0 &&
                   H5Dwrite(set, dama_column_memory_type(column, column->size), memory, space,
                            H5P_DEFAULT, values) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    if (set >= 0) {
        is_good &= H5Dclose(set) >= 0;
    }
    return is_good;
}

bool dama_hdf5_write(hid_t file, const struct dama_table *table, const void *records, size_t first,
                     size_t count)
{
    if (count == 0) {
        return true;
    }
    void *values = malloc(count * sizeof(uint64_t));
    bool is_good = values != NULL;
    for (int c = 0; is_good && c < table->count; c++) {
        dama_column_gather(table, &table->columns[c], records, count, values);
        is_good = write_column(file, &table->columns[c], values, first, count);
    }
    free(values);
    return is_good;
}
