/* A header, then one record after the other; the first one that is not whole is the end. */
#include "tuner/pass_log.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cluster/comm.h"
#include "cluster/log.h"
#include "engine/weights.h"

/* Without gaps, so that a header can be compared as bytes. */
struct header {
    char magic[8];
    uint32_t byte_order, version;
    unsigned char inputs[DAMA_HASH_SIZE];
};
_Static_assert(sizeof(struct header) == 16 + DAMA_HASH_SIZE, "no gaps");

struct record {
    unsigned char question[DAMA_HASH_SIZE];
    uint32_t count, crc; /* of question, count and the sums that follow */
};
_Static_assert(sizeof(struct record) == DAMA_HASH_SIZE + 8, "no gaps");

enum { BYTE_ORDER_MARK = 0x01020304, VERSION = 1 };
static const char magic[8] = "DamaFit";

struct dama_pass_log {
    int file; /* -1: nothing is kept */
    off_t at; /* behind the last good record that was read or written */
    bool is_recalling;
    int recalled;
    char path[PATH_MAX];
};

/* Gives the file up: the fit goes on without it, and what is whole in it stays good. */
static void give_up_as(struct dama_pass_log *log, const char *reason)
{
    dama_log_warn("%s: cannot keep the finished passes, so that a fit that is stopped begins "
                  "again: %s",
                  log->path, reason);
    if (log->file >= 0) {
        close(log->file);
    }
    log->file = -1;
}

static void give_up(struct dama_pass_log *log, int reason)
{
    give_up_as(log, strerror(reason));
}

static void cut(struct dama_pass_log *log)
{
    if (ftruncate(log->file, log->at) != 0) {
        give_up(log, errno);
    }
}

/* Writes at the end; a record that does not fit is taken back. */
static void append(struct dama_pass_log *log, const void *bytes, size_t size)
{
    ssize_t done = pwrite(log->file, bytes, size, log->at);
    if (done == (ssize_t)size) {
        log->at += done;
        return;
    }
    int reason = done < 0 ? errno : ENOSPC;
    cut(log);
    if (log->file >= 0) {
        give_up(log, reason);
    }
}

static enum dama_status take_lock(struct dama_pass_log *log, struct dama_error *err)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(log->file, F_SETLK, &lock) == 0) {
        return DAMA_OK;
    }
    if (errno != EACCES && errno != EAGAIN) {
        give_up(log, errno);
        return DAMA_OK;
    }
    bool is_told = fcntl(log->file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    return dama_fail(err, DAMA_BUSY, "%s: another fit writes the same table: process %d", log->path,
                     is_told ? (int)lock.l_pid : 0);
}

/* Whether the file is a fit's, or new, and not somebody's who has given it this name. */
static bool is_of_a_fit(int file)
{
    struct stat info;
    char found[sizeof magic];
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
        return false;
    }
    ssize_t got = pread(file, found, sizeof found, 0);
    return got >= 0 && memcmp(found, magic, (size_t)got) == 0;
}

/* Finds the records of these inputs behind the header, or begins anew. */
static void read_header(struct dama_pass_log *log, const unsigned char inputs[DAMA_HASH_SIZE])
{
    struct header expected = {.byte_order = BYTE_ORDER_MARK, .version = VERSION};
    memcpy(expected.magic, magic, sizeof magic);
    memcpy(expected.inputs, inputs, DAMA_HASH_SIZE);
    struct header found;
    ssize_t got = pread(log->file, &found, sizeof found, 0);
    if (got == (ssize_t)sizeof found && memcmp(&found, &expected, sizeof found) == 0) {
        log->at = sizeof found;
        log->is_recalling = true;
        return;
    }
    if (got == (ssize_t)sizeof found) {
        dama_log_info("%s: kept by a fit of other games, options or program: begun anew",
                      log->path);
    }
    cut(log);
    if (log->file >= 0) {
        append(log, &expected, sizeof expected);
    }
}

static enum dama_status open_file(struct dama_pass_log *log,
                                  const unsigned char inputs[DAMA_HASH_SIZE],
                                  struct dama_error *err)
{
    /* Without a wait for the other end of a pipe. */
    log->file = open(log->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (log->file < 0) {
        give_up(log, errno);
        return DAMA_OK;
    }
    if (!is_of_a_fit(log->file)) {
        give_up_as(log, "expected passes of a fit or no file, found something else");
        return DAMA_OK;
    }
    DAMA_TRY(take_lock(log, err));
    if (log->file >= 0) {
        read_header(log, inputs);
    }
    return DAMA_OK;
}

enum dama_status dama_pass_log_open(struct dama_pass_log **out, const char *path,
                                    const unsigned char inputs[DAMA_HASH_SIZE],
                                    struct dama_error *err)
{
    struct dama_pass_log *log = calloc(1, sizeof *log);
    *out = log;
    if (!log) {
        return dama_fail(err, DAMA_MEMORY, "no memory for the passes of a fit");
    }
    log->file = -1;
    if (snprintf(log->path, sizeof log->path, "%s", path) >= (int)sizeof log->path) {
        return dama_fail(err, DAMA_UNSUPPORTED, "%s: a path longer than %d bytes", path,
                         (int)sizeof log->path - 1);
    }
    return dama_comm_rank() == 0 ? open_file(log, inputs, err) : DAMA_OK;
}

void dama_pass_log_close(struct dama_pass_log *log)
{
    if (log && log->file >= 0) {
        close(log->file);
    }
    free(log);
}

void dama_pass_log_remove(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return;
    }
    bool is_ours = is_of_a_fit(file);
    close(file);
    if (is_ours && unlink(path) != 0) {
        dama_log_warn("%s: cannot remove: %s", path, strerror(errno));
    }
}

static uint32_t crc_of(const struct record *record, const uint64_t *sums)
{
    uint32_t crc = dama_crc32(0, record->question, sizeof record->question);
    crc = dama_crc32(crc, &record->count, sizeof record->count);
    return dama_crc32(crc, sums, record->count * sizeof *sums);
}

/* From here on passes are added: what is left of the file is of no use. */
static void end_recalling(struct dama_pass_log *log, bool is_cut_short)
{
    struct stat info;
    log->is_recalling = false;
    bool is_rest = fstat(log->file, &info) == 0 && info.st_size > log->at;
    if (is_rest && is_cut_short) {
        dama_log_info("%s: pass %d was cut short: it is done again", log->path, log->recalled + 1);
    } else if (is_rest) {
        dama_log_warn("%s: pass %d is damaged: it is done again", log->path, log->recalled + 1);
    }
    if (log->recalled) {
        dama_log_info("the fit goes on behind %d passes of an earlier start", log->recalled);
    }
    cut(log);
}

bool dama_pass_log_recall(struct dama_pass_log *log, const unsigned char question[DAMA_HASH_SIZE],
                          uint64_t *sums, int count)
{
    if (log->file < 0 || !log->is_recalling) {
        return false;
    }
    struct record record;
    size_t size = (size_t)count * sizeof *sums;
    uint64_t *found = malloc(size);
    bool is_whole = found &&
                    pread(log->file, &record, sizeof record, log->at) == (ssize_t)sizeof record &&
                    pread(log->file, found, size, log->at + (off_t)sizeof record) == (ssize_t)size;
    bool is_good = is_whole && record.count == (uint32_t)count &&
                   memcmp(record.question, question, DAMA_HASH_SIZE) == 0 &&
                   record.crc == crc_of(&record, found);
    if (is_good) {
        memcpy(sums, found, size);
        log->at += (off_t)(sizeof record + size);
        log->recalled++;
    } else {
        end_recalling(log, !is_whole);
    }
    free(found);
    return is_good;
}

void dama_pass_log_add(struct dama_pass_log *log, const unsigned char question[DAMA_HASH_SIZE],
                       const uint64_t *sums, int count)
{
    if (log->file < 0) {
        return;
    }
    struct record record = {.count = (uint32_t)count};
    memcpy(record.question, question, DAMA_HASH_SIZE);
    record.crc = crc_of(&record, sums);
    size_t size = (size_t)count * sizeof *sums;
    char *bytes = malloc(sizeof record + size);
    if (!bytes) {
        give_up(log, ENOMEM);
        return;
    }
    memcpy(bytes, &record, sizeof record);
    memcpy(bytes + sizeof record, sums, size);
    append(log, bytes, sizeof record + size);
    free(bytes);
}

int dama_pass_log_recalled(const struct dama_pass_log *log)
{
    return log ? log->recalled : 0;
}
