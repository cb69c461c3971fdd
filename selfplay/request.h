/* The request: everything a game depends on, as text; stored once in run.conf and in every shard.
 */
#ifndef DAMA_REQUEST_H
#define DAMA_REQUEST_H

#include "cluster/run_config.h"

enum { DAMA_REQUEST_SIZE = 16384, DAMA_REQUEST_VALUE_SIZE = 256 };

/* "key = value" lines: variant, hashes of rules, features and weights, engine signature, then the
   keys that every run keeps. weights_hash is the SHA-256 of the table's bytes. */
void dama_request_format(const struct dama_ruleset *ruleset, const struct dama_weights *weights,
                         const struct dama_run_config *config, char out[DAMA_REQUEST_SIZE]);
/* The same first lines, then `rest`: what a run that was not played here depends on instead. */
void dama_request_format_with(const struct dama_ruleset *ruleset,
                              const struct dama_weights *weights, const char *rest,
                              char out[DAMA_REQUEST_SIZE]);
/* As dama_request_format, and with the keys that a training keeps: run.conf of a training. */
void dama_request_format_training(const struct dama_ruleset *ruleset,
                                  const struct dama_weights *weights,
                                  const struct dama_run_config *config,
                                  char out[DAMA_REQUEST_SIZE]);

/* SHA-256 of a table's encoded bytes: its identity in requests and lineages. */
void dama_request_weights_hash(const struct dama_weights *weights,
                               unsigned char out[DAMA_HASH_SIZE]);

/* Compares two requests line by line: DAMA_MISMATCH names the first key that differs, with the
   stored and the asked value; a key that only one of them has differs too. */
enum dama_status dama_request_compare(const char *stored, const char *asked,
                                      struct dama_error *err);

/* Reads the line at `at` (blank lines and comments are skipped): its key and value. Returns where
   the next one begins, NULL at the end. */
const char *dama_request_next(const char *at, char key[DAMA_REQUEST_VALUE_SIZE],
                              char value[DAMA_REQUEST_VALUE_SIZE]);

/* Reads one value of a request ("variant"); an empty text when the key is missing. */
void dama_request_value(const char *request, const char *key, char *out, size_t size);

/* RUN/run.conf: stored when absent, else compared. Only rank 0 calls this. */
enum dama_status dama_request_store(const char *run, const char *request, struct dama_error *err);
enum dama_status dama_request_read(const char *run, char out[DAMA_REQUEST_SIZE],
                                   struct dama_error *err);

#endif
