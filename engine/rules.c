/* The table of built-in rule sets, and rule fields by name: compare, check, format, set. */
#include "engine/rules.h"

#include <string.h>

#include "engine/text.h"

enum field_kind { FIELD_INT, FIELD_BOOL, FIELD_ENUM };

/* A rule field as data; words are the names of an enumeration's values. */
struct field {
    const char *name;
    enum field_kind kind;
    size_t offset;
    int low;
    int high;
    const char *const *words;
};

#define X(name, text) text,
static const char *const colour_words[] = {DAMA_COLOURS(X) NULL};
static const char *const crowning_words[] = {DAMA_CROWNINGS(X) NULL};
static const char *const numbering_words[] = {DAMA_NUMBERINGS(X) NULL};
static const char *const capture_sign_words[] = {DAMA_CAPTURE_SIGNS(X) NULL};
static const char *const result_style_words[] = {DAMA_RESULT_STYLES(X) NULL};
#undef X
static const char *const bool_words[] = {"false", "true", NULL};

#define INT(name, low, high, meaning) \
    {#name, FIELD_INT, offsetof(struct dama_rules, name), low, high, NULL},
#define BOOL(name, meaning) \
    {#name, FIELD_BOOL, offsetof(struct dama_rules, name), 0, 1, bool_words},
#define ENUM(name, type, list, meaning)                     \
    {#name,                                                 \
     FIELD_ENUM,                                            \
     offsetof(struct dama_rules, name),                     \
     0,                                                     \
     (int)(sizeof type##_words / sizeof *type##_words) - 2, \
     type##_words},
static const struct field fields[] = {DAMA_RULE_FIELDS(INT, BOOL, ENUM)};
#undef INT
#undef BOOL
#undef ENUM
enum { FIELD_COUNT = sizeof fields / sizeof *fields };

/* The 7 base variants in the order of DAMA_BASE_VARIANTS, then the house rule on the 8x8 ones. */
static const struct dama_rules builtins[DAMA_BUILTIN_COUNT] = {
    {
        .name = "american",
        .capture_mandatory = true,
#include "engine/variants/american.inc"
    },
    {
        .name = "italian",
        .capture_mandatory = true,
#include "engine/variants/italian.inc"
    },
    {
        .name = "russian",
        .capture_mandatory = true,
#include "engine/variants/russian.inc"
    },
    {
        .name = "brazilian",
        .capture_mandatory = true,
#include "engine/variants/brazilian.inc"
    },
    {
        .name = "spanish",
        .capture_mandatory = true,
#include "engine/variants/spanish.inc"
    },
    {
        .name = "czech",
        .capture_mandatory = true,
#include "engine/variants/czech.inc"
    },
    {
        .name = "international",
        .capture_mandatory = true,
#include "engine/variants/international.inc"
    },
    {
        .name = "american-free",
#include "engine/variants/american.inc"
    },
    {
        .name = "italian-free",
#include "engine/variants/italian.inc"
    },
    {
        .name = "russian-free",
#include "engine/variants/russian.inc"
    },
    {
        .name = "brazilian-free",
#include "engine/variants/brazilian.inc"
    },
    {
        .name = "spanish-free",
#include "engine/variants/spanish.inc"
    },
    {
        .name = "czech-free",
#include "engine/variants/czech.inc"
    },
};

static int field_get(const struct dama_rules *rules, const struct field *field)
{
    const char *at = (const char *)rules + field->offset;
    if (field->kind == FIELD_BOOL) {
        bool value;
        memcpy(&value, at, sizeof value);
        return value;
    }
    int value;
    memcpy(&value, at, sizeof value);
    return value;
}

static void field_set(struct dama_rules *rules, const struct field *field, int value)
{
    char *at = (char *)rules + field->offset;
    if (field->kind == FIELD_BOOL) {
        bool truth = value;
        memcpy(at, &truth, sizeof truth);
        return;
    }
    memcpy(at, &value, sizeof value);
}

const struct dama_rules *dama_rules_builtin(int index)
{
    return index >= 0 && index < DAMA_BUILTIN_COUNT ? &builtins[index] : NULL;
}

const struct dama_rules *dama_rules_find(const char *name)
{
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        if (strcmp(builtins[i].name, name) == 0) {
            return &builtins[i];
        }
    }
    return NULL;
}

bool dama_rules_equal(const struct dama_rules *a, const struct dama_rules *b)
{
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (field_get(a, &fields[i]) != field_get(b, &fields[i])) {
            return false;
        }
    }
    return true;
}

int dama_rules_base(const struct dama_rules *rules)
{
    struct dama_rules base = *rules;
    base.capture_mandatory = true;
    for (int i = 0; i < DAMA_BASE_COUNT; i++) {
        if (dama_rules_equal(&base, &builtins[i])) {
            return i;
        }
    }
    return -1;
}

/* Appends one complaint to the list of what is wrong. */
static void complain(struct dama_text *wrong, const char *what)
{
    dama_text_add(wrong, "%s%s", wrong->length ? "; " : "", what);
}

static void check_ranges(const struct dama_rules *rules, struct dama_text *wrong)
{
    for (int i = 0; i < FIELD_COUNT; i++) {
        int value = field_get(rules, &fields[i]);
        if (value < fields[i].low || value > fields[i].high) {
            dama_text_add(wrong, "%s%s: expected %d to %d, found %d", wrong->length ? "; " : "",
                          fields[i].name, fields[i].low, fields[i].high, value);
        }
    }
}

static void check_combinations(const struct dama_rules *rules, struct dama_text *wrong)
{
    if (rules->board_size == 9) {
        complain(wrong, "board_size: expected 8 or 10, found 9");
    }
    if (rules->men_rows * 2 >= rules->board_size) {
        complain(wrong, "men_rows: expected an empty row between the sides");
    }
    if (rules->repetitions == 1) {
        complain(wrong, "repetitions: expected 0 or 2 to 10, found 1");
    }
    if (!rules->king_flies && (rules->king_lands_behind || rules->king_must_go_on)) {
        complain(wrong, "king_lands_behind or king_must_go_on is true: expected king_flies = true");
    }
    if (!rules->most_pieces &&
        (rules->prefer_king_capturer || rules->most_kings || rules->kings_earliest)) {
        complain(wrong, "prefer_king_capturer, most_kings and kings_earliest: expected "
                        "most_pieces = true");
    }
    if (rules->kings_earliest && !rules->most_kings) {
        complain(wrong, "kings_earliest: expected most_kings = true");
    }
    if (rules->king_captures_first && rules->most_pieces) {
        complain(wrong, "king_captures_first: expected most_pieces = false");
    }
}

enum dama_status dama_rules_check(const struct dama_rules *rules, struct dama_error *err)
{
    char buffer[sizeof err->text] = "";
    struct dama_text wrong = {.at = buffer, .size = sizeof buffer};
    check_ranges(rules, &wrong);
    check_combinations(rules, &wrong);
    return wrong.length ? dama_fail(err, DAMA_INVALID, "%s", buffer) : DAMA_OK;
}

size_t dama_rules_format(const struct dama_rules *rules, char *out, size_t size)
{
    struct dama_text text = {.at = out, .size = size};
    for (int i = 0; i < FIELD_COUNT; i++) {
        int value = field_get(rules, &fields[i]);
        if (fields[i].kind == FIELD_INT) {
            dama_text_add(&text, "%s = %d\n", fields[i].name, value);
        } else {
            dama_text_add(&text, "%s = %s\n", fields[i].name, fields[i].words[value]);
        }
    }
    return text.length;
}

static enum dama_status set_word(struct dama_rules *rules, const struct field *field,
                                 const char *value, struct dama_error *err)
{
    char buffer[128] = "";
    struct dama_text expected = {.at = buffer, .size = sizeof buffer};
    for (int i = 0; field->words[i]; i++) {
        if (strcmp(field->words[i], value) == 0) {
            field_set(rules, field, i);
            return DAMA_OK;
        }
        dama_text_add(&expected, "%s%s", i ? ", " : "", field->words[i]);
    }
    return dama_fail(err, DAMA_INVALID, "%s: expected one of %s, found '%s'", field->name, buffer,
                     value);
}

enum dama_status dama_rules_set(struct dama_rules *rules, const char *name, const char *value,
                                struct dama_error *err)
{
    for (int i = 0; i < FIELD_COUNT; i++) {
        const struct field *field = &fields[i];
        if (strcmp(field->name, name) != 0) {
            continue;
        }
        if (field->kind != FIELD_INT) {
            return set_word(rules, field, value, err);
        }
        const char *at = value;
        int64_t number;
        if (!dama_text_read_int(&at, field->low, field->high, &number) || *at) {
            return dama_fail(err, DAMA_INVALID, "%s: expected an integer of %d to %d, found '%s'",
                             name, field->low, field->high, value);
        }
        field_set(rules, field, (int)number);
        return DAMA_OK;
    }
    return dama_fail(err, DAMA_INVALID, "unknown rule field '%s'", name);
}
