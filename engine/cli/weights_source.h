/* A weight table from where a user says it is: a table file, its JSON twin, or a word. */
#ifndef DAMA_WEIGHTS_SOURCE_H
#define DAMA_WEIGHTS_SOURCE_H

#include "engine/cli/options.h"

/* A table with the rules that it was checked against, its bytes and their SHA-256. */
struct dama_weights_source {
    struct dama_ruleset ruleset;
    struct dama_weights weights;
    unsigned char bytes[DAMA_WEIGHTS_MAX_BYTES];
    size_t size;
    char hash[2 * DAMA_HASH_SIZE + 1];
};

/* material, hand-set or shipped. */
bool dama_weights_source_is_word(const char *source);

/* Loads `source`: material, hand-set or shipped of --variant or --rules, else a file. A file's
   rules are those of the options, else the built-in that the table names. Errors name the file. */
enum dama_status dama_weights_source_load(const struct dama_common *common, const char *source,
                                          struct dama_weights_source *out, struct dama_error *err);

#endif
