/* A shard from a file: header and hash first, then HDF5 reads the bytes that were hashed. */
#include <assert.h>
#include <stdio.h>
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
    struct dama_hdf5_reason reason;
};

/* One root attribute as text, freed by the caller; NULL when it is not there or is no such text. */
static char *read_text(hid_t file, const char *name)
{
    hid_t attribute = H5Aopen_by_name(file, "/", name, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0) {
        return NULL;
    }
    hid_t type = H5Aget_type(attribute);
    hid_t space = H5Aget_space(attribute);
    char *text = NULL;
    if (H5Tis_variable_str(type) > 0 && H5Sget_simple_extent_npoints(space) == 1) {
        char *owned = NULL;
        if (H5Aread(attribute, type, &owned) >= 0 && owned) {
            text = strdup(owned);
            H5Dvlen_reclaim(type, space, H5P_DEFAULT, &owned);
        }
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return text;
}

static enum dama_status lacks(const struct image *image, const char *name, struct dama_error *err)
{
    return dama_fail(err, DAMA_CORRUPT, "%s: expected a text attribute '%s' on the root",
                     image->path, name);
}

static enum dama_status read_number(const struct image *image, const char *name, int base,
                                    uint32_t *out, struct dama_error *err)
{
    char *text = read_text(image->file, name);
    if (!text) {
        return lacks(image, name, err);
    }
    char *end = NULL;
    unsigned long value = strtoul(text, &end, base);
    bool is_good = *text && !*end && value <= UINT32_MAX;
    *out = (uint32_t)value;
    free(text);
    return is_good
               ? DAMA_OK
               : dama_fail(err, DAMA_CORRUPT, "%s: attribute '%s' is no number", image->path, name);
}

static enum dama_status read_hash(const struct image *image, const char *name,
                                  unsigned char out[DAMA_HASH_SIZE], struct dama_error *err)
{
    char *text = read_text(image->file, name);
    if (!text) {
        return lacks(image, name, err);
    }
    bool is_good = dama_hash_parse(text, out);
    free(text);
    return is_good ? DAMA_OK
                   : dama_fail(err, DAMA_CORRUPT, "%s: attribute '%s' is no SHA-256", image->path,
                               name);
}

static enum dama_status read_facts(const struct image *image, struct dama_shard_facts *facts,
                                   struct dama_error *err)
{
    uint32_t version;
    uint32_t board_size;
    uint32_t men;
    DAMA_TRY(read_number(image, "format_version", 10, &version, err));
    DAMA_TRY(read_number(image, "board_size", 10, &board_size, err));
    DAMA_TRY(read_number(image, "men", 10, &men, err));
    if (version != DAMA_SHARD_VERSION || (board_size != 8 && board_size != 10) || men < 1 ||
        men > 25) {
        return dama_fail(err, DAMA_CORRUPT,
                         "%s: expected format_version %d, board_size 8 or 10, men 1..25, found %u, "
                         "%u, %u",
                         image->path, DAMA_SHARD_VERSION, version, board_size, men);
    }
    facts->board_size = (int)board_size;
    facts->men = (int)men;
    DAMA_TRY(read_number(image, "engine_signature", 16, &facts->engine_signature, err));
    DAMA_TRY(read_hash(image, "rules_hash", facts->rules_hash, err));
    DAMA_TRY(read_hash(image, "weights_hash", facts->weights_hash, err));
    DAMA_TRY(read_hash(image, "features_hash", facts->features_hash, err));
    char *variant = read_text(image->file, "variant");
    bool is_name = variant && *variant && strlen(variant) < sizeof facts->variant;
    snprintf(facts->variant, sizeof facts->variant, "%s", is_name ? variant : "");
    free(variant);
    if (!is_name) {
        return lacks(image, "variant", err);
    }
    facts->request = read_text(image->file, "request");
    return facts->request ? DAMA_OK : lacks(image, "request", err);
}

/* The line of a request that begins at `at`, and the next one. */
static int line_length(const char *at)
{
    return (int)strcspn(at, "\n");
}

/* Names the first line that differs: it holds the key and both values. */
static enum dama_status compare_requests(const char *path, const char *expected, const char *found,
                                         struct dama_error *err)
{
    while (*expected && *found) {
        int e = line_length(expected);
        int f = line_length(found);
        if (e != f || memcmp(expected, found, (size_t)e) != 0) {
            break;
        }
        expected += e + (expected[e] == '\n');
        found += f + (found[f] == '\n');
    }
    if (!*expected && !*found) {
        return DAMA_OK;
    }
    char lines[2][100];
    snprintf(lines[0], sizeof lines[0], "%.*s", line_length(expected), expected);
    snprintf(lines[1], sizeof lines[1], "%.*s", line_length(found), found);
    return dama_fail(err, DAMA_MISMATCH, "%s: request differs: expected '%s', found '%s'", path,
                     lines[0], lines[1]);
}

static bool is_set(const unsigned char hash[DAMA_HASH_SIZE])
{
    static const unsigned char zeros[DAMA_HASH_SIZE];
    return memcmp(hash, zeros, DAMA_HASH_SIZE) != 0;
}

static enum dama_status compare_hashes(const char *path, const char *name,
                                       const unsigned char *expected, const unsigned char *found,
                                       struct dama_error *err)
{
    if (!is_set(expected) || memcmp(expected, found, DAMA_HASH_SIZE) == 0) {
        return DAMA_OK;
    }
    char text[2][2 * DAMA_HASH_SIZE + 1];
    dama_hash_hex(expected, text[0]);
    dama_hash_hex(found, text[1]);
    return dama_fail(err, DAMA_MISMATCH, "%s: expected %s %s, found %s", path, name, text[0],
                     text[1]);
}

static enum dama_status compare(const char *path, const struct dama_shard_origin *expected,
                                const struct dama_shard_facts *found, struct dama_error *err)
{
    if (expected->variant && strcmp(expected->variant, found->variant) != 0) {
        return dama_fail(err, DAMA_MISMATCH, "%s: expected variant %s, found %s", path,
                         expected->variant, found->variant);
    }
    if (expected->board_size && expected->board_size != found->board_size) {
        return dama_fail(err, DAMA_MISMATCH, "%s: expected board size %d, found %d", path,
                         expected->board_size, found->board_size);
    }
    if (expected->board_size && dama_origin_men(expected) != found->men) {
        return dama_fail(err, DAMA_MISMATCH, "%s: expected %d men a side, found %d", path,
                         dama_origin_men(expected), found->men);
    }
    DAMA_TRY(compare_hashes(path, "rules hash", expected->rules_hash, found->rules_hash, err));
    DAMA_TRY(
        compare_hashes(path, "weights hash", expected->weights_hash, found->weights_hash, err));
    DAMA_TRY(
        compare_hashes(path, "features hash", expected->features_hash, found->features_hash, err));
    if (expected->engine_signature && expected->engine_signature != found->engine_signature) {
        return dama_fail(err, DAMA_MISMATCH, "%s: expected engine signature %08x, found %08x", path,
                         expected->engine_signature, found->engine_signature);
    }
    return expected->request ? compare_requests(path, expected->request, found->request, err)
                             : DAMA_OK;
}

/* A dataset of exactly this type and length, into `values`. */
static enum dama_status read_column(const struct image *image, const struct dama_column *column,
                                    int board_size, size_t count, void *values,
                                    struct dama_error *err)
{
    hid_t set = H5Dopen2(image->file, column->path, H5P_DEFAULT);
    hid_t type = set >= 0 ? H5Dget_type(set) : -1;
    hid_t space = set >= 0 ? H5Dget_space(set) : -1;
    hsize_t length = 0;
    bool has_shape = space >= 0 && H5Sget_simple_extent_ndims(space) == 1 &&
                     H5Sget_simple_extent_dims(space, &length, NULL) == 1 && length == count;
    bool has_type = type >= 0 && H5Tequal(type, dama_column_file_type(column, board_size)) > 0;
    enum dama_status status = DAMA_OK;
    if (set < 0) {
        status =
            dama_fail(err, DAMA_CORRUPT, "%s: expected a dataset %s", image->path, column->path);
    } else if (!has_shape || !has_type) {
        status =
            dama_fail(err, DAMA_CORRUPT, "%s: %s: expected %lu values of %d bytes, found %lu%s",
                      image->path, column->path, (unsigned long long)count,
                      (int)H5Tget_size(dama_column_file_type(column, board_size)),
                      (unsigned long long)length, has_type ? "" : " of another type");
    } else if (count > 0 && H5Dread(set, dama_column_memory_type(column), H5S_ALL, H5S_ALL,
                                    H5P_DEFAULT, values) < 0) {
        status = dama_hdf5_fail(err, image->path, column->path, &image->reason);
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    return status;
}

static enum dama_status read_table(const struct image *image, const struct dama_table *table,
                                   int board_size, size_t count, void *records,
                                   struct dama_error *err)
{
    void *values = malloc(count ? count * sizeof(uint64_t) : 1);
    if (!values) {
        return dama_fail(err, DAMA_MEMORY, "%s: no memory for %lu rows", image->path,
                         (unsigned long long)count);
    }
    enum dama_status status = DAMA_OK;
    for (int c = 0; status == DAMA_OK && c < table->count; c++) {
        const struct dama_column *column = &table->columns[c];
        status = read_column(image, column, board_size, count, values, err);
        if (status == DAMA_OK) {
            dama_column_scatter(table, column, values, count, records);
        }
    }
    free(values);
    return status;
}

/* Zeroed room for exactly so many records. */
static enum dama_status reserve(struct dama_shard *shard, const struct dama_shard_header *header,
                                struct dama_error *err)
{
    /* The hash says that the counts are what was written; still they may not be absurd. */
    if (header->rows > UINT32_MAX || header->games > UINT32_MAX) {
        return dama_fail(err, DAMA_CORRUPT, "header says %lu rows and %lu games",
                         (unsigned long long)header->rows, (unsigned long long)header->games);
    }
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

static hid_t open_image(const struct image *image)
{
    enum { INCREMENT = 1 << 20 };
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = -1;
    if (access >= 0 && H5Pset_fapl_core(access, INCREMENT, false) >= 0 &&
        H5Pset_file_image(access, image->bytes, image->size) >= 0) {
        file = H5Fopen(DAMA_HDF5_MEMORY_NAME, H5F_ACC_RDONLY, access);
    }
    H5Pclose(access);
    return file;
}

static enum dama_status load(struct image *image, const struct dama_shard_origin *expected,
                             struct dama_shard *out, struct dama_shard_header *header,
                             struct dama_error *err)
{
    DAMA_TRY(dama_file_read(image->path, bytes_max, &image->bytes, &image->size, err));
    DAMA_TRY(check_bytes(image, header, err));
    dama_hdf5_listen(&image->reason);
    image->file = open_image(image);
    if (image->file < 0) {
        return dama_hdf5_fail(err, image->path, "open the file", &image->reason);
    }
    DAMA_TRY(read_facts(image, &out->facts, err));
    if (expected) {
        DAMA_TRY(compare(image->path, expected, &out->facts, err));
    }
    DAMA_TRY(reserve(out, header, err));
    int board_size = out->facts.board_size;
    DAMA_TRY(read_table(image, &dama_row_table, board_size, out->rows, out->row, err));
    DAMA_TRY(read_table(image, &dama_game_table, board_size, out->games, out->game, err));
    struct dama_error inner = {0};
    if (dama_shard_check(out, &inner) != DAMA_OK) {
        return dama_fail(err, inner.status, "%s: %s", image->path, inner.text);
    }
    return DAMA_OK;
}

enum dama_status dama_shard_check_bytes(const char *path, struct dama_shard_header *out,
                                        struct dama_error *err)
{
    struct image image = {.path = path, .file = -1};
    DAMA_TRY(dama_file_read(path, bytes_max, &image.bytes, &image.size, err));
    enum dama_status status = check_bytes(&image, out, err);
    free(image.bytes);
    return status;
}

enum dama_status dama_shard_load(const char *path, const struct dama_shard_origin *expected,
                                 struct dama_shard *out, struct dama_shard_header *header,
                                 struct dama_error *err)
{
    struct image image = {.path = path, .file = -1};
    struct dama_shard_header found = {0};
    dama_shard_clear(out);
    enum dama_status status = load(&image, expected, out, &found, err);
    if (image.file >= 0) {
        H5Fclose(image.file);
    }
    dama_hdf5_listen(NULL);
    free(image.bytes);
    if (status != DAMA_OK) {
        dama_shard_clear(out);
    } else if (header) {
        *header = found;
    }
    return status;
}
