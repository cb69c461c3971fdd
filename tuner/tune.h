/* From self-play games to a weight table: the whole of `dama tune`, for the verb and for the
   training loop. */
#ifndef DAMA_TUNE_H
#define DAMA_TUNE_H

#include <stdio.h>

#include "engine/cli/options.h"
#include "tuner/fit.h"

/* What to fit on, and how. Pointers must outlive the call; equal on all ranks. */
struct dama_tune_setup {
    const char *const *folders; /* shards/ at or below them are read; newest last */
    int folder_count;
    /* The rules, and the table that the ridge pulls to and held weights are taken from: here, or by
       name in `common` (which rank 0 reads), or else found beside the shards: the rules of the
       games, and the table that played the last folder's (material-only when it is not there). */
    const struct dama_ruleset *ruleset;
    const struct dama_weights *parent;
    struct dama_common common;
    const char *only, *freeze; /* feature groups "king,back_row"; NULL: all, none */
    struct dama_sample_filter filter;
    double ridge, step; /* fit.h */
    bool skip_damaged;
    int threads;     /* of this rank, at least 1 */
    const char *run; /* for the lineage */
    uint32_t generation;
    /* Where dama_tune_save will put the table: until then the passes that are done are kept beside
       it, in TABLE.fit, and a fit that was stopped or killed goes on behind them to the same bytes.
       NULL: nothing is kept. */
    const char *table_path;
};

/* Equal on all ranks, but for times. Free by dama_tune_free, after failures too. */
struct dama_tune_result {
    struct dama_ruleset ruleset;
    struct dama_weights parent;
    unsigned char parent_hash[DAMA_HASH_SIZE];
    char parent_text[160]; /* where it is from, for people */
    struct dama_fit fit;   /* fit.table is the new table, lineage included */
    struct dama_sample_counts counts;
    double distinct; /* about how many different positions were fitted on */
    struct dama_sample_filter filter;
    double ridge;
    double load_seconds;
};

/* The defaults of `dama tune`: the run keys' (cluster/run_config.h). */
void dama_tune_defaults(struct dama_tune_setup *setup);

/* Collective, main thread. Writes nothing but TABLE.fit. DAMA_STOPPED when a stop was asked for
   (run_folder.h), within a batch of samples or the reading of a shard. */
enum dama_status dama_tune_run(const struct dama_tune_setup *setup, struct dama_tune_result *out,
                               struct dama_error *err);
void dama_tune_free(struct dama_tune_result *result);

/* Rank 0: the table at `path` and its account beside it (tune.json of weights.dama, NAME.tune.json
   of NAME.dama); the table comes last, complete or not at all. */
enum dama_status dama_tune_save(const struct dama_tune_result *result, const char *path,
                                struct dama_error *err);
/* Plain text for people; the JSON of tune.json, which has nothing that depends on the machine. */
void dama_tune_print(const struct dama_tune_result *result, FILE *out);
void dama_tune_print_json(const struct dama_tune_result *result, FILE *out);

#endif
