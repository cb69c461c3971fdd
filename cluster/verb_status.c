/* `status`: what a run has done, how fast, and what comes next. */
#include "cluster/cluster_verbs.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cluster/run_folder.h"
#include "cluster/run_shards.h"
#include "cluster/status_view.h"
#include "engine/cli/common_options.h"

/* status.json is replaced as often. */
enum { WATCH_SECONDS = 2, RANK_LINES = 32, RANK_LINES_LEAST = 2, OTHER_LINES = 14 };

static enum dama_status add_shard(void *context, const char *path, struct dama_error *err)
{
    struct dama_shard_sums *sums = context;
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

static json_t *json_of_generations(const struct dama_generations *generations)
{
    return json_pack("{s:i, s:i, s:i, s:i, s:i}", "begun", generations->begun, "fitted",
                     generations->fitted, "judged", generations->judged, "promoted",
                     generations->promoted, "best", generations->best);
}

static enum dama_status print_json(const struct dama_status_view *view, struct dama_error *err)
{
    const struct dama_shard_sums *sums = &view->sums;
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
static enum dama_status read_status(struct dama_status_view *view, struct dama_error *err)
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
static bool stored_sums(struct dama_status_view *view)
{
    const json_t *stored = json_object_get(view->status, "stored");
    if (!stored || !view->is_running || view->generations.begun > 0) {
        return false;
    }
    view->sums.shards = (uint64_t)dama_status_number(stored, "shards");
    view->sums.games = (uint64_t)dama_status_number(view->status, "done");
    view->sums.rows = (uint64_t)dama_status_number(stored, "positions");
    view->sums.bytes = (uint64_t)dama_status_number(stored, "bytes");
    return true;
}

static enum dama_status gather(struct dama_status_view *view, struct dama_error *err)
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
    struct dama_status_view view = {.run = run,
                                    .rank_lines = is_redrawn ? rank_lines() : RANK_LINES};
    enum dama_status shown = gather(&view, err);
    *is_running = view.is_running;
    if (shown == DAMA_OK && as_json) {
        shown = print_json(&view, err);
    } else if (shown == DAMA_OK) {
        dama_status_print(&view);
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
        dama_option_json(&as_json, "one JSON object: status.json and the sums over the shards"),
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
