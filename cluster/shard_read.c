/* A shard from a file: header and hash first, then HDF5 reads the bytes that were hashed. */
#include <stdlib.h>
#include <string.h>

#include "cluster/shard_file.h"
#include "engine/cli/options.h"

/* A shard has a few megabytes; what is larger than this is no shard. */
static const size_t bytes_max = (size_t)1 << 31;

struct image {
    const char *path;
    unsigned char *bytes;
    size_t size;
    hid_t file;
    hid_t transfer; /* how columns are read */
    int board_size; /* once the facts are read */
    struct dama_hdf5_reason reason;
};

/* A dataset of exactly this type and length. */
static enum dama_status open_column(const struct image *image, const struct dama_column *column,
                                    size_t count, hid_t *out, struct dama_error *err)
{
    hid_t set = H5Dopen2(image->file, column->path, H5P_DEFAULT);
    if (set < 0) {
        return dama_fail(err, DAMA_CORRUPT, "%s: expected a dataset %s", image->path, column->path);
    }
    hid_t type = H5Dget_type(set);
    hid_t space = H5Dget_space(set);
    hsize_t length = 0;
    bool has_shape = space >= 0 && H5Sget_simple_extent_ndims(space) == 1 &&
                     H5Sget_simple_extent_dims(space, &length, NULL) == 1 && length == count;
    bool has_type =
        type >= 0 && H5Tequal(type, dama_column_file_type(column, image->board_size)) > 0;
    H5Sclose(space);
    H5Tclose(type);
    if (!has_shape || !has_type) {
        H5Dclose(set);
        return dama_fail(err, DAMA_CORRUPT, "%s: %s: expected %lu values of %d bytes, found %lu%s",
                         image->path, column->path, (unsigned long long)count,
                         dama_column_width(column, image->board_size), (unsigned long long)length,
                         has_type ? "" : " of another type");
    }
    *out = set;
    return DAMA_OK;
}

/* All columns of a table, one behind the other, into *out, which the caller frees in any case. */
static enum dama_status read_table(const struct image *image, const struct dama_table *table,
                                   size_t count, unsigned char **out, struct dama_error *err)
{
    size_t at = 0;
    for (int c = 0; c < table->count; c++) {
        const struct dama_column *column = &table->columns[c];
        int width = dama_column_width(column, image->board_size);
        hid_t set = -1;
        DAMA_TRY(open_column(image, column, count, &set, err));
        enum dama_status status = DAMA_OK;
        /* No sooner: a header may say what no column has, and that is damage. */
        if (!*out && !(*out = malloc(count * dama_table_width(table, image->board_size) + 1))) {
            status = dama_fail(err, DAMA_MEMORY, "%s: no memory for %lu rows", image->path,
                               (unsigned long long)count);
        } else if (count > 0 && H5Dread(set, dama_column_memory_type(column, width), H5S_ALL,
                                        H5S_ALL, image->transfer, *out + at) < 0) {
            status = dama_hdf5_fail(err, image->path, column->path, &image->reason);
        }
        H5Dclose(set);
        DAMA_TRY(status);
        at += count * (size_t)width;
    }
    return DAMA_OK;
}

/* Products of counts and widths must not overflow. */
static enum dama_status check_counts(const struct image *image,
                                     const struct dama_shard_header *header, struct dama_error *err)
{
    return header->rows <= UINT32_MAX && header->games <= UINT32_MAX
               ? DAMA_OK
               : dama_fail(err, DAMA_CORRUPT, "%s: header says %lu rows and %lu games", image->path,
                           (unsigned long long)header->rows, (unsigned long long)header->games);
}

/* Room for exactly so many records. */
static enum dama_status reserve(struct dama_shard *shard, const struct dama_shard_header *header,
                                struct dama_error *err)
{
    if (header->rows > shard->row_capacity || !shard->row) {
        free(shard->row);
        shard->row_capacity = header->rows ? header->rows : 1;
        shard->row = calloc(shard->row_capacity, sizeof *shard->row);
    }
    if (header->games > shard->game_capacity || !shard->game) {
        free(shard->game);
        shard->game_capacity = header->games ? header->games : 1;
        shard->game = calloc(shard->game_capacity, sizeof *shard->game);
    }
    if (!shard->row || !shard->game) {
        shard->row_capacity = shard->row ? shard->row_capacity : 0;
        shard->game_capacity = shard->game ? shard->game_capacity : 0;
        return dama_fail(err, DAMA_MEMORY, "no memory for %lu rows",
                         (unsigned long long)header->rows);
    }
    shard->rows = header->rows;
    shard->games = header->games;
    shard->block = header->block;
    return DAMA_OK;
}

static enum dama_status check_bytes(const struct image *image, struct dama_shard_header *header,
                                    struct dama_error *err)
{
    if (image->size <= DAMA_SHARD_HEADER_BYTES) {
        return dama_fail(err, DAMA_TRUNCATED, "%s: expected more than %d bytes, found %lu",
                         image->path, DAMA_SHARD_HEADER_BYTES, (unsigned long long)image->size);
    }
    struct dama_error inner = {0};
    if (dama_header_decode(image->bytes, header, &inner) != DAMA_OK) {
        return dama_fail(err, inner.status, "%s: %s", image->path, inner.text);
    }
    header->bytes = image->size;
    unsigned char hash[DAMA_HASH_SIZE];
    dama_sha256(image->bytes + DAMA_SHARD_HEADER_BYTES, image->size - DAMA_SHARD_HEADER_BYTES,
                hash);
    if (memcmp(hash, header->sha256, DAMA_HASH_SIZE) != 0) {
        char text[2][2 * DAMA_HASH_SIZE + 1];
        dama_hash_hex(header->sha256, text[0]);
        dama_hash_hex(hash, text[1]);
        return dama_fail(err, DAMA_CORRUPT,
                         "%s: damaged or cut: expected SHA-256 %s, found %s over %lu bytes",
                         image->path, text[0], text[1],
                         (unsigned long long)(image->size - DAMA_SHARD_HEADER_BYTES));
    }
    return DAMA_OK;
}

/* Chunks are read once and whole, so none is kept. */
static hid_t open_image(const struct image *image)
{
    enum { INCREMENT = 1 << 20 };
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = -1;
    if (access >= 0 && H5Pset_fapl_core(access, INCREMENT, false) >= 0 &&
        H5Pset_cache(access, 0, 0, 0, 0) >= 0 &&
        H5Pset_file_image(access, image->bytes, image->size) >= 0) {
        file = H5Fopen(DAMA_HDF5_MEMORY_NAME, H5F_ACC_RDONLY, access);
    }
    H5Pclose(access);
    return file;
}

/* What HDF5 has to say: facts and columns as they are in the file. */
struct content {
    struct dama_shard_facts facts;
    unsigned char *rows, *games;
};

static enum dama_status decode(struct image *image, const struct dama_shard_origin *expected,
                               const struct dama_shard_header *header, struct content *out,
                               struct dama_error *err)
{
    image->file = open_image(image);
    image->transfer = H5Pcreate(H5P_DATASET_XFER);
    /* The SHA-256 has shown that the bytes are those that were written. */
    if (image->file < 0 || H5Pset_edc_check(image->transfer, H5Z_DISABLE_EDC) < 0) {
        return dama_hdf5_fail(err, image->path, "open the file", &image->reason);
    }
    DAMA_TRY(dama_hdf5_read_facts(image->file, image->path, &out->facts, err));
    if (expected) {
        DAMA_TRY(dama_facts_compare(image->path, expected, &out->facts, err));
    }
    image->board_size = out->facts.board_size;
    DAMA_TRY(read_table(image, &dama_row_table, header->rows, &out->rows, err));
    return read_table(image, &dama_game_table, header->games, &out->games, err);
}

/* Decodes, one thread at a time. */
static enum dama_status read_content(struct image *image, const struct dama_shard_origin *expected,
                                     const struct dama_shard_header *header, struct content *out,
                                     struct dama_error *err)
{
    dama_hdf5_begin(&image->reason);
    enum dama_status status = decode(image, expected, header, out, err);
    H5Pclose(image->transfer);
    if (image->file >= 0) {
        H5Fclose(image->file);
    }
    dama_hdf5_end();
    return status;
}

static enum dama_status fill_shard(struct dama_shard *out, const struct dama_shard_header *header,
                                   struct content *content, struct dama_error *err)
{
    DAMA_TRY(reserve(out, header, err));
    out->facts = content->facts;
    content->facts.request = NULL;
    int board_size = out->facts.board_size;
    dama_table_scatter(&dama_row_table, board_size, content->rows, out->rows, out->row);
    dama_table_scatter(&dama_game_table, board_size, content->games, out->games, out->game);
    return dama_shard_check(out, err);
}

static enum dama_status load(struct image *image, const struct dama_shard_origin *expected,
                             struct dama_shard *out, struct dama_shard_header *header,
                             struct dama_error *err)
{
    DAMA_TRY(dama_file_read(image->path, bytes_max, &image->bytes, &image->size, err));
    DAMA_TRY(check_bytes(image, header, err));
    struct content content = {0};
    enum dama_status status = check_counts(image, header, err);
    if (status == DAMA_OK) {
        status = read_content(image, expected, header, &content, err);
    }
    if (status == DAMA_OK) {
        struct dama_error inner = {0};
        status = fill_shard(out, header, &content, &inner);
        if (status != DAMA_OK) {
            dama_fail(err, status, "%s: %s", image->path, inner.text);
        }
    }
    free(content.facts.request);
    free(content.rows);
    free(content.games);
    return status;
}

enum dama_status dama_shard_check_bytes(const char *path, struct dama_shard_header *out,
                                        struct dama_error *err)
{
    struct image image = {.path = path};
    DAMA_TRY(dama_file_read(path, bytes_max, &image.bytes, &image.size, err));
    enum dama_status status = check_bytes(&image, out, err);
    free(image.bytes);
    return status;
}

enum dama_status dama_shard_load(const char *path, const struct dama_shard_origin *expected,
                                 struct dama_shard *out, struct dama_shard_header *header,
                                 struct dama_error *err)
{
    struct image image = {.path = path};
    struct dama_shard_header found = {0};
    dama_shard_clear(out);
    enum dama_status status = load(&image, expected, out, &found, err);
    free(image.bytes);
    if (status != DAMA_OK) {
        dama_shard_clear(out);
    } else if (header) {
        *header = found;
    }
    return status;
}
