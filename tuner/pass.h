/* One pass over the samples of a fit: sums of integers over the batches of all threads and ranks,
   which are the same bits for any number of them. */
#ifndef DAMA_PASS_H
#define DAMA_PASS_H

#include "tuner/sums.h"

struct dama_pass {
    const char *name; /* one kind of question; at most DAMA_HASH_SIZE letters */
    /* All that the sums depend on besides the data, without gaps between its numbers. */
    const void *question;
    size_t question_size;
    const void *context;
    /* Adds one batch to `count` sums of the thread; false: no memory. scratch has scratch_size
       bytes of the thread, zeros at first. */
    bool (*add)(const void *context, const struct dama_batch *batch, void *scratch, uint64_t *sums);
    size_t scratch_size;
    int count;
};

/* Collective. Fills pass->count sums; they come from data->log when an earlier start has left them
   there, and are added to it otherwise. DAMA_STOPPED when a stop was asked for before all batches
   were done: the pass is dropped whole. */
enum dama_status dama_pass_run(const struct dama_dataset *data, const struct dama_pass *pass,
                               uint64_t *sums, struct dama_error *err);

#endif
