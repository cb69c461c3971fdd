/* dama::tables: one shipped table per built-in variant, embedded from engine/tables/<variant>.dama
 * at build time. */
#ifndef DAMA_TABLES_H
#define DAMA_TABLES_H

#include "engine/weights.h"

/* The bytes of a built-in's shipped table; *size is 0 and the result NULL when none is shipped. */
const unsigned char *dama_tables_find(const char *variant, size_t *size);

#endif
