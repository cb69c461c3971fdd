/* Options of a verb as a table, parsed by argp; the common ones (variant, rules, weights, squares)
 * once for all verbs. */
#ifndef DAMA_OPTIONS_H
#define DAMA_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/kernel.h"
#include "engine/rules.h"
#include "engine/squares.h"
#include "engine/weights.h"

enum dama_option_kind {
    DAMA_OPTION_FLAG,     /* bool *         */
    DAMA_OPTION_INT,      /* int64_t *, within low..high */
    DAMA_OPTION_NUMBER,   /* double *       */
    DAMA_OPTION_POSITIVE, /* double *, above 0: 0 may then stand for "not given" */
    DAMA_OPTION_TEXT,     /* const char **, the last one wins */
    DAMA_OPTION_TEXTS,    /* struct dama_texts *, all in order */
};
enum { DAMA_TEXTS_MAX = 4096 }; /* more files than a folder's pattern gives, as a rule */
struct dama_texts {
    int count;
    const char *at[DAMA_TEXTS_MAX];
};
struct dama_option {
    const char *name; /* "depth" is --depth */
    enum dama_option_kind kind;
    void *target;
    const char *argument; /* "N" in the help; NULL for flags */
    const char *help;
    int64_t low, high; /* of INT; both 0 is any number */
};

/* What a verb says of itself. options end with a NULL name. positional gets the rest; fewer than
   `least` or more than `most` is a usage error. */
struct dama_usage {
    const char *verb;      /* "weights show" */
    const char *arguments; /* "FILE..." or "" */
    const char *summary;
    const char *details; /* further paragraphs of --help, may be NULL */
    const struct dama_option *options;
    int least, most;
};

/* Parses argv[1..]; usage errors print one line and exit with status 2, --help prints and exits 0.
 */
void dama_options_parse(const struct dama_usage *usage, int argc, char **argv,
                        struct dama_texts *positional);
/* A usage error that only the verb can see (an option that is missing, two that exclude each
   other): prints one line with the hint and exits with status 2. printf's format. */
_Noreturn void dama_options_fail(const struct dama_usage *usage, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What the options of common_options.h fill, to be resolved by the functions below; NULL where an
   option is not given. */
struct dama_common {
    const char *variant;
    const char *rules_file;
    const char *weights;
    const char *squares;
};
/* A loaded rule set: a built-in or one of a file, with its hash. */
struct dama_ruleset {
    struct dama_rules rules;
    unsigned char hash[DAMA_HASH_SIZE];
    const struct dama_kernel *kernel;
};
/* The rule set of --variant or --rules (exactly one of them; neither is an error that lists the
 * variants). A wrong option value is DAMA_USAGE, a wrong file is what is wrong with it. */
enum dama_status dama_common_rules(const struct dama_common *common, struct dama_ruleset *out,
                                   struct dama_error *err);
/* --weights FILE|material|hand-set|shipped. Without the option: the shipped table of the built-in
   with these fields; where there is none hand-set, with a warning on stderr. */
enum dama_status dama_common_weights(const struct dama_common *common,
                                     const struct dama_ruleset *ruleset, struct dama_weights *out,
                                     struct dama_error *err);
enum dama_status dama_common_squares(const struct dama_common *common, enum dama_squares *out,
                                     struct dama_error *err);

/* Rules files (libconfuse): unknown keys, wrong types and repeated keys are errors with file and
   line. Every field is written, or `base = "american"` in front names the built-in that the others
   come from. The name is `name`, else the file's name without folder and ending; it may be that of
   a built-in only with that built-in's rules. */
enum dama_status dama_rules_file_load(const char *path, struct dama_ruleset *out,
                                      struct dama_error *err);
/* A built-in as a ruleset. */
enum dama_status dama_ruleset_builtin(const char *name, struct dama_ruleset *out,
                                      struct dama_error *err);

/* Whole files, at most `most` bytes; *out is freed by the caller. Errors name the file. */
enum dama_status dama_file_read(const char *path, size_t most, unsigned char **out, size_t *size,
                                struct dama_error *err);
/* Written to PATH.part, fsync, rename, fsync of the folder: complete or absent. */
enum dama_status dama_file_write(const char *path, const void *bytes, size_t size,
                                 struct dama_error *err);
/* A weight table: read and write with every check. */
enum dama_status dama_weights_load(const char *path, const struct dama_ruleset *ruleset,
                                   struct dama_weights *out, struct dama_error *err);
enum dama_status dama_weights_save(const char *path, const struct dama_weights *weights,
                                   struct dama_error *err);
/* SHA-256 (nettle), and lower-case hex of a hash. */
void dama_sha256(const void *bytes, size_t size, unsigned char out[DAMA_HASH_SIZE]);
void dama_hash_hex(const unsigned char hash[DAMA_HASH_SIZE], char out[2 * DAMA_HASH_SIZE + 1]);
/* Reads what dama_hash_hex writes and nothing else; false leaves out as it was. */
bool dama_hash_parse(const char *hex, unsigned char out[DAMA_HASH_SIZE]);

#endif
