/* Finding the rules and the table behind shards. */
#include "tuner/source.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cluster/comm.h"

void dama_table_hash(const struct dama_weights *table, unsigned char out[DAMA_HASH_SIZE])
{
    unsigned char bytes[DAMA_WEIGHTS_MAX_BYTES];
    dama_sha256(bytes, dama_weights_encode(table, bytes), out);
}

/* The facts of the last shard that can be read, and its file. */
static enum dama_status last_facts(const struct dama_shard_list *list,
                                   struct dama_shard_facts *facts,
                                   const struct dama_shard_file **file, struct dama_error *err)
{
    struct dama_error first = {0};
    for (int i = list->count - 1; i >= 0; i--) {
        struct dama_shard shard = {0};
        struct dama_error why = {0};
        enum dama_status status = dama_shard_load(list->file[i].path, NULL, &shard, NULL, &why);
        *facts = shard.facts;
        facts->request = NULL;
        dama_shard_free(&shard);
        if (status == DAMA_OK) {
            *file = &list->file[i];
            return DAMA_OK;
        }
        first = first.status == DAMA_OK ? why : first;
    }
    return dama_fail(err, first.status, "no shard can be read: %s", first.text);
}

/* FOLDER/name for the shard FOLDER/shards/x.h5; false when there is no such file. */
static bool beside(const struct dama_shard_file *file, const char *name,
                   char out[DAMA_SHARD_PATH_SIZE])
{
    char folder[DAMA_SHARD_PATH_SIZE];
    snprintf(folder, sizeof folder, "%s", file->path);
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(folder, '/');
        if (!slash) {
            return false;
        }
        *slash = 0;
    }
    int length = snprintf(out, DAMA_SHARD_PATH_SIZE, "%s/%s", folder, name);
    return length < DAMA_SHARD_PATH_SIZE && access(out, F_OK) == 0;
}

static enum dama_status find_rules(struct dama_source *out, const struct dama_shard_facts *facts,
                                   const struct dama_shard_file *file, struct dama_error *err)
{
    char path[DAMA_SHARD_PATH_SIZE];
    if (beside(file, "rules.conf", path)) {
        return dama_rules_file_load(path, &out->ruleset, err);
    }
    if (!dama_rules_find(facts->variant)) {
        return dama_fail(err, DAMA_INVALID,
                         "%s: games of '%s', no built-in variant: expected rules.conf beside the "
                         "shards or --rules FILE",
                         file->path, facts->variant);
    }
    return dama_ruleset_builtin(facts->variant, &out->ruleset, err);
}

static enum dama_status find_parent(struct dama_source *out, const struct dama_shard_facts *facts,
                                    const struct dama_shard_file *file, struct dama_error *err)
{
    char path[DAMA_SHARD_PATH_SIZE];
    if (!beside(file, "player.dama", path)) {
        dama_weights_material(&out->ruleset.rules, &out->parent);
        memcpy(out->parent.rules_hash, out->ruleset.hash, DAMA_HASH_SIZE);
        snprintf(out->parent_text, sizeof out->parent_text, "material (no player.dama found)");
        return DAMA_OK;
    }
    DAMA_TRY(dama_weights_load(path, &out->ruleset, &out->parent, err));
    unsigned char hash[DAMA_HASH_SIZE];
    dama_table_hash(&out->parent, hash);
    if (memcmp(hash, facts->weights_hash, DAMA_HASH_SIZE) != 0) {
        char expected[2 * DAMA_HASH_SIZE + 1], found[2 * DAMA_HASH_SIZE + 1];
        dama_hash_hex(facts->weights_hash, expected);
        dama_hash_hex(hash, found);
        expected[8] = found[8] = 0; /* as in names of exported tables */
        return dama_fail(err, DAMA_MISMATCH,
                         "%s: expected the table that played, %s, found %s; --parent names another",
                         path, expected, found);
    }
    snprintf(out->parent_text, sizeof out->parent_text, "the table that played");
    return DAMA_OK;
}

static enum dama_status choose_rules(struct dama_source *out,
                                     const struct dama_source_request *request,
                                     const struct dama_shard_facts *facts,
                                     const struct dama_shard_file *file, struct dama_error *err)
{
    if (request->ruleset) {
        out->ruleset = *request->ruleset;
        return DAMA_OK;
    }
    if (request->common.variant || request->common.rules_file) {
        return dama_common_rules(&request->common, &out->ruleset, err);
    }
    return find_rules(out, facts, file, err);
}

static enum dama_status choose_parent(struct dama_source *out,
                                      const struct dama_source_request *request,
                                      const struct dama_shard_facts *facts,
                                      const struct dama_shard_file *file, struct dama_error *err)
{
    if (request->parent) {
        out->parent = *request->parent;
        snprintf(out->parent_text, sizeof out->parent_text, "given");
        return DAMA_OK;
    }
    if (request->common.weights) {
        snprintf(out->parent_text, sizeof out->parent_text, "%s", request->common.weights);
        return dama_common_weights(&request->common, &out->ruleset, &out->parent, err);
    }
    return find_parent(out, facts, file, err);
}

static enum dama_status find(struct dama_source *out, const struct dama_shard_list *list,
                             const struct dama_source_request *request, struct dama_error *err)
{
    struct dama_shard_facts facts = {0};
    const struct dama_shard_file *file = NULL;
    DAMA_TRY(last_facts(list, &facts, &file, err));
    DAMA_TRY(choose_rules(out, request, &facts, file, err));
    return choose_parent(out, request, &facts, file, err);
}

enum dama_status dama_source_find(struct dama_source *out, const struct dama_shard_list *list,
                                  const struct dama_source_request *request, struct dama_error *err)
{
    memset(out, 0, sizeof *out);
    bool is_first = dama_comm_rank() == 0;
    enum dama_status status = is_first ? find(out, list, request, err) : DAMA_OK;
    DAMA_TRY(dama_comm_agree(status, err));
    dama_comm_broadcast(out, sizeof *out);
    out->ruleset.kernel = dama_kernel_find(&out->ruleset.rules);
    return DAMA_OK;
}
