/* Loading the samples of a list of shards, shared among ranks and threads. */
#ifndef DAMA_DATASET_H
#define DAMA_DATASET_H

#include "engine/cli/options.h"
#include "tuner/shard_list.h"
#include "tuner/sums.h"

/* Rows of consecutive shards that are one batch, the unit of work; a batch ends with the shard that
   reaches it. Part of the result: what is rounded together depends on it. */
enum { DAMA_BATCH_ROWS = 8192 };

struct dama_dataset_setup {
    const struct dama_ruleset *ruleset; /* must outlive the dataset, as must the filter */
    const struct dama_sample_filter *filter;
    bool skip_damaged; /* a damaged shard is left out with a warning instead of ending all */
    int threads;
};

/* Collective. Every shard is verified whole before a row of it is used. One of other rules is
   always refused. DAMA_STOPPED when a stop was asked for. Main thread. Free by dama_dataset_free.
 */
enum dama_status dama_dataset_load(struct dama_dataset *out, const struct dama_shard_list *list,
                                   const struct dama_dataset_setup *setup, struct dama_error *err);
void dama_dataset_free(struct dama_dataset *data);

#endif
