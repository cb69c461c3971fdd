/* Counting what is different among many. */
#ifndef DAMA_DISTINCT_H
#define DAMA_DISTINCT_H

#include <stddef.h>
#include <stdint.h>

/* How many different words there are among `count`, which it sorts. */
size_t dama_count_distinct(uint64_t *words, size_t count);

#endif
