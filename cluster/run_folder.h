/* A run's folder: lock, paths, status.json, manifest, stop signals. */
#ifndef DAMA_RUN_FOLDER_H
#define DAMA_RUN_FOLDER_H

#include <stdbool.h>

#include "engine/error.h"

/* Makes the folder and locks it by fcntl on RUN/lock (rank 0; released at exit). DAMA_BUSY names
 * host and process of the holder. */
enum dama_status dama_run_lock(const char *run, struct dama_error *err);
void dama_run_unlock(void);
/* mkdir -p. */
enum dama_status dama_folder_make(const char *path, struct dama_error *err);
/* Appends one line to a jsonl file in one write. */
enum dama_status dama_line_append(const char *path, const char *line, struct dama_error *err);
/* Installs handlers: SIGUSR1, SIGTERM and SIGINT ask for a stop (exit 75). */
void dama_stop_install(void);
bool dama_stop_requested(void);
/* Seconds of a monotonic clock. */
double dama_clock(void);

/* Progress of a long work: a line on stderr (a carriage-return line on a terminal, a line every 10
   s otherwise) with done, total, rate and ETA, and RUN/status.json replaced atomically every few
   seconds. */
struct dama_progress;
struct dama_progress *dama_progress_new(const char *status_path, const char *stage,
                                        const char *unit, double total);
/* extra: further JSON members of status.json ("\"results\":{...}"), may be NULL. */
void dama_progress_update(struct dama_progress *progress, double done, const char *extra);
/* Writes the final status with this next step and frees. */
void dama_progress_end(struct dama_progress *progress, const char *state, const char *next_step);

#endif
