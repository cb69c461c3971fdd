/* Hashes of the built-in rule sets, looked up: the engine computes none. */
#include "engine/rules.h"

#include "engine/build_hashes.h"

const unsigned char *dama_rules_hash(const struct dama_rules *rules)
{
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        if (dama_rules_equal(rules, dama_rules_builtin(i))) {
            return dama_builtin_hashes[i];
        }
    }
    return NULL;
}
