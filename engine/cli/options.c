/* Options of a verb by argp: strict numbers with named ranges, one line for every usage error. */
#include "engine/cli/options.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cli/verb.h"

enum {
    OPTIONS_MAX = 64,
    KEY_FIRST = 1000, /* above every character: no option has a short form */
    KEY_HELP = KEY_FIRST + OPTIONS_MAX,
    NAME_MAX_LENGTH = 128,
    DOC_MAX_LENGTH = 4096
};

struct parse {
    const struct dama_usage *usage;
    struct dama_texts *positional;
    const char *wrong; /* the argument at which argp gave up */
};

static void read_int(const struct dama_usage *usage, const struct dama_option *option,
                     const char *text)
{
    bool is_bounded = option->low != 0 || option->high != 0;
    bool starts_as_number = (*text >= '0' && *text <= '9') || (*text == '-' && text[1]);
    char *end = NULL;
    errno = 0;
    int64_t value = strtoll(text, &end, 10);
    if (!starts_as_number || *end) {
        dama_options_fail(usage, "--%s: expected a whole number, found '%s'", option->name, text);
    }
    if (errno == ERANGE || (is_bounded && (value < option->low || value > option->high))) {
        dama_options_fail(usage, "--%s: expected %" PRId64 " to %" PRId64 ", found %s",
                          option->name, is_bounded ? option->low : INT64_MIN,
                          is_bounded ? option->high : INT64_MAX, text);
    }
    *(int64_t *)option->target = value;
}

static void read_number(const struct dama_usage *usage, const struct dama_option *option,
                        const char *text)
{
    char *end = NULL;
    bool starts_as_number = *text && strchr("0123456789.-", *text);
    double value = strtod(text, &end);
    if (!starts_as_number || end == text || *end || !isfinite(value)) {
        dama_options_fail(usage, "--%s: expected a number, found '%s'", option->name, text);
    }
    if (option->kind == DAMA_OPTION_POSITIVE && !(value > 0)) {
        dama_options_fail(usage, "--%s: expected a number above 0, found %s", option->name, text);
    }
    *(double *)option->target = value;
}

static void add_text(const struct dama_usage *usage, struct dama_texts *texts, const char *what,
                     const char *text)
{
    int room = (int)(sizeof texts->at / sizeof texts->at[0]);
    if (texts->count == room) {
        dama_options_fail(usage, "at most %d %s", room, what);
    }
    texts->at[texts->count++] = text;
}

static void set_option(const struct dama_usage *usage, const struct dama_option *option,
                       const char *text)
{
    switch (option->kind) {
    case DAMA_OPTION_FLAG:
        *(bool *)option->target = true;
        break;
    case DAMA_OPTION_INT:
        read_int(usage, option, text);
        break;
    case DAMA_OPTION_NUMBER:
    case DAMA_OPTION_POSITIVE:
        read_number(usage, option, text);
        break;
    case DAMA_OPTION_TEXT:
        *(const char **)option->target = text;
        break;
    case DAMA_OPTION_TEXTS:
        add_text(usage, option->target, option->name, text);
        break;
    }
}

static error_t parse_key(int key, char *text, struct argp_state *state)
{
    struct parse *parse = state->input;
    if (key == ARGP_KEY_ARG) {
        if (parse->positional->count == parse->usage->most && parse->usage->most < DAMA_TEXTS_MAX) {
            dama_options_fail(parse->usage, "unexpected argument '%s'", text);
        }
        add_text(parse->usage, parse->positional, "arguments", text);
        return 0;
    }
    if (key == KEY_HELP) {
        argp_help(state->root_argp, stdout, ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC,
                  state->name);
        if (fflush(stdout) != 0) {
            fprintf(stderr, "dama: cannot write to standard output\n");
            exit(DAMA_EXIT_FAILED);
        }
        exit(DAMA_EXIT_DONE);
    }
    if (key == ARGP_KEY_ERROR) {
        parse->wrong = state->argv[state->next - 1];
        return 0;
    }
    if (key < KEY_FIRST || key >= KEY_FIRST + OPTIONS_MAX) {
        return ARGP_ERR_UNKNOWN;
    }
    set_option(parse->usage, &parse->usage->options[key - KEY_FIRST], text);
    return 0;
}

/* argp says only that an argument is wrong, in two lines; this says why in one. */
static _Noreturn void explain(const struct dama_usage *usage, const char *argument)
{
    if (strncmp(argument, "--", 2) != 0) {
        dama_options_fail(usage, "unknown option '%s'", argument);
    }
    const char *name = argument + 2;
    size_t length = strcspn(name, "=");
    int found = 0;
    const struct dama_option *match = NULL;
    for (const struct dama_option *o = usage->options; o && o->name; o++) {
        if (strncmp(o->name, name, length) == 0) {
            found++;
            match = o;
        }
    }
    if (found == 0) {
        dama_options_fail(usage, "unknown option '%.*s'", (int)length + 2, argument);
    }
    if (found > 1) {
        dama_options_fail(usage, "'%.*s' may be several options", (int)length + 2, argument);
    }
    if (match->kind == DAMA_OPTION_FLAG) {
        dama_options_fail(usage, "--%s takes no value", match->name);
    }
    dama_options_fail(usage, "--%s needs a value %s", match->name, match->argument);
}

static void fill_argp_options(const struct dama_usage *usage, struct argp_option *out)
{
    int i = 0;
    for (; usage->options && usage->options[i].name; i++) {
        if (i == OPTIONS_MAX) {
            abort(); /* a verb's own table is too long */
        }
        const struct dama_option *option = &usage->options[i];
        out[i] = (struct argp_option){.name = option->name,
                                      .key = KEY_FIRST + i,
                                      .arg = option->argument,
                                      .doc = option->help};
    }
    /* argp's own --help is silent under ARGP_NO_ERRS. */
    out[i] = (struct argp_option){.name = "help", .key = KEY_HELP, .doc = "this text", .group = -1};
}

/* Leaves out argp's note about short options, of which there are none. */
static char *filter_help(int key, const char *text, void *input)
{
    (void)input;
    return key == ARGP_KEY_HELP_DUP_ARGS_NOTE ? NULL : (char *)(uintptr_t)text;
}

void dama_options_parse(const struct dama_usage *usage, int argc, char **argv,
                        struct dama_texts *positional)
{
    struct dama_texts none = {0};
    struct parse parse = {.usage = usage, .positional = positional ? positional : &none};
    parse.positional->count = 0;
    struct argp_option options[OPTIONS_MAX + 2] = {0};
    fill_argp_options(usage, options);
    char name[NAME_MAX_LENGTH], doc[DOC_MAX_LENGTH];
    snprintf(name, sizeof name, "%s %s", program_invocation_short_name, usage->verb);
    /* A vertical tab parts what argp prints before the options from what it prints behind. */
    snprintf(doc, sizeof doc, "%s%s%s", usage->summary, usage->details ? "\v" : "",
             usage->details ? usage->details : "");
    const struct argp argp = {.options = options,
                              .parser = parse_key,
                              .args_doc = *usage->arguments ? usage->arguments : NULL,
                              .doc = doc,
                              .help_filter = filter_help};
    char *verb = argv[0];
    argv[0] = name;
    error_t status = argp_parse(&argp, argc, argv, ARGP_NO_ERRS | ARGP_NO_HELP, NULL, &parse);
    argv[0] = verb;
    if (status) {
        explain(usage, parse.wrong ? parse.wrong : "");
    }
    if (parse.positional->count < usage->least) {
        dama_options_fail(usage, "expected %s", usage->arguments);
    }
}

void dama_options_fail(const struct dama_usage *usage, const char *format, ...)
{
    if (!dama_verb_is_silent()) {
        va_list args;
        va_start(args, format);
        fprintf(stderr, "dama: ");
        vfprintf(stderr, format, args);
        fprintf(stderr, " (see %s %s --help)\n", program_invocation_short_name, usage->verb);
        va_end(args);
    }
    exit(DAMA_EXIT_USAGE);
}
