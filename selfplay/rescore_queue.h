/* The shards a rank has in hand for new scores, and the threads that search their games. */
#ifndef DAMA_RESCORE_QUEUE_H
#define DAMA_RESCORE_QUEUE_H

#include "selfplay/run_store.h"

/* What all games have in common; must outlive the queue. */
struct dama_rescorer {
    const struct dama_stored_run *parent;
    const struct dama_weights *weights;
    uint64_t nodes; /* a position; 0 is no limit */
    int depth;
    size_t table_kb;
};

/* At most `slots` shards are in hand. The rescorer must outlive the queue. NULL with err set. */
struct dama_rescore_queue;
struct dama_rescore_queue *dama_rescore_queue_new(const struct dama_rescorer *rescorer, int slots,
                                                  struct dama_error *err);
/* NULL is allowed. */
void dama_rescore_queue_free(struct dama_rescore_queue *queue);

/* Main thread: takes a loaded shard in hand (its memory moves); there must be a free slot. */
void dama_rescore_queue_add(struct dama_rescore_queue *queue, int64_t job,
                            struct dama_shard *shard);
/* Main thread: true when a shard in hand has all its scores; its memory moves to out. */
bool dama_rescore_queue_take(struct dama_rescore_queue *queue, int64_t *job,
                             struct dama_shard *out);
/* Main thread: 1 when a searching thread has no game to begin after the one it is at, else 0. */
int dama_rescore_queue_lacking(struct dama_rescore_queue *queue);
/* Main thread: searches are given up; workers return. */
void dama_rescore_queue_close(struct dama_rescore_queue *queue);
/* The first failure of a worker, DAMA_OK when none; err is filled. */
enum dama_status dama_rescore_queue_status(struct dama_rescore_queue *queue,
                                           struct dama_error *err);

/* A searching thread: gives scores to games until the queue is closed. Each game is checked by the
   rules, then searched ply by ply with its history, from a cleared table: so a score depends on
   nothing but its game. Random moves and single legal moves have no score, as in self-play. */
void dama_rescore_queue_work(struct dama_rescore_queue *queue);

#endif
