/* Faults of the system that a test asks for, loaded in front of libc (LD_PRELOAD): DAMA_FAULT is
   locks    the file system has no file locks
   quota    a write beyond DAMA_FAULT_BYTES of a file that is being written ends with "quota
   exceeded"
   clock    the clock of the day jumps by a year, back and forth, at every look
   hdf5     the HDF5 library is another one than at build time
   system   control groups and mounts are as the files below the folder DAMA_FAULT_ROOT have them */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* As in hdf5.h, which this file does without. */
int H5get_libversion(unsigned *major, unsigned *minor, unsigned *release);

static const long jump_s = 365 * 24 * 3600;

static int has_fault(const char *name)
{
    const char *fault = getenv("DAMA_FAULT");
    return fault && strcmp(fault, name) == 0;
}

int fcntl(int file, int command, ...)
{
    va_list args;
    va_start(args, command);
    void *argument = va_arg(args, void *);
    va_end(args);
    if (command == F_SETLK && has_fault("locks")) {
        errno = ENOLCK;
        return -1;
    }
    int (*real)(int, int, ...) = (int (*)(int, int, ...))dlsym(RTLD_NEXT, "fcntl");
    return real(file, command, argument);
}

int fcntl64(int file, int command, ...) __attribute__((alias("fcntl")));

ssize_t write(int file, const void *bytes, size_t size)
{
    ssize_t (*real)(int, const void *, size_t) =
        (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    const char *most = getenv("DAMA_FAULT_BYTES");
    if (most && has_fault("quota") && size > (size_t)atol(most)) {
        /* As a quota does it: what fits is written, the next write fails. */
        return real(file, bytes, (size_t)atol(most));
    }
    if (most && has_fault("quota") && lseek(file, 0, SEEK_CUR) >= atol(most)) {
        errno = EDQUOT;
        return -1;
    }
    return real(file, bytes, size);
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
    static int is_ahead;
    int (*real)(clockid_t, struct timespec *) =
        (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, out);
    if (clock == CLOCK_REALTIME && has_fault("clock")) {
        is_ahead = !is_ahead;
        out->tv_sec += is_ahead ? jump_s : -jump_s;
    }
    return result;
}

time_t time(time_t *out)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) {
        *out = now.tv_sec;
    }
    return now.tv_sec;
}

int H5get_libversion(unsigned *major, unsigned *minor, unsigned *release)
{
    int (*real)(unsigned *, unsigned *, unsigned *) =
        (int (*)(unsigned *, unsigned *, unsigned *))dlsym(RTLD_NEXT, "H5get_libversion");
    int result = real(major, minor, release);
    *release += has_fault("hdf5") ? 1 : 0;
    return result;
}

FILE *fopen(const char *path, const char *mode)
{
    FILE *(*real)(const char *, const char *) =
        (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
    const char *root = getenv("DAMA_FAULT_ROOT");
    char moved[PATH_MAX];
    int is_of_system = strncmp(path, "/sys/fs/cgroup/", 15) == 0 ||
                       strcmp(path, "/proc/self/cgroup") == 0 ||
                       strcmp(path, "/proc/self/mounts") == 0;
    if (has_fault("system") && root && is_of_system) {
        snprintf(moved, sizeof moved, "%s%s", root, path);
        path = moved;
    }
    return real(path, mode);
}
