/* The hashes that the build makes from canonical texts (build_hashes.c), for rules_hash.c. */
#ifndef DAMA_BUILD_HASHES_H
#define DAMA_BUILD_HASHES_H

#include "engine/rules.h"

/* SHA-256 of dama_rules_format of each built-in, in the order of dama_rules_builtin. */
extern const unsigned char dama_builtin_hashes[DAMA_BUILTIN_COUNT][DAMA_HASH_SIZE];

#endif
