/* The bytes of a weight table: encode, and decode with every check. */
#include "engine/weights.h"

#include <assert.h>
#include <string.h>

/* The bytes of format 1, all numbers little-endian. What every version keeps: the magic, the
   version and the size at the front, and the CRC-32 of all that stands before it at the end. */
enum {
    MAGIC_SIZE = 8,
    CRC_SIZE = 4,
    SIZE_END = MAGIC_SIZE + 4 + 4, /* magic, version, size of the whole table */
    VARIANT_END = SIZE_END + DAMA_NAME_SIZE,
    HASHES_END = VARIANT_END + 2 * DAMA_HASH_SIZE, /* rules, feature layout */
    COUNTS_END = HASHES_END + 4 * 4,               /* phases, weights of a phase, unit, slope */
    WEIGHTS_END = COUNTS_END + 2 * DAMA_PHASES * DAMA_FEATURE_COUNT,
    LINEAGE_END = WEIGHTS_END + 64 + 4 + 8 + 8 + DAMA_HASH_SIZE,
    TABLE_SIZE = LINEAGE_END + CRC_SIZE,
};
_Static_assert((int)TABLE_SIZE <= (int)DAMA_WEIGHTS_MAX_BYTES, "a named table fits its limit");
static const char magic[MAGIC_SIZE] = "DAMATAB";

uint32_t dama_crc32(uint32_t crc, const void *data, size_t size)
{
    /* Remainders of the 16 half bytes: small, and a table has a few hundred bytes. */
    static const uint32_t half[16] = {
        0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
        0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
        0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
    };
    const unsigned char *bytes = data;
    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ half[crc & 15];
        crc = crc >> 4 ^ half[crc & 15];
    }
    return ~crc;
}

static void put(unsigned char **at, uint64_t value, int size)
{
    for (int i = 0; i < size; i++) {
        *(*at)++ = (unsigned char)(value >> 8 * i);
    }
}

static void put_bytes(unsigned char **at, const void *bytes, size_t size)
{
    memcpy(*at, bytes, size);
    *at += size;
}

/* A text in a field of zeros, whatever stands behind its end. */
static void put_name(unsigned char **at, const char *name, size_t size)
{
    size_t length = strlen(name);
    assert(length < size);
    memset(*at, 0, size);
    memcpy(*at, name, length);
    *at += size;
}

static uint64_t take(const unsigned char **at, int size)
{
    uint64_t value = 0;
    for (int i = 0; i < size; i++) {
        value |= (uint64_t) * (*at)++ << 8 * i;
    }
    return value;
}

static void take_bytes(const unsigned char **at, void *out, size_t size)
{
    memcpy(out, *at, size);
    *at += size;
}

size_t dama_weights_encode(const struct dama_weights *weights,
                           unsigned char out[DAMA_WEIGHTS_MAX_BYTES])
{
    assert(weights->w[0][DAMA_FEATURE_man] == DAMA_WEIGHTS_UNIT);
    unsigned char *at = out;
    put_bytes(&at, magic, MAGIC_SIZE);
    put(&at, DAMA_WEIGHTS_VERSION, 4);
    put(&at, TABLE_SIZE, 4);
    put_name(&at, weights->variant, sizeof weights->variant);
    put_bytes(&at, weights->rules_hash, DAMA_HASH_SIZE);
    put_bytes(&at, dama_features_hash, DAMA_HASH_SIZE);
    put(&at, DAMA_PHASES, 4);
    put(&at, DAMA_FEATURE_COUNT, 4);
    put(&at, DAMA_WEIGHTS_UNIT, 4);
    put(&at, weights->slope_ppm, 4);
    for (int phase = 0; phase < DAMA_PHASES; phase++) {
        for (int i = 0; i < DAMA_FEATURE_COUNT; i++) {
            put(&at, (uint16_t)weights->w[phase][i], 2);
        }
    }
    put_name(&at, weights->lineage.run, sizeof weights->lineage.run);
    put(&at, weights->lineage.generation, 4);
    put(&at, weights->lineage.games, 8);
    put(&at, weights->lineage.positions, 8);
    put_bytes(&at, weights->lineage.parent, DAMA_HASH_SIZE);
    assert(at - out == LINEAGE_END);
    put(&at, dama_crc32(0, out, LINEAGE_END), CRC_SIZE);
    return TABLE_SIZE;
}

/* Whole and undamaged, whatever its version. A size that the bytes do not reach means that the end
   is missing; when the bytes are as many as a table of ours has, it is the size that is damaged. */
static enum dama_status check_bytes(const unsigned char *bytes, size_t size, struct dama_error *err)
{
    if (size == 0) {
        return dama_fail(err, DAMA_INVALID, "expected a weight table, found no bytes");
    }
    if (size < SIZE_END + CRC_SIZE) {
        return dama_fail(err, DAMA_TRUNCATED, "weight table: expected %d bytes, found %lu",
                         TABLE_SIZE, (unsigned long long)size);
    }
    const unsigned char *at = bytes + size - CRC_SIZE;
    uint32_t stored = (uint32_t)take(&at, CRC_SIZE);
    uint32_t computed = dama_crc32(0, bytes, size - CRC_SIZE);
    at = bytes + SIZE_END - 4;
    uint64_t whole = take(&at, 4);
    bool is_table = memcmp(bytes, magic, MAGIC_SIZE) == 0;
    if (is_table && whole > size && size != TABLE_SIZE) {
        return dama_fail(err, DAMA_TRUNCATED, "weight table: expected %lu bytes, found %lu",
                         (unsigned long long)whole, (unsigned long long)size);
    }
    if (stored != computed) {
        return dama_fail(err, DAMA_CORRUPT,
                         is_table
                             ? "weight table: expected CRC-32 %08x, found %08x"
                             : "not a weight table, or damaged: its CRC-32 should be %08x, is %08x",
                         stored, computed);
    }
    if (!is_table || whole != size) {
        return dama_fail(err, DAMA_CORRUPT,
                         "not a weight table: expected %s and a size of %lu in front", magic,
                         (unsigned long long)size);
    }
    return DAMA_OK;
}

static enum dama_status check_version(const unsigned char *bytes, struct dama_error *err)
{
    const unsigned char *at = bytes + MAGIC_SIZE;
    unsigned version = (unsigned)take(&at, 4);
    if (version != DAMA_WEIGHTS_VERSION) {
        return dama_fail(err, DAMA_VERSION, "weight table: expected format version %d, found %u",
                         DAMA_WEIGHTS_VERSION, version);
    }
    return DAMA_OK;
}

/* The hash as its first 8 hex digits, as file names carry it. */
static unsigned short_hash(const unsigned char hash[DAMA_HASH_SIZE])
{
    return (unsigned)hash[0] << 24 | (unsigned)hash[1] << 16 | (unsigned)hash[2] << 8 | hash[3];
}

static enum dama_status check_layout(const unsigned char *bytes, struct dama_error *err)
{
    const unsigned char *features = bytes + VARIANT_END + DAMA_HASH_SIZE;
    const unsigned char *at = bytes + HASHES_END;
    unsigned phases = (unsigned)take(&at, 4);
    unsigned count = (unsigned)take(&at, 4);
    unsigned unit = (unsigned)take(&at, 4);
    if (memcmp(features, dama_features_hash, DAMA_HASH_SIZE) != 0) {
        return dama_fail(err, DAMA_MISMATCH,
                         "weight table: expected feature layout %08x, found %08x (%u weights)",
                         short_hash(dama_features_hash), short_hash(features), count);
    }
    if (phases != DAMA_PHASES || count != DAMA_FEATURE_COUNT || unit != DAMA_WEIGHTS_UNIT) {
        return dama_fail(err, DAMA_MISMATCH,
                         "weight table: expected %d phases, %d weights, unit %d, found %u, %u, %u",
                         DAMA_PHASES, DAMA_FEATURE_COUNT, DAMA_WEIGHTS_UNIT, phases, count, unit);
    }
    return DAMA_OK;
}

static enum dama_status check_rules(const struct dama_rules *rules,
                                    const unsigned char rules_hash[DAMA_HASH_SIZE],
                                    const struct dama_weights *table, struct dama_error *err)
{
    if (strcmp(table->variant, rules->name) != 0) {
        return dama_fail(err, DAMA_MISMATCH, "weight table: expected variant %s, found %s",
                         rules->name, table->variant);
    }
    if (memcmp(table->rules_hash, rules_hash, DAMA_HASH_SIZE) != 0) {
        return dama_fail(err, DAMA_MISMATCH,
                         "weight table of %s: expected rules hash %08x, found %08x", rules->name,
                         short_hash(rules_hash), short_hash(table->rules_hash));
    }
    return DAMA_OK;
}

/* A field of text ends in itself and is zero behind its end, so that equal tables are equal bytes;
   it has no control characters, so that a message that quotes it is one line. */
static bool is_name(const char *name, size_t size)
{
    size_t i = 0;
    while (i < size && (unsigned char)name[i] >= ' ' && name[i] != 127) {
        i++;
    }
    if (i == size || name[i] != 0) {
        return false;
    }
    while (i < size && name[i] == 0) {
        i++;
    }
    return i == size;
}

static void read_table(const unsigned char *bytes, struct dama_weights *table)
{
    const unsigned char *at = bytes + SIZE_END;
    take_bytes(&at, table->variant, sizeof table->variant);
    take_bytes(&at, table->rules_hash, DAMA_HASH_SIZE);
    at = bytes + COUNTS_END - 4;
    table->slope_ppm = (uint32_t)take(&at, 4);
    for (int phase = 0; phase < DAMA_PHASES; phase++) {
        for (int i = 0; i < DAMA_FEATURE_COUNT; i++) {
            table->w[phase][i] = (int16_t)take(&at, 2);
        }
    }
    take_bytes(&at, table->lineage.run, sizeof table->lineage.run);
    table->lineage.generation = (uint32_t)take(&at, 4);
    table->lineage.games = take(&at, 8);
    table->lineage.positions = take(&at, 8);
    take_bytes(&at, table->lineage.parent, DAMA_HASH_SIZE);
}

enum dama_status dama_weights_decode(const struct dama_rules *rules,
                                     const unsigned char rules_hash[DAMA_HASH_SIZE],
                                     const unsigned char *bytes, size_t size,
                                     struct dama_weights *out, struct dama_error *err)
{
    DAMA_TRY(check_bytes(bytes, size, err));
    DAMA_TRY(check_version(bytes, err));
    DAMA_TRY(check_layout(bytes, err));
    if (size != TABLE_SIZE) {
        return dama_fail(err, DAMA_CORRUPT, "weight table: expected %d bytes, found %lu",
                         TABLE_SIZE, (unsigned long long)size);
    }
    struct dama_weights table = {0};
    read_table(bytes, &table);
    if (!is_name(table.variant, sizeof table.variant) ||
        !is_name(table.lineage.run, sizeof table.lineage.run)) {
        return dama_fail(err, DAMA_INVALID,
                         "weight table: a name in it does not end, or is no text");
    }
    DAMA_TRY(check_rules(rules, rules_hash, &table, err));
    if (table.w[0][DAMA_FEATURE_man] != DAMA_WEIGHTS_UNIT) {
        return dama_fail(err, DAMA_INVALID,
                         "weight table of %s: expected man %d in the first phase, found %d",
                         rules->name, DAMA_WEIGHTS_UNIT, table.w[0][DAMA_FEATURE_man]);
    }
    *out = table;
    return DAMA_OK;
}

enum dama_status dama_weights_peek(const unsigned char *bytes, size_t size,
                                   char variant[DAMA_NAME_SIZE], struct dama_error *err)
{
    DAMA_TRY(check_bytes(bytes, size, err));
    DAMA_TRY(check_version(bytes, err));
    const char *name = (const char *)bytes + SIZE_END;
    if (size < VARIANT_END + CRC_SIZE || !is_name(name, DAMA_NAME_SIZE)) {
        return dama_fail(err, DAMA_INVALID, "weight table: its variant has no name");
    }
    memcpy(variant, name, DAMA_NAME_SIZE);
    return DAMA_OK;
}
