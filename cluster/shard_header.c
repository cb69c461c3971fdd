/* The 512-byte block in front of a shard, and the quick look at it. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cluster/shard_file.h"
#include "engine/cli/options.h"

/* Offsets of little-endian fields; what is between them and the CRC is zero. */
enum {
    AT_MAGIC = 0,
    AT_VERSION = 8,
    AT_BLOCK = 12,
    AT_GAMES = 20,
    AT_ROWS = 28,
    AT_SHA256 = 36,
    AT_END = AT_SHA256 + DAMA_HASH_SIZE,
    AT_CRC = DAMA_SHARD_HEADER_BYTES - 4,
};
static const unsigned char magic[] = {'D', 'a', 'm', 'a', 'S', 'h', 'r', 'd'};

static void put(unsigned char *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        at[i] = (unsigned char)(value >> 8 * i);
    }
}

static uint64_t get(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) {
        value |= (uint64_t)at[i] << 8 * i;
    }
    return value;
}

void dama_header_encode(const struct dama_shard_header *header,
                        unsigned char out[DAMA_SHARD_HEADER_BYTES])
{
    memset(out, 0, DAMA_SHARD_HEADER_BYTES);
    memcpy(out + AT_MAGIC, magic, sizeof magic);
    put(out + AT_VERSION, header->version, 4);
    put(out + AT_BLOCK, header->block, 8);
    put(out + AT_GAMES, header->games, 8);
    put(out + AT_ROWS, header->rows, 8);
    memcpy(out + AT_SHA256, header->sha256, DAMA_HASH_SIZE);
    put(out + AT_CRC, dama_crc32(0, out, AT_CRC), 4);
}

enum dama_status dama_header_decode(const unsigned char *bytes, struct dama_shard_header *out,
                                    struct dama_error *err)
{
    if (memcmp(bytes + AT_MAGIC, magic, sizeof magic) != 0) {
        return dama_fail(err, DAMA_INVALID, "not a shard: expected it to begin with 'DamaShrd'");
    }
    uint32_t crc = dama_crc32(0, bytes, AT_CRC);
    uint32_t stored = (uint32_t)get(bytes + AT_CRC, 4);
    if (crc != stored) {
        return dama_fail(err, DAMA_CORRUPT, "damaged header: expected CRC-32 %08x, found %08x",
                         stored, crc);
    }
    uint32_t version = (uint32_t)get(bytes + AT_VERSION, 4);
    if (version != DAMA_SHARD_VERSION) {
        return dama_fail(err, DAMA_VERSION, "expected shard format %d, found %u",
                         DAMA_SHARD_VERSION, version);
    }
    for (int i = AT_END; i < AT_CRC; i++) {
        if (bytes[i]) {
            return dama_fail(err, DAMA_CORRUPT, "header byte %d: expected 0, found %d", i,
                             bytes[i]);
        }
    }
    out->version = version;
    out->block = get(bytes + AT_BLOCK, 8);
    out->games = get(bytes + AT_GAMES, 8);
    out->rows = get(bytes + AT_ROWS, 8);
    memcpy(out->sha256, bytes + AT_SHA256, DAMA_HASH_SIZE);
    return DAMA_OK;
}

enum dama_status dama_shard_peek(const char *path, struct dama_shard_header *out,
                                 struct dama_error *err)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return dama_fail(err, DAMA_IO, "%s: cannot open: %s", path, strerror(errno));
    }
    unsigned char bytes[DAMA_SHARD_HEADER_BYTES];
    struct stat info;
    ssize_t got = pread(file, bytes, sizeof bytes, 0);
    int reason = errno;
    int is_bad = fstat(file, &info);
    close(file);
    if (got < 0 || is_bad) {
        return dama_fail(err, DAMA_IO, "%s: cannot read: %s", path, strerror(reason));
    }
    if (got < DAMA_SHARD_HEADER_BYTES) {
        return dama_fail(err, DAMA_TRUNCATED, "%s: expected a header of %d bytes, found %d", path,
                         DAMA_SHARD_HEADER_BYTES, (int)got);
    }
    struct dama_error inner = {0};
    struct dama_shard_header header = {.bytes = (uint64_t)info.st_size};
    if (dama_header_decode(bytes, &header, &inner) != DAMA_OK) {
        return dama_fail(err, inner.status, "%s: %s", path, inner.text);
    }
    *out = header;
    return DAMA_OK;
}
