/* A run's folder: lock, paths, status.json, manifest, stop signals. */
#ifndef DAMA_RUN_FOLDER_H
#define DAMA_RUN_FOLDER_H

#include <stdbool.h>

#include "engine/cli/clock.h"
#include "engine/error.h"

/* Makes the folder and locks it by fcntl on RUN/lock (rank 0; released at exit). DAMA_BUSY names
 * host and process of the holder. */
enum dama_status dama_run_lock(const char *run, struct dama_error *err);
void dama_run_unlock(void);
/* True while another process holds the run's lock. Not for the holder itself: looking would drop
   its lock. */
bool dama_run_is_locked(const char *run);
/* mkdir -p. */
enum dama_status dama_folder_make(const char *path, struct dama_error *err);
/* True for the folder of a run, a match or a ladder. */
bool dama_folder_is_run(const char *path);
/* DAMA_INVALID when the path is that of a file which such a folder keeps for itself: a result that
   a user has a name for does not take its place. */
enum dama_status dama_run_check_target(const char *path, struct dama_error *err);
/* Appends one line to a jsonl file in one write. */
enum dama_status dama_line_append(const char *path, const char *line, struct dama_error *err);
/* Installs handlers: SIGUSR1, SIGTERM and SIGINT ask for a stop (exit 75). */
void dama_stop_install(void);
bool dama_stop_requested(void);

/* Progress of a long work: a line on stderr (in place on a terminal, else every 10 s) with done,
   total, rate and ETA, and status_path (RUN/status.json; NULL: none) replaced atomically every few
   seconds, with its twin for a cluster's monitoring beside it (RUN/status.prom, prometheus.h). Time
   is that of a monotonic clock: a clock that is set does not matter. Only rank 0 makes one. What
   was done before the first update does not count for the rate. stage, unit, state and next_step
   need no JSON escapes. */
struct dama_progress;
/* NULL when out of memory. */
struct dama_progress *dama_progress_new(const char *status_path, const char *stage,
                                        const char *unit, double total);
/* Cheap: may be called in every round. done may fall when something has to be done again. extra:
   further JSON members of status.json ("\"results\":{...}"), may be NULL, kept until the next. */
void dama_progress_update(struct dama_progress *progress, double done, const char *extra);
/* True when the next update writes status.json: only then extra needs to be made. */
bool dama_progress_is_due(const struct dama_progress *progress);
/* Whether status.json is there and its state is this. */
bool dama_status_has_state(const char *status_path, const char *expected);
/* Writes the final status with the next step, and frees. state: done, stopped, failed; running for
   a stage that is done of work that goes on. NULL is allowed. */
void dama_progress_end(struct dama_progress *progress, const char *state, const char *next_step);

#endif
