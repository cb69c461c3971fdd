/* The list of eval's verbs. */
#include "eval/eval_verbs.h"

#include <stddef.h>

const struct dama_verb dama_eval_verbs[] = {
    {"match", "play two tables or levels against each other", dama_verb_match, true},
    {"report", "what a run has brought, as one HTML file or plain text", dama_verb_report, false},
    {"ladder", "rate levels, tables and engines in one list", dama_verb_ladder, true},
    {NULL, NULL, NULL, false},
};
