/* The root attributes of a shard: read as facts, and compared with what is expected. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/shard_file.h"
#include "engine/cli/options.h"

struct source {
    const char *path;
    hid_t file;
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

static enum dama_status lacks(const struct source *source, const char *name, struct dama_error *err)
{
    return dama_fail(err, DAMA_CORRUPT, "%s: expected a text attribute '%s' on the root",
                     source->path, name);
}

static enum dama_status read_number(const struct source *source, const char *name, int base,
                                    uint32_t *out, struct dama_error *err)
{
    char *text = read_text(source->file, name);
    if (!text) {
        return lacks(source, name, err);
    }
    char *end = NULL;
    unsigned long value = strtoul(text, &end, base);
    bool is_good = *text && !*end && value <= UINT32_MAX;
    *out = (uint32_t)value;
    free(text);
    return is_good ? DAMA_OK
                   : dama_fail(err, DAMA_CORRUPT, "%s: attribute '%s' is no number", source->path,
                               name);
}

static enum dama_status read_hash(const struct source *source, const char *name,
                                  unsigned char out[DAMA_HASH_SIZE], struct dama_error *err)
{
    char *text = read_text(source->file, name);
    if (!text) {
        return lacks(source, name, err);
    }
    bool is_good = dama_hash_parse(text, out);
    free(text);
    return is_good ? DAMA_OK
                   : dama_fail(err, DAMA_CORRUPT, "%s: attribute '%s' is no SHA-256", source->path,
                               name);
}

static enum dama_status read_facts(const struct source *source, struct dama_shard_facts *facts,
                                   struct dama_error *err)
{
    uint32_t version;
    uint32_t board_size;
    uint32_t men;
    DAMA_TRY(read_number(source, "format_version", 10, &version, err));
    DAMA_TRY(read_number(source, "board_size", 10, &board_size, err));
    DAMA_TRY(read_number(source, "men", 10, &men, err));
    if (version != DAMA_SHARD_VERSION || (board_size != 8 && board_size != 10) || men < 1 ||
        men > 25) {
        return dama_fail(err, DAMA_CORRUPT,
                         "%s: expected format_version %d, board_size 8 or 10, men 1..25, found %u, "
                         "%u, %u",
                         source->path, DAMA_SHARD_VERSION, version, board_size, men);
    }
    facts->board_size = (int)board_size;
    facts->men = (int)men;
    DAMA_TRY(read_number(source, "engine_signature", 16, &facts->engine_signature, err));
    DAMA_TRY(read_hash(source, "rules_hash", facts->rules_hash, err));
    DAMA_TRY(read_hash(source, "weights_hash", facts->weights_hash, err));
    DAMA_TRY(read_hash(source, "features_hash", facts->features_hash, err));
    char *variant = read_text(source->file, "variant");
    bool is_name = variant && *variant && strlen(variant) < sizeof facts->variant;
    snprintf(facts->variant, sizeof facts->variant, "%s", is_name ? variant : "");
    free(variant);
    if (!is_name) {
        return lacks(source, "variant", err);
    }
    facts->request = read_text(source->file, "request");
    return facts->request ? DAMA_OK : lacks(source, "request", err);
}

enum dama_status dama_hdf5_read_facts(hid_t file, const char *path, struct dama_shard_facts *out,
                                      struct dama_error *err)
{
    return read_facts(&(struct source){path, file}, out, err);
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

enum dama_status dama_facts_compare(const char *path, const struct dama_shard_origin *expected,
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
