/* A shard to a file: HDF5 in memory, the header block in front, then one write to the disk. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/shard_file.h"
#include "engine/cli/options.h"

/* The file grows in memory by this; nothing of it is in the image. */
enum { CORE_INCREMENT = 1 << 20 };

const char *dama_shard_library_version(void)
{
    static const char info[] = H5_VERS_INFO;
    return strrchr(info, ' ') + 1;
}

/* An MPI build of the library closes files collectively. */
#ifdef H5_HAVE_PARALLEL
static const bool is_library_serial = false;
#else
static const bool is_library_serial = true;
#endif

enum dama_status dama_shard_library_check(struct dama_error *err)
{
    unsigned major = 0, minor = 0, release = 0;
    if (!is_library_serial) {
        return dama_fail(err, DAMA_UNSUPPORTED,
                         "HDF5 %s: expected a serial build, found one for MPI",
                         dama_shard_library_version());
    }
    if (H5get_libversion(&major, &minor, &release) < 0 || major != H5_VERS_MAJOR ||
        minor != H5_VERS_MINOR || release != H5_VERS_RELEASE) {
        return dama_fail(err, DAMA_VERSION, "HDF5: built with %s, found the library of %u.%u.%u",
                         dama_shard_library_version(), major, minor, release);
    }
    static const H5Z_filter_t filters[] = {H5Z_FILTER_DEFLATE, H5Z_FILTER_SHUFFLE,
                                           H5Z_FILTER_FLETCHER32};
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        if (H5Zfilter_avail(filters[i]) <= 0) {
            return dama_fail(err, DAMA_UNSUPPORTED, "HDF5 %s lacks filter %d",
                             dama_shard_library_version(), filters[i]);
        }
    }
    return DAMA_OK;
}

/* A file that lives in memory alone. */
static hid_t create_in_memory(void)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t creation = dama_hdf5_file_list(DAMA_SHARD_HEADER_BYTES);
    hid_t file = -1;
    /* The oldest format that can hold a thing, which HDF5 2 takes no longer by itself: the bytes do
       not depend on the library. */
    if (access >= 0 && creation >= 0 && H5Pset_fapl_core(access, CORE_INCREMENT, false) >= 0 &&
        H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST) >= 0) {
        file = H5Fcreate(DAMA_HDF5_MEMORY_NAME, H5F_ACC_TRUNC, creation, access);
    }
    H5Pclose(creation);
    H5Pclose(access);
    return file;
}

static bool fill(hid_t file, const struct dama_shard *shard, const struct dama_shard_origin *origin)
{
    struct dama_table_sizes sizes = {.rows = shard->rows, .games = shard->games};
    return dama_hdf5_create(file, origin, &sizes) &&
           dama_hdf5_write(file, &dama_row_table, shard->row, 0, shard->rows) &&
           dama_hdf5_write(file, &dama_game_table, shard->game, 0, shard->games) &&
           H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0;
}

/* The whole file's bytes, freed by the caller; NULL on failure. */
static unsigned char *make_image(const struct dama_shard *shard,
                                 const struct dama_shard_origin *origin, size_t *size)
{
    hid_t file = create_in_memory();
    if (file < 0) {
        return NULL;
    }
    unsigned char *image = NULL;
    if (fill(file, shard, origin)) {
        /* The image is without the user block. */
        ssize_t length = H5Fget_file_image(file, NULL, 0);
        image = length > 0 ? malloc(DAMA_SHARD_HEADER_BYTES + (size_t)length) : NULL;
        unsigned char *behind = image ? image + DAMA_SHARD_HEADER_BYTES : NULL;
        if (image && H5Fget_file_image(file, behind, (size_t)length) != length) {
            free(image);
            image = NULL;
        }
        *size = image ? DAMA_SHARD_HEADER_BYTES + (size_t)length : 0;
    }
    H5Fclose(file);
    return image;
}

enum dama_status dama_shard_save(const char *path, const struct dama_shard *shard,
                                 const struct dama_shard_origin *origin,
                                 struct dama_shard_header *header, struct dama_error *err)
{
    assert(origin->variant && origin->request);
    assert(origin->board_size == 8 || origin->board_size == 10);
    struct dama_hdf5_reason reason;
    dama_hdf5_begin(&reason);
    size_t size = 0;
    unsigned char *image = make_image(shard, origin, &size);
    dama_hdf5_end();
    if (!image) {
        return dama_hdf5_fail(err, path, "make the shard", &reason);
    }
    struct dama_shard_header made = {
        .version = DAMA_SHARD_VERSION,
        .block = shard->block,
        .games = shard->games,
        .rows = shard->rows,
        .bytes = size,
    };
    dama_sha256(image + DAMA_SHARD_HEADER_BYTES, size - DAMA_SHARD_HEADER_BYTES, made.sha256);
    dama_header_encode(&made, image);
    enum dama_status status = dama_file_write(path, image, size, err);
    free(image);
    if (status == DAMA_OK && header) {
        *header = made;
    }
    return status;
}
