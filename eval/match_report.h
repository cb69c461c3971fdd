/* What a match prints: for people, and as JSON. */
#ifndef DAMA_MATCH_REPORT_H
#define DAMA_MATCH_REPORT_H

#include "eval/match.h"

/* Results, pairs, Elo with its interval, the sequential test with bounds and model, and the exact
   settings, on stdout. */
void dama_match_print(const struct dama_match_setup *setup, const struct dama_match_result *result);
/* One line: counts, pair counts, Elo with its interval, the test; the same bytes for the same
   result. Games lost by faults add "faults":{"a":{"crashed":1},"b":{}}. */
void dama_match_print_json(const struct dama_match_setup *setup,
                           const struct dama_match_result *result);

#endif
