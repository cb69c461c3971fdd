/* dama selfplay: plays the missing blocks of a run. */
#include <stdio.h>

#include "cluster/comm.h"
#include "cluster/log.h"
#include "cluster/run_folder.h"
#include "cluster/run_inputs.h"
#include "selfplay/run_store.h"
#include "selfplay/selfplay.h"
#include "selfplay/selfplay_verbs.h"

struct arguments {
    struct dama_run_options run;
    const char *out;
    int64_t threads;
    bool plan, json;
};

static struct arguments parse(int argc, char **argv)
{
    struct arguments a = {.run = {.default_weights = "material"}};
    const struct dama_option options[] = {
        dama_option_variant(&a.run.common),
        dama_option_rules(&a.run.common),
        dama_option_weights(&a.run.common, "the table that plays (default material)"),
        {"out", DAMA_OPTION_TEXT, &a.out, "RUN", "the run's folder", 0, 0},
        dama_option_config(&a.run.config_file),
        dama_option_set(&a.run.sets),
        dama_option_threads(&a.threads, "playing threads of a rank"),
        {"plan", DAMA_OPTION_FLAG, &a.plan, NULL, "estimate time and disk, play nothing", 0, 0},
        dama_option_json(&a.json, "the summary as JSON"),
        {0},
    };
    const struct dama_usage usage = {
        .verb = "selfplay",
        .arguments = "",
        .summary = "Play the missing games of a run and store them in shards.",
        .details = "The same command goes on after any stop. Under mpirun or srun the ranks share "
                   "the games; the files are the same bytes for any number of ranks and threads.",
        .options = options,
    };
    struct dama_texts rest = {0};
    dama_options_parse(&usage, argc, argv, &rest);
    return a;
}

static void print_shares(const struct dama_selfplay_summary *s)
{
    printf("results    white %llu  draw %llu  black %llu\n", (unsigned long long)s->results[2],
           (unsigned long long)s->results[1], (unsigned long long)s->results[0]);
    printf("ended by  ");
    for (int i = 0; i < DAMA_END_ONGOING; i++) {
        if (s->ends[i]) {
            printf(" %s %llu", dama_termination_text((enum dama_termination)i),
                   (unsigned long long)s->ends[i]);
        }
    }
    printf("\n");
}

static void print_summary(const struct dama_selfplay_summary *s, const char *out)
{
    printf("games      %llu (%llu distinct, %llu distinct openings)\n",
           (unsigned long long)s->games, (unsigned long long)s->distinct_games,
           (unsigned long long)s->distinct_openings);
    printf("positions  %llu in %s/shards, %llu bytes\n", (unsigned long long)s->rows, out,
           (unsigned long long)s->bytes);
    print_shares(s);
    printf("played now %llu in %.1f s", (unsigned long long)s->played, s->seconds);
    if (s->played) {
        printf(", %.1f games/s", (double)s->played / s->seconds);
    }
    printf("\nnext       dama tune %s --out weights.dama\n", out);
}

static void print_summary_json(const struct dama_selfplay_summary *s)
{
    printf("{\"games\":%llu,\"distinct_games\":%llu,\"distinct_openings\":%llu,\"rows\":%llu,"
           "\"bytes\":%llu,\"white\":%llu,\"draw\":%llu,\"black\":%llu,\"ends\":{",
           (unsigned long long)s->games, (unsigned long long)s->distinct_games,
           (unsigned long long)s->distinct_openings, (unsigned long long)s->rows,
           (unsigned long long)s->bytes, (unsigned long long)s->results[2],
           (unsigned long long)s->results[1], (unsigned long long)s->results[0]);
    for (int i = 0; i < DAMA_END_ONGOING; i++) {
        printf("%s\"%s\":%llu", i ? "," : "", dama_termination_text((enum dama_termination)i),
               (unsigned long long)s->ends[i]);
    }
    printf("},\"played\":%llu,\"seconds\":%.3f}\n", (unsigned long long)s->played, s->seconds);
}

static enum dama_status print_plan(const struct dama_selfplay_setup *setup, bool json,
                                   struct dama_error *err)
{
    struct dama_selfplay_estimate e;
    DAMA_TRY(dama_selfplay_plan(setup, &e, err));
    double all_ranks = e.seconds / dama_comm_size();
    if (json) {
        printf("{\"games\":%lld,\"blocks\":%lld,\"games_per_second\":%.3f,\"seconds\":%.1f,"
               "\"rows\":%.0f,\"bytes\":%.0f}\n",
               (long long)setup->plan.games, (long long)dama_block_count(&setup->plan),
               e.games_per_second * dama_comm_size(), all_ranks,
               e.rows_per_game * (double)setup->plan.games, e.bytes);
        return DAMA_OK;
    }
    printf("games      %lld in %lld shards\n", (long long)setup->plan.games,
           (long long)dama_block_count(&setup->plan));
    printf("rate       %.1f games/s on %d ranks x %d threads (from %llu games played now)\n",
           e.games_per_second * dama_comm_size(), dama_comm_size(), setup->threads,
           (unsigned long long)e.sample_games);
    printf("time       %.0f s\n", all_ranks);
    printf("positions  %.0f\n", e.rows_per_game * (double)setup->plan.games);
    printf("disk       %.1f MB\n", e.bytes / 1e6);
    return DAMA_OK;
}

static enum dama_status lock_run(const char *out, struct dama_error *err)
{
    DAMA_TRY(dama_folder_make(out, err));
    return dama_run_lock(out, err);
}

static enum dama_status play(const struct arguments *a, const struct dama_selfplay_setup *setup,
                             struct dama_error *err)
{
    bool is_first = dama_comm_rank() == 0;
    DAMA_TRY(dama_comm_agree(is_first ? lock_run(a->out, err) : DAMA_OK, err));
    dama_stop_install();
    if (is_first) {
        char log[DAMA_PATH_SIZE];
        snprintf(log, sizeof log, "%s/log.jsonl", a->out);
        dama_log_open(log);
    }
    struct dama_selfplay_summary summary;
    DAMA_TRY(dama_selfplay_run(setup, &summary, err));
    if (is_first && a->json) {
        print_summary_json(&summary);
    } else if (is_first) {
        print_summary(&summary, a->out);
    }
    if (is_first && summary.distinct_games < summary.games) {
        dama_log_warn("%llu of %llu games are repeated; more random_plies or a wider "
                      "opening_window gives more openings",
                      (unsigned long long)(summary.games - summary.distinct_games),
                      (unsigned long long)summary.games);
    }
    return DAMA_OK;
}

int dama_verb_selfplay(int argc, char **argv)
{
    struct arguments a = parse(argc, argv);
    struct dama_error err = {0};
    struct dama_run_inputs inputs;
    if (!a.out && !a.plan) {
        dama_fail(&err, DAMA_USAGE, "--out RUN is missing");
        return dama_verb_fail(&err);
    }
    if (dama_run_inputs_load(&a.run, &inputs, &err) != DAMA_OK) {
        return dama_verb_fail(&err);
    }
    struct dama_selfplay_setup setup = {
        .ruleset = &inputs.ruleset,
        .weights = &inputs.weights,
        .config = &inputs.config,
        .folder = a.out,
        .run = a.out,
        .plan = {.games = inputs.config.games, .block_games = inputs.config.block_games},
        .threads = dama_comm_threads(a.threads),
    };
    enum dama_status status = DAMA_OK;
    if (!a.plan) {
        status = play(&a, &setup, &err);
    } else if (dama_comm_rank() == 0) {
        status = print_plan(&setup, a.json, &err);
    }
    return status == DAMA_OK ? DAMA_EXIT_DONE : dama_verb_fail(&err);
}
