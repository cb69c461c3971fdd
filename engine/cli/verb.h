/* A verb of the command line, and the loop of both programs: find the verb, parse, run, exit
 * status. */
#ifndef DAMA_VERB_H
#define DAMA_VERB_H

#include <stdbool.h>

#include "engine/error.h"

enum dama_exit {
    DAMA_EXIT_DONE = 0,
    DAMA_EXIT_FAILED = 1,
    DAMA_EXIT_USAGE = 2,
    DAMA_EXIT_STOPPED = 75
};

/* run gets the arguments behind the program's name (argv[0] is the verb, argv[1] may be a sub-verb)
   and returns an exit status. shares_work: under MPI every rank runs it; any other verb runs on
   rank 0 alone. */
struct dama_verb {
    const char *name;
    const char *summary; /* one line of the verb list */
    int (*run)(int argc, char **argv);
    bool shares_work;
};

/* The engine's verbs, ended by a NULL name. */
extern const struct dama_verb dama_engine_verbs[];

/* Finds a verb in lists ended by NULL; NULL when there is none. The first of a name counts, so an
   earlier list may replace a verb of a later one. */
const struct dama_verb *dama_verb_find(const struct dama_verb *const lists[], const char *name);
/* The program: --help and --version, an unknown verb (named, with the nearest), else the verb's own
   run. extra_version is further lines of --version (MPI, HDF5), may be "". */
int dama_program_run(const char *program, const struct dama_verb *const lists[],
                     const char *extra_version, int argc, char **argv);

/* A verb that has verbs of its own, in a list ended by a NULL name: argv[1] is one of them, or
   --help. */
int dama_sub_verbs_run(const char *verb, const struct dama_verb *list, int argc, char **argv);

/* First of all in main: a standard stream that is closed gets a placeholder, on which reading and
   writing fail as before; false when there is none. */
bool dama_streams_guard(void);

/* "0.1.0" */
const char *dama_program_version(void);

/* From now on another process prints what this one would say of wrong use and failure (an MPI rank
   that is not 0: one message a job). */
void dama_verb_silence(void);
bool dama_verb_is_silent(void);

/* Prints "dama: text" to stderr and returns the exit status that belongs to the error. */
int dama_verb_fail(const struct dama_error *err);

#endif
