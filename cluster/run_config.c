/* The keys of a run: defaults, files, --set, checks and text, all from the one list. */
#include "cluster/run_config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cli/conf_file.h"
#include "engine/cli/suggest.h"
#include "engine/text.h"

enum key_kind { KEY_INT, KEY_REAL, KEY_ENUM };
enum {
    ENUM_SIZE = sizeof((struct dama_run_config *)0)->draw_rules,
    NUMBER_SIZE = 40,
    REQUEST_MAX_BYTES = 1 << 20
};

struct key {
    const char *name;
    enum key_kind kind;
    size_t offset;
    enum dama_run_binds binds;
    const char *help;
    int64_t initial, low, high;
    double real_initial, real_low, real_high;
    const char *text_initial;
    const char *values; /* of an ENUM, separated by blanks */
};

#define COMMON(key_name, key_kind, key_binds, text)                                              \
    .name = #key_name, .kind = (key_kind), .offset = offsetof(struct dama_run_config, key_name), \
    .binds = DAMA_BINDS_##key_binds, .help = (text)
#define INT(name_, initial_, low_, high_, binds_, text) \
    {COMMON(name_, KEY_INT, binds_, text), .initial = (initial_), .low = (low_), .high = (high_)},
#define REAL(name_, initial_, low_, high_, binds_, text)                                    \
    {COMMON(name_, KEY_REAL, binds_, text), .real_initial = (initial_), .real_low = (low_), \
     .real_high = (high_)},
#define ENUM(name_, initial_, values_, binds_, text) \
    {COMMON(name_, KEY_ENUM, binds_, text), .text_initial = (initial_), .values = (values_)},
static const struct key keys[] = {DAMA_RUN_KEYS(INT, REAL, ENUM)};
#undef INT
#undef REAL
#undef ENUM
#undef COMMON
enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

#define NAME(name, ...) #name,
static const char *const names[] = {DAMA_RUN_KEYS(NAME, NAME, NAME) NULL};
#undef NAME

static void *value_of(struct dama_run_config *config, const struct key *key)
{
    return (char *)config + key->offset;
}

static const void *value_in(const struct dama_run_config *config, const struct key *key)
{
    return (const char *)config + key->offset;
}

static const struct key *find_key(const char *name, size_t length)
{
    for (int i = 0; i < KEY_COUNT; i++) {
        if (strlen(keys[i].name) == length && memcmp(keys[i].name, name, length) == 0) {
            return &keys[i];
        }
    }
    return NULL;
}

void dama_run_config_default(struct dama_run_config *out)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < KEY_COUNT; i++) {
        void *value = value_of(out, &keys[i]);
        switch (keys[i].kind) {
        case KEY_INT:
            memcpy(value, &keys[i].initial, sizeof keys[i].initial);
            break;
        case KEY_REAL:
            memcpy(value, &keys[i].real_initial, sizeof keys[i].real_initial);
            break;
        case KEY_ENUM:
            snprintf(value, ENUM_SIZE, "%s", keys[i].text_initial);
            break;
        }
    }
}

/* The shortest text that reads back as the same number, without the plus of an exponent, which a
   run file cannot have outside quotes. */
static void format_real(double value, char out[NUMBER_SIZE])
{
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(out, NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(out, NULL) == value) {
            break;
        }
    }
    char *plus = strchr(out, '+');
    if (plus) {
        memmove(plus, plus + 1, strlen(plus));
    }
}

static void format_range(const struct key *key, char *out, size_t size)
{
    char low[NUMBER_SIZE];
    char high[NUMBER_SIZE];
    switch (key->kind) {
    case KEY_INT:
        snprintf(out, size, "%lld..%lld", (long long)key->low, (long long)key->high);
        break;
    case KEY_REAL:
        format_real(key->real_low, low);
        format_real(key->real_high, high);
        snprintf(out, size, "%s..%s", low, high);
        break;
    case KEY_ENUM:
        snprintf(out, size, "%s", key->values);
        break;
    }
}

/* Up to the ends of 64 bits, with nothing in front or behind. */
static bool read_int(const struct key *key, const char *text, int64_t *out)
{
    const char *digits = text + (*text == '-');
    char *end = NULL;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    bool is_good = *digits >= '0' && *digits <= '9' && !*end && !errno && value >= key->low &&
                   value <= key->high;
    if (is_good) {
        *out = value;
    }
    return is_good;
}

static bool read_real(const struct key *key, const char *text, double *out)
{
    char *end = NULL;
    errno = 0;
    double value = strtod(text, &end);
    /* Written so that a NaN fails. */
    bool is_good =
        *text > ' ' && !*end && !errno && value >= key->real_low && value <= key->real_high;
    if (is_good) {
        *out = value;
    }
    return is_good;
}

static bool is_one_of(const char *values, const char *text)
{
    size_t length = strlen(text);
    for (const char *at = values; *at;) {
        size_t word = strcspn(at, " ");
        if (word == length && memcmp(at, text, length) == 0) {
            return true;
        }
        at += word + strspn(at + word, " ");
    }
    return false;
}

static enum dama_status set_value(struct dama_run_config *config, const struct key *key,
                                  const char *text, struct dama_error *err)
{
    void *value = value_of(config, key);
    int64_t integer;
    double real;
    bool is_good = false;
    switch (key->kind) {
    case KEY_INT:
        is_good = read_int(key, text, &integer);
        if (is_good) {
            memcpy(value, &integer, sizeof integer);
        }
        break;
    case KEY_REAL:
        is_good = read_real(key, text, &real);
        if (is_good) {
            memcpy(value, &real, sizeof real);
        }
        break;
    case KEY_ENUM:
        is_good = is_one_of(key->values, text);
        if (is_good) {
            snprintf(value, ENUM_SIZE, "%s", text);
        }
        break;
    }
    if (is_good) {
        return DAMA_OK;
    }
    char range[256];
    format_range(key, range, sizeof range);
    const char *kinds[] = {"an integer of ", "a number of ", "one of "};
    return dama_fail(err, DAMA_INVALID, "%s: expected %s%s, found '%s'", key->name,
                     kinds[key->kind], range, text);
}

static enum dama_status set_from_file(void *context, const char *name, const char *value,
                                      struct dama_error *err)
{
    return set_value(context, find_key(name, strlen(name)), value, err);
}

/* The request of a run or of a match says of which rules and engine it is, which no run file does.
 */
static bool is_request(const char *path)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    if (dama_file_read(path, REQUEST_MAX_BYTES, &bytes, &size, NULL) != DAMA_OK) {
        return false;
    }
    static const char rules[] = "\nrules = ", engine[] = "\nengine = ";
    bool is_found =
        memmem(bytes, size, rules, strlen(rules)) && memmem(bytes, size, engine, strlen(engine));
    free(bytes);
    return is_found;
}

enum dama_status dama_run_config_load(struct dama_run_config *config, const char *path,
                                      struct dama_error *err)
{
    /* A file with an error changes nothing. */
    struct dama_run_config next = *config;
    struct dama_conf file = {.keys = names, .set = set_from_file, .context = &next};
    struct dama_error why = {0};
    enum dama_status status = dama_conf_load(path, &file, &why);
    if (status == DAMA_INVALID && is_request(path)) {
        return dama_fail(err, DAMA_INVALID,
                         "%s: expected a run file, found the request that a run or match keeps of "
                         "its games (dama check --keys lists the keys of a run file)",
                         path);
    }
    if (status != DAMA_OK) {
        return dama_fail(err, status, "%s", why.text);
    }
    *config = next;
    return DAMA_OK;
}

enum dama_status dama_run_config_set(struct dama_run_config *config, const char *assignment,
                                     struct dama_error *err)
{
    size_t length = strcspn(assignment, "=");
    if (!assignment[length] || length == 0) {
        return dama_fail(err, DAMA_USAGE, "--set: expected key=value, found '%s'", assignment);
    }
    const struct key *key = find_key(assignment, length);
    if (key) {
        struct dama_error inner = {0};
        enum dama_status status = set_value(config, key, assignment + length + 1, &inner);
        return status == DAMA_OK ? DAMA_OK : dama_fail(err, status, "--set: %s", inner.text);
    }
    char name[NUMBER_SIZE];
    snprintf(name, sizeof name, "%.*s", (int)length, assignment);
    struct dama_suggestion nearest = {.word = name};
    for (int i = 0; i < KEY_COUNT; i++) {
        dama_suggest(&nearest, keys[i].name);
    }
    return dama_fail(err, DAMA_USAGE, "--set: unknown key '%s'%s%s (dama check --keys lists them)",
                     name, nearest.best ? ", the nearest is " : "",
                     nearest.best ? nearest.best : "");
}

enum dama_status dama_run_config_read(struct dama_run_config *out, const char *path,
                                      const struct dama_texts *sets, struct dama_error *err)
{
    dama_run_config_default(out);
    if (path) {
        DAMA_TRY(dama_run_config_load(out, path, err));
    }
    for (int i = 0; i < sets->count; i++) {
        DAMA_TRY(dama_run_config_set(out, sets->at[i], err));
    }
    return DAMA_OK;
}

enum dama_draw_rules dama_run_config_draws(const struct dama_run_config *config,
                                           const struct dama_rules *rules)
{
    if (strcmp(config->draw_rules, "site") == 0) {
        return DAMA_DRAWS_SITE;
    }
    return strcmp(config->draw_rules, "federation") == 0 ? DAMA_DRAWS_FEDERATION
                                                         : dama_draw_rules_default(rules);
}

enum dama_status dama_run_config_check(const struct dama_run_config *config,
                                       const struct dama_rules *rules, struct dama_error *err)
{
    if (config->nodes == 0 && config->depth == 0) {
        return dama_fail(err, DAMA_INVALID,
                         "nodes and depth are both 0: a search needs one limit at least");
    }
    if (config->random_plies >= config->max_plies) {
        return dama_fail(err, DAMA_INVALID,
                         "random_plies: expected less than max_plies %ld, found %ld",
                         (long long)config->max_plies, (long long)config->random_plies);
    }
    if (config->draw_plies > 0 && config->draw_from >= config->max_plies) {
        return dama_fail(err, DAMA_INVALID,
                         "draw_from: expected less than max_plies %ld, found %ld",
                         (long long)config->max_plies, (long long)config->draw_from);
    }
    if (config->tune_max_ply > 0 && config->tune_max_ply <= config->tune_skip_plies) {
        return dama_fail(err, DAMA_INVALID,
                         "tune_max_ply: expected more than tune_skip_plies %ld, found %ld",
                         (long long)config->tune_skip_plies, (long long)config->tune_max_ply);
    }
    if (config->promote_elo0 >= config->promote_elo1) {
        char bounds[2][NUMBER_SIZE];
        format_real(config->promote_elo0, bounds[0]);
        format_real(config->promote_elo1, bounds[1]);
        return dama_fail(err, DAMA_INVALID,
                         "promote_elo0: expected less than promote_elo1 %s, found %s", bounds[1],
                         bounds[0]);
    }
    return dama_draw_rules_check(rules, dama_run_config_draws(config, rules), err);
}

static void format_value(const struct key *key, const void *value, char *out, size_t size)
{
    int64_t integer;
    double real;
    switch (key->kind) {
    case KEY_INT:
        memcpy(&integer, value, sizeof integer);
        snprintf(out, size, "%lld", (long long)integer);
        break;
    case KEY_REAL:
        memcpy(&real, value, sizeof real);
        format_real(real, out);
        break;
    case KEY_ENUM:
        snprintf(out, size, "%s", (const char *)value);
        break;
    }
}

size_t dama_run_config_format(const struct dama_run_config *config, enum dama_run_binds least,
                              char *out, size_t size)
{
    struct dama_text text = {.at = out, .size = size};
    for (int i = 0; i < KEY_COUNT; i++) {
        char value[NUMBER_SIZE];
        format_value(&keys[i], value_in(config, &keys[i]), value, sizeof value);
        bool is_given = keys[i].kind == KEY_ENUM && !strcmp(value, "given");
        if (!is_given && keys[i].binds >= least) {
            dama_text_add(&text, "%s = %s\n", keys[i].name, value);
        }
    }
    return text.length;
}

const char *const *dama_run_config_keys(void)
{
    return names;
}

void dama_run_config_print_keys(void)
{
    static const char *const kinds[] = {"int", "real", "enum"};
    static const char *const binds[] = {[DAMA_BINDS_NOTHING] = "nothing",
                                        [DAMA_BINDS_TRAINING] = "a training",
                                        [DAMA_BINDS_GAMES] = "every run"};
    struct dama_run_config initial;
    dama_run_config_default(&initial);
    printf("# key\ttype\tdefault\trange\tkept by\thelp\n");
    for (int i = 0; i < KEY_COUNT; i++) {
        char value[NUMBER_SIZE];
        char range[256];
        format_value(&keys[i], value_in(&initial, &keys[i]), value, sizeof value);
        format_range(&keys[i], range, sizeof range);
        printf("%s\t%s\t%s\t%s\t%s\t%s\n", keys[i].name, kinds[keys[i].kind], value, range,
               binds[keys[i].binds], keys[i].help);
    }
}
