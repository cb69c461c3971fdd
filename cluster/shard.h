/* Shards: one block of games as one self-verifying HDF5 file. The only module that
 * includes hdf5.h. */
#ifndef DAMA_SHARD_H
#define DAMA_SHARD_H

#include "engine/game.h"

enum { DAMA_SHARD_VERSION = 1, DAMA_SHARD_HEADER_BYTES = 512 };
enum { DAMA_ROW_RANDOM = 1, DAMA_ROW_CAPTURE = 2, DAMA_ROW_ONLY_MOVE = 4 };

/* One position in which a move was played. Sets are grid sets (bit s-1 = grid square s), from and
 * to are grid squares. */
struct dama_row {
    uint64_t white_men, white_kings, black_men, black_kings, captured;
    uint32_t game; /* number minus the shard's first game */
    int16_t score;
    uint16_t ply;
    uint8_t side_to_move, from, to, flags;
    int8_t result; /* of the side to move */
};
struct dama_game_row {
    uint64_t id; /* game number of the run */
    uint64_t first_row;
    uint32_t rows;
    uint16_t plies;
    int8_t result; /* +1 White */
    uint8_t termination;
    uint64_t opening, seed;
};

/* What the root attributes of a loaded shard say. */
struct dama_shard_facts {
    char variant[DAMA_NAME_SIZE];
    int board_size;
    int men;       /* of a side at the start */
    char *request; /* owned by the shard */
    unsigned char rules_hash[DAMA_HASH_SIZE], weights_hash[DAMA_HASH_SIZE],
        features_hash[DAMA_HASH_SIZE];
    uint32_t engine_signature;
};

/* A shard in memory; growable, owned by the caller: {0} is empty. */
struct dama_shard {
    uint64_t block;
    size_t rows, games, row_capacity, game_capacity;
    struct dama_row *row;
    struct dama_game_row *game;
    struct dama_shard_facts facts; /* set by dama_shard_load, not read by dama_shard_save */
};
void dama_shard_clear(struct dama_shard *shard); /* keeps memory */
void dama_shard_free(struct dama_shard *shard);
enum dama_status dama_shard_add_row(struct dama_shard *shard, const struct dama_row *row,
                                    struct dama_error *err);
enum dama_status dama_shard_add_game(struct dama_shard *shard, const struct dama_game_row *game,
                                     struct dama_error *err);

/* What a shard belongs to; the root attributes. request is the canonical request text
   (run_config.h). As an expectation, what is NULL or zero is not compared. */
struct dama_shard_origin {
    const char *variant;
    int board_size;
    int men; /* of a side at the start; 0 leaves two rows free: 12 on 8x8, 20 on 10x10 */
    const char *request;
    unsigned char rules_hash[DAMA_HASH_SIZE], weights_hash[DAMA_HASH_SIZE],
        features_hash[DAMA_HASH_SIZE];
    uint32_t engine_signature;
};

/* Header facts, readable without HDF5. The block of 512 bytes, little-endian: "DamaShrd", u32
   version, u64 block, u64 games, u64 rows, 32 bytes SHA-256 of everything behind the block, zeros,
   and in the last four bytes the CRC-32 of the 508 before. */
struct dama_shard_header {
    uint32_t version;
    uint64_t block, games, rows;
    uint64_t bytes; /* of the whole file */
    unsigned char sha256[DAMA_HASH_SIZE];
};

/* PATH.part, fsync, rename, fsync of the folder. The same rows give the same bytes. Thread: main
 * only. */
enum dama_status dama_shard_save(const char *path, const struct dama_shard *shard,
                                 const struct dama_shard_origin *origin,
                                 struct dama_shard_header *header, struct dama_error *err);
/* Header and its CRC only (a resumed run's quick look). */
enum dama_status dama_shard_peek(const char *path, struct dama_shard_header *out,
                                 struct dama_error *err);
/* Header, CRC and the SHA-256 of all bytes: any damage since the shard was written, without looking
   at what is in it. */
enum dama_status dama_shard_check_bytes(const char *path, struct dama_shard_header *out,
                                        struct dama_error *err);
/* Everything: header, CRC, SHA-256, before libhdf5 sees a byte; then columns, types, attributes
   against `expected` (NULL: any), order of games, rows in range, results consistent. Errors name
   file, row and reason; `out` is then empty. header may be NULL. Any thread; one at a time
   decodes. */
enum dama_status dama_shard_load(const char *path, const struct dama_shard_origin *expected,
                                 struct dama_shard *out, struct dama_shard_header *header,
                                 struct dama_error *err);
/* The place in a run up to which its shards were read, one behind the other; all zero at first. */
struct dama_shard_order {
    bool has_games;
    uint64_t last_game;
};
/* DAMA_MISMATCH, which names the file, when the shard's games do not come behind all others so far:
   a copy of another shard, or one under another name. */
enum dama_status dama_shard_follow(struct dama_shard_order *order, const struct dama_shard *shard,
                                   const char *path, struct dama_error *err);
/* SHA-256 of the block's number and the decoded columns: equal across library versions. */
void dama_shard_content_hash(const struct dama_shard *shard, unsigned char out[DAMA_HASH_SIZE]);
/* Bytes of the columns of so many rows and games in a file before they are compressed: 33 a row on
   8x8, 53 on 10x10. */
uint64_t dama_shard_column_bytes(int board_size, uint64_t rows, uint64_t games);
/* The version of HDF5 that this program was built with. */
const char *dama_shard_library_version(void);
/* The library at hand is that very version, serial, and has the filters of a shard: else shards
   have other bytes, or cannot be read. */
enum dama_status dama_shard_library_check(struct dama_error *err);

/* A row as a position, and back. */
struct dama_position dama_row_position(int board_size, const struct dama_row *row);
void dama_row_set_position(int board_size, struct dama_row *row,
                           const struct dama_position *position);
/* Shards of one run merged into one file of the same layout (dama export --hdf5), without a user
   block of ours. `game` of a row is then the index into /games, and first_row counts in the whole
   file. Complete or absent, as a shard. NULL on failure. */
struct dama_shard_merge;
struct dama_shard_merge *dama_shard_merge_new(const char *path,
                                              const struct dama_shard_origin *origin,
                                              struct dama_error *err);
enum dama_status dama_shard_merge_add(struct dama_shard_merge *merge,
                                      const struct dama_shard *shard, struct dama_error *err);
/* Frees; keeps the file only when `keep` and all went well. */
enum dama_status dama_shard_merge_end(struct dama_shard_merge *merge, bool keep,
                                      struct dama_error *err);

#endif
