/* Lines of the Hub protocol, version 2: a command and its name=value pairs. */
#ifndef DAMA_HUB_LINE_H
#define DAMA_HUB_LINE_H

#include <stdbool.h>
#include <stdio.h>

/* Pairs beyond these are ignored, as unknown ones are. */
enum { DAMA_HUB_PAIRS_MAX = 32 };

struct dama_hub_pair {
    const char *name;
    const char *value; /* "" of a flag */
};
struct dama_hub_line {
    const char *command; /* "" of an empty line */
    int count;
    struct dama_hub_pair pairs[DAMA_HUB_PAIRS_MAX];
};

/* Splits the text in place. A quote that is not closed ends with the line. */
void dama_hub_line_split(char *text, struct dama_hub_line *out);
/* The value of a name, "" of a flag; NULL when the line does not have it. */
const char *dama_hub_line_value(const struct dama_hub_line *line, const char *name);

/* Writes " name=value", quoted where the protocol asks for it; a quote inside becomes an
   apostrophe, since the protocol has no way to write it. */
void dama_hub_write_pair(FILE *out, const char *name, const char *value);

#endif
