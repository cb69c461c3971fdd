/* Reading a run's inputs on rank 0 and handing them to the other ranks. */
#include "cluster/run_inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/comm.h"
#include "cluster/shard.h"
#include "engine/cli/verb.h"
#include "engine/signature.h"

enum { IDENTITY_TEXT_SIZE = 120 };

/* What must be equal on all ranks before they work together; the table and the rules are rank 0's.
 */
struct build_identity {
    char version[16];
    char hdf5[16];
    uint32_t engine_signature;
    unsigned char features_hash[DAMA_HASH_SIZE];
};

enum dama_status dama_run_inputs_variant(struct dama_run_config *config, struct dama_common *common,
                                         struct dama_error *err)
{
    const struct dama_rules *rules = dama_rules_find(config->variant);
    if (rules && common->rules_file) {
        return dama_fail(err, DAMA_USAGE,
                         "the run keys have variant = %s, and --rules is given too", rules->name);
    }
    if (rules && common->variant && strcmp(common->variant, rules->name)) {
        return dama_fail(err, DAMA_USAGE, "the run keys have variant = %s, the command says %s",
                         rules->name, common->variant);
    }
    if (rules) {
        common->variant = rules->name;
    }
    snprintf(config->variant, sizeof config->variant, "given");
    return DAMA_OK;
}

static enum dama_status read_inputs(const struct dama_run_options *options,
                                    struct dama_run_inputs *out, struct dama_error *err)
{
    struct dama_common common = options->common;
    common.weights = common.weights ? common.weights : options->default_weights;
    DAMA_TRY(dama_run_config_read(&out->config, options->config_file, &options->sets, err));
    DAMA_TRY(dama_run_inputs_variant(&out->config, &common, err));
    DAMA_TRY(dama_common_rules(&common, &out->ruleset, err));
    DAMA_TRY(dama_common_weights(&common, &out->ruleset, &out->weights, err));
    return dama_run_config_check(&out->config, &out->ruleset.rules, err);
}

static void make_identity(struct build_identity *out)
{
    *out = (struct build_identity){.engine_signature = DAMA_ENGINE_SIGNATURE};
    snprintf(out->version, sizeof out->version, "%s", dama_program_version());
    snprintf(out->hdf5, sizeof out->hdf5, "%s", dama_shard_library_version());
    memcpy(out->features_hash, dama_features_hash, DAMA_HASH_SIZE);
}

/* "rank 1: dama 0.1.0, engine 1c2f01a0, features 5f0a..., HDF5 1.10.8" */
static void describe(int rank, const struct build_identity *build, char out[IDENTITY_TEXT_SIZE])
{
    char features[2 * DAMA_HASH_SIZE + 1];
    dama_hash_hex(build->features_hash, features);
    snprintf(out, IDENTITY_TEXT_SIZE, "rank %d: dama %s, engine %x, features %.8s, HDF5 %s", rank,
             build->version, build->engine_signature, features, build->hdf5);
}

static enum dama_status check_builds(struct dama_error *err)
{
    struct build_identity mine;
    make_identity(&mine);
    struct build_identity *all = calloc((size_t)dama_comm_size(), sizeof *all);
    DAMA_TRY(dama_comm_agree(
        all ? DAMA_OK : dama_fail(err, DAMA_MEMORY, "no memory for %d ranks", dama_comm_size()),
        err));
    dama_comm_all_gather(&mine, sizeof mine, all);
    enum dama_status status = DAMA_OK;
    for (int rank = 1; rank < dama_comm_size() && status == DAMA_OK; rank++) {
        if (memcmp(&all[0], &all[rank], sizeof mine) != 0) {
            char text[2][IDENTITY_TEXT_SIZE];
            describe(0, &all[0], text[0]);
            describe(rank, &all[rank], text[1]);
            status = dama_fail(err, DAMA_MISMATCH,
                               "the ranks run different programs: %s; %s: install one on all hosts",
                               text[0], text[1]);
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
