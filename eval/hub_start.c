/* hub, set-param, init; answered by id, param, wait and ready. */
#include "eval/hub_start.h"

#include <stdio.h>
#include <string.h>

#include "engine/cli/clock.h"

enum { NUMBER_SIZE = 24, WORD_SIZE = 64, LINE_SIZE = 2 * DAMA_SPEC_SIZE };

struct start {
    const struct dama_hub_client_setup *setup;
    struct dama_process *process;
    double deadline;
    struct dama_error *err;
    bool has_params;                        /* the engine declares some */
    bool is_declared[DAMA_SPEC_PARAMS_MAX]; /* of those that are asked for */
};

/* What an engine says of its parameter variant. */
struct variants {
    bool is_declared;
    char chosen[WORD_SIZE]; /* its name for our variant; empty: it has none */
};

static enum dama_status fail(struct start *start, const char *text)
{
    return dama_fail(start->err, DAMA_IO, "%s: %s", start->setup->spec->text, text);
}

/* The next line that has one of two commands; others are ignored, but for an error. */
static enum dama_status read_line(struct start *start, const char *one, const char *other,
                                  struct dama_hub_line *line)
{
    for (;;) {
        char *text = NULL;
        int left = (int)((start->deadline - dama_clock()) * 1000);
        if (left <= 0) {
            return fail(start, "expected an engine that speaks Hub, found no answer");
        }
        switch (dama_process_next(start->process, left, &text)) {
        case DAMA_LINES_END:
            return fail(start, "the engine has ended while it was started");
        case DAMA_LINES_LONG:
            return fail(start, "a line without an end");
        case DAMA_LINES_NONE:
            continue;
        case DAMA_LINES_LINE:
            break;
        }
        dama_hub_line_split(text, line);
        if (strcmp(line->command, "error") == 0) {
            const char *message = dama_hub_line_value(line, "message");
            return fail(start, message ? message : "an error without a message");
        }
        if (strcmp(line->command, one) == 0 || strcmp(line->command, other) == 0) {
            return DAMA_OK;
        }
    }
}

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += length) {
        bool begins = at == words || at[-1] == ' ';
        if (begins && (at[length] == ' ' || at[length] == 0)) {
            return true;
        }
    }
    return false;
}

/* Our name of the variant, or what other engines call the same game. */
static void choose_variant(const char *ours, const char *words, struct variants *out)
{
    static const struct {
        const char *ours, *theirs;
    } synonyms[] = {
        {"international", "normal"}, {"international", "standard"}, {"american", "english"}};
    out->is_declared = true;
    const char *name = has_word(words, ours) ? ours : "";
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms && !*name; i++) {
        if (!strcmp(synonyms[i].ours, ours) && has_word(words, synonyms[i].theirs)) {
            name = synonyms[i].theirs;
        }
    }
    snprintf(out->chosen, sizeof out->chosen, "%s", name);
}

static enum dama_status send(struct start *start, const char *text)
{
    bool is_sent = dama_process_send(start->process, text, start->setup->patience_ms);
    return is_sent ? DAMA_OK : fail(start, "the engine has ended while it was started");
}

static enum dama_status set_param(struct start *start, const char *name, const char *value)
{
    char line[LINE_SIZE];
    snprintf(line, sizeof line, "set-param name=%s value=\"%s\"\n", name, value);
    return send(start, line);
}

/* Fails when the engine does not play the variant. */
static enum dama_status set_variant(struct start *start, const struct variants *variants)
{
    const char *ours = start->setup->ruleset->rules.name;
    if (variants->is_declared && *variants->chosen) {
        return set_param(start, "variant", variants->chosen);
    }
    if (!variants->is_declared && strcmp(ours, "international") == 0) {
        return DAMA_OK;
    }
    return dama_fail(start->err, DAMA_UNSUPPORTED,
                     "%s: expected an engine that plays %s, found one that does not declare it "
                     "(;variant=NAME overrides)",
                     start->setup->spec->text, ours);
}

static enum dama_status set_params(struct start *start, const struct variants *variants)
{
    const struct dama_engine_spec *spec = start->setup->spec;
    bool has_own_variant = false;
    for (int i = 0; i < spec->param_count; i++) {
        has_own_variant |= strcmp(spec->params[i].name, "variant") == 0;
    }
    bool has_rules_file = spec->is_own && spec->argv[2] != NULL;
    if (!has_own_variant && !has_rules_file) {
        DAMA_TRY(set_variant(start, variants));
    }
    if (spec->is_own) {
        char kb[NUMBER_SIZE];
        snprintf(kb, sizeof kb, "%zu", start->setup->table_kb);
        DAMA_TRY(set_param(start, "table-kb", kb));
        DAMA_TRY(set_param(start, "draw-rules", dama_draw_rules_text(start->setup->draws)));
    }
    for (int i = 0; i < spec->param_count; i++) {
        DAMA_TRY(set_param(start, spec->params[i].name, spec->params[i].value));
    }
    return DAMA_OK;
}

static void note_param(struct start *start, const char *name)
{
    const struct dama_engine_spec *spec = start->setup->spec;
    start->has_params = true;
    for (int i = 0; i < spec->param_count; i++) {
        start->is_declared[i] |= strcmp(spec->params[i].name, name) == 0;
    }
}

/* Engines ignore what they do not know, and would play with other settings than was meant. One that
   declares nothing, as an adapter may, is told all the same. */
static enum dama_status check_params(struct start *start)
{
    const struct dama_engine_spec *spec = start->setup->spec;
    for (int i = 0; start->has_params && i < spec->param_count; i++) {
        if (!start->is_declared[i] && strcmp(spec->params[i].name, "variant") != 0) {
            return dama_fail(start->err, DAMA_INVALID,
                             "%s: expected a parameter that the engine declares, found '%s'",
                             spec->text, spec->params[i].name);
        }
    }
    return DAMA_OK;
}

static enum dama_status converse(struct start *start)
{
    struct dama_hub_line line;
    struct variants variants = {0};
    DAMA_TRY(send(start, "hub\n"));
    for (;;) {
        DAMA_TRY(read_line(start, "param", "wait", &line));
        if (strcmp(line.command, "wait") == 0) {
            break;
        }
        const char *name = dama_hub_line_value(&line, "name");
        const char *values = dama_hub_line_value(&line, "values");
        if (name) {
            note_param(start, name);
        }
        if (name && values && strcmp(name, "variant") == 0) {
            choose_variant(start->setup->ruleset->rules.name, values, &variants);
        }
    }
    DAMA_TRY(check_params(start));
    DAMA_TRY(set_params(start, &variants));
    DAMA_TRY(send(start, "init\n"));
    return read_line(start, "ready", "ready", &line);
}

struct dama_process *dama_hub_start(const struct dama_hub_client_setup *setup,
                                    struct dama_error *err)
{
    struct start start = {
        .setup = setup,
        .process = dama_process_start(setup->spec->argv, setup->spec->folder, err),
        .deadline = dama_clock() + setup->patience_ms / 1000.0,
        .err = err,
    };
    if (start.process && converse(&start) != DAMA_OK) {
        dama_process_end(start.process, 0);
        return NULL;
    }
    return start.process;
}
