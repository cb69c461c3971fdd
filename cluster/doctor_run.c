/* Checks of a folder and of the run in it: disk, locks, leftovers, versions. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "cluster/doctor.h"
#include "cluster/run_folder.h"
#include "cluster/run_shards.h"
#include "engine/signature.h"
#include "selfplay/request.h"

/* Beyond what the run itself will take. */
static const double bytes_least = 1e9;
enum { FILES_LEAST = 1000 };

/* A file of our own in the folder: can it be written, and locked? */
static void check_lock(struct dama_findings *findings, const char *folder)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/doctor-XXXXXX", folder);
    int file = mkstemp(path);
    if (file < 0) {
        char cure[PATH_MAX + 32];
        snprintf(cure, sizeof cure, "chmod u+rwx %s (or another --out)", folder);
        dama_finding_bad(findings, "writing", cure, "%s: cannot write: %s", folder,
                         strerror(errno));
        return;
    }
    unlink(path);
    dama_finding_good(findings, "writing", "%s can be written", folder);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(file, F_SETLK, &lock) != 0) {
        dama_finding_bad(findings, "locks",
                         "mount -o remount,flock (Lustre), or mount without nolock (NFS); or "
                         "another --out",
                         "%s: no file locks: %s", folder, strerror(errno));
    } else {
        dama_finding_good(findings, "locks", "the file system locks files");
    }
    close(file);
}

static json_t *load_status(const char *run)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/status.json", run);
    return json_load_file(path, 0, NULL);
}

static double member(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

/* Bytes that the rest of a run will take, by what its games took so far; 0 when unknown. */
static double bytes_needed(const char *run)
{
    json_t *status = load_status(run);
    double done = member(status, "done");
    double needed = done > 0 ? member(json_object_get(status, "stored"), "bytes") / done *
                                   (member(status, "total") - done)
                             : 0;
    json_decref(status);
    return needed;
}

static void check_disk(struct dama_findings *findings, const char *folder)
{
    struct statvfs info;
    if (statvfs(folder, &info) != 0) {
        dama_finding_bad(findings, "disk", "another --out", "%s: %s", folder, strerror(errno));
        return;
    }
    double bytes = (double)info.f_bavail * (double)info.f_frsize;
    double needed = bytes_needed(folder) + bytes_least;
    bool has_files = info.f_files == 0 || info.f_favail >= FILES_LEAST;
    char cure[PATH_MAX + 64];
    snprintf(cure, sizeof cure, "dama clean %s --yes (or another --out)", folder);
    if (bytes < needed || !has_files) {
        dama_finding_bad(findings, "disk", cure,
                         "%.1f MB and %llu files free, expected %.1f MB and %d files", bytes / 1e6,
                         (unsigned long long)info.f_favail, needed / 1e6, FILES_LEAST);
    } else {
        dama_finding_good(findings, "disk", "%.1f GB free", bytes / 1e9);
    }
}

void dama_doctor_folder(struct dama_findings *findings, const char *folder)
{
    check_lock(findings, folder);
    check_disk(findings, folder);
}

static enum dama_status count_file(void *context, const char *path, struct dama_error *err)
{
    int *count = context;
    (void)path;
    (void)err;
    ++*count;
    return DAMA_OK;
}

static enum dama_status count_bad(void *context, const char *path, struct dama_error *err)
{
    struct dama_shard_header header;
    return dama_shard_peek(path, &header, NULL) == DAMA_OK ? DAMA_OK
                                                           : count_file(context, path, err);
}

/* What a run in progress writes just now is not left over. */
static void check_leftovers(struct dama_findings *findings, const char *run, bool is_running)
{
    int parts = 0;
    int bad = 0;
    char cure[PATH_MAX + 32];
    dama_run_files(run, ".part", count_file, &parts, NULL);
    dama_run_shards(run, ".part", count_file, &parts, NULL);
    dama_run_shards(run, ".h5", count_bad, &bad, NULL);
    if (parts > 0 && !is_running) {
        snprintf(cure, sizeof cure, "dama clean %s --yes", run);
        dama_finding_bad(findings, "leftovers", cure, "%d files of a killed run, half written",
                         parts);
    } else {
        dama_finding_good(findings, "leftovers", "no files half written");
    }
    if (bad > 0) {
        snprintf(cure, sizeof cure, "dama verify %s (names them; the run's own command replays)",
                 run);
        dama_finding_bad(findings, "shards", cure, "%d shards whose header is damaged", bad);
    } else {
        dama_finding_good(findings, "shards", "every shard has a good header");
    }
}

static void check_engine(struct dama_findings *findings, const char *run)
{
    char request[DAMA_REQUEST_SIZE];
    char engine[DAMA_REQUEST_VALUE_SIZE];
    char ours[16];
    struct dama_error err = {0};
    if (dama_request_read(run, request, &err) != DAMA_OK) {
        char cure[PATH_MAX + 32];
        snprintf(cure, sizeof cure, "ls %s (is it a run?)", run);
        dama_finding_bad(findings, "engine", cure, "%s", err.text);
        return;
    }
    dama_request_value(request, "engine", engine, sizeof engine);
    snprintf(ours, sizeof ours, "%x", DAMA_ENGINE_SIGNATURE);
    if (strcmp(engine, ours) != 0) {
        dama_finding_bad(findings, "engine",
                         "run the dama whose `dama --version` shows that signature, or begin a new "
                         "run: --out",
                         "the run was begun by engine %s, this is %s", engine, ours);
    } else {
        dama_finding_good(findings, "engine", "the run is of this engine, %s", ours);
    }
}

/* A kill leaves the state "running" behind. */
static void check_end(struct dama_findings *findings, const char *run, bool is_running)
{
    json_t *status = load_status(run);
    const char *state = json_string_value(json_object_get(status, "state"));
    if (state && !is_running && strcmp(state, "running") == 0) {
        dama_finding_bad(findings, "state", "the same command again: it goes on",
                         "the run was killed: nothing works on it, yet its state is running");
    } else {
        dama_finding_good(findings, "state", "%s", is_running ? "running" : state ? state : "new");
    }
    json_decref(status);
}

void dama_doctor_run(struct dama_findings *findings, const char *run)
{
    bool is_running = dama_run_is_locked(run);
    check_leftovers(findings, run, is_running);
    check_engine(findings, run);
    check_end(findings, run, is_running);
}
