/* The blocks a rank has in hand, and the threads that play their games one by one. */
#ifndef DAMA_BLOCK_QUEUE_H
#define DAMA_BLOCK_QUEUE_H

#include "selfplay/block.h"

struct dama_block_queue;

/* Room for `slots` blocks in hand. The recorder and the plan must outlive the queue. */
struct dama_block_queue *dama_block_queue_new(const struct dama_recorder *recorder,
                                              const struct dama_block_plan *plan, int slots,
                                              struct dama_error *err);
void dama_block_queue_free(struct dama_block_queue *queue);

/* Main thread: takes a block in hand; there must be a free slot. */
void dama_block_queue_add(struct dama_block_queue *queue, int64_t block);
/* Main thread: true when a block in hand is finished; its games are put together, in order, in out,
 * and its slot is free. */
bool dama_block_queue_take(struct dama_block_queue *queue, struct dama_shard *out,
                           struct dama_error *err);
/* Main thread: blocks that it takes until there is a game to start for each playing thread. */
int dama_block_queue_lacking(struct dama_block_queue *queue);
/* Main thread: no more games are started, those being played are given up; workers return. */
void dama_block_queue_close(struct dama_block_queue *queue);
/* The first failure of a worker, DAMA_OK when none; err is filled. */
enum dama_status dama_block_queue_status(struct dama_block_queue *queue, struct dama_error *err);

/* A playing thread: plays games until the queue is closed. */
void dama_block_queue_work(struct dama_block_queue *queue);

#endif
