/* The hashes of the built-in rules, in a file that build_hashes.c writes at build time; the
   library's own code behind dama_rules_hash. */
#ifndef DAMA_HASHES_H
#define DAMA_HASHES_H

#include "engine/rules.h"

/* SHA-256 of dama_rules_format of each built-in, in the order of dama_rules_builtin. */
extern const unsigned char dama_builtin_hashes[DAMA_BUILTIN_COUNT][DAMA_HASH_SIZE];

#endif
