/* Kinds of files that `check` can tell apart and validate. */
#ifndef DAMA_CHECK_H
#define DAMA_CHECK_H

#include <stddef.h>

#include "engine/error.h"

/* A kind of configuration file. keys are what a line of it may begin with; the kind of a file is
   the one that knows most of its lines. check validates it and writes one line about it. */
struct dama_check_kind {
    const char *name; /* "rules file" */
    const char *const *keys;
    enum dama_status (*check)(const char *path, char *about, size_t size, struct dama_error *err);
};

extern const struct dama_check_kind dama_rules_file_kind;
extern const struct dama_check_kind dama_levels_file_kind;
/* The kinds of the engine, ended by NULL; a program may offer more in a list of its own. */
extern const struct dama_check_kind *const dama_engine_check_kinds[];

/* Tells the kind of each file, validates it and prints "path: kind, about"; lists are ended by
   NULL. Returns an exit status: wrong files are a line on stderr each and 1 at the end. */
int dama_check_files(const struct dama_check_kind *const *const lists[], int count,
                     const char *const paths[]);

#endif
