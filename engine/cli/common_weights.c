/* Weight tables by option and by file. */
#include "engine/cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/tables/tables.h"

static const struct dama_rules *builtin_with_fields(const struct dama_rules *rules)
{
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        if (dama_rules_equal(rules, dama_rules_builtin(i))) {
            return dama_rules_builtin(i);
        }
    }
    return NULL;
}

/* *found is false, and nothing else touched, when no table is shipped for these rules. */
static enum dama_status load_shipped(const struct dama_ruleset *ruleset, struct dama_weights *out,
                                     bool *found, struct dama_error *err)
{
    const struct dama_rules *builtin = builtin_with_fields(&ruleset->rules);
    size_t size = 0;
    const unsigned char *bytes = builtin ? dama_tables_find(builtin->name, &size) : NULL;
    *found = bytes != NULL;
    if (bytes && dama_weights_decode(builtin, ruleset->hash, bytes, size, out, err) != DAMA_OK) {
        return dama_error_prefix(err, "the shipped table");
    }
    return DAMA_OK;
}

/* A table that needs no training, with the hash that only the reader of a rules file knows. */
static enum dama_status make_table(void (*make)(const struct dama_rules *, struct dama_weights *),
                                   const struct dama_ruleset *ruleset, struct dama_weights *out)
{
    make(&ruleset->rules, out);
    memcpy(out->rules_hash, ruleset->hash, sizeof out->rules_hash);
    return DAMA_OK;
}

enum dama_status dama_common_weights(const struct dama_common *common,
                                     const struct dama_ruleset *ruleset, struct dama_weights *out,
                                     struct dama_error *err)
{
    const char *choice = common->weights;
    if (choice && strcmp(choice, "material") == 0) {
        return make_table(dama_weights_material, ruleset, out);
    }
    if (choice && strcmp(choice, "hand-set") == 0) {
        return make_table(dama_weights_hand_set, ruleset, out);
    }
    if (choice && strcmp(choice, "shipped") != 0) {
        return dama_weights_load(choice, ruleset, out, err);
    }
    bool found;
    DAMA_TRY(load_shipped(ruleset, out, &found, err));
    if (!found && choice) {
        return dama_fail(err, DAMA_INVALID, "no table is shipped for %s", ruleset->rules.name);
    }
    if (found) {
        return DAMA_OK;
    }
    fprintf(stderr,
            "dama: warning: no table is shipped for %s: without --weights the hand-set one plays\n",
            ruleset->rules.name);
    return make_table(dama_weights_hand_set, ruleset, out);
}

enum dama_status dama_weights_load(const char *path, const struct dama_ruleset *ruleset,
                                   struct dama_weights *out, struct dama_error *err)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    DAMA_TRY(dama_file_read(path, DAMA_WEIGHTS_MAX_BYTES, &bytes, &size, err));
    struct dama_error why = {0};
    enum dama_status status =
        dama_weights_decode(&ruleset->rules, ruleset->hash, bytes, size, out, &why);
    free(bytes);
    if (status != DAMA_OK) {
        return dama_fail(err, status, "%s: %s", path, why.text);
    }
    return DAMA_OK;
}

enum dama_status dama_weights_save(const char *path, const struct dama_weights *weights,
                                   struct dama_error *err)
{
    unsigned char bytes[DAMA_WEIGHTS_MAX_BYTES];
    size_t size = dama_weights_encode(weights, bytes);
    return dama_file_write(path, bytes, size, err);
}
