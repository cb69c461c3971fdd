/* What the common options mean: rule set and squares. */
#include "engine/cli/options.h"

#include <string.h>

#include "engine/cli/suggest.h"
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
