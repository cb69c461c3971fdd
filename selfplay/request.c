/* Writing, reading and comparing requests. */
#include "selfplay/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/signature.h"
#include "engine/text.h"

enum { PATH_SIZE = 4096 };

void dama_request_weights_hash(const struct dama_weights *weights,
                               unsigned char out[DAMA_HASH_SIZE])
{
    unsigned char bytes[DAMA_WEIGHTS_MAX_BYTES];
    size_t size = dama_weights_encode(weights, bytes);
    dama_sha256(bytes, size, out);
}

static void add_hash(struct dama_text *text, const char *key,
                     const unsigned char hash[DAMA_HASH_SIZE])
{
    char hex[2 * DAMA_HASH_SIZE + 1];
    dama_hash_hex(hash, hex);
    dama_text_add(text, "%s = %s\n", key, hex);
}

void dama_request_format_with(const struct dama_ruleset *ruleset,
                              const struct dama_weights *weights, const char *rest,
                              char out[DAMA_REQUEST_SIZE])
{
    struct dama_text text = {.at = out, .size = DAMA_REQUEST_SIZE};
    unsigned char weights_hash[DAMA_HASH_SIZE];
    dama_request_weights_hash(weights, weights_hash);
    dama_text_add(&text, "variant = %s\n", ruleset->rules.name);
    add_hash(&text, "rules", ruleset->hash);
    add_hash(&text, "features", dama_features_hash);
    add_hash(&text, "weights", weights_hash);
    dama_text_add(&text, "engine = %08x\n", DAMA_ENGINE_SIGNATURE);
    dama_text_add(&text, "%s", rest);
}

static void format(const struct dama_ruleset *ruleset, const struct dama_weights *weights,
                   const struct dama_run_config *config, enum dama_run_binds least,
                   char out[DAMA_REQUEST_SIZE])
{
    char keys[DAMA_REQUEST_SIZE];
    dama_run_config_format(config, least, keys, sizeof keys);
    dama_request_format_with(ruleset, weights, keys, out);
}

void dama_request_format(const struct dama_ruleset *ruleset, const struct dama_weights *weights,
                         const struct dama_run_config *config, char out[DAMA_REQUEST_SIZE])
{
    format(ruleset, weights, config, DAMA_BINDS_GAMES, out);
}

void dama_request_format_training(const struct dama_ruleset *ruleset,
                                  const struct dama_weights *weights,
                                  const struct dama_run_config *config, char out[DAMA_REQUEST_SIZE])
{
    format(ruleset, weights, config, DAMA_BINDS_TRAINING, out);
}

const char *dama_request_next(const char *at, char key[DAMA_REQUEST_VALUE_SIZE],
                              char value[DAMA_REQUEST_VALUE_SIZE])
{
    while (*at == '\n' || *at == '#') {
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    if (!*at) {
        return NULL;
    }
    size_t length = strcspn(at, "\n");
    const char *sign = memchr(at, '=', length);
    size_t key_length = sign ? (size_t)(sign - at) : length;
    const char *from = sign ? sign + 1 : at + length;
    while (key_length && at[key_length - 1] == ' ') {
        key_length--;
    }
    while (*from == ' ') {
        from++;
    }
    snprintf(key, DAMA_REQUEST_VALUE_SIZE, "%.*s", (int)key_length, at);
    snprintf(value, DAMA_REQUEST_VALUE_SIZE, "%.*s", (int)(at + length - from), from);
    return at + length;
}

void dama_request_value(const char *request, const char *key, char *out, size_t size)
{
    char name[DAMA_REQUEST_VALUE_SIZE], value[DAMA_REQUEST_VALUE_SIZE];
    snprintf(out, size, "%s", "");
    while ((request = dama_request_next(request, name, value))) {
        if (!strcmp(name, key)) {
            snprintf(out, size, "%s", value);
            return;
        }
    }
}

/* Every key of `of` has the same value in `in`; stored_is_of tells which of the two values to print
 * first. */
static enum dama_status compare_keys(const char *of, const char *in, bool stored_is_of,
                                     struct dama_error *err)
{
    char key[DAMA_REQUEST_VALUE_SIZE], value[DAMA_REQUEST_VALUE_SIZE],
        other[DAMA_REQUEST_VALUE_SIZE];
    while ((of = dama_request_next(of, key, value))) {
        dama_request_value(in, key, other, sizeof other);
        if (strcmp(value, other)) {
            return dama_fail(err, DAMA_MISMATCH,
                             "the stored run has %s = %s, asked for is %s = %s; use another --out, "
                             "or ask for what is stored",
                             key, stored_is_of ? value : other, key, stored_is_of ? other : value);
        }
    }
    return DAMA_OK;
}

enum dama_status dama_request_compare(const char *stored, const char *asked, struct dama_error *err)
{
    DAMA_TRY(compare_keys(stored, asked, true, err));
    return compare_keys(asked, stored, false, err);
}

enum dama_status dama_request_read(const char *run, char out[DAMA_REQUEST_SIZE],
                                   struct dama_error *err)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/run.conf", run);
    unsigned char *bytes = NULL;
    size_t size = 0;
    DAMA_TRY(dama_file_read(path, DAMA_REQUEST_SIZE - 1, &bytes, &size, err));
    memcpy(out, bytes, size);
    out[size] = 0;
    free(bytes);
    return DAMA_OK;
}

enum dama_status dama_request_store(const char *run, const char *request, struct dama_error *err)
{
    char path[PATH_SIZE];
    struct stat info;
    snprintf(path, sizeof path, "%s/run.conf", run);
    if (stat(path, &info) != 0) {
        return dama_file_write(path, request, strlen(request), err);
    }
    char stored[DAMA_REQUEST_SIZE];
    DAMA_TRY(dama_request_read(run, stored, err));
    return dama_request_compare(stored, request, err);
}
