/* A small shard of invented but possible games, for tests. */
#ifndef DAMA_SHARD_SAMPLE_H
#define DAMA_SHARD_SAMPLE_H

#include "cluster/shard.h"

/* games games of 1..12 rows; every column takes many values, its ends included. */
void sample_shard(struct dama_shard *out, int board_size, uint64_t block, int games);
/* An origin with a request of two lines and hashes of different bytes. */
struct dama_shard_origin sample_origin(int board_size);

#endif
