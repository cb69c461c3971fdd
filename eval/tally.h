/* Rank 0's count of a match: records arrive in any order and are counted in the order of pairs. */
#ifndef DAMA_TALLY_H
#define DAMA_TALLY_H

#include "eval/pair_player.h"

struct dama_tally;

/* Opens the setup's PDN file. NULL with err set. The setup must outlive the tally. */
struct dama_tally *dama_tally_new(const struct dama_match_setup *setup, struct dama_error *err);
void dama_tally_free(struct dama_tally *tally);

/* Takes a copy of the record and counts all pairs that are now complete in order, up to the one at
   which the sequential test decides; what comes behind it is not counted. */
enum dama_status dama_tally_add(struct dama_tally *tally, int64_t pair,
                                const struct dama_pair_record *record, struct dama_error *err);
bool dama_tally_is_decided(const struct dama_tally *tally);
/* The counts so far; seconds are the caller's. */
const struct dama_match_result *dama_tally_result(const struct dama_tally *tally);
/* The end: Elo and distinct games are filled in, the PDN file is closed. */
enum dama_status dama_tally_finish(struct dama_tally *tally, struct dama_match_result *out,
                                   struct dama_error *err);

#endif
