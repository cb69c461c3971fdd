/* Rules files: every rule field as "field = value", or the fields that differ from a base. */
#include "engine/cli/options.h"

#include <stdio.h>
#include <string.h>

#include "engine/cli/check.h"
#include "engine/cli/conf_file.h"

/* What a rules file may say beyond its fields comes first. */
static const char *const own_keys[] = {"name", "base",
#define INT(name, low, high, meaning) #name,
#define BOOL(name, meaning) #name,
#define ENUM(name, type, list, meaning) #name,
                                       DAMA_RULE_FIELDS(INT, BOOL, ENUM)
#undef INT
#undef BOOL
#undef ENUM
                                           NULL};
enum { KEY_COUNT = sizeof own_keys / sizeof own_keys[0] - 1, FIELD_COUNT = KEY_COUNT - 2 };
static const char *const *const field_names = own_keys + 2;

/* Rules that people ask for and that no field can express; refused by what they mean. */
static const struct {
    const char *key;
    const char *meaning;
} inexpressible[] = {
    {"orthogonal", "moves along rows and columns (Turkish, Frisian)"},
    {"men_move_sideways", "moves along rows and columns (Turkish)"},
    {"men_move_backward", "men that move backward without capturing"},
    {"board_rows", "boards that are not square"},
    {"board_columns", "boards that are not square"},
    {"huffing", "huffing instead of obligatory captures"},
    {"loser_wins", "giveaway, where the side without a move wins"},
};
enum { INEXPRESSIBLE_COUNT = sizeof inexpressible / sizeof inexpressible[0] };

struct rules_reader {
    struct dama_rules rules;
    bool is_set[FIELD_COUNT];
    bool has_base;
    bool has_name;
};

static enum dama_status set_name(struct rules_reader *reader, const char *value,
                                 struct dama_error *err)
{
    size_t length = strlen(value);
    bool is_plain = length == strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789-");
    if (length == 0 || length >= DAMA_NAME_SIZE || !is_plain) {
        return dama_fail(err, DAMA_INVALID, "name: expected 1 to %d of a-z, 0-9 and -, found '%s'",
                         DAMA_NAME_SIZE - 1, value);
    }
    memset(reader->rules.name, 0, sizeof reader->rules.name);
    memcpy(reader->rules.name, value, length);
    reader->has_name = true;
    return DAMA_OK;
}

static enum dama_status set_base(struct rules_reader *reader, const char *value,
                                 struct dama_error *err)
{
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (reader->is_set[i]) {
            return dama_fail(err, DAMA_INVALID, "base must stand in front of the fields");
        }
    }
    struct dama_ruleset base;
    struct dama_error why = {0};
    if (dama_ruleset_builtin(value, &base, &why) != DAMA_OK) {
        return dama_fail(err, DAMA_INVALID, "base: %s", why.text);
    }
    char name[DAMA_NAME_SIZE];
    memcpy(name, reader->rules.name, sizeof name);
    reader->rules = base.rules;
    memcpy(reader->rules.name, name, sizeof name);
    reader->has_base = true;
    return DAMA_OK;
}

static enum dama_status set_field(struct rules_reader *reader, const char *key, const char *value,
                                  struct dama_error *err)
{
    for (int i = 0; i < INEXPRESSIBLE_COUNT; i++) {
        if (strcmp(key, inexpressible[i].key) == 0) {
            return dama_fail(err, DAMA_UNSUPPORTED, "%s: no rule field expresses %s", key,
                             inexpressible[i].meaning);
        }
    }
    if (strcmp(key, "board_size") == 0 && strcmp(value, "8") != 0 && strcmp(value, "10") != 0) {
        return dama_fail(err, DAMA_UNSUPPORTED,
                         "board_size: only boards of 8x8 and 10x10 are supported, found '%s'",
                         value);
    }
    DAMA_TRY(dama_rules_set(&reader->rules, key, value, err));
    for (int i = 0; i < FIELD_COUNT; i++) {
        reader->is_set[i] |= strcmp(key, field_names[i]) == 0;
    }
    return DAMA_OK;
}

static enum dama_status set_key(void *context, const char *key, const char *value,
                                struct dama_error *err)
{
    struct rules_reader *reader = context;
    if (strcmp(key, "name") == 0) {
        return set_name(reader, value, err);
    }
    if (strcmp(key, "base") == 0) {
        return set_base(reader, value, err);
    }
    return set_field(reader, key, value, err);
}

static enum dama_status check_complete(const struct rules_reader *reader, struct dama_error *err)
{
    for (int i = 0; i < FIELD_COUNT && !reader->has_base; i++) {
        if (!reader->is_set[i]) {
            return dama_fail(err, DAMA_INVALID, "field '%s' is missing and there is no base",
                             field_names[i]);
        }
    }
    return DAMA_OK;
}

/* The file's name without folder and ending, in the form that `name` would need. */
static enum dama_status name_from_path(struct rules_reader *reader, const char *path,
                                       struct dama_error *err)
{
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    char name[DAMA_NAME_SIZE];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(file, "."), file);
    return set_name(reader, name, err);
}

/* Tables, shards and runs know a built-in by its name alone. */
static enum dama_status check_name(const struct dama_rules *rules, struct dama_error *err)
{
    const struct dama_rules *builtin = dama_rules_find(rules->name);
    if (builtin && !dama_rules_equal(builtin, rules)) {
        return dama_fail(err, DAMA_INVALID,
                         "name: expected another than that of a built-in with other rules, found "
                         "'%s'",
                         rules->name);
    }
    return DAMA_OK;
}

static enum dama_status finish(struct rules_reader *reader, const char *path,
                               struct dama_ruleset *out, struct dama_error *err)
{
    DAMA_TRY(check_complete(reader, err));
    if (!reader->has_name) {
        DAMA_TRY(name_from_path(reader, path, err));
    }
    DAMA_TRY(dama_rules_check(&reader->rules, err));
    DAMA_TRY(check_name(&reader->rules, err));
    char text[4096];
    size_t length = dama_rules_format(&reader->rules, text, sizeof text);
    if (length >= sizeof text) {
        return dama_fail(err, DAMA_UNSUPPORTED, "canonical text is longer than %d bytes",
                         (int)sizeof text - 1);
    }
    *out =
        (struct dama_ruleset){.rules = reader->rules, .kernel = dama_kernel_find(&reader->rules)};
    dama_sha256(text, length, out->hash);
    return DAMA_OK;
}

enum dama_status dama_rules_file_load(const char *path, struct dama_ruleset *out,
                                      struct dama_error *err)
{
    const char *keys[KEY_COUNT + INEXPRESSIBLE_COUNT + 1] = {NULL};
    int count = 0;
    for (int i = 0; i < KEY_COUNT; i++) {
        keys[count++] = own_keys[i];
    }
    for (int i = 0; i < INEXPRESSIBLE_COUNT; i++) {
        keys[count++] = inexpressible[i].key;
    }
    struct rules_reader reader = {0};
    const struct dama_conf conf = {.keys = keys, .set = set_key, .context = &reader};
    DAMA_TRY(dama_conf_load(path, &conf, err));
    struct dama_error why = {0};
    if (finish(&reader, path, out, &why) != DAMA_OK) {
        return dama_fail(err, why.status, "%s: %s", path, why.text);
    }
    return DAMA_OK;
}

static enum dama_status check(const char *path, char *about, size_t size, struct dama_error *err)
{
    struct dama_ruleset ruleset;
    DAMA_TRY(dama_rules_file_load(path, &ruleset, err));
    char hex[2 * DAMA_HASH_SIZE + 1];
    dama_hash_hex(ruleset.hash, hex);
    snprintf(about, size, "%s, hash %s", ruleset.rules.name, hex);
    return DAMA_OK;
}

const struct dama_check_kind dama_rules_file_kind = {"rules file", own_keys, check};
