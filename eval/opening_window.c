/* Matches from windows of scores. */
#include "eval/opening_window.h"

#include <math.h>
#include <stdio.h>

#include "cluster/comm.h"
#include "cluster/log.h"
#include "eval/opening_set.h"

enum { SOURCE_SIZE = 48, LEVEL_PAIR = 2 };

struct dama_window_share dama_window_decisive(const struct dama_pairs *pairs)
{
    double total = (double)dama_pairs_total(pairs);
    if (total <= 0) {
        return (struct dama_window_share){0, 0};
    }
    double share = 1 - (double)pairs->count[LEVEL_PAIR] / total;
    return (struct dama_window_share){share, sqrt(share * (1 - share) / total)};
}

static enum dama_status measure_one(const struct dama_match_setup *setup,
                                    struct dama_window_trial *trial, struct dama_error *err)
{
    char source[SOURCE_SIZE];
    snprintf(source, sizeof source, "biased:%d-%d", trial->low, trial->high);
    const struct dama_opening_request request = {.source = source,
                                                 .random_plies = setup->random_plies};
    struct dama_opening_set *openings = dama_opening_set_new(setup->ruleset, &request, err);
    if (!openings) {
        return err->status;
    }
    struct dama_match_setup own = *setup;
    own.openings = openings;
    own.is_quiet = true;
    enum dama_status status = dama_match_run(&own, &trial->result, err);
    dama_opening_set_free(openings);
    if (status == DAMA_OK && dama_comm_rank() == 0) {
        struct dama_window_share share = dama_window_decisive(&trial->result.pairs);
        dama_log_info("window %d-%d: %.1f +- %.1f %% of pairs are decisive", trial->low,
                      trial->high, 100 * share.share, 100 * share.error);
    }
    return status;
}

enum dama_status dama_window_measure(const struct dama_match_setup *setup,
                                     struct dama_window_trial *trials, int count,
                                     struct dama_error *err)
{
    for (int i = 0; i < count; i++) {
        DAMA_TRY(measure_one(setup, &trials[i], err));
    }
    return DAMA_OK;
}

int dama_window_best(const struct dama_window_trial *trials, int count)
{
    int best = 0;
    for (int i = 1; i < count; i++) {
        if (dama_window_decisive(&trials[i].result.pairs).share >
            dama_window_decisive(&trials[best].result.pairs).share) {
            best = i;
        }
    }
    return best;
}
