/* The list of eval's verbs. */
#include "eval/eval_verbs.h"

#include <stddef.h>

const struct dama_verb dama_eval_verbs[] = {
    {"match", "play two tables or levels against each other", dama_verb_match, true},
    {NULL, NULL, NULL, false},
};
