/* Storing what a run needs to be played again, and reading it back. */
#include "selfplay/run_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cluster/log.h"
#include "cluster/run_folder.h"
#include "engine/signature.h"

enum { RULES_TEXT_SIZE = 8192 };

bool dama_file_exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

static void join(char out[DAMA_PATH_SIZE], const char *folder, const char *name)
{
    snprintf(out, DAMA_PATH_SIZE, "%s/%s", folder, name);
}

static enum dama_status store_rules(const char *folder, const struct dama_ruleset *ruleset,
                                    struct dama_error *err)
{
    if (dama_rules_find(ruleset->rules.name)) {
        return DAMA_OK;
    }
    char path[DAMA_PATH_SIZE], text[RULES_TEXT_SIZE];
    int length = snprintf(text, sizeof text, "name = \"%s\"\n", ruleset->rules.name);
    dama_rules_format(&ruleset->rules, text + length, sizeof text - (size_t)length);
    join(path, folder, "rules.conf");
    return dama_file_write(path, text, strlen(text), err);
}

/* The table that plays, whose hash the stored request has: a file that is not this very table is
   written anew. */
static enum dama_status store_player(const char *folder, const struct dama_ruleset *ruleset,
                                     const struct dama_weights *weights, struct dama_error *err)
{
    char path[DAMA_PATH_SIZE];
    join(path, folder, "player.dama");
    if (!dama_file_exists(path)) {
        return dama_weights_save(path, weights, err);
    }
    struct dama_weights stored;
    struct dama_error why = {0};
    unsigned char wanted[DAMA_HASH_SIZE], found[DAMA_HASH_SIZE];
    if (dama_weights_load(path, ruleset, &stored, &why) == DAMA_OK) {
        dama_request_weights_hash(weights, wanted);
        dama_request_weights_hash(&stored, found);
        if (!memcmp(wanted, found, sizeof found)) {
            return DAMA_OK;
        }
        dama_fail(&why, DAMA_MISMATCH, "%s: not the table that plays", path);
    }
    dama_log_warn("%s; it is written anew", why.text);
    return dama_weights_save(path, weights, err);
}

enum dama_status dama_run_store_prepare(const char *folder, const struct dama_ruleset *ruleset,
                                        const struct dama_weights *weights, const char *request,
                                        struct dama_error *err)
{
    char path[DAMA_PATH_SIZE];
    DAMA_TRY(dama_folder_make(folder, err));
    /* First of all, so that a request that is refused changes nothing. */
    DAMA_TRY(dama_request_store(folder, request, err));
    DAMA_TRY(store_rules(folder, ruleset, err));
    DAMA_TRY(store_player(folder, ruleset, weights, err));
    join(path, folder, "shards");
    return dama_folder_make(path, err);
}

/* What the program writes into requests beside run keys; a prefix when it ends with '_'. */
static bool is_other_key(const char *key)
{
    static const char *const others[] = {"variant", "rules",   "features", "weights", "engine",
                                         "source",  "import_", "parent_",  "rescore_"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        size_t length = strlen(others[i]);
        bool is_prefix = others[i][length - 1] == '_';
        if (is_prefix ? !strncmp(key, others[i], length) : !strcmp(key, others[i])) {
            return true;
        }
    }
    return false;
}

/* The keys of a stored request that are run keys go into the configuration. */
static enum dama_status read_config(const char *request, struct dama_run_config *config,
                                    struct dama_error *err)
{
    dama_run_config_default(config);
    char key[DAMA_REQUEST_VALUE_SIZE], value[DAMA_REQUEST_VALUE_SIZE];
    while ((request = dama_request_next(request, key, value))) {
        char assignment[2 * DAMA_REQUEST_VALUE_SIZE];
        snprintf(assignment, sizeof assignment, "%s=%s", key, value);
        if (!is_other_key(key)) {
            DAMA_TRY(dama_run_config_set(config, assignment, err));
        }
    }
    return DAMA_OK;
}

static enum dama_status read_rules(const char *folder, const char *request,
                                   struct dama_ruleset *out, struct dama_error *err)
{
    char variant[DAMA_NAME_SIZE], path[DAMA_PATH_SIZE];
    dama_request_value(request, "variant", variant, sizeof variant);
    join(path, folder, "rules.conf");
    if (dama_file_exists(path)) {
        return dama_rules_file_load(path, out, err);
    }
    struct dama_error why = {0};
    return dama_ruleset_builtin(variant, out, &why) == DAMA_OK
               ? DAMA_OK
               : dama_fail(err, DAMA_CORRUPT, "%s/run.conf: variant: %s", folder, why.text);
}

static enum dama_status read_source(const char *request, struct dama_stored_run *out,
                                    struct dama_error *err)
{
    static const char *const texts[] = {
#define X(name, text) text,
        DAMA_RUN_SOURCES(X)
#undef X
    };
    char text[DAMA_REQUEST_VALUE_SIZE], parent[DAMA_REQUEST_VALUE_SIZE];
    dama_request_value(request, "parent_request", parent, sizeof parent);
    out->is_rescored = *parent != 0;
    dama_request_value(request, "source", text, sizeof text);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (!strcmp(text, texts[i]) || (!*text && i == DAMA_SOURCE_SELFPLAY)) {
            out->source = (enum dama_run_source)i;
            return DAMA_OK;
        }
    }
    return dama_fail(err, DAMA_UNSUPPORTED, "run.conf: source: expected %s or %s, found '%s'",
                     texts[0], texts[1], text);
}

static enum dama_status check_hash(const char *request, const char *key,
                                   const unsigned char hash[DAMA_HASH_SIZE], struct dama_error *err)
{
    char stored[2 * DAMA_HASH_SIZE + 1], found[2 * DAMA_HASH_SIZE + 1];
    dama_request_value(request, key, stored, sizeof stored);
    dama_hash_hex(hash, found);
    return strcmp(stored, found) == 0
               ? DAMA_OK
               : dama_fail(err, DAMA_MISMATCH, "run.conf has %s = %s, the folder's file has %s",
                           key, stored, found);
}

void dama_run_origin(const struct dama_ruleset *ruleset, const struct dama_weights *weights,
                     const char *request, struct dama_shard_origin *out)
{
    *out = (struct dama_shard_origin){
        .variant = ruleset->rules.name,
        .board_size = ruleset->rules.board_size,
        .men = dama_rules_men(&ruleset->rules),
        .request = request,
        .engine_signature = DAMA_ENGINE_SIGNATURE,
    };
    memcpy(out->rules_hash, ruleset->hash, DAMA_HASH_SIZE);
    memcpy(out->features_hash, dama_features_hash, DAMA_HASH_SIZE);
    dama_request_weights_hash(weights, out->weights_hash);
}

enum dama_status dama_stored_run_open(const char *folder, struct dama_stored_run *out,
                                      struct dama_error *err)
{
    char path[DAMA_PATH_SIZE], engine[16];
    DAMA_TRY(dama_request_read(folder, out->request, err));
    DAMA_TRY(read_source(out->request, out, err));
    DAMA_TRY(read_rules(folder, out->request, &out->ruleset, err));
    DAMA_TRY(read_config(out->request, &out->config, err));
    join(path, folder, "player.dama");
    DAMA_TRY(dama_weights_load(path, &out->ruleset, &out->weights, err));
    dama_run_origin(&out->ruleset, &out->weights, out->request, &out->origin);
    dama_request_value(out->request, "engine", engine, sizeof engine);
    out->origin.engine_signature = (uint32_t)strtoul(engine, NULL, 16);
    DAMA_TRY(check_hash(out->request, "rules", out->origin.rules_hash, err));
    return check_hash(out->request, "weights", out->origin.weights_hash, err);
}

enum dama_status dama_stored_run_check_engine(const struct dama_stored_run *run,
                                              struct dama_error *err)
{
    if (run->source == DAMA_SOURCE_IMPORT) {
        return dama_fail(err, DAMA_UNSUPPORTED, "imported games: no engine can play them again");
    }
    if (run->is_rescored) {
        return dama_fail(err, DAMA_UNSUPPORTED,
                         "games with other scores than their player's: the engine can play again "
                         "only those of the run that they come from");
    }
    char asked[DAMA_REQUEST_SIZE];
    dama_request_format(&run->ruleset, &run->weights, &run->config, asked);
    return dama_request_compare(run->request, asked, err);
}
