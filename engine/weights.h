/* The weight table: one format for engine, tuner and front ends. */
#ifndef DAMA_WEIGHTS_H
#define DAMA_WEIGHTS_H

#include "engine/features.h"
#include "engine/rules.h"

enum {
    DAMA_WEIGHTS_VERSION = 1,
    DAMA_WEIGHTS_MAX_BYTES = 4096,
    DAMA_WEIGHTS_UNIT = 100, /* of every table: a man in the first phase */
};

/* Where a table comes from; zero and empty when it is hand-set. */
struct dama_lineage {
    char run[64];        /* name of the run */
    uint32_t generation; /* whose games it was fitted on */
    uint64_t games; /* self-play games of this variant behind the fit, all generations it used */
    uint64_t positions;                   /* rows in the fit */
    unsigned char parent[DAMA_HASH_SIZE]; /* SHA-256 of the table that played them; zeros: the
                                             material-only table */
};

struct dama_weights {
    char variant[DAMA_NAME_SIZE];
    unsigned char rules_hash[DAMA_HASH_SIZE];
    uint32_t slope_ppm; /* logits per hundredth of a man, in millionths; 0 when never fitted */
    struct dama_lineage lineage;
    int16_t w[DAMA_PHASES][DAMA_FEATURE_COUNT];
};

/* Man 100, king the rules' king value, all else 0: where training starts. The rules hash of both
   tables is zero when the rules equal no built-in: who read the rules file fills it. */
void dama_weights_material(const struct dama_rules *rules, struct dama_weights *out);
/* The hand-set table: what `bench` uses, and the default of a rules file. */
void dama_weights_hand_set(const struct dama_rules *rules, struct dama_weights *out);

/* Writes the table's bytes; returns how many (at most DAMA_WEIGHTS_MAX_BYTES). Little-endian on
   every platform. A man must have DAMA_WEIGHTS_UNIT in the first phase. */
size_t dama_weights_encode(const struct dama_weights *weights,
                           unsigned char out[DAMA_WEIGHTS_MAX_BYTES]);
/* Checks everything before *out is touched, in this order: no bytes (DAMA_INVALID), the end missing
   (DAMA_TRUNCATED), any bit changed (DAMA_CORRUPT), format version (DAMA_VERSION), feature layout,
   variant and rules hash (DAMA_MISMATCH), a man that is not the unit (DAMA_INVALID); says what it
   expected and found. rules_hash is that of `rules` (dama_rules_hash for a built-in). */
enum dama_status dama_weights_decode(const struct dama_rules *rules,
                                     const unsigned char rules_hash[DAMA_HASH_SIZE],
                                     const unsigned char *bytes, size_t size,
                                     struct dama_weights *out, struct dama_error *err);
/* The variant of a table that is whole and of our format version, without judging it. */
enum dama_status dama_weights_peek(const unsigned char *bytes, size_t size,
                                   char variant[DAMA_NAME_SIZE], struct dama_error *err);

/* CRC-32 (ISO 3309, polynomial edb88320), start with crc 0. */
uint32_t dama_crc32(uint32_t crc, const void *data, size_t size);

#endif
