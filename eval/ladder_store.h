/* What a ladder keeps: FOLDER/ladder.jsonl, one line for the request, each player, each sitting. */
#ifndef DAMA_LADDER_STORE_H
#define DAMA_LADDER_STORE_H

#include "eval/ladder.h"

/* All sittings of two players of the list so far, counted for the first. */
struct dama_ladder_bout {
    int sittings;
    uint64_t distinct_games;
    uint64_t faults[2]; /* games that each has lost by what it did wrong */
    struct dama_wdl wdl;
    struct dama_pairs pairs;
};

/* Only rank 0 has one. */
struct dama_ladder_store;

/* Reads what is there, dropping a last line that was cut off, and writes request and players that
   are new. DAMA_MISMATCH names the key or the player that is not as it was stored. Players that are
   stored and not in the setup keep their lines and are left out. The setup must outlive it. */
struct dama_ladder_store *dama_ladder_store_open(const struct dama_ladder_setup *setup,
                                                 struct dama_error *err);
void dama_ladder_store_free(struct dama_ladder_store *store);

/* a < b. */
const struct dama_ladder_bout *dama_ladder_store_bout(const struct dama_ladder_store *store, int a,
                                                      int b);
/* Appends the next sitting of a and b, and counts it. */
enum dama_status dama_ladder_store_add(struct dama_ladder_store *store, int a, int b,
                                       const struct dama_match_result *result,
                                       struct dama_error *err);

#endif
