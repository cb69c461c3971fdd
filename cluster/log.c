/* The log: stderr for people, lines of JSON for machines. */
#include "cluster/log.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cluster/comm.h"
#include "cluster/run_folder.h"
#include "cluster/shell_text.h"
#include "engine/cli/json.h"

enum { LINE_SIZE = 2048, HOST_SIZE = 128, NS_PER_MS = 1000000 };
static const char command_event[] = "command";

/* Where this process logs: set at start, before threads; the mutex keeps lines of threads whole. */
static char *log_path;
static pthread_mutex_t log_mutex = PTHREAD_MUTEX_INITIALIZER;

void dama_log_open(const char *path)
{
    dama_log_close();
    log_path = path ? strdup(path) : NULL;
    char command[LINE_SIZE];
    if (log_path && dama_shell_own_command(dama_comm_launcher(), command, sizeof command)) {
        dama_log_note(command_event, "%s", command);
    }
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
    char *line = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&line, &size);
    if (!out) {
        return;
    }
    fprintf(out, "{\"time\":%ld.%03ld,\"rank\":%d,\"host\":", (long)now.tv_sec,
            now.tv_nsec / NS_PER_MS, dama_comm_rank());
    dama_json_string(out, host);
    fprintf(out, ",\"process\":%d,\"event\":", (int)getpid());
    dama_json_string(out, event);
    fputs(",\"text\":", out);
    dama_json_string(out, text);
    fputc('}', out);
    if (fclose(out) == 0) {
        dama_line_append(log_path, line, NULL);
    }
    free(line);
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

/* The text of a line about a command. */
static bool parse_command(const char *line, char *out, size_t size)
{
    const char *event = NULL, *text = NULL;
    json_t *json = strstr(line, command_event) ? json_loads(line, 0, NULL) : NULL;
    bool is_one = json && json_unpack(json, "{s:s, s:s}", "event", &event, "text", &text) == 0 &&
                  strcmp(event, command_event) == 0 && strlen(text) < size;
    if (is_one) {
        snprintf(out, size, "%s", text);
    }
    json_decref(json);
    return is_one;
}

bool dama_log_command(const char *run, char *out, size_t size)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/log.jsonl", run);
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    while (file && getline(&line, &room, file) > 0) {
        found |= parse_command(line, out, size);
    }
    free(line);
    if (file) {
        fclose(file);
    }
    return found;
}
