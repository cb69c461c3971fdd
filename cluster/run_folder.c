/* A run's folder: its lock, its lines and the wish to stop. */
#include "cluster/run_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HOLDER_SIZE = 160 };

/* The lock is the process's, as fcntl has it; closing any descriptor of the file would drop it. */
static int lock_file = -1;

static volatile sig_atomic_t is_stop_requested;

enum dama_status dama_folder_make(const char *path, struct dama_error *err)
{
    char part[PATH_MAX];
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof part) {
        return dama_fail(err, DAMA_INVALID, "folder '%s': expected 1 to %d characters", path,
                         PATH_MAX - 1);
    }
    memcpy(part, path, length + 1);
    for (size_t i = 1; i <= length; i++) {
        if (part[i] != '/' && part[i] != 0) {
            continue;
        }
        char kept = part[i];
        part[i] = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST) {
            return dama_fail(err, DAMA_IO, "%s: cannot make the folder: %s", part, strerror(errno));
        }
        part[i] = kept;
    }
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
        return dama_fail(err, DAMA_IO, "%s: expected a folder, found something else", path);
    }
    return DAMA_OK;
}

bool dama_folder_is_run(const char *path)
{
    static const char *const names[] = {"run.conf", "shards", "match.conf", "ladder.jsonl"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char inner[PATH_MAX];
        if (snprintf(inner, sizeof inner, "%s/%s", path, names[i]) < PATH_MAX &&
            access(inner, F_OK) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_own_name(const char *name)
{
    static const char *const own[] = {"run.conf",    "rules.conf",   "player.dama",   "parent.conf",
                                      "lock",        "log.jsonl",    "status.json",   "status.prom",
                                      "match.json",  "final.json",   "tune.json",     "match.conf",
                                      "pairs.jsonl", "ladder.jsonl", "manifest.jsonl"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        if (strcmp(name, own[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* True when the folder, which ends with a slash or is empty, is the shards/ of a run and has the
   file. */
static bool is_shard_of_run(const char *folder, const char *name)
{
    char run[PATH_MAX], path[PATH_MAX];
    const char *ending = strrchr(name, '.');
    return ending && strcmp(ending, ".h5") == 0 &&
           snprintf(run, sizeof run, "%s..", folder) < PATH_MAX && dama_folder_is_run(run) &&
           snprintf(path, sizeof path, "%s/shards/%s", run, name) < PATH_MAX &&
           access(path, F_OK) == 0;
}

enum dama_status dama_run_check_target(const char *path, struct dama_error *err)
{
    char folder[PATH_MAX], here[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    if (snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path) >= PATH_MAX ||
        snprintf(here, sizeof here, "%s.", folder) >= PATH_MAX) {
        return dama_fail(err, DAMA_UNSUPPORTED, "%s: the path is too long", path);
    }
    bool is_own = (is_own_name(name) && dama_folder_is_run(here)) || is_shard_of_run(folder, name);
    return is_own ? dama_fail(err, DAMA_INVALID, "%s: a run's own file is not replaced", path)
                  : DAMA_OK;
}

static enum dama_status lock_path(const char *run, char out[PATH_MAX], struct dama_error *err)
{
    if (snprintf(out, PATH_MAX, "%s/lock", run) >= PATH_MAX) {
        return dama_fail(err, DAMA_INVALID, "%s: path is too long", run);
    }
    return DAMA_OK;
}

static enum dama_status take_lock(int file, const char *run, struct dama_error *err)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(file, F_SETLK, &lock) == 0) {
        return DAMA_OK;
    }
    if (errno != EACCES && errno != EAGAIN) {
        return dama_fail(err, DAMA_IO, "%s: cannot lock the run: %s", run, strerror(errno));
    }
    char holder[HOLDER_SIZE] = "";
    ssize_t got = pread(file, holder, sizeof holder - 1, 0);
    holder[got > 0 ? got : 0] = 0;
    holder[strcspn(holder, "\n")] = 0;
    return dama_fail(err, DAMA_BUSY, "%s: another process works on this run: %s", run,
                     *holder ? holder : "unknown");
}

enum dama_status dama_run_lock(const char *run, struct dama_error *err)
{
    char path[PATH_MAX];
    DAMA_TRY(dama_folder_make(run, err));
    DAMA_TRY(lock_path(run, path, err));
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) {
        return dama_fail(err, DAMA_IO, "%s: cannot open: %s", path, strerror(errno));
    }
    enum dama_status status = take_lock(file, run, err);
    if (status != DAMA_OK) {
        close(file);
        return status;
    }
    char host[HOLDER_SIZE / 2] = "";
    gethostname(host, sizeof host - 1);
    if (ftruncate(file, 0) != 0 ||
        dprintf(file, "host %s process %ld\n", host, (long)getpid()) < 0) {
        dama_fail(err, DAMA_IO, "%s: cannot write: %s", path, strerror(errno));
        close(file);
        return DAMA_IO;
    }
    lock_file = file;
    return DAMA_OK;
}

void dama_run_unlock(void)
{
    if (lock_file >= 0) {
        close(lock_file);
        lock_file = -1;
    }
}

bool dama_run_is_locked(const char *run)
{
    char path[PATH_MAX];
    if (lock_path(run, path, NULL) != DAMA_OK) {
        return false;
    }
    /* For reading: who may only look at a run may ask as well. */
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    bool is_locked = file >= 0 && fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    if (file >= 0) {
        close(file);
    }
    return is_locked;
}

/* Whether a full disk or a crash has cut the last line. */
static bool lacks_line_end(int file)
{
    char last = '\n';
    off_t size = lseek(file, 0, SEEK_END);
    return size > 0 && pread(file, &last, 1, size - 1) == 1 && last != '\n';
}

enum dama_status dama_line_append(const char *path, const char *line, struct dama_error *err)
{
    size_t length = strlen(line) + 1;
    char *bytes = malloc(length + 2);
    if (!bytes) {
        return dama_fail(err, DAMA_MEMORY, "%s: out of memory", path);
    }
    snprintf(bytes, length + 2, "\n%s\n", line);
    int file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    /* A cut line must not swallow this one. */
    bool is_first = file < 0 || !lacks_line_end(file);
    size_t size = is_first ? length : length + 1;
    /* One write: lines of several processes do not mix. */
    ssize_t done = file >= 0 ? write(file, bytes + is_first, size) : -1;
    if (done >= 0 && (size_t)done < size) {
        /* Only the write of the rest says why. */
        size -= (size_t)done;
        done = write(file, bytes + is_first + done, size);
    }
    bool is_good = done == (ssize_t)size;
    int reason = errno;
    if (file >= 0 && close(file) != 0 && is_good) {
        is_good = false;
        reason = errno;
    }
    free(bytes);
    return is_good ? DAMA_OK
                   : dama_fail(err, DAMA_IO, "%s: cannot append: %s", path, strerror(reason));
}

static void request_stop(int signal_number)
{
    (void)signal_number;
    is_stop_requested = 1;
}

void dama_stop_install(void)
{
    static const int signals[] = {SIGUSR1, SIGTERM, SIGINT};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction action = {.sa_handler = request_stop, .sa_flags = SA_RESTART};
        sigaction(signals[i], &action, NULL);
    }
}

bool dama_stop_requested(void)
{
    return is_stop_requested != 0;
}
