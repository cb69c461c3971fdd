/* The log: one line on stderr of rank 0 for people, RUN/log.jsonl for machines (every rank's lines
   reach rank 0's file by its own append); nothing of it enters a result. */
#ifndef DAMA_LOG_H
#define DAMA_LOG_H

#include <stdbool.h>
#include <stddef.h>

/* Where log.jsonl is; NULL: stderr only. The command of this process becomes its next line (event
   "command"), so that a run tells how it goes on. */
void dama_log_open(const char *path);
/* The last command that RUN/log.jsonl tells, to be pasted into a shell. False when there is none.
 */
bool dama_log_command(const char *run, char *out, size_t size);
void dama_log_close(void);
/* printf-like. note: progress for the log file only. info: stderr too (rank 0). warn: stderr of any
 * rank. */
void dama_log_note(const char *event, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void dama_log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void dama_log_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
