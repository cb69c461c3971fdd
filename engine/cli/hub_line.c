/* Splitting and writing lines of the Hub protocol. */
#include "engine/cli/hub_line.h"

#include <string.h>

static const char blanks[] = " \t";

/* Ends the word at `at` with a zero and returns what follows it. */
static char *cut(char *at)
{
    if (*at) {
        *at++ = 0;
    }
    return at;
}

static char *read_value(char *at, const char **value)
{
    bool is_quoted = *at == '"';
    at += is_quoted;
    *value = at;
    return cut(at + strcspn(at, is_quoted ? "\"" : blanks));
}

void dama_hub_line_split(char *text, struct dama_hub_line *out)
{
    char *at = text + strspn(text, blanks);
    out->command = at;
    out->count = 0;
    at = cut(at + strcspn(at, blanks));
    for (at += strspn(at, blanks); *at; at += strspn(at, blanks)) {
        struct dama_hub_pair pair = {.name = at, .value = ""};
        at += strcspn(at, " \t=");
        bool has_value = *at == '=';
        at = cut(at);
        if (has_value) {
            at = read_value(at, &pair.value);
        }
        if (out->count < DAMA_HUB_PAIRS_MAX) {
            out->pairs[out->count++] = pair;
        }
    }
}

const char *dama_hub_line_value(const struct dama_hub_line *line, const char *name)
{
    for (int i = 0; i < line->count; i++) {
        if (strcmp(line->pairs[i].name, name) == 0) {
            return line->pairs[i].value;
        }
    }
    return NULL;
}

void dama_hub_write_pair(FILE *out, const char *name, const char *value)
{
    const char *quote = *value == 0 || strpbrk(value, " \t=\"") ? "\"" : "";
    fprintf(out, " %s=%s", name, quote);
    for (; *value; value++) {
        fputc(*value == '"' ? '\'' : *value, out);
    }
    fputs(quote, out);
}
