/* `status`: what a run has done, how fast, and what comes next. */
#include "cluster/cluster_verbs.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cluster/log.h"
#include "cluster/run_folder.h"
#include "cluster/run_generations.h"
#include "cluster/run_shards.h"
#include "cluster/shell_text.h"
#include "engine/cli/json.h"
#include "engine/cli/options.h"

/* status.json is replaced as often. */
enum {
    WATCH_SECONDS = 2,
    RANK_LINES = 32,
    RANK_LINES_LEAST = 2,
    OTHER_LINES = 14,
    STEP_SIZE = 2048
};

/* By their headers; what a shard holds is checked by `verify`. */
struct shard_sums {
    uint64_t shards, games, rows, bytes, bad;
};

/* What is known of a run. */
struct view {
    const char *run;
    bool is_running;
    json_t *status;           /* NULL: none, or damaged */
    struct dama_error damage; /* of status.json */
    struct shard_sums sums;
    struct dama_generations generations;
    int rank_lines; /* at most */
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

/* A status is of the last stage that reported: a run may have gone on since, or been killed. */
static const char *state_of(const struct view *view)
{
    const char *state = text_of(view->status, "state", "unknown");
    bool says_running = strcmp(state, "running") == 0;
    if (says_running && !view->is_running) {
        return "ended without a word: run the same command again to go on";
    }
    return !says_running && view->is_running ? "over; what follows has not reported yet" : state;
}

static void print_work(const struct view *view)
{
    const json_t *status = view->status;
    double done = number_of(status, "done");
    double total = number_of(status, "total");
    double eta_s = number_of(status, "eta_s");
    printf("stage      %s, %s\n", text_of(status, "stage", "unknown"), state_of(view));
    printf("progress   %.0f of %.0f %s (%.1f %%)", done, total, text_of(status, "unit", ""),
           total > 0 ? 100 * done / total : 100);
    if (number_of(status, "rate") > 0) {
        printf(", %.4g a second", number_of(status, "rate"));
    }
    if (view->is_running && eta_s >= 0) {
        printf(", %.0f:%02.0f:%02.0f left", floor(eta_s / 3600), floor(fmod(eta_s, 3600) / 60),
               floor(fmod(eta_s, 60)));
    }
    printf("\nupdated    %s\n", text_of(status, "updated", "unknown"));
}

static void print_generations(const struct dama_generations *generations)
{
    if (generations->begun > 0) {
        printf("training   gen-%03d is the newest; %d fitted, %d judged, %d promoted\n",
               generations->begun - 1, generations->fitted, generations->judged,
               generations->promoted);
    }
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
static void print_ranks(const json_t *status, size_t most)
{
    size_t count = json_array_size(json_object_get(status, "ranks"));
    for (size_t i = 0; i < count && i < most; i++) {
        const json_t *rank = rank_of(status, i);
        printf("%-10s %zu on %s: %.0f threads, %.0f games, %.4g a second\n", i ? "" : "ranks", i,
               text_of(rank, "host", "?"), number_of(rank, "threads"), number_of(rank, "games"),
               number_of(rank, "rate"));
    }
    if (count > most) {
        printf("           and %zu more (--json has all)\n", count - most);
    }
    size_t i;
    json_t *number;
    json_array_foreach(json_object_get(status, "slow"), i, number)
    {
        const json_t *rank = rank_of(status, (size_t)json_integer_value(number));
        printf("slow       rank %lld on %s: less than half of the median rank's games a thread "
               "lately\n",
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

/* Writes a word for each placeholder that a next step has. */
static void put_word(char step[STEP_SIZE], const char *placeholder, const char *path)
{
    char word[STEP_SIZE];
    char rest[STEP_SIZE];
    char *at = strstr(step, placeholder);
    if (at && dama_shell_word(path, word, sizeof word)) {
        snprintf(rest, sizeof rest, "%s", at + strlen(placeholder));
        snprintf(at, STEP_SIZE - (size_t)(at - step), "%s%s", word, rest);
    }
}

/* Of a run that has not come to its end its own command. */
static void print_next_step(const struct view *view)
{
    char step[STEP_SIZE];
    char table[PATH_MAX];
    bool is_done = strcmp(text_of(view->status, "state", "done"), "done") == 0;
    snprintf(step, sizeof step, "%s", text_of(view->status, "next_step", ""));
    snprintf(table, sizeof table, "%s/gen-%03d/weights.dama", view->run, view->generations.best);
    put_word(step, "RUN", view->run);
    put_word(step, "TABLE", table);
    if (!view->is_running && !is_done) {
        dama_log_command(view->run, step, sizeof step);
    }
    if (*step && !view->is_running) {
        printf("next step  %s\n", step);
    }
}

static void print_text(const struct view *view)
{
    const struct shard_sums *sums = &view->sums;
    printf("run        %s, %s\n", view->run, view->is_running ? "running" : "not running");
    print_generations(&view->generations);
    if (view->status) {
        print_work(view);
        print_results(view->status);
        print_ranks(view->status, (size_t)view->rank_lines);
        print_disk(view->status);
    }
    printf("shards     %llu, games %llu, positions %llu, %.1f MB\n",
           (unsigned long long)sums->shards, (unsigned long long)sums->games,
           (unsigned long long)sums->rows, (double)sums->bytes / 1e6);
    if (sums->bad) {
        printf("bad        %llu shards: dama verify %s names them\n", (unsigned long long)sums->bad,
               view->run);
    }
    print_next_step(view);
}

static json_t *json_of_generations(const struct dama_generations *generations)
{
    return json_pack("{s:i, s:i, s:i, s:i, s:i}", "begun", generations->begun, "fitted",
                     generations->fitted, "judged", generations->judged, "promoted",
                     generations->promoted, "best", generations->best);
}

static enum dama_status print_json(const struct view *view, struct dama_error *err)
{
    const struct shard_sums *sums = &view->sums;
    json_t *all = json_pack("{s:o*, s:b, s:I, s:I, s:I, s:I, s:I}", "run", json_string(view->run),
                            "running", view->is_running, "shards", (json_int_t)sums->shards,
                            "games", (json_int_t)sums->games, "positions", (json_int_t)sums->rows,
                            "bytes", (json_int_t)sums->bytes, "bad_shards", (json_int_t)sums->bad);
    bool is_good =
        all && (!view->status || json_object_update_missing(all, view->status) == 0) &&
        (view->generations.begun == 0 ||
         json_object_set_new(all, "generations", json_of_generations(&view->generations)) == 0);
    char *text = is_good ? json_dumps(all, JSON_COMPACT | JSON_REAL_PRECISION(15)) : NULL;
    if (text) {
        puts(text);
    }
    free(text);
    json_decref(all);
    return text ? DAMA_OK : dama_fail(err, DAMA_MEMORY, "%s: out of memory", view->run);
}

/* Without a status.json there is none; one that cannot be read is told, and what else is known is
   shown. */
static enum dama_status read_status(struct view *view, struct dama_error *err)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/status.json", view->run) >= (int)sizeof path) {
        return dama_fail(err, DAMA_INVALID, "%s: path is too long", view->run);
    }
    if (access(path, F_OK) != 0) {
        return DAMA_OK;
    }
    json_error_t why;
    view->status = json_load_file(path, 0, &why);
    if (!json_is_object(view->status)) {
        dama_fail(&view->damage, DAMA_CORRUPT, "%s:%d: expected a JSON object%s%s", path,
                  view->status ? 1 : why.line, view->status ? "" : ": ",
                  view->status ? "" : why.text);
        json_decref(view->status);
        view->status = NULL;
    }
    return DAMA_OK;
}

/* Of self-play in progress rank 0 says what is stored: 10,000 files need not be opened every time.
 */
static bool stored_sums(struct view *view)
{
    const json_t *stored = json_object_get(view->status, "stored");
    if (!stored || !view->is_running || view->generations.begun > 0) {
        return false;
    }
    view->sums.shards = (uint64_t)number_of(stored, "shards");
    view->sums.games = (uint64_t)number_of(view->status, "done");
    view->sums.rows = (uint64_t)number_of(stored, "positions");
    view->sums.bytes = (uint64_t)number_of(stored, "bytes");
    return true;
}

static enum dama_status gather(struct view *view, struct dama_error *err)
{
    view->is_running = dama_run_is_locked(view->run);
    view->generations = dama_run_generations(view->run);
    DAMA_TRY(read_status(view, err));
    if (!stored_sums(view)) {
        DAMA_TRY(dama_run_shards(view->run, ".h5", add_shard, &view->sums, err));
    }
    bool is_nothing = !view->status && view->damage.status == DAMA_OK && !view->is_running &&
                      view->sums.shards + view->sums.bad == 0 && view->generations.begun == 0;
    return is_nothing ? dama_fail(err, DAMA_INVALID,
                                  "%s: expected a run (status.json, shards/, gen-000/), found none",
                                  view->run)
                      : DAMA_OK;
}

/* Rows of a terminal that is redrawn leave so many for the ranks. */
static int rank_lines(void)
{
    struct winsize size;
    bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0;
    int left = is_known ? size.ws_row - OTHER_LINES : RANK_LINES;
    return left < RANK_LINES_LEAST ? RANK_LINES_LEAST : left < RANK_LINES ? left : RANK_LINES;
}

/* A status that cannot be read is a failure after all else is shown; of a run in progress, a file
   system between the states of a file. */
static enum dama_status show(const char *run, bool as_json, bool is_redrawn, bool *is_running,
                             struct dama_error *err)
{
    struct view view = {.run = run, .rank_lines = is_redrawn ? rank_lines() : RANK_LINES};
    enum dama_status shown = gather(&view, err);
    *is_running = view.is_running;
    if (shown == DAMA_OK && as_json) {
        shown = print_json(&view, err);
    } else if (shown == DAMA_OK) {
        print_text(&view);
    }
    json_decref(view.status);
    if (shown == DAMA_OK && view.damage.status != DAMA_OK && !view.is_running) {
        return dama_fail(err, view.damage.status, "%s", view.damage.text);
    }
    return shown;
}

/* Shows the run again and again until it ends. */
static enum dama_status watch(const char *run, bool as_json, struct dama_error *err)
{
    static const char clear_screen[] = "\033[H\033[2J";
    bool is_terminal = isatty(STDOUT_FILENO) != 0;
    bool is_redrawn = is_terminal && !as_json;
    bool is_running = true;
    while (is_running) {
        fputs(is_redrawn ? clear_screen : "", stdout);
        DAMA_TRY(show(run, as_json, is_redrawn, &is_running, err));
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
        .details =
            "Of self-play: games a second by rank, time left, results, duplicates, disk, "
            "and the ranks that are slow by name; of a training how far its generations are. "
            "A run that was killed is told from one that goes on by its lock, and its "
            "command is the next step. RUN/status.json is the last that the run has "
            "reported, RUN/status.prom the same for Prometheus.",
        .options = options,
        .least = 1,
        .most = 1,
    };
    struct dama_texts runs = {0};
    dama_options_parse(&usage, argc, argv, &runs);
    struct dama_error err = {0};
    bool is_running;
    enum dama_status status = is_watching ? watch(runs.at[0], as_json, &err)
                                          : show(runs.at[0], as_json, false, &is_running, &err);
    return status == DAMA_OK ? DAMA_EXIT_DONE : dama_verb_fail(&err);
}
