/* `status`: what a run has done, how fast, and what comes next. */
#include "cluster/cluster_verbs.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cluster/run_folder.h"
#include "cluster/run_shards.h"
#include "engine/cli/options.h"

/* By their headers; what a shard holds is checked by `verify`. */
struct shard_sums {
    uint64_t shards, games, rows, bytes, bad;
};

static enum dama_status add_shard(void *context, const char *path, struct dama_error *err)
{
    struct shard_sums *sums = context;
    struct dama_shard_header header;
    (void)err;
    if (dama_shard_peek(path, &header, NULL) != DAMA_OK) {
        sums->bad++;
        return DAMA_OK;
    }
    sums->shards++;
    sums->games += header.games;
    sums->rows += header.rows;
    sums->bytes += header.bytes;
    return DAMA_OK;
}

static const char *text_of(const json_t *status, const char *name, const char *otherwise)
{
    const char *text = json_string_value(json_object_get(status, name));
    return text && *text ? text : otherwise;
}

static double number_of(const json_t *status, const char *name)
{
    return json_number_value(json_object_get(status, name));
}

static void print_progress(const json_t *status, bool is_running)
{
    const char *state = text_of(status, "state", "unknown");
    bool has_died = !is_running && strcmp(state, "running") == 0;
    const char *unit = text_of(status, "unit", "");
    printf("stage      %s, %s\n", text_of(status, "stage", "unknown"),
           has_died ? "ended without a word: run the same command again to go on" : state);
    printf("progress   %.0f of %.0f %s, %.4g a second", number_of(status, "done"),
           number_of(status, "total"), unit, number_of(status, "rate"));
    if (is_running && number_of(status, "eta_s") >= 0) {
        printf(", %.0f s left", number_of(status, "eta_s"));
    }
    printf("\nupdated    %s\n", text_of(status, "updated", "unknown"));
    json_t *results = json_object_get(status, "results");
    char *text = results ? json_dumps(results, JSON_COMPACT) : NULL;
    if (text) {
        printf("results    %s\n", text);
    }
    free(text);
    if (*text_of(status, "next_step", "")) {
        printf("next step  %s\n", text_of(status, "next_step", ""));
    }
}

static void print_text(const char *run, const json_t *status, const struct shard_sums *sums,
                       bool is_running)
{
    printf("run        %s, %s\n", run, is_running ? "running" : "not running");
    if (status) {
        print_progress(status, is_running);
    }
    printf("shards     %llu, games %llu, positions %llu, %.1f MB\n",
           (unsigned long long)sums->shards, (unsigned long long)sums->games,
           (unsigned long long)sums->rows, (double)sums->bytes / 1e6);
    if (sums->bad) {
        printf("bad        %llu shards: dama verify %s names them\n", (unsigned long long)sums->bad,
               run);
    }
}

static enum dama_status print_json(const char *run, json_t *status, const struct shard_sums *sums,
                                   bool is_running, struct dama_error *err)
{
    json_t *all = json_pack("{s:s, s:b, s:I, s:I, s:I, s:I, s:I}", "run", run, "running",
                            is_running, "shards", (json_int_t)sums->shards, "games",
                            (json_int_t)sums->games, "positions", (json_int_t)sums->rows, "bytes",
                            (json_int_t)sums->bytes, "bad_shards", (json_int_t)sums->bad);
    bool is_good = all && (!status || json_object_update_missing(all, status) == 0);
    char *text = is_good ? json_dumps(all, JSON_COMPACT | JSON_REAL_PRECISION(15)) : NULL;
    if (text) {
        puts(text);
    }
    free(text);
    json_decref(all);
    return text ? DAMA_OK : dama_fail(err, DAMA_MEMORY, "%s: out of memory", run);
}

static enum dama_status show(const char *run, bool as_json, struct dama_error *err)
{
    struct shard_sums sums = {0};
    DAMA_TRY(dama_run_shards(run, ".h5", add_shard, &sums, err));
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/status.json", run) >= (int)sizeof path) {
        return dama_fail(err, DAMA_INVALID, "%s: path is too long", run);
    }
    json_t *status = NULL;
    if (access(path, F_OK) == 0) {
        json_error_t why;
        status = json_load_file(path, 0, &why);
        if (!status) {
            return dama_fail(err, DAMA_CORRUPT, "%s:%d: expected JSON: %s", path, why.line,
                             why.text);
        }
    } else if (sums.shards + sums.bad == 0) {
        return dama_fail(err, DAMA_INVALID,
                         "%s: expected a run (status.json, shards/, gen-000/), found none", run);
    }
    bool is_running = dama_run_is_locked(run);
    enum dama_status shown = DAMA_OK;
    if (as_json) {
        shown = print_json(run, status, &sums, is_running, err);
    } else {
        print_text(run, status, &sums, is_running);
    }
    json_decref(status);
    return shown;
}

int dama_verb_status(int argc, char **argv)
{
    bool as_json = false;
    const struct dama_option options[] = {
        {.name = "json",
         .kind = DAMA_OPTION_FLAG,
         .target = &as_json,
         .help = "one JSON object: status.json and the sums over the shards"},
        {.name = NULL},
    };
    const struct dama_usage usage = {
        .verb = "status",
        .arguments = "RUN",
        .summary = "Tells what a run has done, how fast, and what comes next.",
        .options = options,
        .least = 1,
        .most = 1,
    };
    struct dama_texts runs = {0};
    dama_options_parse(&usage, argc, argv, &runs);
    struct dama_error err = {0};
    return show(runs.at[0], as_json, &err) == DAMA_OK ? DAMA_EXIT_DONE : dama_verb_fail(&err);
}
