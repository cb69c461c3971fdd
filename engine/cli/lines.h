/* Lines read from a descriptor with a deadline: how programs talk over pipes. */
#ifndef DAMA_LINES_H
#define DAMA_LINES_H

#include <stdbool.h>
#include <stddef.h>

enum { DAMA_LINE_SIZE = 1 << 16 };

enum dama_lines_state {
    DAMA_LINES_LINE,
    DAMA_LINES_NONE, /* no whole line in the time that was given */
    DAMA_LINES_END,  /* the other side has closed, or reading failed */
    DAMA_LINES_LONG, /* DAMA_LINE_SIZE bytes without a line feed; dropped up to the next one */
};

/* Fields are private. The descriptor belongs to the caller. */
struct dama_lines {
    int descriptor;
    bool is_ended;
    bool is_dropping;  /* the rest of a line that was too long */
    size_t start, end; /* of what was read and not yet given out */
    char bytes[DAMA_LINE_SIZE];
};

void dama_lines_init(struct dama_lines *lines, int descriptor);

/* Waits at most wait_ms (negative: for ever; 0: not at all) for the next line. *line has no line
   feed or carriage return, may be written in, and is valid until the next call. What stands behind
   the last line feed at the end is a line too. */
enum dama_lines_state dama_lines_next(struct dama_lines *lines, int wait_ms, char **line);

/* True when the other side has closed, though lines may be left to read. */
bool dama_lines_is_hung_up(const struct dama_lines *lines);

#endif
