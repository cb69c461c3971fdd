/* Progress of a long work: a line on stderr and the file status.json. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cluster/log.h"
#include "cluster/run_folder.h"

enum { TEXT_SIZE = 160, STATUS_SIZE = 8192 };
static const double file_interval_s = 2;
static const double terminal_interval_s = 0.5;
static const double line_interval_s = 10;

struct dama_progress {
    char path[PATH_MAX]; /* empty: no file */
    char stage[64];
    char unit[32];
    char extra[STATUS_SIZE / 2]; /* of the last update */
    double total;
    double done;
    double first; /* done at the first update: what an earlier run has left */
    bool has_first;
    bool is_terminal;
    bool has_warned;
    double start, last_file, last_line;
};

struct dama_progress *dama_progress_new(const char *status_path, const char *stage,
                                        const char *unit, double total)
{
    struct dama_progress *progress = calloc(1, sizeof *progress);
    if (!progress) {
        return NULL;
    }
    snprintf(progress->path, sizeof progress->path, "%s", status_path ? status_path : "");
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

static void write_line(const struct dama_progress *progress, const char *end)
{
    char eta[TEXT_SIZE];
    format_eta(eta_of(progress), eta, sizeof eta);
    double percent = progress->total > 0 ? 100 * progress->done / progress->total : 100;
    fprintf(stderr, "%s%s: %.0f of %.0f %s (%.1f %%), %.4g %s/s, %s left%s",
            progress->is_terminal ? "\r\033[K" : "dama: ", progress->stage, progress->done,
            progress->total, progress->unit, percent, rate_of(progress), progress->unit, eta, end);
}

/* Replaced, never seen half written; no fsync, since nothing depends on it after a crash. */
static bool replace_file(const char *path, const char *text, size_t length)
{
    char part[PATH_MAX + 8];
    snprintf(part, sizeof part, "%s.part", path);
    FILE *file = fopen(part, "w");
    bool is_good = file && fwrite(text, 1, length, file) == length;
    if (file && fclose(file) != 0) {
        is_good = false;
    }
    return is_good && rename(part, path) == 0;
}

static void write_status(struct dama_progress *progress, const char *state, const char *next_step)
{
    if (!progress->path[0]) {
        return;
    }
    char text[STATUS_SIZE];
    time_t now = time(NULL);
    struct tm utc;
    char stamp[32];
    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    int length =
        snprintf(text, sizeof text,
                 "{\"stage\":\"%s\",\"state\":\"%s\",\"unit\":\"%s\",\"done\":%.0f,"
                 "\"total\":%.0f,\"rate\":%.6g,\"eta_s\":%.0f,\"elapsed_s\":%.1f,"
                 "\"updated\":\"%s\",\"process\":%ld,\"next_step\":\"%s\"%s%s}\n",
                 progress->stage, state, progress->unit, progress->done, progress->total,
                 rate_of(progress), eta_of(progress), dama_clock() - progress->start, stamp,
                 (long)getpid(), next_step, progress->extra[0] ? "," : "", progress->extra);
    bool is_good = length > 0 && length < (int)sizeof text &&
                   replace_file(progress->path, text, (size_t)length);
    if (!is_good && !progress->has_warned) {
        progress->has_warned = true;
        dama_log_warn("%s: cannot write: %s", progress->path, strerror(errno));
    }
}

void dama_progress_update(struct dama_progress *progress, double done, const char *extra)
{
    progress->done = done;
    if (!progress->has_first) {
        progress->has_first = true;
        progress->first = done;
    }
    if (extra && strlen(extra) < sizeof progress->extra) {
        snprintf(progress->extra, sizeof progress->extra, "%s", extra);
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

void dama_progress_end(struct dama_progress *progress, const char *state, const char *next_step)
{
    if (!progress) {
        return;
    }
    write_line(progress, "\n");
    write_status(progress, state, next_step);
    free(progress);
}
