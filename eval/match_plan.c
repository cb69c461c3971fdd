/* Expected lengths of a sequential test, from the draw rate seen so far. */
#include "eval/match_plan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "cluster/comm.h"

enum { SAMPLE_PAIRS = 20, TRUTHS = 3 };
static const char *const truth_names[TRUTHS] = {"H0", "halfway", "H1"};
static const char *const truth_keys[TRUTHS] = {"h0", "halfway", "h1"};

/* What is known of a pair. */
struct sample {
    struct dama_pairs pairs;
    uint64_t games; /* 0: assumed, not played */
    double draw_ratio;
    double seconds; /* of a pair; 0: unknown */
};

static enum dama_status play_sample(const struct dama_match_setup *setup, struct sample *out,
                                    struct dama_error *err)
{
    struct dama_match_setup match = *setup;
    struct dama_match_result result;
    match.sprt = NULL;
    match.pdn = NULL;
    match.out = NULL;
    match.pairs = setup->pairs < SAMPLE_PAIRS ? setup->pairs : SAMPLE_PAIRS;
    DAMA_TRY(dama_match_run(&match, &result, err));
    *out = (struct sample){
        .pairs = result.pairs,
        .games = result.games,
        .draw_ratio = (double)result.wdl.draws / (double)result.games,
        .seconds = result.seconds / (double)match.pairs,
    };
    return DAMA_OK;
}

static double elo_of_truth(const struct dama_sprt *sprt, int truth)
{
    return sprt->elo0 + (sprt->elo1 - sprt->elo0) * truth / (TRUTHS - 1);
}

static void print_text(const struct dama_match_setup *setup, const struct dama_sprt *sprt,
                       const struct sample *sample)
{
    printf("plan       H0 %.1f against H1 %.1f in %s Elo, alpha %g, beta %g; draw rate %.1f %%",
           sprt->elo0, sprt->elo1, dama_elo_model_text(sprt->model), sprt->alpha, sprt->beta,
           100 * sample->draw_ratio);
    if (sample->games) {
        printf(" of %" PRIu64 " games played\n", sample->games);
    } else {
        printf(", assumed\n");
    }
    for (int i = 0; i < TRUTHS; i++) {
        struct dama_sprt_length length =
            dama_sprt_expect(sprt, &sample->pairs, elo_of_truth(sprt, i));
        printf("%-10s about %.0f pairs (%.0f games); H1 is taken in %.1f %% of all tests",
               truth_names[i], length.pairs, 2 * length.pairs, 100 * length.h1);
        if (sample->seconds > 0) {
            printf("; %.1f min", length.pairs * sample->seconds / 60);
        }
        printf("%s\n", length.pairs > (double)setup->pairs ? "; more than --pairs" : "");
    }
}

static void print_json(const struct dama_sprt *sprt, const struct sample *sample)
{
    printf("{\"model\":\"%s\",\"elo0\":%g,\"elo1\":%g,\"alpha\":%g,\"beta\":%g,"
           "\"draw_ratio\":%.4f,\"games\":%" PRIu64 ",\"seconds_per_pair\":",
           dama_elo_model_text(sprt->model), sprt->elo0, sprt->elo1, sprt->alpha, sprt->beta,
           sample->draw_ratio, sample->games);
    if (sample->seconds > 0) {
        printf("%.4f", sample->seconds);
    } else {
        printf("null");
    }
    for (int i = 0; i < TRUTHS; i++) {
        double elo = elo_of_truth(sprt, i);
        struct dama_sprt_length length = dama_sprt_expect(sprt, &sample->pairs, elo);
        printf(",\"%s\":{\"elo\":%g,\"pairs\":%.0f,\"h1\":%.4f}", truth_keys[i], elo, length.pairs,
               length.h1);
    }
    printf("}\n");
}

enum dama_status dama_match_plan_run(const struct dama_match_setup *setup,
                                     const struct dama_match_plan *plan, struct dama_error *err)
{
    struct sample sample = {.draw_ratio = plan->draw_ratio};
    if (isnan(plan->draw_ratio)) {
        DAMA_TRY(play_sample(setup, &sample, err));
    } else {
        sample.pairs = dama_pairs_of_draw_ratio(plan->draw_ratio);
    }
    if (dama_comm_rank() == 0 && plan->json) {
        print_json(plan->sprt, &sample);
    } else if (dama_comm_rank() == 0) {
        print_text(setup, plan->sprt, &sample);
    }
    return DAMA_OK;
}
