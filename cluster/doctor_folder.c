/* Checks of a folder where runs lie: writing, locks, room. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <mntent.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "cluster/doctor.h"
#include "cluster/shell_text.h"
#include "engine/cli/temporary.h"

/* Beyond what the run itself will take. */
static const double bytes_least = 1e9;
enum { FILES_LEAST = 1000, TYPE_SIZE = 64 };

struct mount {
    char where[PATH_MAX];
    char type[TYPE_SIZE];
    bool has_local_locks; /* another host does not see them */
};

static bool has_local_locks(const struct mntent *entry)
{
    static const char *const of_nfs[] = {"nolock", "local_lock=all", "local_lock=posix"};
    bool is_local = strcmp(entry->mnt_type, "lustre") == 0 && hasmntopt(entry, "localflock");
    for (size_t i = 0; i < sizeof of_nfs / sizeof of_nfs[0]; i++) {
        const char *found = hasmntopt(entry, of_nfs[i]);
        is_local = is_local || (strncmp(entry->mnt_type, "nfs", 3) == 0 && found);
    }
    return is_local;
}

/* The mount that a folder is on: the longest one that begins its path. */
static struct mount find_mount(const char *folder)
{
    struct mount mount = {.where = "/", .type = "unknown"};
    char path[PATH_MAX];
    char line[2 * PATH_MAX];
    struct mntent entry;
    size_t best = 0;
    FILE *mounts = realpath(folder, path) ? fopen("/proc/self/mounts", "re") : NULL;
    while (mounts && getmntent_r(mounts, &entry, line, sizeof line)) {
        size_t length = strlen(entry.mnt_dir);
        bool is_above = strncmp(path, entry.mnt_dir, length) == 0 &&
                        (length == 1 || path[length] == '/' || path[length] == 0);
        /* A later mount of the same place hides the earlier one. */
        if (is_above && length >= best) {
            best = length;
            snprintf(mount.where, sizeof mount.where, "%s", entry.mnt_dir);
            snprintf(mount.type, sizeof mount.type, "%s", entry.mnt_type);
            mount.has_local_locks = has_local_locks(&entry);
        }
    }
    if (mounts) {
        fclose(mounts);
    }
    return mount;
}

static void cure_writing(struct dama_findings *findings, const char *folder, int reason)
{
    char word[PATH_MAX];
    struct stat info;
    struct mount mount = find_mount(folder);
    dama_shell_word(reason == EROFS ? mount.where : folder, word, sizeof word);
    if (reason == EROFS) {
        dama_finding_cure(findings, "%smount -o remount,rw %s", dama_doctor_sudo(), word);
    } else if (stat(folder, &info) == 0 && info.st_uid == geteuid()) {
        dama_finding_cure(findings, "chmod u+rwx %s", word);
    } else {
        dama_finding_cure(findings, "%schown -R %lu %s", dama_doctor_sudo(),
                          (unsigned long)geteuid(), word);
    }
}

static void cure_locks(struct dama_findings *findings, const char *folder,
                       const struct mount *mount)
{
    char word[PATH_MAX];
    const char *sudo = dama_doctor_sudo();
    bool is_nfs = strncmp(mount->type, "nfs", 3) == 0;
    dama_shell_word(mount->where, word, sizeof word);
    if (strcmp(mount->type, "lustre") == 0) {
        dama_finding_cure(findings, "%smount -o remount,flock %s", sudo, word);
    } else if (is_nfs) {
        dama_finding_cure(findings, "%sumount %s && %smount -o lock,local_lock=none %s", sudo, word,
                          sudo, word);
    } else {
        dama_shell_word(folder, word, sizeof word);
        dama_finding_cure(findings, "cp -a %s /another/file/system (and go on there)", word);
    }
}

/* Runs refuse to begin where nothing tells two of them apart; where other hosts do not see a lock,
   nobody refuses. */
static void check_lock(struct dama_findings *findings, const char *folder, int file)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    bool is_locked = fcntl(file, F_SETLK, &lock) == 0;
    int reason = errno;
    struct mount mount = find_mount(folder);
    if (is_locked && !mount.has_local_locks) {
        dama_finding_good(findings, "locks", "the file system locks files");
        return;
    }
    dama_finding_bad(findings, "locks", "%.120s (%s): %s%s", mount.where, mount.type,
                     is_locked ? "other hosts do not see its file locks" : "no file locks: ",
                     is_locked ? "" : strerror(reason));
    cure_locks(findings, folder, &mount);
}

/* A file of our own in the folder: can it be written, and locked? */
static void check_writing(struct dama_findings *findings, const char *folder)
{
    char path[PATH_MAX];
    bool is_short = dama_temporary_name(folder, "doctor", "", path, sizeof path);
    int file = is_short ? mkstemp(path) : -1;
    if (file < 0) {
        int reason = is_short ? errno : ENAMETOOLONG;
        dama_finding_bad(findings, "writing", "%s: cannot write: %s", folder, strerror(reason));
        cure_writing(findings, folder, reason);
        return;
    }
    unlink(path);
    dama_finding_good(findings, "writing", "%s can be written", folder);
    check_lock(findings, folder, file);
    close(file);
}

static double member(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

/* Bytes that the rest of a run will take, by what its games took so far; 0 when unknown. */
static double bytes_needed(const char *run)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/status.json", run);
    json_t *status = json_load_file(path, 0, NULL);
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
        dama_finding_bad(findings, "disk", "%s: %s", folder, strerror(errno));
        dama_finding_cure(findings, "another --out");
        return;
    }
    double bytes = (double)info.f_bavail * (double)info.f_frsize;
    double needed = bytes_needed(folder) + bytes_least;
    bool has_files = info.f_files == 0 || info.f_favail >= FILES_LEAST;
    if (bytes >= needed && has_files) {
        dama_finding_good(findings, "disk", "%.1f GB free", bytes / 1e9);
        return;
    }
    char word[PATH_MAX], place[PATH_MAX];
    struct mount mount = find_mount(folder);
    dama_shell_word(folder, word, sizeof word);
    dama_shell_word(mount.where, place, sizeof place);
    dama_finding_bad(findings, "disk", "%.1f MB and %llu files free, expected %.1f MB and %d files",
                     bytes / 1e6, (unsigned long long)info.f_favail, needed / 1e6, FILES_LEAST);
    dama_finding_cure(findings, "dama clean %s --yes; du -xm %s | sort -n | tail", word, place);
}

void dama_doctor_folder(struct dama_findings *findings, const char *folder)
{
    check_writing(findings, folder);
    check_disk(findings, folder);
}
