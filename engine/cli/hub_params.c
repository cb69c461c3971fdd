/* Parameters of our side of Hub: declared, checked, kept as text. */
#include "engine/cli/hub_params.h"

#include <assert.h>
#include <string.h>

#include "engine/cli/hub_board.h"
#include "engine/cli/hub_line.h"
#include "engine/level.h"
#include "engine/text.h"

enum kind { ENUM, STRING, INT };
enum { CHOICES_SIZE = 320 };

static const struct declaration {
    const char *name;
    const char *value;
    enum kind kind;
    int64_t low, high;
} declarations[] = {
#define X(id, name, value, kind, low, high) {name, value, kind, low, high},
    DAMA_HUB_PARAMS(X)
#undef X
};

/* The allowed values of an ENUM, separated by blanks. */
static void list_choices(enum dama_hub_param which, char out[CHOICES_SIZE])
{
    struct dama_text text = {.at = out, .size = CHOICES_SIZE};
    switch (which) {
    case DAMA_HUB_VARIANT:
        for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
            dama_text_add(&text, "%s%s", i ? " " : "", dama_rules_builtin(i)->name);
        }
        break;
    case DAMA_HUB_LEVEL:
        dama_text_add(&text, "full");
#define X(name) dama_text_add(&text, " " #name);
        DAMA_LEVELS(X)
#undef X
        break;
    case DAMA_HUB_DRAW_RULES:
        dama_text_add(&text, "default");
#define X(name, word) dama_text_add(&text, " " word);
        DAMA_DRAW_RULES(X)
#undef X
        break;
    default:
        assert(which == DAMA_HUB_NUMBERS);
#define X(name, word) dama_text_add(&text, "%s" word, text.length ? " " : "");
        DAMA_HUB_NUMBERS(X)
#undef X
    }
}

/* The place of a word among words separated by blanks; -1 when it is none of them. */
static int place_of(const char *words, const char *word)
{
    size_t wanted = strlen(word);
    for (int place = 0;; place++) {
        size_t length = strcspn(words, " ");
        if (length == wanted && memcmp(words, word, length) == 0) {
            return place;
        }
        if (words[length] == 0) {
            return -1;
        }
        words += length + 1;
    }
}

void dama_hub_params_init(struct dama_hub_params *params)
{
    for (int i = 0; i < DAMA_HUB_PARAM_COUNT; i++) {
        dama_text_format(params->values[i], DAMA_HUB_VALUE_SIZE, "%s", declarations[i].value);
    }
}

void dama_hub_params_declare(const struct dama_hub_params *params, FILE *out)
{
    for (int i = 0; i < DAMA_HUB_PARAM_COUNT; i++) {
        const struct declaration *d = &declarations[i];
        fputs("param", out);
        dama_hub_write_pair(out, "name", d->name);
        dama_hub_write_pair(out, "value", params->values[i]);
        if (d->kind == ENUM) {
            char choices[CHOICES_SIZE];
            list_choices((enum dama_hub_param)i, choices);
            dama_hub_write_pair(out, "type", "enum");
            dama_hub_write_pair(out, "values", choices);
        } else if (d->kind == INT) {
            fprintf(out, " type=int min=%lld max=%lld", (long long)d->low, (long long)d->high);
        } else {
            dama_hub_write_pair(out, "type", "string");
        }
        fputc('\n', out);
    }
}

static enum dama_status check(int which, const char *value, struct dama_error *err)
{
    const struct declaration *d = &declarations[which];
    char choices[CHOICES_SIZE];
    const char *at = value;
    int64_t number;
    switch (d->kind) {
    case ENUM:
        list_choices((enum dama_hub_param)which, choices);
        if (place_of(choices, value) < 0) {
            return dama_fail(err, DAMA_INVALID, "param %s: expected one of %s, found '%s'", d->name,
                             choices, value);
        }
        return DAMA_OK;
    case INT:
        if (!dama_text_read_int(&at, d->low, d->high, &number) || *at) {
            return dama_fail(err, DAMA_INVALID, "param %s: expected %ld to %ld, found '%s'",
                             d->name, (long long)d->low, (long long)d->high, value);
        }
        return DAMA_OK;
    case STRING:
        break;
    }
    return DAMA_OK;
}

enum dama_status dama_hub_params_set(struct dama_hub_params *params, const char *name,
                                     const char *value, struct dama_error *err)
{
    for (int i = 0; i < DAMA_HUB_PARAM_COUNT; i++) {
        if (strcmp(declarations[i].name, name) != 0) {
            continue;
        }
        size_t length = strlen(value);
        if (length >= DAMA_HUB_VALUE_SIZE) {
            return dama_fail(err, DAMA_INVALID, "param %s: a value of %lu characters", name,
                             (unsigned long long)length);
        }
        DAMA_TRY(check(i, value, err));
        memcpy(params->values[i], value, length + 1);
        break;
    }
    return DAMA_OK;
}

int64_t dama_hub_params_int(const struct dama_hub_params *params, enum dama_hub_param which)
{
    const char *at = params->values[which];
    int64_t number = 0;
    assert(declarations[which].kind == INT);
    dama_text_read_int(&at, declarations[which].low, declarations[which].high, &number);
    return number;
}

int dama_hub_params_choice(const struct dama_hub_params *params, enum dama_hub_param which)
{
    char choices[CHOICES_SIZE];
    assert(declarations[which].kind == ENUM);
    list_choices(which, choices);
    return place_of(choices, params->values[which]);
}
