/* The totals of a run, counted from its manifest. */
#ifndef DAMA_SUMMARY_H
#define DAMA_SUMMARY_H

#include "selfplay/manifest.h"
#include "selfplay/selfplay.h"

/* Adds up the plan's blocks, those without a line left out. `out` must be zeroed; its played and
   seconds are left alone. DAMA_MEMORY. */
enum dama_status dama_selfplay_summarise(const struct dama_block_plan *plan,
                                         const struct dama_manifest *manifest,
                                         struct dama_selfplay_summary *out, struct dama_error *err);

#endif
