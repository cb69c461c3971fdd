/* How every call that can fail at run time says so: a status, and one line in the caller's error.
 */
#ifndef DAMA_ERROR_H
#define DAMA_ERROR_H

#include <stddef.h>

#define DAMA_STATUSES(X)                     \
    X(OK, "ok")                              \
    X(INVALID, "invalid input")              \
    X(ILLEGAL, "illegal move or position")   \
    X(UNSUPPORTED, "not supported")          \
    X(MISMATCH, "belongs to something else") \
    X(CORRUPT, "damaged data")               \
    X(TRUNCATED, "data ends early")          \
    X(VERSION, "other format version")       \
    X(IO, "input or output failed")          \
    X(MEMORY, "out of memory")               \
    X(BUSY, "in use by another run")         \
    X(STOPPED, "stopped on request")         \
    X(NUMERIC, "numerical failure")          \
    X(USAGE, "wrong use of a command")

enum dama_status {
#define X(name, text) DAMA_##name,
    DAMA_STATUSES(X)
#undef X
};

/* Owned by the caller; {0} is a fresh one. text is one line without a full stop: what, expected,
 * found. */
struct dama_error {
    enum dama_status status;
    char text[320];
};

/* Short English name of a status, static storage. */
const char *dama_status_text(enum dama_status status);

/* Fills err (NULL is allowed) and returns status. The format knows what dama_text_format knows. An
   error that is already set is kept: the first cause is the one that is told. A text that is too
   long (a path of thousands of characters) loses its middle. */
enum dama_status dama_fail(struct dama_error *err, enum dama_status status, const char *format,
                           ...);

/* Puts "prefix: " in front of an error's text (a file name, a line number); returns err->status. */
enum dama_status dama_error_prefix(struct dama_error *err, const char *prefix);

/* Forwards a failure to the caller unchanged. */
#define DAMA_TRY(call)                             \
    do {                                           \
        enum dama_status dama_try_status = (call); \
        if (dama_try_status != DAMA_OK) {          \
            return dama_try_status;                \
        }                                          \
    } while (0)

#endif
