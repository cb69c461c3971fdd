/* The training loop: generations of self-play, tune, match, promote or keep. Its whole state is the
 * files of the run. */
#ifndef DAMA_TRAIN_H
#define DAMA_TRAIN_H

#include "cluster/run_inputs.h"
#include "eval/match.h"

enum { DAMA_TRAIN_PATH_SIZE = 4096 };

struct dama_train_setup {
    const struct dama_run_inputs *inputs; /* weights: the table that the training starts from */
    const char *run;                      /* RUN, locked by the caller */
    int threads;                          /* of this rank */
};

/* What became of one generation. */
struct dama_train_generation {
    int number;
    bool is_promoted;
    uint64_t games, distinct_games, positions;
    /* Mean log-loss of the new table and of the constant predictor; of held-out rows where there
     * are some. */
    double loss, constant_loss;
    bool is_held_out;
    struct dama_match_result match; /* the new table against the one before */
};

struct dama_train_result {
    int generations; /* finished */
    int best;        /* the promoted generation whose table is the best one; -1: the start table */
    struct dama_weights weights;      /* that table */
    char table[DAMA_TRAIN_PATH_SIZE]; /* where it lies */
    struct dama_train_generation last;
    struct dama_match_result
        final; /* the best table against the start table, all pairs; when best >= 0 */
};

/* Collective. Goes on wherever the files of RUN say that it stopped. DAMA_STOPPED after a stop
 * signal. */
enum dama_status dama_train_run(const struct dama_train_setup *setup, struct dama_train_result *out,
                                struct dama_error *err);

#endif
