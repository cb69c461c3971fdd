/* One pass over shards: each becomes samples, is counted and forgotten. */
#include "tuner/data_survey.h"

#include <string.h>

#include "tuner/source.h"

/* Occurrences of 16 bytes each that are held before they are sampled: 128 MiB. */
enum { OCCURRENCES_MAX = 1 << 23 };

struct pass {
    struct dama_survey *survey;
    struct dama_occurrences occurrences;
    uint64_t games; /* of the shards before this one */
    struct dama_sample_extremes extremes;
};

static void visit_row(void *context, const struct dama_position *position, uint32_t game,
                      uint8_t twice_outcome)
{
    struct pass *pass = context;
    int pieces =
        __builtin_popcountll(position->pieces[0]) + __builtin_popcountll(position->pieces[1]);
    pass->survey->results[pieces][twice_outcome]++;
    dama_occurrences_add(&pass->occurrences, position, (uint32_t)(pass->games + game),
                         twice_outcome);
}

static enum dama_status add_shard(struct pass *pass, const struct dama_shard *shard,
                                  struct dama_error *err)
{
    struct dama_survey *survey = pass->survey;
    struct dama_batch batch = {.rules = &survey->ruleset.rules,
                               .kernel = survey->ruleset.kernel,
                               .filter = &survey->filter,
                               .extremes = &pass->extremes,
                               .visit = visit_row,
                               .visit_context = pass};
    enum dama_status status = dama_batch_add(&batch, shard, err);
    if (status == DAMA_OK) {
        dama_moments_add(&survey->moments, &batch.train);
        dama_moments_add(&survey->moments, &batch.held);
        dama_sample_counts_add(&survey->counts, &batch.counts);
        pass->games += batch.games;
    }
    dama_batch_free(&batch);
    if (status == DAMA_OK && pass->occurrences.is_out_of_memory) {
        status = dama_fail(err, DAMA_MEMORY, "no memory to compare %lu positions",
                           (uint64_t)pass->occurrences.count);
    }
    return status;
}

static enum dama_status read_shards(struct pass *pass, const struct dama_shard_list *list,
                                    struct dama_error *err)
{
    const struct dama_ruleset *ruleset = &pass->survey->ruleset;
    struct dama_shard_origin expected = {.variant = ruleset->rules.name,
                                         .board_size = ruleset->rules.board_size,
                                         .men = dama_rules_men(&ruleset->rules)};
    memcpy(expected.rules_hash, ruleset->hash, DAMA_HASH_SIZE);
    struct dama_shard shard = {0};
    enum dama_status status = DAMA_OK;
    for (int i = 0; i < list->count && status == DAMA_OK; i++) {
        status = dama_shard_load(list->file[i].path, &expected, &shard, NULL, err);
        if (status == DAMA_OK) {
            status = add_shard(pass, &shard, err);
        }
        dama_shard_free(&shard);
    }
    return status;
}

static enum dama_status survey_list(const struct dama_survey_setup *setup,
                                    const struct dama_shard_list *list, struct dama_survey *out,
                                    struct dama_error *err)
{
    struct dama_source source;
    struct dama_weights any; /* the table that played is of no interest here */
    dama_weights_material(dama_rules_find("american"), &any);
    const struct dama_source_request request = {.parent = &any};
    DAMA_TRY(dama_source_find(&source, list, &request, err));
    out->ruleset = source.ruleset;
    out->moments.phase_max = 2 * dama_rules_men(&source.ruleset.rules);
    struct pass pass = {.survey = out,
                        .occurrences.limit =
                            setup->occurrences ? setup->occurrences : OCCURRENCES_MAX};
    enum dama_status status = read_shards(&pass, list, err);
    if (status == DAMA_OK) {
        dama_occurrences_measure(&pass.occurrences, &out->noise);
        status = dama_moments_collinearity(&out->moments, &out->collinearity, err);
    }
    dama_occurrences_free(&pass.occurrences);
    return status;
}

enum dama_status dama_survey_run(const struct dama_survey_setup *setup, struct dama_survey *out,
                                 struct dama_error *err)
{
    memset(out, 0, sizeof *out);
    out->filter = setup->filter;
    struct dama_shard_list list;
    DAMA_TRY(dama_shard_list_make(&list, setup->folders, setup->folder_count, err));
    enum dama_status status = survey_list(setup, &list, out, err);
    dama_shard_list_free(&list);
    return status;
}
