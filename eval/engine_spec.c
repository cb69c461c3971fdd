/* Reading hub:COMMAND;name=value and engine:PATH. */
#include "eval/engine_spec.h"

#include <string.h>

static const char hub_prefix[] = "hub:";
static const char own_prefix[] = "engine:";

static bool begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool dama_engine_spec_matches(const char *text)
{
    return begins_with(text, hub_prefix) || begins_with(text, own_prefix);
}

/* Takes one word from the front and returns what follows it; quotes are dropped. NULL when a quote
   is not closed. */
static char *take_word(char *at, char **word)
{
    char *to = at;
    char quote = 0;
    *word = at;
    for (; *at && (quote || *at != ' '); at++) {
        if (quote ? *at == quote : *at == '\'' || *at == '"') {
            quote = quote ? 0 : *at;
        } else {
            *to++ = *at;
        }
    }
    char *rest = *at ? at + 1 : at;
    *to = 0;
    return quote ? NULL : rest;
}

static enum dama_status split_command(struct dama_engine_spec *spec, char *command,
                                      struct dama_error *err)
{
    int count = 0;
    for (command += strspn(command, " "); *command; command += strspn(command, " ")) {
        if (count == DAMA_SPEC_WORDS_MAX) {
            return dama_fail(err, DAMA_USAGE, "%s: expected at most %d words", spec->text,
                             DAMA_SPEC_WORDS_MAX);
        }
        command = take_word(command, &spec->argv[count]);
        if (!command) {
            return dama_fail(err, DAMA_USAGE, "%s: a quote is not closed", spec->text);
        }
        count++;
    }
    return DAMA_OK;
}

static enum dama_status add_param(struct dama_engine_spec *spec, char *text, struct dama_error *err)
{
    char *sign = strchr(text, '=');
    if (!sign || sign == text) {
        return dama_fail(err, DAMA_USAGE, "%s: expected name=value behind ';', found '%s'",
                         spec->text, text);
    }
    *sign = 0;
    if (strcmp(text, "dir") == 0) {
        spec->folder = sign + 1;
        return DAMA_OK;
    }
    if (spec->param_count == DAMA_SPEC_PARAMS_MAX) {
        return dama_fail(err, DAMA_USAGE, "%s: expected at most %d parameters", spec->text,
                         DAMA_SPEC_PARAMS_MAX);
    }
    spec->params[spec->param_count++] = (struct dama_hub_pair){.name = text, .value = sign + 1};
    return DAMA_OK;
}

/* exec wants words that it could change, and changes none. */
static void add_own_arguments(struct dama_engine_spec *spec, const char *rules_file)
{
    spec->argv[1] = (char *)"hub";
    if (rules_file) {
        spec->argv[2] = (char *)"--rules";
        spec->argv[3] = (char *)rules_file;
    }
}

enum dama_status dama_engine_spec_parse(const char *text, const char *rules_file,
                                        struct dama_engine_spec *out, struct dama_error *err)
{
    *out = (struct dama_engine_spec){.text = text, .is_own = begins_with(text, own_prefix)};
    const char *rest = text + strlen(out->is_own ? own_prefix : hub_prefix);
    size_t length = strlen(rest);
    if (length >= sizeof out->storage) {
        return dama_fail(err, DAMA_USAGE, "an engine: expected at most %d characters, found %lu",
                         DAMA_SPEC_SIZE - 1, (unsigned long long)length);
    }
    memcpy(out->storage, rest, length + 1);
    char *next = strchr(out->storage, ';');
    while (next) {
        char *param = next + 1;
        *next = 0;
        next = strchr(param, ';');
        if (next) {
            *next = 0;
        }
        DAMA_TRY(add_param(out, param, err));
    }
    if (out->is_own) {
        out->argv[0] = out->storage;
        add_own_arguments(out, rules_file);
    } else {
        DAMA_TRY(split_command(out, out->storage, err));
    }
    if (!out->argv[0] || !*out->argv[0]) {
        return dama_fail(err, DAMA_USAGE, "%s: expected a program behind the colon", text);
    }
    return DAMA_OK;
}
