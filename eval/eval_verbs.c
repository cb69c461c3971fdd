/* The list of eval's verbs. */
#include "eval/eval_verbs.h"

#include <stddef.h>

const struct dama_verb dama_eval_verbs[] = {
    {"match", "play two tables or levels against each other", dama_verb_match, true},
    {"calibrate", "measure the levels and set their node limits", dama_verb_calibrate, true},
    {"ladder", "rate levels, tables and engines in one list", dama_verb_ladder, true},
    {"report", "what a run has brought, as one HTML file or plain text", dama_verb_report, false},
    {"openings", "lists of openings, and the window that decides most", dama_verb_openings, true},
    {NULL, NULL, NULL, false},
};
