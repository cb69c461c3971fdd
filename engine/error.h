/* How every call that can fail at run time says so: a status, and one line in the caller's error.
 */
#ifndef DAMA_ERROR_H
#define DAMA_ERROR_H

#include <stddef.h>

enum dama_status {
    DAMA_OK,
    DAMA_INVALID,     /* input that is not well formed or out of range */
    DAMA_ILLEGAL,     /* a move or position that the rules do not allow */
    DAMA_UNSUPPORTED, /* well formed, and not something that we do */
    DAMA_MISMATCH,    /* belongs to something else: other rules, run or table */
    DAMA_CORRUPT,     /* stored data that was altered */
    DAMA_TRUNCATED,   /* data that ends early */
    DAMA_VERSION,     /* another format version */
    DAMA_IO,          /* the system refused input or output */
    DAMA_MEMORY,
    DAMA_BUSY,    /* in use by another run */
    DAMA_STOPPED, /* on request, to go on later */
    DAMA_NUMERIC, /* singular or not finite */
    DAMA_USAGE,   /* wrong use of a command */
};

/* Owned by the caller; {0} is a fresh one. text is one line without a full stop: what, expected,
 * found. */
struct dama_error {
    enum dama_status status;
    char text[320];
};

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
