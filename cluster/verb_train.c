/* dama train: the loop from rules to a tuned table, and its plain summary. */
#include <stdio.h>
#include <stdlib.h>

#include "cluster/cluster_verbs.h"
#include "cluster/comm.h"
#include "cluster/log.h"
#include "cluster/run_folder.h"
#include "cluster/train.h"

struct arguments {
    struct dama_run_options run;
    const char *out;
    int64_t threads;
    bool json;
};

static struct arguments parse(int argc, char **argv)
{
    struct arguments a = {.run = {.default_weights = "material"}};
    const struct dama_option options[] = {
        {"rules", DAMA_OPTION_TEXT, &a.run.common.rules_file, "FILE",
         "a rules file, in place of VARIANT", 0, 0},
        dama_option_weights(&a.run.common,
                            "the table that the training starts from (default material)"),
        {"out", DAMA_OPTION_TEXT, &a.out, "RUN", "the run's folder", 0, 0},
        dama_option_config(&a.run.config_file),
        dama_option_set(&a.run.sets),
        dama_option_threads(&a.threads, "playing threads of a rank"),
        dama_option_json(&a.json, "the summary as JSON"),
        {0},
    };
    const struct dama_usage usage = {
        .verb = "train",
        .arguments = "[VARIANT]",
        .summary = "Train a weight table: self-play, tune, match, promote, for some generations.",
        .details =
            "The same command goes on after any stop, and only does what the files of RUN do "
            "not show yet. Under mpirun or srun the ranks share all work.",
        .options = options,
        .most = 1,
    };
    struct dama_texts rest = {0};
    dama_options_parse(&usage, argc, argv, &rest);
    a.run.common.variant = rest.count ? rest.at[0] : NULL;
    return a;
}

static void print_match(const char *title, const struct dama_match_result *r)
{
    printf("%s  +%llu =%llu -%llu, Elo %+.1f, 95 %% interval [%+.1f, %+.1f]\n", title,
           (unsigned long long)r->wdl.wins, (unsigned long long)r->wdl.draws,
           (unsigned long long)r->wdl.losses, r->elo.elo, r->elo.low, r->elo.high);
}

static void print_weight(const struct dama_weights *weights, int index)
{
    char name[64];
    dama_feature_name(index, name, sizeof name);
    printf("             %-16s %6d %6d\n", name, weights->w[0][index], weights->w[1][index]);
}

/* The weights that a player asks for first; all of them are in tune.json and in weights show. */
static void print_weights(const struct dama_weights *weights)
{
    static const int shown[] = {DAMA_FEATURE_man,        DAMA_FEATURE_king,
                                DAMA_FEATURE_first_king, DAMA_FEATURE_back_row_last,
                                DAMA_FEATURE_centre,     DAMA_FEATURE_mobility};
    printf("weights      first phase, last phase (hundredths of a man)\n");
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        print_weight(weights, shown[i]);
    }
}

static void print_summary(const struct arguments *a, const struct dama_run_inputs *inputs,
                          const struct dama_train_result *r)
{
    const char *variant = inputs->ruleset.rules.name;
    printf("variant      %s, generations %d, games in each %lld\n", variant, r->generations,
           (long long)inputs->config.games);
    print_match("last match ", &r->last.match);
    printf("log-loss     %.5f of %s positions; of the constant predictor %.5f\n", r->last.loss,
           r->last.is_held_out ? "held-out" : "fitted", r->last.constant_loss);
    if (r->best < 0) {
        printf("result       no generation was promoted; the start table stands\n");
        printf("next         more games: --set games=N in another --out\n");
        return;
    }
    print_match("final match", &r->final);
    if (r->final.elo.low <= 0) {
        printf("warning      the interval reaches 0: this table is not shown to be stronger than "
               "the one the "
               "training started from\n");
    }
    print_weights(&r->weights);
    printf("table        %s\n", r->table);
    printf("report       %s/report.html\n", a->out);
    const char *file = a->run.common.rules_file;
    printf("next         dama weights show %s%s%s%s\n", file ? "--rules " : "", file ? file : "",
           file ? " " : "", r->table);
    printf("             dama play %s %s --level hard --weights %s\n",
           file ? "--rules" : "--variant", file ? file : variant, r->table);
    printf("             more generations: the same command with --set generations=%d\n",
           r->generations + 1);
}

static void print_json(const struct dama_train_result *r)
{
    printf("{\"generations\":%d,\"best\":%d,\"table\":", r->generations, r->best);
    if (r->best < 0) {
        printf("null,\"final\":null}\n");
        return;
    }
    printf("\"%s\",\"final\":{\"wins\":%llu,\"draws\":%llu,\"losses\":%llu,\"elo\":%.2f,"
           "\"elo_low\":%.2f,\"elo_high\":%.2f}}\n",
           r->table, (unsigned long long)r->final.wdl.wins, (unsigned long long)r->final.wdl.draws,
           (unsigned long long)r->final.wdl.losses, r->final.elo.elo, r->final.elo.low,
           r->final.elo.high);
}

static enum dama_status open_run(const char *out, struct dama_error *err)
{
    char log[DAMA_TRAIN_PATH_SIZE];
    DAMA_TRY(dama_folder_make(out, err));
    DAMA_TRY(dama_run_lock(out, err));
    snprintf(log, sizeof log, "%s/log.jsonl", out);
    dama_log_open(log);
    return DAMA_OK;
}

static enum dama_status train(const struct arguments *a, struct dama_run_inputs *inputs,
                              struct dama_error *err)
{
    bool is_first = dama_comm_rank() == 0;
    DAMA_TRY(dama_run_inputs_load(&a->run, inputs, err));
    DAMA_TRY(dama_comm_agree(is_first ? open_run(a->out, err) : DAMA_OK, err));
    dama_stop_install();
    const struct dama_train_setup setup = {
        .inputs = inputs, .run = a->out, .threads = dama_comm_threads(a->threads)};
    struct dama_train_result *result = calloc(1, sizeof *result);
    DAMA_TRY(dama_comm_agree(
        result ? DAMA_OK : dama_fail(err, DAMA_MEMORY, "no memory for a training"), err));
    enum dama_status status = dama_train_run(&setup, result, err);
    if (status == DAMA_OK && is_first) {
        if (a->json) {
            print_json(result);
        } else {
            print_summary(a, inputs, result);
        }
    }
    free(result);
    return status;
}

int dama_verb_train(int argc, char **argv)
{
    struct arguments a = parse(argc, argv);
    struct dama_error err = {0};
    struct dama_run_inputs inputs;
    if (!a.out) {
        dama_fail(&err, DAMA_USAGE, "--out RUN is missing");
        return dama_verb_fail(&err);
    }
    enum dama_status status = train(&a, &inputs, &err);
    return status == DAMA_OK ? DAMA_EXIT_DONE : dama_verb_fail(&err);
}
