/* Rank 0's account of a run while it is played: what each rank has done, who is slow, what came
 * twice. */
#ifndef DAMA_RANK_PROGRESS_H
#define DAMA_RANK_PROGRESS_H

#include "selfplay/block.h"

/* A rank as the status names it. */
struct dama_worker {
    char host[64];
    int32_t threads;
};
/* This process, with so many playing threads. */
struct dama_worker dama_worker_here(int threads);

struct dama_rank_progress;
/* workers: of every rank, in order; copied. */
struct dama_rank_progress *dama_rank_progress_new(const struct dama_worker *workers, int ranks,
                                                  int64_t block_games, struct dama_error *err);
void dama_rank_progress_free(struct dama_rank_progress *progress);

/* A finished block: of a rank, or with rank -1 one that was there before. */
enum dama_status dama_rank_progress_add(struct dama_rank_progress *progress, int rank,
                                        const struct dama_block_result *result,
                                        struct dama_error *err);

/* Members of status.json (results, duplicates, stored, ranks, slow) after so many seconds of this
   call; owned by the progress, valid until the next call, in which the time is not less. A rank is
   slow when, a block in hand granted, it has played less than half of what the median rank has for
   each of its threads in the last ten minutes or more (the last eight blocks a rank, if these take
   longer). */
const char *dama_rank_progress_format(struct dama_rank_progress *progress, double elapsed_s);

#endif
