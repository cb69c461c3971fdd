/* Reading files game by game and storing blocks as they fill. */
#include "selfplay/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/log.h"
#include "selfplay/manifest.h"
#include "selfplay/run_store.h"

enum { FILE_NAME_MAX = 160 };

/* An import on its way. */
struct import {
    const struct dama_import_setup *setup;
    struct dama_import_report *report;
    char request[DAMA_REQUEST_SIZE];
    struct dama_weights weights; /* material: nobody played with a table of ours */
    struct dama_shard_origin origin;
    struct dama_importer importer;
    struct dama_manifest manifest;
    struct dama_shard shard; /* the block being filled */
    uint64_t next_game;      /* id */
    uint64_t *hashes;        /* of the games taken */
    size_t hash_count, hash_capacity;
};

/* The file's name without its folder; what could break a line of the request is replaced. */
static void file_name(const char *path, char out[FILE_NAME_MAX])
{
    const char *slash = strrchr(path, '/');
    snprintf(out, FILE_NAME_MAX, "%s", slash ? slash + 1 : path);
    for (char *at = out; *at; at++) {
        *at = (unsigned char)*at < ' ' ? '?' : *at;
    }
}

static enum dama_status format_request(struct import *import, struct dama_error *err)
{
    const struct dama_import_setup *setup = import->setup;
    char rest[DAMA_REQUEST_SIZE];
    struct dama_text text = {.at = rest, .size = sizeof rest};
    dama_text_add(&text, "source = import\ndraw_rules = %s\nblock_games = %ld\n",
                  setup->config->draw_rules, (long long)setup->config->block_games);
    /* Which moves are read, and which games are taken: else a second import of the files, read
       another way, would mix with the first. */
    if (setup->squares != DAMA_SQUARES_OFFICIAL) {
        dama_text_add(&text, "import_squares = grid\n");
    }
    if (!setup->is_given) {
        dama_text_add(&text, "import_rules = GameType\n");
    }
    for (int i = 0; i < setup->file_count; i++) {
        unsigned char hash[DAMA_HASH_SIZE];
        char hex[2 * DAMA_HASH_SIZE + 1], name[FILE_NAME_MAX];
        dama_sha256(setup->files[i].bytes, setup->files[i].size, hash);
        dama_hash_hex(hash, hex);
        file_name(setup->files[i].path, name);
        dama_text_add(&text, "import_file_%d = %s %s\n", i + 1, hex, name);
    }
    dama_request_format_with(setup->ruleset, &import->weights, rest, import->request);
    return dama_text_fits(&text) && strlen(import->request) + 1 < DAMA_REQUEST_SIZE
               ? DAMA_OK
               : dama_fail(err, DAMA_UNSUPPORTED,
                           "the names of %d files are too long for a request of %d bytes",
                           setup->file_count, DAMA_REQUEST_SIZE);
}

static enum dama_status begin(struct import *import, struct dama_error *err)
{
    const struct dama_import_setup *setup = import->setup;
    const struct dama_rules *rules = &setup->ruleset->rules;
    char path[DAMA_PATH_SIZE];
    dama_weights_material(rules, &import->weights);
    memcpy(import->weights.rules_hash, setup->ruleset->hash, DAMA_HASH_SIZE);
    DAMA_TRY(format_request(import, err));
    DAMA_TRY(
        dama_run_store_prepare(setup->run, setup->ruleset, &import->weights, import->request, err));
    snprintf(path, sizeof path, "%s/manifest.jsonl", setup->run);
    DAMA_TRY(dama_manifest_open(&import->manifest, path, err));
    dama_run_origin(setup->ruleset, &import->weights, import->request, &import->origin);
    import->importer = (struct dama_importer){
        .rules = rules,
        .is_given = setup->is_given,
        .squares = setup->squares,
        .game = dama_game_new(rules, dama_run_config_draws(setup->config, rules), NULL),
    };
    return import->importer.game ? DAMA_OK : dama_fail(err, DAMA_MEMORY, "no memory for a game");
}

static enum dama_status keep_hash(struct import *import, uint64_t hash, struct dama_error *err)
{
    if (import->hash_count == import->hash_capacity) {
        size_t capacity = import->hash_capacity ? 2 * import->hash_capacity : 1024;
        uint64_t *grown = realloc(import->hashes, capacity * sizeof *grown);
        if (!grown) {
            return dama_fail(err, DAMA_MEMORY, "no memory for %lu games",
                             (unsigned long long)capacity);
        }
        import->hashes = grown;
        import->hash_capacity = capacity;
    }
    import->hashes[import->hash_count++] = hash;
    return DAMA_OK;
}

/* Stores the block in hand and begins the next one. */
static enum dama_status store_block(struct import *import, struct dama_error *err)
{
    struct dama_shard *shard = &import->shard;
    struct dama_shard_header header;
    char path[DAMA_PATH_SIZE];
    struct dama_block_result *result = calloc(1, dama_block_result_size((int64_t)shard->games));
    if (!result) {
        return dama_fail(err, DAMA_MEMORY, "no memory for a block of games");
    }
    dama_block_path(import->setup->run, import->origin.variant, (int64_t)shard->block, path,
                    sizeof path);
    enum dama_status status = dama_shard_save(path, shard, &import->origin, &header, err);
    if (status == DAMA_OK) {
        dama_block_result_fill(result, shard, &header);
        status = dama_manifest_add(&import->manifest, result, err);
    }
    for (size_t i = 0; status == DAMA_OK && i < shard->games; i++) {
        status = keep_hash(import, result->identity[i].game, err);
    }
    free(result);
    uint64_t block = shard->block;
    import->report->rows += shard->rows;
    import->report->shards++;
    dama_shard_clear(shard);
    shard->block = block + 1;
    return status;
}

static enum dama_status add_game(struct import *import, const struct dama_pdn_game *pdn,
                                 struct dama_error *err)
{
    struct dama_error why = {0};
    struct dama_shard *shard = &import->shard;
    enum dama_import_reason reason = dama_import_game(&import->importer, pdn, shard, &why);
    if (why.status == DAMA_MEMORY) {
        return dama_fail(err, DAMA_MEMORY, "%s", why.text);
    }
    import->report->games++;
    import->report->reasons[reason]++;
    if (reason != DAMA_IMPORT_TAKEN) {
        dama_log_warn("left out: %s", why.text);
        return DAMA_OK;
    }
    shard->game[shard->games - 1].id = import->next_game++;
    return shard->games == (size_t)import->setup->config->block_games ? store_block(import, err)
                                                                      : DAMA_OK;
}

static enum dama_status add_file(struct import *import, const struct dama_import_file *file,
                                 struct dama_error *err)
{
    struct dama_pdn_reader reader =
        dama_pdn_open(file->path, (const char *)file->bytes, file->size);
    struct dama_pdn_game pdn = {0};
    enum dama_status status = DAMA_OK;
    import->importer.file++;
    while (status == DAMA_OK && dama_pdn_next(&reader, &pdn)) {
        status = add_game(import, &pdn, err);
    }
    dama_pdn_game_free(&pdn);
    return status;
}

static int compare_words(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static enum dama_status finish(struct import *import, struct dama_error *err)
{
    if (import->shard.games) {
        DAMA_TRY(store_block(import, err));
    }
    if (import->hash_count == 0) {
        return dama_fail(err, DAMA_INVALID, "expected a game that can be data, found %lu without",
                         (unsigned long long)import->report->games);
    }
    qsort(import->hashes, import->hash_count, sizeof *import->hashes, compare_words);
    for (size_t i = 0; i < import->hash_count; i++) {
        import->report->distinct_games += i == 0 || import->hashes[i] != import->hashes[i - 1];
    }
    return DAMA_OK;
}

enum dama_status dama_import_run(const struct dama_import_setup *setup,
                                 struct dama_import_report *report, struct dama_error *err)
{
    struct import *import = calloc(1, sizeof *import);
    if (!import) {
        return dama_fail(err, DAMA_MEMORY, "no memory for an import");
    }
    *report = (struct dama_import_report){0};
    import->setup = setup;
    import->report = report;
    enum dama_status status = begin(import, err);
    for (int i = 0; i < setup->file_count && status == DAMA_OK; i++) {
        status = add_file(import, &setup->files[i], err);
    }
    if (status == DAMA_OK) {
        status = finish(import, err);
    }
    dama_game_free(import->importer.game);
    dama_pdn_replay_free(&import->importer.replay);
    dama_manifest_close(&import->manifest);
    dama_shard_free(&import->shard);
    free(import->hashes);
    free(import);
    return status;
}

enum dama_status dama_import_find_rules(const struct dama_import_file *files, int count,
                                        struct dama_ruleset *out, struct dama_error *err)
{
    struct dama_pdn_game pdn = {0};
    const struct dama_rules *rules = NULL;
    for (int i = 0; i < count && !rules; i++) {
        struct dama_pdn_reader reader =
            dama_pdn_open(files[i].path, (const char *)files[i].bytes, files[i].size);
        while (!rules && dama_pdn_next(&reader, &pdn)) {
            struct dama_error ignored = {0};
            dama_pdn_rules(&pdn, NULL, &rules, &ignored);
        }
    }
    dama_pdn_game_free(&pdn);
    return rules ? dama_ruleset_builtin(rules->name, out, err)
                 : dama_fail(err, DAMA_USAGE,
                             "no game has a GameType tag: expected --variant or --rules");
}
