/* Totals of a run from what its manifest says. */
#include "selfplay/summary.h"

#include <stdlib.h>

#include "engine/cli/distinct.h"

enum dama_status dama_selfplay_summarise(const struct dama_block_plan *plan,
                                         const struct dama_manifest *manifest,
                                         struct dama_selfplay_summary *out, struct dama_error *err)
{
    uint64_t *games = malloc((size_t)plan->games * sizeof *games);
    uint64_t *openings = malloc((size_t)plan->games * sizeof *openings);
    if (!games || !openings) {
        free(games);
        free(openings);
        return dama_fail(err, DAMA_MEMORY, "no memory to count %ld games", (long long)plan->games);
    }
    for (int64_t b = 0; b < dama_block_count(plan); b++) {
        const struct dama_block_result *block = dama_manifest_find(manifest, plan->first_block + b);
        for (uint64_t i = 0; block && i < block->games; i++) {
            games[out->games] = block->identity[i].game;
            openings[out->games++] = block->identity[i].opening;
        }
        out->rows += block ? block->rows : 0;
        out->plies += block ? block->plies : 0;
        out->bytes += block ? block->bytes : 0;
        for (int i = 0; block && i < 3; i++) {
            out->results[i] += block->results[i];
        }
        for (int i = 0; block && i < DAMA_END_ONGOING; i++) {
            out->ends[i] += block->ends[i];
        }
    }
    out->distinct_games = dama_count_distinct(games, (size_t)out->games);
    out->distinct_openings = dama_count_distinct(openings, (size_t)out->games);
    free(games);
    free(openings);
    return DAMA_OK;
}
