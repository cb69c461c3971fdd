/* What a run starts from: rules, table and run keys, read by rank 0 alone and shared with all
 * ranks. */
#ifndef DAMA_RUN_INPUTS_H
#define DAMA_RUN_INPUTS_H

#include "cluster/run_config.h"
#include "engine/cli/common_options.h"

/* What the options of a verb that runs fill. */
struct dama_run_options {
    struct dama_common common;   /* variant, rules_file, weights */
    const char *default_weights; /* of --weights when it is not given */
    const char *config_file;
    struct dama_texts sets; /* --set key=value, in order */
};

static inline struct dama_option dama_option_config(const char **config_file)
{
    return (struct dama_option){.name = "config",
                                .kind = DAMA_OPTION_TEXT,
                                .target = config_file,
                                .argument = "FILE",
                                .help = "a run file; --set goes over it"};
}

static inline struct dama_option dama_option_set(struct dama_texts *sets)
{
    return (struct dama_option){.name = "set",
                                .kind = DAMA_OPTION_TEXTS,
                                .target = sets,
                                .argument = "KEY=VALUE",
                                .help = "one run key; see dama check --keys"};
}

struct dama_run_inputs {
    struct dama_ruleset ruleset;
    struct dama_weights weights;
    struct dama_run_config config;
};

/* Collective. Rank 0 reads the files and checks the combination; the others need none of them. Rank
   0's failure is everyone's. */
enum dama_status dama_run_inputs_load(const struct dama_run_options *options,
                                      struct dama_run_inputs *out, struct dama_error *err);

/* The key `variant` of a run file stands for the option when that is not given, and must not
   contradict it or --rules. The key is then "given": what counts from here on is the rule set. */
enum dama_status dama_run_inputs_variant(struct dama_run_config *config, struct dama_common *common,
                                         struct dama_error *err);

#endif
