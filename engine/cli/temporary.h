/* Names for files that are made and soon removed. */
#ifndef DAMA_TEMPORARY_H
#define DAMA_TEMPORARY_H

#include <stdbool.h>
#include <stddef.h>

/* Fills out with FOLDER/NAME-, the six letters that mkstemp(3) and mkdtemp(3) replace, and the
   ending. False when it has no room for them. */
bool dama_temporary_name(const char *folder, const char *name, const char *ending, char *out,
                         size_t size);

#endif
