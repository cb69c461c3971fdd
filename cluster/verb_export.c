/* `export`: a run's shards, verified, as one HDF5 file. */
#include "cluster/cluster_verbs.h"

#include <stdio.h>
#include <string.h>

#include "cluster/log.h"
#include "cluster/run_shards.h"
#include "engine/cli/options.h"
#include "selfplay/run_store.h"

enum { NAMES_SIZE = 320, NAMED_MOST = 8 };

struct export
{
    const char *path;
    struct dama_shard_merge *merge;
    struct dama_shard shard;
    struct dama_shard first; /* owns what origin points to */
    struct dama_shard_origin origin;
    uint64_t shards, games, rows;
    struct dama_shard_order order;
    bool skips_damaged;
    uint64_t skipped;
};

static struct dama_shard_origin origin_of(const struct dama_shard_facts *facts)
{
    struct dama_shard_origin origin = {
        .variant = facts->variant,
        .board_size = facts->board_size,
        .men = facts->men,
        .request = facts->request,
        .engine_signature = facts->engine_signature,
    };
    memcpy(origin.rules_hash, facts->rules_hash, DAMA_HASH_SIZE);
    memcpy(origin.weights_hash, facts->weights_hash, DAMA_HASH_SIZE);
    memcpy(origin.features_hash, facts->features_hash, DAMA_HASH_SIZE);
    return origin;
}

static enum dama_status add_shard(void *context, const char *path, struct dama_error *err)
{
    struct export *export = context;
    struct dama_shard *shard = export->merge ? &export->shard : &export->first;
    const struct dama_shard_origin *expected = export->merge ? &export->origin : NULL;
    struct dama_error why = {0};
    enum dama_status status = dama_shard_load(path, expected, shard, NULL, &why);
    /* Another run's shard is no damage: what to do about it only the caller knows. */
    if (export->skips_damaged && (status == DAMA_CORRUPT || status == DAMA_TRUNCATED ||
                                  status == DAMA_ILLEGAL || status == DAMA_INVALID)) {
        dama_log_warn("%s; left out", why.text);
        export->skipped++;
        return DAMA_OK;
    }
    if (status != DAMA_OK) {
        return dama_fail(err, status, "%s", why.text);
    }
    if (!export->merge) {
        export->origin = origin_of(&shard->facts);
        export->merge = dama_shard_merge_new(export->path, &export->origin, err);
        if (!export->merge) {
            return DAMA_IO;
        }
    }
    /* Shards come in order of name, which is that of their games. */
    DAMA_TRY(dama_shard_follow(&export->order, shard, path, err));
    DAMA_TRY(dama_shard_merge_add(export->merge, shard, err));
    export->shards++;
    export->games += shard->games;
    export->rows += shard->rows;
    return DAMA_OK;
}

/* Folders of a run that have shards. */
struct folders {
    int count;
    char names[NAMES_SIZE]; /* the first ones, a blank before each */
};

static enum dama_status count_shard(void *context, const char *path, struct dama_error *err)
{
    (void)path;
    (void)err;
    ++*(uint64_t *)context;
    return DAMA_OK;
}

static enum dama_status add_folder(void *context, const char *folder, struct dama_error *err)
{
    struct folders *folders = context;
    uint64_t shards = 0;
    DAMA_TRY(dama_run_shards(folder, ".h5", count_shard, &shards, err));
    size_t length = strlen(folders->names);
    if (shards > 0 && folders->count++ < NAMED_MOST) {
        snprintf(folders->names + length, sizeof folders->names - length, " %s", folder);
    }
    return DAMA_OK;
}

/* Each generation of a training is played by another table: a request of its own. */
static enum dama_status check_one_request(const char *run, struct dama_error *err)
{
    struct folders folders = {0};
    DAMA_TRY(dama_run_folders(run, add_folder, &folders, err));
    return folders.count < 2
               ? DAMA_OK
               : dama_fail(err, DAMA_INVALID,
                           "%s is a training of %d generations: expected one of them:%s%s", run,
                           folders.count, folders.names, folders.count > NAMED_MOST ? " ..." : "");
}

static enum dama_status run_export(const char *run, struct export *export, struct dama_error *err)
{
    DAMA_TRY(check_one_request(run, err));
    enum dama_status status = dama_run_shards(run, ".h5", add_shard, export, err);
    if (status == DAMA_OK && !export->merge) {
        status = dama_fail(err, DAMA_INVALID, "%s: expected shards, found none", run);
    }
    if (export->merge) {
        enum dama_status ended = dama_shard_merge_end(export->merge, status == DAMA_OK, err);
        status = status == DAMA_OK ? ended : status;
    }
    dama_shard_free(&export->shard);
    dama_shard_free(&export->first);
    return status;
}

int dama_verb_export(int argc, char **argv)
{
    struct export export = {0};
    const struct dama_option options[] = {
        {.name = "hdf5",
         .kind = DAMA_OPTION_TEXT,
         .target = &export.path,
         .argument = "FILE",
         .help = "the file to write"},
        {.name = "skip-damaged",
         .kind = DAMA_OPTION_FLAG,
         .target = &export.skips_damaged,
         .help = "leave damaged shards out, with a warning each, instead of ending"},
        {.name = NULL},
    };
    const struct dama_usage usage = {
        .verb = "export",
        .arguments = "RUN",
        .summary = "Writes all shards of a run, verified, into one HDF5 file of the same layout.",
        .details = "All shards must be of one request; of a training run, export one generation: "
                   "RUN/gen-000.",
        .options = options,
        .least = 1,
        .most = 1,
    };
    struct dama_texts runs = {0};
    dama_options_parse(&usage, argc, argv, &runs);
    if (!export.path) {
        dama_options_fail(&usage, "expected --hdf5 FILE");
    }
    struct dama_error err = {0};
    if (run_export(runs.at[0], &export, &err) != DAMA_OK) {
        return dama_verb_fail(&err);
    }
    printf("%s: shards %llu, games %llu, positions %llu\n", export.path,
           (unsigned long long)export.shards, (unsigned long long)export.games,
           (unsigned long long)export.rows);
    if (export.skipped) {
        dama_log_warn("%llu damaged shards left out", (unsigned long long)export.skipped);
    }
    return DAMA_EXIT_DONE;
}
