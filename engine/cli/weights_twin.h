/* The twins of a weight table: JSON for people and web pages, a C header for programs. Both say all
   that the table says; JSON and the header's bytes read back to the very same table. */
#ifndef DAMA_WEIGHTS_TWIN_H
#define DAMA_WEIGHTS_TWIN_H

#include <stdio.h>

#include "engine/weights.h"

/* A JSON object: variant, hashes, lineage, and the weights by group, first phase and last. */
void dama_weights_write_json(FILE *out, const struct dama_weights *weights);
/* A C header that defines the table's bytes, for dama_weights_decode, and lists the weights. */
void dama_weights_write_c(FILE *out, const struct dama_weights *weights);

/* Reads the JSON twin. Every key must be there, no other may be; a key that is wrong is named.
   Whether the table is one of the rules at hand is dama_weights_decode's matter, once encoded. */
enum dama_status dama_weights_read_json(const char *text, size_t size, struct dama_weights *out,
                                        struct dama_error *err);

#endif
