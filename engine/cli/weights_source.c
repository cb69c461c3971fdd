/* Loads a weight table by word or by file, in either form. */
#include "engine/cli/weights_source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cli/weights_twin.h"

enum { FILE_BYTES_MAX = 1 << 18 };

/* The rules of the options, else the built-in that the table names. */
static enum dama_status find_rules(const struct dama_common *common, const char *variant,
                                   struct dama_ruleset *out, struct dama_error *err)
{
    if (common->variant || common->rules_file) {
        return dama_common_rules(common, out, err);
    }
    if (!dama_rules_find(variant)) {
        return dama_fail(err, DAMA_INVALID,
                         "the table is of %s, no built-in: expected --rules FILE", variant);
    }
    return dama_ruleset_builtin(variant, out, err);
}

static bool is_json(const unsigned char *bytes, size_t size)
{
    size_t i = 0;
    while (i < size && isspace(bytes[i])) {
        i++;
    }
    return i < size && bytes[i] == '{';
}

/* Both forms go through the decoder: it holds every check. */
static enum dama_status read_table(const struct dama_common *common, const unsigned char *bytes,
                                   size_t size, struct dama_weights_source *out,
                                   struct dama_error *err)
{
    if (is_json(bytes, size)) {
        struct dama_weights weights;
        DAMA_TRY(dama_weights_read_json((const char *)bytes, size, &weights, err));
        out->size = dama_weights_encode(&weights, out->bytes);
    } else if (size > sizeof out->bytes) {
        return dama_fail(err, DAMA_INVALID,
                         "expected a weight table of at most %d bytes, found %lu",
                         DAMA_WEIGHTS_MAX_BYTES, (unsigned long long)size);
    } else {
        memcpy(out->bytes, bytes, size);
        out->size = size;
    }
    char variant[DAMA_NAME_SIZE];
    DAMA_TRY(dama_weights_peek(out->bytes, out->size, variant, err));
    DAMA_TRY(find_rules(common, variant, &out->ruleset, err));
    return dama_weights_decode(&out->ruleset.rules, out->ruleset.hash, out->bytes, out->size,
                               &out->weights, err);
}

static enum dama_status load_file(const struct dama_common *common, const char *path,
                                  struct dama_weights_source *out, struct dama_error *err)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    struct dama_error why = {0};
    DAMA_TRY(dama_file_read(path, FILE_BYTES_MAX, &bytes, &size, err));
    enum dama_status status = read_table(common, bytes, size, out, &why);
    free(bytes);
    return status == DAMA_OK ? DAMA_OK : dama_fail(err, status, "%s: %s", path, why.text);
}

static enum dama_status load_word(const struct dama_common *common, const char *word,
                                  struct dama_weights_source *out, struct dama_error *err)
{
    struct dama_common choice = *common;
    choice.weights = word;
    DAMA_TRY(dama_common_rules(common, &out->ruleset, err));
    DAMA_TRY(dama_common_weights(&choice, &out->ruleset, &out->weights, err));
    out->size = dama_weights_encode(&out->weights, out->bytes);
    return DAMA_OK;
}

bool dama_weights_source_is_word(const char *source)
{
    return strcmp(source, "material") == 0 || strcmp(source, "hand-set") == 0 ||
           strcmp(source, "shipped") == 0;
}

enum dama_status dama_weights_source_load(const struct dama_common *common, const char *source,
                                          struct dama_weights_source *out, struct dama_error *err)
{
    if (dama_weights_source_is_word(source)) {
        DAMA_TRY(load_word(common, source, out, err));
    } else {
        DAMA_TRY(load_file(common, source, out, err));
    }
    unsigned char hash[DAMA_HASH_SIZE];
    dama_sha256(out->bytes, out->size, hash);
    dama_hash_hex(hash, out->hash);
    return DAMA_OK;
}
