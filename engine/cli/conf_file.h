/* Flat files of "key = value" lines, read by libconfuse with everything strict. */
#ifndef DAMA_CONF_FILE_H
#define DAMA_CONF_FILE_H

#include "engine/error.h"

/* The keys a file may have, and who takes the values. set is called in the order of the file, with
   the value's text (quotes removed), and fills err when the value is wrong. */
struct dama_conf {
    const char *const *keys; /* ended by NULL */
    enum dama_status (*set)(void *context, const char *key, const char *value,
                            struct dama_error *err);
    void *context;
};

/* Reads the file and calls conf->set for each key. Unknown and repeated keys, bad syntax and what
   set refuses are errors that begin "path:line: ". */
enum dama_status dama_conf_load(const char *path, const struct dama_conf *conf,
                                struct dama_error *err);

#endif
