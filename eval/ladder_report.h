/* What a ladder prints: for people, and as JSON. */
#ifndef DAMA_LADDER_REPORT_H
#define DAMA_LADDER_REPORT_H

#include "eval/ladder.h"

/* The list from the strongest down, on stdout; the same bytes for the same result. */
void dama_ladder_print(const struct dama_ladder_setup *setup,
                       const struct dama_ladder_result *result);
void dama_ladder_print_json(const struct dama_ladder_setup *setup,
                            const struct dama_ladder_result *result);

#endif
