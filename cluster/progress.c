/* Progress of a long work: a line on stderr and the files status.json and status.prom. */
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "cluster/log.h"
#include "cluster/prometheus.h"
#include "cluster/run_folder.h"

enum { TEXT_SIZE = 160, LINE_SIZE = 512, HEAD_SIZE = 1024 };
static const double file_interval_s = 2;
static const double terminal_interval_s = 0.5;
static const double line_interval_s = 10;

struct dama_progress {
    char path[PATH_MAX]; /* of status.json; empty: no file */
    char run[PATH_MAX];  /* its folder, from the root if possible */
    char stage[64];
    char unit[32];
    char *extra; /* of the last update that had one */
    double total;
    double done;
    double first; /* done at the first update: what an earlier run has left */
    bool has_first;
    bool is_terminal;
    bool has_warned;
    double start, last_file, last_line;
};

static void find_run(const char *path, char out[PATH_MAX])
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    if (!realpath(folder, out)) {
        snprintf(out, PATH_MAX, "%s", folder);
    }
}

struct dama_progress *dama_progress_new(const char *status_path, const char *stage,
                                        const char *unit, double total)
{
    struct dama_progress *progress = calloc(1, sizeof *progress);
    if (!progress) {
        return NULL;
    }
    snprintf(progress->path, sizeof progress->path, "%s", status_path ? status_path : "");
    find_run(progress->path, progress->run);
    snprintf(progress->stage, sizeof progress->stage, "%s", stage);
    snprintf(progress->unit, sizeof progress->unit, "%s", unit);
    progress->total = total;
    progress->is_terminal = isatty(STDERR_FILENO) != 0;
    progress->start = dama_clock();
    progress->last_file = -INFINITY;
    progress->last_line = progress->is_terminal ? -INFINITY : progress->start;
    return progress;
}

/* A second of this run's own work, without what was there before it. */
static double rate_of(const struct dama_progress *progress)
{
    double elapsed = dama_clock() - progress->start;
    return elapsed > 0 ? (progress->done - progress->first) / elapsed : 0;
}

/* Negative: unknown. */
static double eta_of(const struct dama_progress *progress)
{
    double rate = rate_of(progress);
    return rate > 0 ? (progress->total - progress->done) / rate : -1;
}

static void format_eta(double eta_s, char *out, size_t size)
{
    if (eta_s < 0) {
        snprintf(out, size, "?");
        return;
    }
    long long s = (long long)ceil(eta_s);
    if (s >= 3600) {
        snprintf(out, size, "%lld:%02lld:%02lld h", s / 3600, s / 60 % 60, s % 60);
    } else {
        snprintf(out, size, "%lld:%02lld min", s / 60, s % 60);
    }
}

/* A line that wraps could not be written over by the next: it ends before the last column. */
static int terminal_columns(void)
{
    struct winsize size;
    bool is_known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    return is_known ? size.ws_col - 1 : INT_MAX;
}

/* What fits in so many columns: all, or share and time left. */
static void format_line(const struct dama_progress *progress, int columns, char line[LINE_SIZE])
{
    char eta[TEXT_SIZE] = "";
    char left[TEXT_SIZE + 16] = "";
    double rate = rate_of(progress);
    double percent = progress->total > 0 ? 100 * progress->done / progress->total : 100;
    if (rate > 0) {
        format_eta(eta_of(progress), eta, sizeof eta);
        snprintf(left, sizeof left, ", %s left", eta);
    }
    int length = snprintf(line, LINE_SIZE, "%s: %.0f of %.0f %s (%.1f %%)", progress->stage,
                          progress->done, progress->total, progress->unit, percent);
    if (rate > 0) {
        length += snprintf(line + length, LINE_SIZE - (size_t)length, ", %.4g %s/s%s", rate,
                           progress->unit, left);
    }
    if (length > columns) {
        snprintf(line, LINE_SIZE, "%s: %.1f %%%s", progress->stage, percent, left);
    }
}

/* In one write: the mpirun of Open MPI 5.0 may hand out a line that comes in pieces as standard
   output. */
static void write_line(const struct dama_progress *progress, const char *end)
{
    char line[LINE_SIZE];
    int columns = progress->is_terminal ? terminal_columns() : INT_MAX;
    format_line(progress, columns, line);
    fprintf(stderr, "%s%.*s%s", progress->is_terminal ? "\r\033[K" : "dama: ", columns, line, end);
}

/* Replaced, never seen half written; no fsync, since nothing depends on it after a crash. */
static bool replace_file(const char *path, const char *text)
{
    char part[PATH_MAX + 8];
    snprintf(part, sizeof part, "%s.part", path);
    FILE *file = fopen(part, "w");
    bool is_good = file && fputs(text, file) >= 0;
    if (file && fclose(file) != 0) {
        is_good = false;
    }
    is_good = is_good && rename(part, path) == 0;
    if (file && !is_good) {
        unlink(part);
    }
    return is_good;
}

/* Free bytes where the run lies; 0 when nobody can say. */
static double free_bytes(const char *folder)
{
    struct statvfs info;
    return statvfs(folder, &info) == 0 ? (double)info.f_bavail * (double)info.f_frsize : 0;
}

/* The text of status.json, freed by the caller; NULL when out of memory. */
static char *format_status(const struct dama_progress *progress, const char *state,
                           const char *next_step)
{
    const char *extra = progress->extra ? progress->extra : "";
    size_t size = HEAD_SIZE + strlen(extra) + strlen(next_step);
    char *text = malloc(size);
    if (!text) {
        return NULL;
    }
    time_t now = time(NULL);
    struct tm utc;
    char stamp[32];
    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    snprintf(text, size,
             "{\"stage\":\"%s\",\"state\":\"%s\",\"unit\":\"%s\",\"done\":%.0f,"
             "\"total\":%.0f,\"rate\":%.6g,\"eta_s\":%.0f,\"elapsed_s\":%.1f,"
             "\"updated\":\"%s\",\"process\":%ld,\"disk_free\":%.0f,\"next_step\":\"%s\"%s%s}\n",
             progress->stage, state, progress->unit, progress->done, progress->total,
             rate_of(progress), eta_of(progress), dama_clock() - progress->start, stamp,
             (long)getpid(), free_bytes(progress->run), next_step, *extra ? "," : "", extra);
    return text;
}

/* RUN/status.json to RUN/status.prom. */
static void prometheus_path(const char *path, char out[PATH_MAX])
{
    size_t length = strlen(path);
    const char *dot = strrchr(path, '.');
    snprintf(out, PATH_MAX, "%.*s.prom", (int)(dot ? (size_t)(dot - path) : length), path);
}

static void write_status(struct dama_progress *progress, const char *state, const char *next_step)
{
    if (!progress->path[0]) {
        return;
    }
    char twin_path[PATH_MAX];
    prometheus_path(progress->path, twin_path);
    char *text = format_status(progress, state, next_step);
    char *twin = text ? dama_prometheus_format(text, progress->run, time(NULL)) : NULL;
    bool is_good = twin && replace_file(progress->path, text) && replace_file(twin_path, twin);
    if (!is_good && !progress->has_warned) {
        progress->has_warned = true;
        dama_log_warn("%s: cannot write: %s", progress->path, strerror(errno));
    }
    free(text);
    free(twin);
}

bool dama_progress_is_due(const struct dama_progress *progress)
{
    return dama_clock() - progress->last_file >= file_interval_s;
}

void dama_progress_update(struct dama_progress *progress, double done, const char *extra)
{
    if (!progress->has_first) {
        progress->has_first = true;
        progress->first = done;
    } else if (done < progress->done) {
        /* Some turned out to be damaged: what was done here before that counts. */
        progress->first -= progress->done - done;
    }
    progress->done = done;
    char *copy = extra ? strdup(extra) : NULL;
    if (copy) {
        free(progress->extra);
        progress->extra = copy;
    }
    double now = dama_clock();
    double interval = progress->is_terminal ? terminal_interval_s : line_interval_s;
    if (now - progress->last_line >= interval) {
        progress->last_line = now;
        write_line(progress, progress->is_terminal ? "" : "\n");
    }
    if (now - progress->last_file >= file_interval_s) {
        progress->last_file = now;
        write_status(progress, "running", "");
    }
}

bool dama_status_has_state(const char *status_path, const char *expected)
{
    json_t *status = json_load_file(status_path, 0, NULL);
    const char *state = json_string_value(json_object_get(status, "state"));
    bool has_state = state && strcmp(state, expected) == 0;
    json_decref(status);
    return has_state;
}

void dama_progress_end(struct dama_progress *progress, const char *state, const char *next_step)
{
    if (!progress) {
        return;
    }
    write_line(progress, "\n");
    write_status(progress, state, next_step);
    free(progress->extra);
    free(progress);
}
