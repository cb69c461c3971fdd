/* The pairs a rank has in hand, and the threads that play them. */
#ifndef DAMA_PAIR_QUEUE_H
#define DAMA_PAIR_QUEUE_H

#include "eval/pair_player.h"

struct dama_pair_queue;

/* Room for `slots` pairs in hand. The setup and the book must outlive the queue. */
struct dama_pair_queue *dama_pair_queue_new(const struct dama_match_setup *setup,
                                            const struct dama_opening_book *book, int slots,
                                            bool with_moves, struct dama_error *err);
void dama_pair_queue_free(struct dama_pair_queue *queue);

/* Main thread: takes a pair in hand; there must be a free slot. */
void dama_pair_queue_add(struct dama_pair_queue *queue, int64_t pair);
/* Main thread: true when a pair has been played; its record is copied out and its slot is free. */
bool dama_pair_queue_take(struct dama_pair_queue *queue, int64_t *pair, void *record);
/* Main thread: playing threads that have no pair to play. */
int dama_pair_queue_lacking(struct dama_pair_queue *queue);
/* Main thread: pairs in hand are dropped, and the workers return. */
void dama_pair_queue_close(struct dama_pair_queue *queue);
/* The first failure of a worker, DAMA_OK when none; err is filled. */
enum dama_status dama_pair_queue_status(struct dama_pair_queue *queue, struct dama_error *err);

/* A playing thread: plays pairs until the queue is closed. */
void dama_pair_queue_work(struct dama_pair_queue *queue);

#endif
