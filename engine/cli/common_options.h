/* Options that several verbs take, one function each: it gives the row of a verb's table, with
 * `help` where what the option means differs from verb to verb. Targets are written when the verb's
 * arguments are parsed. */
#ifndef DAMA_COMMON_OPTIONS_H
#define DAMA_COMMON_OPTIONS_H

#include "engine/cli/options.h"

/* The largest number of threads that a user can ask for; what a verb can use may be less. */
enum { DAMA_OPTION_THREADS_MAX = 4096 };

static inline struct dama_option dama_option_variant(struct dama_common *common)
{
    return (struct dama_option){.name = "variant",
                                .kind = DAMA_OPTION_TEXT,
                                .target = &common->variant,
                                .argument = "NAME",
                                .help = "a built-in rule set"};
}

static inline struct dama_option dama_option_rules(struct dama_common *common)
{
    return (struct dama_option){.name = "rules",
                                .kind = DAMA_OPTION_TEXT,
                                .target = &common->rules_file,
                                .argument = "FILE",
                                .help = "a rules file"};
}

static inline struct dama_option dama_option_weights(struct dama_common *common, const char *help)
{
    return (struct dama_option){.name = "weights",
                                .kind = DAMA_OPTION_TEXT,
                                .target = &common->weights,
                                .argument = "FILE|material|hand-set|shipped",
                                .help = help};
}

static inline struct dama_option dama_option_squares(struct dama_common *common, const char *help)
{
    return (struct dama_option){.name = "squares",
                                .kind = DAMA_OPTION_TEXT,
                                .target = &common->squares,
                                .argument = "official|grid",
                                .help = help};
}

static inline struct dama_option dama_option_fen(const char **fen)
{
    return (struct dama_option){.name = "fen",
                                .kind = DAMA_OPTION_TEXT,
                                .target = fen,
                                .argument = "F",
                                .help = "position; default the start"};
}

static inline struct dama_option dama_option_seed(int64_t *seed, const char *help)
{
    return (struct dama_option){.name = "seed",
                                .kind = DAMA_OPTION_INT,
                                .target = seed,
                                .argument = "N",
                                .help = help,
                                .high = INT64_MAX};
}

static inline struct dama_option dama_option_threads(int64_t *threads, const char *help)
{
    return (struct dama_option){.name = "threads",
                                .kind = DAMA_OPTION_INT,
                                .target = threads,
                                .argument = "N",
                                .help = help,
                                .low = 1,
                                .high = DAMA_OPTION_THREADS_MAX};
}

static inline struct dama_option dama_option_json(bool *json, const char *help)
{
    return (struct dama_option){
        .name = "json", .kind = DAMA_OPTION_FLAG, .target = json, .help = help};
}

#endif
