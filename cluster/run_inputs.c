/* Reading a run's inputs on rank 0 and handing them to the other ranks. */
#include "cluster/run_inputs.h"

#include <stdlib.h>
#include <string.h>

#include "cluster/comm.h"
#include "engine/signature.h"

/* What must be equal on all ranks before they work together. */
struct build_identity {
    uint32_t engine_signature;
    uint32_t reserved;
    unsigned char features_hash[DAMA_HASH_SIZE];
};

static enum dama_status read_inputs(const struct dama_run_options *options,
                                    struct dama_run_inputs *out, struct dama_error *err)
{
    struct dama_common common = options->common;
    common.weights = common.weights ? common.weights : options->default_weights;
    DAMA_TRY(dama_common_rules(&common, &out->ruleset, err));
    DAMA_TRY(dama_common_weights(&common, &out->ruleset, &out->weights, err));
    dama_run_config_default(&out->config);
    if (options->config_file) {
        DAMA_TRY(dama_run_config_load(&out->config, options->config_file, err));
    }
    for (int i = 0; i < options->sets.count; i++) {
        DAMA_TRY(dama_run_config_set(&out->config, options->sets.at[i], err));
    }
    return dama_run_config_check(&out->config, &out->ruleset.rules, err);
}

static enum dama_status check_builds(struct dama_error *err)
{
    struct build_identity mine = {.engine_signature = DAMA_ENGINE_SIGNATURE};
    memcpy(mine.features_hash, dama_features_hash, DAMA_HASH_SIZE);
    struct build_identity *all = calloc((size_t)dama_comm_size(), sizeof *all);
    DAMA_TRY(dama_comm_agree(
        all ? DAMA_OK : dama_fail(err, DAMA_MEMORY, "no memory for %d ranks", dama_comm_size()),
        err));
    dama_comm_all_gather(&mine, sizeof mine, all);
    enum dama_status status = DAMA_OK;
    for (int rank = 1; rank < dama_comm_size() && status == DAMA_OK; rank++) {
        if (memcmp(&all[0], &all[rank], sizeof mine) != 0) {
            status = dama_fail(err, DAMA_MISMATCH,
                               "rank 0 runs engine %x, rank %d engine %x or another feature list; "
                               "install one build on all hosts",
                               all[0].engine_signature, rank, all[rank].engine_signature);
        }
    }
    free(all);
    return status;
}

enum dama_status dama_run_inputs_load(const struct dama_run_options *options,
                                      struct dama_run_inputs *out, struct dama_error *err)
{
    DAMA_TRY(dama_comm_agree(check_builds(err), err));
    memset(out, 0, sizeof *out);
    bool is_first = dama_comm_rank() == 0;
    DAMA_TRY(dama_comm_agree(is_first ? read_inputs(options, out, err) : DAMA_OK, err));
    dama_comm_broadcast(out, sizeof *out);
    out->ruleset.kernel = dama_kernel_find(&out->ruleset.rules);
    return DAMA_OK;
}
