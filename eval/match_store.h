/* The finished pairs of a match in a folder, so that the same command goes on where it stopped. */
#ifndef DAMA_MATCH_STORE_H
#define DAMA_MATCH_STORE_H

#include "eval/pair_player.h"

enum { DAMA_MATCH_REQUEST_SIZE = 8192 };

/* Everything that the games depend on, and the sequential test, as "key = value" lines. The number
   of pairs is not part of it: it may grow. */
void dama_match_request(const struct dama_match_setup *setup, char out[DAMA_MATCH_REQUEST_SIZE]);

struct dama_match_store;

/* Makes and locks the folder setup->out: match.conf holds the request, pairs.jsonl a line for each
   finished pair, in the order in which they were finished. A folder with another request is refused
   with the first key that differs and both values. NULL with err set. */
struct dama_match_store *dama_match_store_open(const struct dama_match_setup *setup,
                                               struct dama_error *err);
/* NULL is allowed. */
void dama_match_store_close(struct dama_match_store *store);

/* Calls visit once for each stored pair of the setup's, with its moves. A last line that a kill has
   cut short is dropped; any other that is damaged is an error with its number. */
enum dama_status dama_match_store_read(
    struct dama_match_store *store,
    enum dama_status (*visit)(void *context, int64_t pair, const struct dama_pair_record *record,
                              struct dama_error *err),
    void *context, struct dama_error *err);
/* Appends one; the record has its moves. */
enum dama_status dama_match_store_add(struct dama_match_store *store, int64_t pair,
                                      const struct dama_pair_record *record,
                                      struct dama_error *err);

#endif
