/* The list that embed.cmake writes, for tables.c. */
#ifndef DAMA_EMBEDDED_H
#define DAMA_EMBEDDED_H

#include <stddef.h>

struct dama_embedded_table {
    const char *variant;
    const unsigned char *bytes;
    size_t size;
};
/* Ended by a NULL variant. */
extern const struct dama_embedded_table dama_embedded_tables[];

#endif
