/* Whole files, read with a limit and written so that they are complete or absent. */
#include "engine/cli/options.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum dama_status fail_errno(struct dama_error *err, const char *path, const char *what)
{
    return dama_fail(err, DAMA_IO, "%s: cannot %s: %s", path, what, strerror(errno));
}

struct content {
    const char *path;
    unsigned char *bytes;
    size_t size;
};

/* Grows by doubling, since a pipe does not tell its length; never past most + 1 bytes. */
static enum dama_status read_all(int file, size_t most, struct content *content,
                                 struct dama_error *err)
{
    enum { START = 4096 };
    size_t room = 0;
    for (;;) {
        if (content->size == room) {
            room = room ? room * 2 : START;
            unsigned char *grown = realloc(content->bytes, room);
            if (!grown) {
                return dama_fail(err, DAMA_MEMORY, "%s: out of memory", content->path);
            }
            content->bytes = grown;
        }
        ssize_t got = read(file, content->bytes + content->size, room - content->size);
        if (got < 0 && errno != EINTR) {
            return fail_errno(err, content->path, "read");
        }
        if (got == 0) {
            return DAMA_OK;
        }
        content->size += got > 0 ? (size_t)got : 0;
        if (content->size > most) {
            return dama_fail(err, DAMA_INVALID, "%s: expected at most %lu bytes, found more",
                             content->path, (unsigned long long)most);
        }
    }
}

enum dama_status dama_file_read(const char *path, size_t most, unsigned char **out, size_t *size,
                                struct dama_error *err)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return fail_errno(err, path, "open");
    }
    struct content content = {.path = path};
    enum dama_status status = read_all(file, most, &content, err);
    close(file);
    if (status != DAMA_OK) {
        free(content.bytes);
        return status;
    }
    *out = content.bytes;
    *size = content.size;
    return DAMA_OK;
}

static bool write_all(int file, const unsigned char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t done = write(file, bytes, size);
        if (done < 0 && errno != EINTR) {
            return false;
        }
        if (done > 0) {
            bytes += done;
            size -= (size_t)done;
        }
    }
    return fsync(file) == 0;
}

/* A rename is safe against a power cut only when the folder is on the disk too. */
static enum dama_status sync_folder(const char *path, struct dama_error *err)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    int length = slash ? (int)(slash - path) : 1;
    snprintf(folder, sizeof folder, "%.*s", slash && length == 0 ? 1 : length, slash ? path : ".");
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) {
        return fail_errno(err, folder, "open");
    }
    int failed = fsync(file);
    int reason = errno;
    close(file);
    /* Some network file systems do not know how to sync a folder. */
    if (failed && reason != EINVAL) {
        errno = reason;
        return fail_errno(err, folder, "sync");
    }
    return DAMA_OK;
}

enum dama_status dama_file_write(const char *path, const void *bytes, size_t size,
                                 struct dama_error *err)
{
    char part[PATH_MAX];
    if (snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part) {
        return dama_fail(err, DAMA_INVALID, "%s: path is too long", path);
    }
    struct stat info;
    /* The rename would put a file in place of a device or a pipe such as /dev/null. */
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        return dama_fail(err, DAMA_IO, "%s: expected a file to replace, found %s", path,
                         S_ISDIR(info.st_mode) ? "a folder" : "a device or pipe");
    }
    int file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) {
        return fail_errno(err, part, "open");
    }
    bool is_written = write_all(file, bytes, size);
    if (!is_written) {
        fail_errno(err, part, "write");
    }
    if (close(file) != 0 && is_written) {
        is_written = false;
        fail_errno(err, part, "close");
    }
    if (is_written && rename(part, path) != 0) {
        is_written = false;
        fail_errno(err, path, "rename to");
    }
    if (!is_written) {
        unlink(part);
        return DAMA_IO;
    }
    return sync_folder(path, err);
}
