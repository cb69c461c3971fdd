/* Reading and appending manifest lines. */
#include "selfplay/manifest.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/run_folder.h"

/* An identity is two words in quotes, a comma between it and the next. */
enum {
    HASH_HEX = 2 * DAMA_HASH_SIZE + 1,
    WORD_HEX = 16,
    IDENTITY_SIZE = 2 * WORD_HEX + 1,
    IDENTITY_STEP = 2 * WORD_HEX + 3,
};

/* Index of the first block that is not below `block`. */
static size_t lower_bound(const struct dama_manifest *manifest, int64_t block)
{
    size_t low = 0, high = manifest->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (manifest->blocks[middle]->block < block) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const struct dama_block_result *dama_manifest_find(const struct dama_manifest *manifest,
                                                   int64_t block)
{
    size_t at = lower_bound(manifest, block);
    bool is_there = at < manifest->count && manifest->blocks[at]->block == block;
    return is_there ? manifest->blocks[at] : NULL;
}

static enum dama_status make_room(struct dama_manifest *manifest, struct dama_error *err)
{
    if (manifest->count < manifest->capacity) {
        return DAMA_OK;
    }
    size_t capacity = manifest->capacity ? 2 * manifest->capacity : 64;
    void *grown = realloc(manifest->blocks, capacity * sizeof *manifest->blocks);
    if (!grown) {
        return dama_fail(err, DAMA_MEMORY, "no memory for the manifest");
    }
    manifest->blocks = grown;
    manifest->capacity = capacity;
    return DAMA_OK;
}

/* Puts a result (owned from now on) in its place, over one of the same block. */
static enum dama_status insert(struct dama_manifest *manifest, struct dama_block_result *result,
                               struct dama_error *err)
{
    size_t at = lower_bound(manifest, result->block);
    if (at < manifest->count && manifest->blocks[at]->block == result->block) {
        free(manifest->blocks[at]);
        manifest->blocks[at] = result;
        return DAMA_OK;
    }
    if (make_room(manifest, err) != DAMA_OK) {
        free(result);
        return err ? err->status : DAMA_MEMORY;
    }
    memmove(&manifest->blocks[at + 1], &manifest->blocks[at],
            (manifest->count - at) * sizeof *manifest->blocks);
    manifest->blocks[at] = result;
    manifest->count++;
    return DAMA_OK;
}

static json_t *counts_to_json(const uint64_t *counts, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(array, json_integer((json_int_t)counts[i]));
    }
    return array;
}

static bool counts_from_json(const json_t *array, uint64_t *counts, size_t count)
{
    if (json_array_size(array) != count) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        counts[i] = (uint64_t)json_integer_value(json_array_get(array, i));
    }
    return true;
}

static json_t *result_to_json(const struct dama_block_result *result)
{
    char hex[HASH_HEX];
    dama_hash_hex(result->sha256, hex);
    json_t *ids = json_array();
    for (uint64_t i = 0; i < result->games; i++) {
        char id[IDENTITY_SIZE];
        snprintf(id, sizeof id, "%016llx%016llx", (unsigned long long)result->identity[i].opening,
                 (unsigned long long)result->identity[i].game);
        json_array_append_new(ids, json_string(id));
    }
    return json_pack("{s:I,s:I,s:I,s:I,s:I,s:s,s:o,s:o,s:o}", "block", (json_int_t)result->block,
                     "games", (json_int_t)result->games, "rows", (json_int_t)result->rows, "plies",
                     (json_int_t)result->plies, "bytes", (json_int_t)result->bytes, "sha256", hex,
                     "results", counts_to_json(result->results, 3), "ends",
                     counts_to_json(result->ends, DAMA_END_ONGOING), "ids", ids);
}

/* WORD_HEX digits; false when there are fewer. */
static bool read_word(const char *at, uint64_t *out)
{
    *out = 0;
    for (int i = 0; i < WORD_HEX; i++) {
        char c = at[i];
        bool is_digit = c >= '0' && c <= '9', is_letter = c >= 'a' && c <= 'f';
        if (!is_digit && !is_letter) {
            return false;
        }
        *out = *out << 4 | (uint64_t)(is_digit ? c - '0' : c - 'a' + 10);
    }
    return true;
}

static bool read_identities(const char *at, struct dama_block_result *result)
{
    for (uint64_t i = 0; i < result->games; i++, at += IDENTITY_STEP) {
        struct dama_record_identity *identity = &result->identity[i];
        if (at[0] != '"' || !read_word(at + 1, &identity->opening) ||
            !read_word(at + 1 + WORD_HEX, &identity->game) || at[1 + 2 * WORD_HEX] != '"') {
            return false;
        }
    }
    return true;
}

/* The list of identities at the end of a line, as result_to_json writes it, and its length; NULL
   when there is none. */
static char *find_identities(char *line, size_t *length)
{
    static const char key[] = "\"ids\":[", end[] = "]}";
    char *list = strstr(line, key);
    if (!list) {
        return NULL;
    }
    list += strlen(key);
    *length = strcspn(list, "]");
    line[strcspn(line, "\n")] = 0;
    return strcmp(list + *length, end) == 0 ? list : NULL;
}

static bool read_fields(json_t *line, struct dama_block_result *result)
{
    json_int_t block = 0, games = 0, rows = 0, plies = 0, bytes = 0;
    const char *hex = NULL;
    json_t *results = NULL, *ends = NULL;
    if (!line || json_unpack(line, "{s:I,s:I,s:I,s:I,s:I,s:s,s:o,s:o}", "block", &block, "games",
                             &games, "rows", &rows, "plies", &plies, "bytes", &bytes, "sha256",
                             &hex, "results", &results, "ends", &ends) != 0) {
        return false;
    }
    result->block = block;
    result->rows = (uint64_t)rows;
    result->plies = (uint64_t)plies;
    result->bytes = (uint64_t)bytes;
    return games == (json_int_t)result->games && dama_hash_parse(hex, result->sha256) &&
           counts_from_json(results, result->results, 3) &&
           counts_from_json(ends, result->ends, DAMA_END_ONGOING);
}

/* NULL when the line says too little. The identities are nearly all of it, and a JSON reader takes
   a hundred times as long for them: a run of ten thousand blocks has millions. */
static struct dama_block_result *read_line(char *line)
{
    size_t length = 0;
    char *list = find_identities(line, &length);
    if (!list || (length && (length + 1) % IDENTITY_STEP != 0)) {
        return NULL;
    }
    size_t games = (length + 1) / IDENTITY_STEP;
    struct dama_block_result *result = calloc(1, dama_block_result_size((int64_t)games));
    if (!result) {
        return NULL;
    }
    result->games = games;
    bool is_good = read_identities(list, result);
    strcpy(list, "]}");
    json_t *rest = is_good ? json_loads(line, 0, NULL) : NULL;
    is_good = read_fields(rest, result);
    json_decref(rest);
    if (!is_good) {
        free(result);
        return NULL;
    }
    return result;
}

enum dama_status dama_manifest_open(struct dama_manifest *manifest, const char *path,
                                    struct dama_error *err)
{
    *manifest = (struct dama_manifest){0};
    snprintf(manifest->path, sizeof manifest->path, "%s", path);
    FILE *file = fopen(path, "r");
    if (!file) {
        return DAMA_OK;
    }
    char *text = NULL;
    size_t size = 0;
    enum dama_status status = DAMA_OK;
    while (status == DAMA_OK && getline(&text, &size, file) > 0) {
        struct dama_block_result *result = read_line(text);
        status = result ? insert(manifest, result, err) : DAMA_OK;
    }
    free(text);
    fclose(file);
    if (status != DAMA_OK) {
        dama_manifest_close(manifest);
    }
    return status;
}

void dama_manifest_close(struct dama_manifest *manifest)
{
    for (size_t i = 0; i < manifest->count; i++) {
        free(manifest->blocks[i]);
    }
    free(manifest->blocks);
    *manifest = (struct dama_manifest){0};
}

enum dama_status dama_manifest_add(struct dama_manifest *manifest,
                                   const struct dama_block_result *result, struct dama_error *err)
{
    size_t size = dama_block_result_size((int64_t)result->games);
    struct dama_block_result *copy = malloc(size);
    if (!copy) {
        return dama_fail(err, DAMA_MEMORY, "no memory for the manifest");
    }
    memcpy(copy, result, size);
    json_t *line = result_to_json(result);
    char *text = json_dumps(line, JSON_COMPACT);
    enum dama_status status =
        text ? dama_line_append(manifest->path, text, err)
             : dama_fail(err, DAMA_MEMORY, "no memory for a line of the manifest");
    free(text);
    json_decref(line);
    if (status != DAMA_OK) {
        free(copy);
        return status;
    }
    return insert(manifest, copy, err);
}
