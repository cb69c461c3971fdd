/* Levels files: "[variant.]level = words" lines, read strictly. */
#include "engine/cli/levels_file.h"

#include <stdio.h>
#include <string.h>

#include "engine/cli/check.h"
#include "engine/cli/conf_file.h"
#include "engine/text.h"

enum { KEY_SIZE = DAMA_NAME_SIZE + 16, NODES_MAX = 1000000000, HUNDREDTHS_MAX = 1000 };

static const char *const level_names[] = {
#define X(name) #name,
    DAMA_LEVELS(X)
#undef X
        NULL};

/* The key of each row, "easy" or "american.easy". */
struct keys {
    char text[DAMA_LEVEL_ROWS][KEY_SIZE];
    const char *at[DAMA_LEVEL_ROWS + 1];
};

static void make_keys(struct keys *keys)
{
    for (int row = 0; row < DAMA_LEVEL_ROWS; row++) {
        const char *level = level_names[row % DAMA_LEVEL_NAMES];
        int variant = row / DAMA_LEVEL_NAMES - 1;
        snprintf(keys->text[row], KEY_SIZE, "%s%s%s",
                 variant < 0 ? "" : dama_rules_builtin(variant)->name, variant < 0 ? "" : ".",
                 level);
        keys->at[row] = keys->text[row];
    }
    keys->at[DAMA_LEVEL_ROWS] = NULL;
}

struct reader {
    const struct keys *keys;
    struct dama_levels *levels;
};

/* Reads "word number" at *at. */
static bool read_word(const char **at, const char *word, int64_t low, int64_t high, int64_t *out)
{
    const char *text = *at + strspn(*at, " ");
    size_t length = strlen(word);
    if (strncmp(text, word, length) != 0 || text[length] != ' ') {
        return false;
    }
    text += length;
    text += strspn(text, " ");
    *at = text;
    return dama_text_read_int(at, low, high, out);
}

static enum dama_status set_level(void *context, const char *key, const char *value,
                                  struct dama_error *err)
{
    struct reader *reader = context;
    int row = 0;
    while (strcmp(reader->keys->at[row], key) != 0) {
        row++;
    }
    const char *at = value;
    int64_t nodes, depth, noise, margin;
    if (!read_word(&at, "nodes", 1, NODES_MAX, &nodes) ||
        !read_word(&at, "depth", 0, DAMA_DEPTH_MAX, &depth) ||
        !read_word(&at, "noise", 0, HUNDREDTHS_MAX, &noise) ||
        !read_word(&at, "margin", 0, HUNDREDTHS_MAX, &margin) || *at) {
        return dama_fail(err, DAMA_INVALID,
                         "%s: expected \"nodes 1..%d depth 0..%d noise 0..%d margin 0..%d\", found "
                         "\"%s\"",
                         key, NODES_MAX, DAMA_DEPTH_MAX, HUNDREDTHS_MAX, HUNDREDTHS_MAX, value);
    }
    struct dama_level *level = &reader->levels->rows[row];
    *level = (struct dama_level){
        .nodes = (uint64_t)nodes, .depth = (int)depth, .noise = (int)noise, .margin = (int)margin};
    snprintf(level->name, sizeof level->name, "%s", level_names[row % DAMA_LEVEL_NAMES]);
    return DAMA_OK;
}

enum dama_status dama_levels_file_load(const char *path, struct dama_levels *out,
                                       struct dama_error *err)
{
    struct keys keys;
    make_keys(&keys);
    struct dama_levels levels = {0};
    struct reader reader = {.keys = &keys, .levels = &levels};
    const struct dama_conf conf = {.keys = keys.at, .set = set_level, .context = &reader};
    DAMA_TRY(dama_conf_load(path, &conf, err));
    for (int i = 0; i < DAMA_LEVEL_NAMES; i++) {
        if (levels.rows[i].nodes == 0) {
            return dama_fail(err, DAMA_INVALID, "%s: level '%s' is missing", path, level_names[i]);
        }
    }
    *out = levels;
    return DAMA_OK;
}

const struct dama_level *dama_levels_find(const struct dama_levels *levels,
                                          const struct dama_rules *rules, const char *name)
{
    int level = 0;
    while (level_names[level] && strcmp(level_names[level], name) != 0) {
        level++;
    }
    if (!level_names[level]) {
        return NULL;
    }
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        const struct dama_level *own = &levels->rows[DAMA_LEVEL_NAMES * (i + 1) + level];
        const struct dama_rules *builtin = dama_rules_builtin(i);
        if (own->nodes && strcmp(builtin->name, rules->name) == 0 &&
            dama_rules_equal(builtin, rules)) {
            return own;
        }
    }
    return &levels->rows[level];
}

static enum dama_status check(const char *path, char *about, size_t size, struct dama_error *err)
{
    struct dama_levels levels;
    DAMA_TRY(dama_levels_file_load(path, &levels, err));
    int own = 0;
    for (int row = DAMA_LEVEL_NAMES; row < DAMA_LEVEL_ROWS; row++) {
        own += levels.rows[row].nodes != 0;
    }
    snprintf(about, size, "%d levels, %d of single variants", DAMA_LEVEL_NAMES, own);
    return DAMA_OK;
}

const struct dama_check_kind dama_levels_file_kind = {"levels file", level_names, check};
