/* What the common options mean: rule set, weight table and squares. */
#include "engine/cli/options.h"

#include <stdlib.h>
#include <string.h>

#include "engine/cli/suggest.h"
#include "engine/tables/tables.h"
#include "engine/text.h"

enum { VARIANT_LIST_SIZE = 280 };

static void list_variants(char *out, size_t size)
{
    struct dama_text text = {.at = out, .size = size};
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        dama_text_add(&text, "%s%s", i ? " " : "", dama_rules_builtin(i)->name);
    }
}

enum dama_status dama_ruleset_builtin(const char *name, struct dama_ruleset *out,
                                      struct dama_error *err)
{
    const struct dama_rules *rules = dama_rules_find(name);
    if (rules) {
        *out = (struct dama_ruleset){.rules = *rules, .kernel = dama_kernel_find(rules)};
        memcpy(out->hash, dama_rules_hash(rules), DAMA_HASH_SIZE);
        return DAMA_OK;
    }
    struct dama_suggestion nearest = {.word = name};
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        dama_suggest(&nearest, dama_rules_builtin(i)->name);
    }
    if (nearest.best) {
        return dama_fail(err, DAMA_USAGE, "unknown variant '%s', the nearest is '%s'", name,
                         nearest.best);
    }
    char names[VARIANT_LIST_SIZE];
    list_variants(names, sizeof names);
    return dama_fail(err, DAMA_USAGE, "unknown variant '%s', expected one of: %s", name, names);
}

enum dama_status dama_common_rules(const struct dama_common *common, struct dama_ruleset *out,
                                   struct dama_error *err)
{
    if (common->variant && common->rules_file) {
        return dama_fail(err, DAMA_USAGE, "expected --variant or --rules, found both");
    }
    if (common->rules_file) {
        return dama_rules_file_load(common->rules_file, out, err);
    }
    if (common->variant) {
        return dama_ruleset_builtin(common->variant, out, err);
    }
    char names[VARIANT_LIST_SIZE];
    list_variants(names, sizeof names);
    return dama_fail(err, DAMA_USAGE, "expected --rules FILE or --variant with one of: %s", names);
}

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
    return bytes ? dama_weights_decode(builtin, ruleset->hash, bytes, size, out, err) : DAMA_OK;
}

enum dama_status dama_common_weights(const struct dama_common *common,
                                     const struct dama_ruleset *ruleset, struct dama_weights *out,
                                     struct dama_error *err)
{
    const char *choice = common->weights;
    if (choice && strcmp(choice, "material") == 0) {
        dama_weights_material(&ruleset->rules, out);
        return DAMA_OK;
    }
    if (choice && strcmp(choice, "hand-set") == 0) {
        dama_weights_hand_set(&ruleset->rules, out);
        return DAMA_OK;
    }
    if (choice && strcmp(choice, "shipped") != 0) {
        return dama_weights_load(choice, ruleset, out, err);
    }
    bool found;
    DAMA_TRY(load_shipped(ruleset, out, &found, err));
    if (!found && choice) {
        return dama_fail(err, DAMA_INVALID, "no table is shipped for %s", ruleset->rules.name);
    }
    if (!found) {
        dama_weights_hand_set(&ruleset->rules, out);
    }
    return DAMA_OK;
}

enum dama_status dama_common_squares(const struct dama_common *common, enum dama_squares *out,
                                     struct dama_error *err)
{
    if (!common->squares || strcmp(common->squares, "official") == 0) {
        *out = DAMA_SQUARES_OFFICIAL;
        return DAMA_OK;
    }
    if (strcmp(common->squares, "grid") == 0) {
        *out = DAMA_SQUARES_GRID;
        return DAMA_OK;
    }
    return dama_fail(err, DAMA_USAGE, "--squares: expected official or grid, found '%s'",
                     common->squares);
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
