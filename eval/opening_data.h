/* The files of configs/openings, compiled in. */
#ifndef DAMA_OPENING_DATA_H
#define DAMA_OPENING_DATA_H

#include <stddef.h>

struct dama_opening_data {
    const char *name; /* "american-2.fen" */
    const unsigned char *bytes;
    size_t size;
};
/* Ended by a NULL name; written by embed_openings.cmake. */
extern const struct dama_opening_data dama_opening_data[];

#endif
