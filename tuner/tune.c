/* The steps of a fit: find, load, fit, write. */
#include "tuner/tune.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/comm.h"
#include "cluster/log.h"
#include "cluster/run_config.h"
#include "cluster/run_folder.h"
#include "engine/cli/verb.h"
#include "engine/signature.h"
#include "tuner/dataset.h"
#include "tuner/pass_log.h"
#include "tuner/source.h"

void dama_tune_defaults(struct dama_tune_setup *setup)
{
    struct dama_run_config config;
    dama_run_config_default(&config);
    *setup = (struct dama_tune_setup){
        .ridge = config.ridge,
        .threads = 1,
        .filter = {.score_cap = (int)config.score_cap,
                   .rows_per_game = (int)config.rows_per_game,
                   .skip_plies = (int)config.tune_skip_plies,
                   .max_ply = (int)config.tune_max_ply,
                   .holdout = config.holdout},
    };
}

/* frozen[f] for every feature that is not to move. */
static enum dama_status choose_features(const struct dama_tune_setup *setup,
                                        bool frozen[DAMA_FEATURE_COUNT], struct dama_error *err)
{
    bool only[DAMA_FEATURE_COUNT];
    DAMA_TRY(dama_feature_groups(setup->freeze, frozen, err));
    DAMA_TRY(dama_feature_groups(setup->only, only, err));
    bool is_limited = setup->only && setup->only[0];
    bool is_empty = true;
    for (int f = 0; f < DAMA_FEATURE_COUNT; f++) {
        frozen[f] = frozen[f] || (is_limited && !only[f]);
        is_empty = is_empty && frozen[f];
    }
    return is_empty ? dama_fail(err, DAMA_USAGE, "--only and --freeze leave no feature to fit")
                    : DAMA_OK;
}

/* A table's names are text: what a folder may be called and they may not is replaced. */
static void set_run_name(struct dama_lineage *lineage, const char *run)
{
    snprintf(lineage->run, sizeof lineage->run, "%s", run ? run : "");
    for (char *at = lineage->run; *at; at++) {
        *at = (unsigned char)*at < ' ' || *at == 127 ? '?' : *at;
    }
    size_t length = strlen(lineage->run);
    while (length > 1 && lineage->run[length - 1] == '/') {
        lineage->run[--length] = 0;
    }
}

static void set_lineage(const struct dama_tune_setup *setup, struct dama_tune_result *out)
{
    struct dama_lineage *lineage = &out->fit.table.lineage;
    *lineage = (struct dama_lineage){.generation = setup->generation,
                                     .games = out->counts.games_train + out->counts.games_held,
                                     .positions = out->counts.fate[DAMA_FATE_TRAIN]};
    set_run_name(lineage, setup->run);
    struct dama_weights material;
    dama_weights_material(&out->ruleset.rules, &material);
    dama_table_hash(&out->parent, out->parent_hash);
    if (memcmp(material.w, out->parent.w, sizeof material.w) != 0) {
        memcpy(lineage->parent, out->parent_hash, DAMA_HASH_SIZE);
    }
}

static void say_what_was_read(const struct dama_tune_result *result)
{
    const struct dama_sample_counts *counts = &result->counts;
    if (counts->damaged) {
        dama_log_info("%llu damaged shards of %llu left out, the other %llu used",
                      (unsigned long long)counts->damaged,
                      (unsigned long long)(counts->damaged + counts->shards),
                      (unsigned long long)counts->shards);
    }
}

/* hash = hash of itself and of these bytes. */
static void mix(unsigned char hash[DAMA_HASH_SIZE], const void *bytes, size_t size)
{
    unsigned char both[2 * DAMA_HASH_SIZE];
    memcpy(both, hash, DAMA_HASH_SIZE);
    dama_sha256(bytes, size, both + DAMA_HASH_SIZE);
    dama_sha256(both, sizeof both, hash);
}

/* What a fit is of. */
struct fitting {
    const struct dama_tune_setup *setup;
    const struct dama_shard_list *list;
    struct dama_dataset *data;
    struct dama_fit_setup fit;
};

/* Everything that the sums of the passes depend on: the shards and what the filters took of them,
   the rules, the parent, the options, the program. */
static void hash_inputs(const struct fitting *fitting, const struct dama_tune_result *result,
                        unsigned char out[DAMA_HASH_SIZE])
{
    const struct dama_sample_filter *filter = &result->filter;
    const struct dama_fit_setup *fit = &fitting->fit;
    unsigned char parent[DAMA_HASH_SIZE];
    dama_table_hash(&result->parent, parent);
    const uint64_t whole[] = {DAMA_ENGINE_SIGNATURE,        DAMA_BATCH_ROWS,
                              (uint64_t)filter->score_cap,  (uint64_t)filter->rows_per_game,
                              (uint64_t)filter->skip_plies, (uint64_t)filter->max_ply,
                              filter->include_capped};
    const double numbers[] = {filter->holdout, fit->ridge, fit->step};
    memset(out, 0, DAMA_HASH_SIZE);
    mix(out, dama_program_version(), strlen(dama_program_version()));
    mix(out, dama_features_hash, DAMA_HASH_SIZE);
    mix(out, result->ruleset.hash, DAMA_HASH_SIZE);
    mix(out, parent, sizeof parent);
    mix(out, whole, sizeof whole);
    mix(out, numbers, sizeof numbers);
    mix(out, fit->frozen, sizeof fit->frozen);
    mix(out, &fitting->data->counts, sizeof fitting->data->counts);
    mix(out, &fitting->data->extremes, sizeof fitting->data->extremes);
    for (int i = 0; i < fitting->list->count; i++) {
        mix(out, fitting->list->file[i].sha256, DAMA_HASH_SIZE);
    }
}

/* The path of TABLE.fit. */
static enum dama_status log_path(const char *table, char out[PATH_MAX], struct dama_error *err)
{
    return snprintf(out, PATH_MAX, "%s.fit", table) < PATH_MAX
               ? DAMA_OK
               : dama_fail(err, DAMA_UNSUPPORTED, "%s: a path longer than %d bytes", table,
                           PATH_MAX - 1);
}

/* A fit whose passes are kept. One that has failed for good leaves nothing. */
static enum dama_status fit_with_log(struct fitting *fitting, struct dama_tune_result *out,
                                     struct dama_error *err)
{
    char path[PATH_MAX];
    unsigned char inputs[DAMA_HASH_SIZE];
    struct dama_dataset *data = fitting->data;
    DAMA_TRY(log_path(fitting->setup->table_path, path, err));
    hash_inputs(fitting, out, inputs);
    enum dama_status status =
        dama_comm_agree(dama_pass_log_open(&data->log, path, inputs, err), err);
    if (status == DAMA_OK) {
        status = dama_fit_run(data, &fitting->fit, &out->fit, err);
        if ((status == DAMA_NUMERIC || status == DAMA_INVALID) && dama_comm_rank() == 0) {
            dama_pass_log_remove(path);
        }
    }
    dama_pass_log_close(data->log);
    data->log = NULL;
    return status;
}

static enum dama_status fit_dataset(struct fitting *fitting, struct dama_tune_result *out,
                                    struct dama_error *err)
{
    const struct dama_tune_setup *setup = fitting->setup;
    fitting->fit =
        (struct dama_fit_setup){.parent = out->parent, .ridge = setup->ridge, .step = setup->step};
    DAMA_TRY(choose_features(setup, fitting->fit.frozen, err));
    out->counts = fitting->data->counts;
    out->distinct = dama_sample_distinct(&fitting->data->extremes);
    say_what_was_read(out);
    DAMA_TRY(setup->table_path ? fit_with_log(fitting, out, err)
                               : dama_fit_run(fitting->data, &fitting->fit, &out->fit, err));
    set_lineage(setup, out);
    return DAMA_OK;
}

static enum dama_status load_and_fit(const struct dama_tune_setup *setup,
                                     const struct dama_shard_list *list,
                                     struct dama_tune_result *out, struct dama_error *err)
{
    struct dama_source source;
    struct dama_source_request request = {
        .ruleset = setup->ruleset, .parent = setup->parent, .common = setup->common};
    DAMA_TRY(dama_source_find(&source, list, &request, err));
    out->ruleset = source.ruleset;
    out->parent = source.parent;
    memcpy(out->parent_text, source.parent_text, sizeof out->parent_text);
    struct dama_dataset_setup loading = {.ruleset = &out->ruleset,
                                         .filter = &out->filter,
                                         .skip_damaged = setup->skip_damaged,
                                         .threads = setup->threads};
    struct dama_dataset data;
    double start = dama_clock();
    enum dama_status status = dama_dataset_load(&data, list, &loading, err);
    out->load_seconds = dama_clock() - start;
    if (status == DAMA_OK) {
        struct fitting fitting = {.setup = setup, .list = list, .data = &data};
        status = fit_dataset(&fitting, out, err);
    }
    dama_dataset_free(&data);
    return status;
}

enum dama_status dama_tune_run(const struct dama_tune_setup *setup, struct dama_tune_result *out,
                               struct dama_error *err)
{
    *out = (struct dama_tune_result){.filter = setup->filter, .ridge = setup->ridge};
    bool unused[DAMA_FEATURE_COUNT];
    DAMA_TRY(choose_features(setup, unused, err));
    struct dama_shard_list list;
    DAMA_TRY(dama_shard_list_make(&list, setup->folders, setup->folder_count, err));
    enum dama_status status = load_and_fit(setup, &list, out, err);
    dama_shard_list_free(&list);
    return status;
}

void dama_tune_free(struct dama_tune_result *result)
{
    dama_fit_free(&result->fit);
}

/* Beside the table: tune.json of weights.dama, as a generation has it, NAME.tune.json of NAME.dama,
   so that fits in one folder keep their accounts. False when it would be too long. */
static bool account_path(const char *path, char *out, size_t size)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t length = strlen(name);
    if (length > 5 && !strcmp(name + length - 5, ".dama")) {
        length -= 5;
    }
    bool is_usual = !strcmp(name, "weights.dama");
    int folder = (int)(name - path);
    int written = is_usual ? snprintf(out, size, "%.*stune.json", folder, path)
                           : snprintf(out, size, "%.*s.tune.json", folder + (int)length, path);
    return (size_t)written < size;
}

static enum dama_status save_json(const struct dama_tune_result *result, const char *path,
                                  struct dama_error *err)
{
    char beside[4096];
    if (!account_path(path, beside, sizeof beside)) {
        return dama_fail(err, DAMA_UNSUPPORTED, "%s: a path longer than %d bytes", path,
                         (int)sizeof beside - 1);
    }
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        return dama_fail(err, DAMA_MEMORY, "%s: no memory to write it", beside);
    }
    dama_tune_print_json(result, out);
    enum dama_status status = fclose(out) == 0
                                  ? dama_file_write(beside, text, size, err)
                                  : dama_fail(err, DAMA_MEMORY, "%s: no memory", beside);
    free(text);
    return status;
}

enum dama_status dama_tune_save(const struct dama_tune_result *result, const char *path,
                                struct dama_error *err)
{
    char log[PATH_MAX];
    DAMA_TRY(log_path(path, log, err));
    DAMA_TRY(save_json(result, path, err));
    DAMA_TRY(dama_weights_save(path, &result->fit.table, err));
    dama_pass_log_remove(log);
    return DAMA_OK;
}
