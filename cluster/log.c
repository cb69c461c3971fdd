/* The log: stderr for people, lines of JSON for machines. */
#include "cluster/log.h"

#include <errno.h>
#include <jansson.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cluster/comm.h"
#include "cluster/run_folder.h"

enum { LINE_SIZE = 2048, HOST_SIZE = 128 };

/* Where this process logs: set at start, before threads; the mutex keeps lines of threads whole. */
static char *log_path;
static pthread_mutex_t log_mutex = PTHREAD_MUTEX_INITIALIZER;

void dama_log_open(const char *path)
{
    dama_log_close();
    log_path = path ? strdup(path) : NULL;
}

void dama_log_close(void)
{
    free(log_path);
    log_path = NULL;
}

/* A log that cannot be written never stops the work. */
static void append(const char *event, const char *text)
{
    if (!log_path) {
        return;
    }
    char host[HOST_SIZE] = "";
    gethostname(host, sizeof host - 1);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    json_t *line =
        json_pack("{s:f, s:i, s:s, s:i, s:s, s:s+}", "time",
                  (double)now.tv_sec + 1e-9 * (double)now.tv_nsec, "rank", dama_comm_rank(), "host",
                  host, "process", (int)getpid(), "event", event, "text", text, "");
    char *bytes = line ? json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(13)) : NULL;
    if (bytes) {
        dama_line_append(log_path, bytes, NULL);
    }
    free(bytes);
    json_decref(line);
}

static void write_log(const char *event, const char *stderr_prefix, const char *format,
                      va_list args)
{
    char text[LINE_SIZE];
    vsnprintf(text, sizeof text, format, args);
    pthread_mutex_lock(&log_mutex);
    if (stderr_prefix) {
        fprintf(stderr, "dama: %s%s\n", stderr_prefix, text);
    }
    append(event, text);
    pthread_mutex_unlock(&log_mutex);
}

void dama_log_note(const char *event, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_log(event, NULL, format, args);
    va_end(args);
}

void dama_log_info(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_log("info", dama_comm_rank() == 0 ? "" : NULL, format, args);
    va_end(args);
}

void dama_log_warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_log("warning", "warning: ", format, args);
    va_end(args);
}
