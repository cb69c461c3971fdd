/* The games of a match as a PDN file, written while it is played. */
#ifndef DAMA_MATCH_PDN_H
#define DAMA_MATCH_PDN_H

#include "eval/pair_player.h"

struct dama_match_pdn;

/* Begins the file setup->pdn. NULL with err set. */
struct dama_match_pdn *dama_match_pdn_new(const struct dama_match_setup *setup,
                                          struct dama_error *err);
/* Writes both games of a pair, in order; the record has its moves. Tags: Event, Round
   (pair.game, from 1), White, Black, Opening (its index in the seed's permutation). */
enum dama_status dama_match_pdn_add(struct dama_match_pdn *pdn, int64_t pair,
                                    const struct dama_pair_record *record, struct dama_error *err);
/* Ends the file and frees; NULL is allowed. */
enum dama_status dama_match_pdn_close(struct dama_match_pdn *pdn, struct dama_error *err);
/* Frees without a word about the file, after a failure. */
void dama_match_pdn_free(struct dama_match_pdn *pdn);

#endif
