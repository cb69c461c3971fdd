/* Blocks: the unit of work. A block is a run of consecutive games, and one shard. */
#ifndef DAMA_BLOCK_H
#define DAMA_BLOCK_H

#include "selfplay/record.h"

/* Which games are which blocks: block first_block + k plays games first_game + k * block_games ...,
   the last one may be short. */
struct dama_block_plan {
    int64_t first_block;
    int64_t first_game;
    int64_t games;
    int64_t block_games;
};
/* Blocks of the plan; `block` below is one of first_block, first_block + 1, ... */
int64_t dama_block_count(const struct dama_block_plan *plan);
int64_t dama_block_first_game(const struct dama_block_plan *plan, int64_t block);
int dama_block_games(const struct dama_block_plan *plan, int64_t block);
/* FOLDER/shards/american-000123.h5 */
void dama_block_path(const char *folder, const char *variant, int64_t block, char *out,
                     size_t size);

/* What a finished block says of itself; with block_games identities behind it, this is the message
   of a rank and the content of a manifest line. */
struct dama_block_result {
    int64_t block;
    uint64_t games, rows, plies, bytes;
    uint64_t results[3];             /* Black won, drawn, White won */
    uint64_t ends[DAMA_END_ONGOING]; /* by termination */
    unsigned char sha256[DAMA_HASH_SIZE];
    struct dama_record_identity identity[]; /* of each game */
};
/* Bytes of a result with room for so many games. */
size_t dama_block_result_size(int64_t block_games);
/* Counts a shard; header gives bytes and hash. result has room for the shard's games. */
void dama_block_result_fill(struct dama_block_result *result, const struct dama_shard *shard,
                            const struct dama_shard_header *header);

#endif
