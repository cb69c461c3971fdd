/* A run's status in plain words. */
#include "cluster/status_view.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/log.h"
#include "cluster/shell_text.h"

enum { STEP_SIZE = 2048 };

static const char *text_of(const json_t *status, const char *name, const char *otherwise)
{
    const char *text = json_string_value(json_object_get(status, name));
    return text && *text ? text : otherwise;
}

double dama_status_number(const json_t *status, const char *name)
{
    return json_number_value(json_object_get(status, name));
}

static bool says(const struct dama_status_view *view, const char *state)
{
    return strcmp(text_of(view->status, "state", ""), state) == 0;
}

/* A stage that is over, of a run that goes on. */
static bool is_stage_over(const struct dama_status_view *view)
{
    double total = dama_status_number(view->status, "total");
    return says(view, "done") ||
           (says(view, "running") && dama_status_number(view->status, "done") >= total);
}

/* A status is of the last stage that reported, or of the last start: what follows in a run that
   goes on. Fits and reports do not report; what a training has finished tells them. */
static const char *present_work(const struct dama_status_view *view)
{
    const struct dama_generations *generations = &view->generations;
    if (!is_stage_over(view) || generations->begun == 0) {
        return "reading what is there";
    }
    return generations->fitted < generations->begun   ? "the fit"
           : generations->judged < generations->begun ? "the match"
                                                      : "the report and what follows";
}

static void print_state(const struct dama_status_view *view)
{
    printf("stage      %s, ", text_of(view->status, "stage", "unknown"));
    if (says(view, "running") && !view->is_running) {
        puts("ended without a word: run the same command again to go on");
    } else if (view->is_running && is_stage_over(view)) {
        printf("done; now %s\n", present_work(view));
    } else if (view->is_running && !says(view, "running")) {
        printf("%s; now %s\n", text_of(view->status, "state", "unknown"), present_work(view));
    } else {
        puts(text_of(view->status, "state", "unknown"));
    }
}

static void print_work(const struct dama_status_view *view)
{
    const json_t *status = view->status;
    double done = dama_status_number(status, "done");
    double total = dama_status_number(status, "total");
    double eta_s = dama_status_number(status, "eta_s");
    print_state(view);
    printf("progress   %.0f of %.0f %s (%.1f %%)", done, total, text_of(status, "unit", ""),
           total > 0 ? 100 * done / total : 100);
    if (dama_status_number(status, "rate") > 0) {
        printf(", %.4g a second", dama_status_number(status, "rate"));
    }
    if (view->is_running && says(view, "running") && eta_s >= 0) {
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
        printf(", duplicates %.0f", dama_status_number(status, "duplicates"));
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
               text_of(rank, "host", "?"), dama_status_number(rank, "threads"),
               dama_status_number(rank, "games"), dama_status_number(rank, "rate"));
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
    double done = dama_status_number(status, "done");
    double bytes = dama_status_number(json_object_get(status, "stored"), "bytes");
    double left = done > 0 ? bytes / done * (dama_status_number(status, "total") - done) : 0;
    double is_free = dama_status_number(status, "disk_free");
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
static void print_next_step(const struct dama_status_view *view)
{
    char step[STEP_SIZE];
    char table[PATH_MAX];
    bool is_done = !view->status || says(view, "done");
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

void dama_status_print(const struct dama_status_view *view)
{
    const struct dama_shard_sums *sums = &view->sums;
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
        char word[PATH_MAX] = "";
        dama_shell_word(view->run, word, sizeof word);
        printf("bad        %llu shards: dama verify %s names them\n", (unsigned long long)sums->bad,
               word);
    }
    print_next_step(view);
}
