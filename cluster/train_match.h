/* The matches of the training loop, with their result kept as a file, so that no match is played
 * twice. */
#ifndef DAMA_TRAIN_MATCH_H
#define DAMA_TRAIN_MATCH_H

#include "cluster/train.h"

struct dama_train_match {
    const struct dama_train_setup *setup;
    const struct dama_weights *challenger; /* A */
    const struct dama_weights *holder;     /* B */
    /* Of the result: match.json, final.json. Its pairs are in the folder match-HASH beside it, with
       the first eight digits of A's hash, so that a match that was stopped goes on. */
    const char *path;
    uint64_t seed;
    bool is_promotion; /* with the sequential test of promote_elo0 and promote_elo1; else all pairs
                          are played */
};

/* Collective. Reads the result when the file is of this very match (both tables), else plays and
   stores it. The challenger is promoted when the test accepts elo1, or when the pairs run out
   undecided with a likelihood ratio above 0. */
enum dama_status dama_train_match_play(const struct dama_train_match *match,
                                       struct dama_match_result *result, bool *is_promoted,
                                       struct dama_error *err);

#endif
