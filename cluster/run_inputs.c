/* Reading a run's inputs on rank 0 and handing them to the other ranks. */
#include "cluster/run_inputs.h"

#include <stdio.h>
#include <string.h>

#include "cluster/comm.h"

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

enum dama_status dama_run_inputs_load(const struct dama_run_options *options,
                                      struct dama_run_inputs *out, struct dama_error *err)
{
    memset(out, 0, sizeof *out);
    bool is_first = dama_comm_rank() == 0;
    DAMA_TRY(dama_comm_agree(is_first ? read_inputs(options, out, err) : DAMA_OK, err));
    dama_comm_broadcast(out, sizeof *out);
    out->ruleset.kernel = dama_kernel_find(&out->ruleset.rules);
    return DAMA_OK;
}
