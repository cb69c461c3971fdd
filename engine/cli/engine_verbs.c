/* The list of the engine's verbs, as both programs offer them. */
#include "engine/cli/verbs.h"

#include <stddef.h>

#include "engine/cli/verb.h"

const struct dama_verb dama_engine_verbs[] = {
    {"variants", "the built-in rule sets", dama_verb_variants, false},
    {NULL, NULL, NULL, false},
};
