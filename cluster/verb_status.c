/* `status`: what a run has done, how fast, and what comes next. */
#include "cluster/cluster_verbs.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cluster/run_folder.h"
#include "cluster/run_shards.h"
#include "engine/cli/json.h"
#include "engine/cli/options.h"

/* status.json is replaced as often. */
enum { WATCH_SECONDS = 2, RANK_LINES = 32 };

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

static void print_work(const json_t *status, bool is_running)
{
    const char *state = text_of(status, "state", "unknown");
    bool has_died = !is_running && strcmp(state, "running") == 0;
    double done = number_of(status, "done");
    double total = number_of(status, "total");
    double eta_s = number_of(status, "eta_s");
    printf("stage      %s, %s\n", text_of(status, "stage", "unknown"),
           has_died ? "ended without a word: run the same command again to go on" : state);
    printf("progress   %.0f of %.0f %s (%.1f %%)", done, total, text_of(status, "unit", ""),
           total > 0 ? 100 * done / total : 100);
    if (number_of(status, "rate") > 0) {
        printf(", %.4g a second", number_of(status, "rate"));
    }
    if (is_running && eta_s >= 0) {
        printf(", %.0f:%02.0f:%02.0f left", floor(eta_s / 3600), floor(fmod(eta_s, 3600) / 60),
               floor(fmod(eta_s, 60)));
    }
    printf("\nupdated    %s\n", text_of(status, "updated", "unknown"));
}

/* Self-play counts by colour, a match for its first player. */
static void print_results(const json_t *status)
{
    json_t *results = json_object_get(status, "results");
    if (!results) {
        return;
    }
    const char *name;
    json_t *value;
    double all = 0;
    double draws = 0;
    const char *comma = "";
    printf("results    ");
    json_object_foreach(results, name, value)
    {
        printf("%s%s %.0f", comma, name, json_number_value(value));
        comma = ", ";
        all += json_number_value(value);
        draws += strncmp(name, "draw", 4) == 0 ? json_number_value(value) : 0;
    }
    printf(" (draws %.1f %%)", all > 0 ? 100 * draws / all : 0);
    if (json_object_get(status, "duplicates")) {
        printf(", duplicates %.0f", number_of(status, "duplicates"));
    }
    putchar('\n');
}

static const json_t *rank_of(const json_t *status, size_t number)
{
    return json_array_get(json_object_get(status, "ranks"), number);
}

/* Each rank up to a screenful; the slow ones are named in any case. */
static void print_ranks(const json_t *status)
{
    size_t count = json_array_size(json_object_get(status, "ranks"));
    for (size_t i = 0; i < count && i < RANK_LINES; i++) {
        const json_t *rank = rank_of(status, i);
        printf("%-10s %zu on %s: %.0f threads, %.0f games, %.4g a second\n", i ? "" : "ranks", i,
               text_of(rank, "host", "?"), number_of(rank, "threads"), number_of(rank, "games"),
               number_of(rank, "rate"));
    }
    if (count > RANK_LINES) {
        printf("           and %zu more (--json has all)\n", count - RANK_LINES);
    }
    size_t i;
    json_t *number;
    json_array_foreach(json_object_get(status, "slow"), i, number)
    {
        const json_t *rank = rank_of(status, (size_t)json_integer_value(number));
        printf("slow       rank %lld on %s: less than half of the median rank's games a thread\n",
               (long long)json_integer_value(number), text_of(rank, "host", "?"));
    }
}

/* What is stored, what is free, and what the rest of the work will take. */
static void print_disk(const json_t *status)
{
    double done = number_of(status, "done");
    double bytes = number_of(json_object_get(status, "stored"), "bytes");
    double left = done > 0 ? bytes / done * (number_of(status, "total") - done) : 0;
    double is_free = number_of(status, "disk_free");
    if (is_free > 0) {
        printf("disk       %.1f GB free", is_free / 1e9);
        if (left > 0) {
            printf(", the rest needs %.1f MB%s", left / 1e6,
                   left > is_free ? ": not enough, see dama clean --help" : "");
        }
        putchar('\n');
    }
}

static void print_text(const char *run, const json_t *status, const struct shard_sums *sums,
                       bool is_running)
{
    printf("run        %s, %s\n", run, is_running ? "running" : "not running");
    if (status) {
        print_work(status, is_running);
        print_results(status);
        print_ranks(status);
        print_disk(status);
    }
    printf("shards     %llu, games %llu, positions %llu, %.1f MB\n",
           (unsigned long long)sums->shards, (unsigned long long)sums->games,
           (unsigned long long)sums->rows, (double)sums->bytes / 1e6);
    if (sums->bad) {
        printf("bad        %llu shards: dama verify %s names them\n", (unsigned long long)sums->bad,
               run);
    }
    if (status && *text_of(status, "next_step", "")) {
        printf("next step  %s\n", text_of(status, "next_step", ""));
    }
}

/* A path need not be text: bytes that are none are replaced. */
static json_t *path_to_json(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        return NULL;
    }
    dama_json_string(out, path);
    json_t *json = fclose(out) == 0 ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
    free(text);
    return json;
}

static enum dama_status print_json(const char *run, json_t *status, const struct shard_sums *sums,
                                   bool is_running, struct dama_error *err)
{
    json_t *all = json_pack("{s:o, s:b, s:I, s:I, s:I, s:I, s:I}", "run", path_to_json(run),
                            "running", is_running, "shards", (json_int_t)sums->shards, "games",
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

/* *out is NULL when there is no status.json, which is an error only when there are no shards. */
static enum dama_status read_status(const char *run, json_t **out, struct dama_error *err)
{
    char path[PATH_MAX];
    *out = NULL;
    if (snprintf(path, sizeof path, "%s/status.json", run) >= (int)sizeof path) {
        return dama_fail(err, DAMA_INVALID, "%s: path is too long", run);
    }
    if (access(path, F_OK) != 0) {
        return DAMA_OK;
    }
    json_error_t why;
    *out = json_load_file(path, 0, &why);
    return *out
               ? DAMA_OK
               : dama_fail(err, DAMA_CORRUPT, "%s:%d: expected JSON: %s", path, why.line, why.text);
}

/* Of a run in progress rank 0 says what is stored: 10,000 files need not be opened every time. */
static bool stored_sums(const json_t *status, bool is_running, struct shard_sums *sums)
{
    const json_t *stored = json_object_get(status, "stored");
    if (!stored || !is_running) {
        return false;
    }
    sums->shards = (uint64_t)number_of(stored, "shards");
    sums->games = (uint64_t)number_of(status, "done");
    sums->rows = (uint64_t)number_of(stored, "positions");
    sums->bytes = (uint64_t)number_of(stored, "bytes");
    return true;
}

static enum dama_status show(const char *run, bool as_json, bool *is_running,
                             struct dama_error *err)
{
    struct shard_sums sums = {0};
    json_t *status = NULL;
    *is_running = dama_run_is_locked(run);
    DAMA_TRY(read_status(run, &status, err));
    enum dama_status shown = stored_sums(status, *is_running, &sums)
                                 ? DAMA_OK
                                 : dama_run_shards(run, ".h5", add_shard, &sums, err);
    if (shown == DAMA_OK && !status && sums.shards + sums.bad == 0) {
        shown = dama_fail(err, DAMA_INVALID,
                          "%s: expected a run (status.json, shards/, gen-000/), found none", run);
    }
    if (shown == DAMA_OK && as_json) {
        shown = print_json(run, status, &sums, *is_running, err);
    } else if (shown == DAMA_OK) {
        print_text(run, status, &sums, *is_running);
    }
    json_decref(status);
    return shown;
}

/* Shows the run again and again until it ends. */
static enum dama_status watch(const char *run, bool as_json, struct dama_error *err)
{
    static const char clear_screen[] = "\033[H\033[2J";
    bool is_terminal = isatty(STDOUT_FILENO) != 0;
    bool is_running = true;
    while (is_running) {
        fputs(is_terminal && !as_json ? clear_screen : "", stdout);
        DAMA_TRY(show(run, as_json, &is_running, err));
        if (fflush(stdout) != 0) {
            return dama_fail(err, DAMA_IO, "cannot write the status: %s", strerror(errno));
        }
        if (is_running) {
            fputs(is_terminal || as_json ? "" : "\n", stdout);
            sleep(WATCH_SECONDS);
        }
    }
    return DAMA_OK;
}

int dama_verb_status(int argc, char **argv)
{
    bool as_json = false;
    bool is_watching = false;
    const struct dama_option options[] = {
        {.name = "json",
         .kind = DAMA_OPTION_FLAG,
         .target = &as_json,
         .help = "one JSON object: status.json and the sums over the shards"},
        {.name = "watch",
         .kind = DAMA_OPTION_FLAG,
         .target = &is_watching,
         .help = "show it again every two seconds until the run ends"},
        {.name = NULL},
    };
    const struct dama_usage usage = {
        .verb = "status",
        .arguments = "RUN",
        .summary = "Tells what a run has done, how fast, and what comes next.",
        .details = "Of self-play: games a second by rank, time left, results, duplicates, disk, "
                   "and the ranks that are slow by name. RUN/status.prom says the same to "
                   "Prometheus.",
        .options = options,
        .least = 1,
        .most = 1,
    };
    struct dama_texts runs = {0};
    dama_options_parse(&usage, argc, argv, &runs);
    struct dama_error err = {0};
    bool is_running;
    enum dama_status status = is_watching ? watch(runs.at[0], as_json, &err)
                                          : show(runs.at[0], as_json, &is_running, &err);
    return status == DAMA_OK ? DAMA_EXIT_DONE : dama_verb_fail(&err);
}
