/* dama calibrate: measures the levels of variants and proposes better ones. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cluster/comm.h"
#include "cluster/log.h"
#include "cluster/run_folder.h"
#include "cluster/run_inputs.h"
#include "eval/calibrate.h"
#include "eval/eval_verbs.h"

enum { PAIRS = 150, PROBE_PAIRS = 40, TIMED_MOVES = 300, SEED = 1 };
/* easy and medium answer within this, 99 times in 100. */
static const double time_limit_ms = 50;

struct arguments {
    struct dama_run_options run;
    int64_t pairs, probe_pairs, seed, threads;
    const char *file;
    bool all, only_measure, json;
};

static const char calibrate_details[] =
    "Three steps: easy against beginner (to score 40 to 80 %), medium against easy and hard "
    "against medium (65 to 95 % each). Unless --measure is given, node limits are tried by matches "
    "of --probe-pairs until each step is near the middle; then each step is measured with --pairs "
    "on openings that were not tried. --write puts the result into a levels file, such as "
    "configs/levels.conf of the sources, which the build compiles in. Run it after new tables. The "
    "exit status is 1 when a step is out of its range.";

static struct arguments parse(int argc, char **argv)
{
    struct arguments a = {.pairs = PAIRS, .probe_pairs = PROBE_PAIRS, .seed = SEED};
    const struct dama_option options[] = {
        dama_option_variant(&a.run.common),
        {"all", DAMA_OPTION_FLAG, &a.all, NULL, "every built-in rule set", 0, 0},
        dama_option_weights(&a.run.common, "the table of the levels; default shipped"),
        {"measure", DAMA_OPTION_FLAG, &a.only_measure, NULL, "the levels as they are", 0, 0},
        {"pairs", DAMA_OPTION_INT, &a.pairs, "N", "pairs that measure a step (default 150)", 1,
         1000000},
        {"probe-pairs", DAMA_OPTION_INT, &a.probe_pairs, "N",
         "pairs that try a node limit (default 40)", 1, 1000000},
        {"seed", DAMA_OPTION_INT, &a.seed, "N", "of openings and of levels (default 1)", 0,
         INT32_MAX},
        {"write", DAMA_OPTION_TEXT, &a.file, "FILE", "the levels file to change", 0, 0},
        dama_option_threads(&a.threads, "playing threads of a rank"),
        dama_option_set(&a.run.sets),
        dama_option_json(&a.json, "a JSON object per variant"),
        {0},
    };
    const struct dama_usage usage = {
        .verb = "calibrate",
        .arguments = "",
        .summary = "Measure the steps between the levels and set their node limits.",
        .details = calibrate_details,
        .options = options,
    };
    dama_options_parse(&usage, argc, argv, NULL);
    if (a.all == (a.run.common.variant != NULL)) {
        dama_options_fail(&usage, "expected either --variant NAME or --all");
    }
    return a;
}

static void print(const char *variant, const struct dama_calibration *calibration, const double *ms)
{
    for (int i = 0; i < DAMA_CALIBRATION_STEP_COUNT; i++) {
        const struct dama_calibration_step *step = &calibration->steps[i];
        const struct dama_level *level = &step->level;
        printf("%-15s %-6s nodes %6" PRIu64 " noise %3d margin %3d  %5.1f %% +- %4.1f of %" PRIu64
               " games against %-8s %s; 99 %% of moves within %.2f ms\n",
               variant, level->name, level->nodes, level->noise, level->margin, step->percent,
               step->error, step->games, dama_calibration_opponent(i),
               step->is_good ? "in range" : "OUT OF RANGE", ms[i]);
    }
}

static void print_json(const char *variant, const struct dama_calibration *calibration,
                       const double *ms)
{
    printf("{\"variant\":\"%s\",\"steps\":[", variant);
    for (int i = 0; i < DAMA_CALIBRATION_STEP_COUNT; i++) {
        const struct dama_calibration_step *step = &calibration->steps[i];
        const struct dama_level *level = &step->level;
        printf("%s{\"level\":\"%s\",\"against\":\"%s\",\"nodes\":%" PRIu64
               ",\"depth\":%d,\"noise\":%d,\"margin\":%d,\"games\":%" PRIu64
               ",\"percent\":%.2f,\"error\":%.2f,\"good\":%s,\"ms_99\":%.3f}",
               i ? "," : "", level->name, dama_calibration_opponent(i), level->nodes, level->depth,
               level->noise, level->margin, step->games, step->percent, step->error,
               step->is_good ? "true" : "false", ms[i]);
    }
    printf("]}\n");
}

static enum dama_status finish(const struct arguments *a,
                               const struct dama_calibration_setup *setup,
                               const struct dama_calibration *calibration, struct dama_error *err)
{
    const char *variant = setup->match.ruleset->rules.name;
    double ms[DAMA_CALIBRATION_STEP_COUNT];
    for (int i = 0; i < DAMA_CALIBRATION_STEP_COUNT; i++) {
        const struct dama_level *level = &calibration->steps[i].level;
        DAMA_TRY(dama_calibration_time(setup, level, TIMED_MOVES, &ms[i], err));
        if (i + 1 < DAMA_CALIBRATION_STEP_COUNT && ms[i] > time_limit_ms) {
            dama_log_warn("%s: 1 of 100 moves of %s takes longer than %.1f ms, expected %.0f ms",
                          variant, level->name, ms[i], time_limit_ms);
        }
    }
    if (a->json) {
        print_json(variant, calibration, ms);
    } else {
        print(variant, calibration, ms);
    }
    fflush(stdout);
    return a->file ? dama_calibration_write(a->file, variant, calibration, err) : DAMA_OK;
}

/* *all_good is cleared by a step that is out of range. */
static enum dama_status calibrate(const struct arguments *a, const char *variant, bool *all_good,
                                  struct dama_error *err)
{
    struct dama_run_inputs inputs;
    struct dama_run_options options = a->run;
    struct dama_weights hand_set;
    struct dama_calibration calibration;
    options.common.variant = variant;
    DAMA_TRY(dama_run_inputs_load(&options, &inputs, err));
    dama_weights_hand_set(&inputs.ruleset.rules, &hand_set);
    const struct dama_run_config *config = &inputs.config;
    const struct dama_calibration_setup setup = {
        .match = {.ruleset = &inputs.ruleset,
                  .draws = dama_run_config_draws(config, &inputs.ruleset.rules),
                  .table_kb = (size_t)config->table_kb,
                  .random_plies = (int)config->random_plies,
                  .opening_window = (int)config->opening_window,
                  .max_plies = (int)config->max_plies,
                  .threads = dama_comm_threads(a->threads)},
        .weights = &inputs.weights,
        .beginner_weights = &hand_set,
        .seed = (uint64_t)a->seed,
        .pairs = a->pairs,
        .probe_pairs = a->only_measure ? 0 : a->probe_pairs,
    };
    DAMA_TRY(dama_calibrate(&setup, &calibration, err));
    for (int i = 0; i < DAMA_CALIBRATION_STEP_COUNT; i++) {
        *all_good &= calibration.steps[i].is_good;
    }
    return dama_comm_agree(dama_comm_rank() == 0 ? finish(a, &setup, &calibration, err) : DAMA_OK,
                           err);
}

/* Collective: hours of play are not for a file that cannot take their result. */
static enum dama_status check_file(const struct arguments *a, struct dama_error *err)
{
    bool is_asked = dama_comm_rank() == 0 && a->file;
    return dama_comm_agree(is_asked ? dama_calibration_check_file(a->file, err) : DAMA_OK, err);
}

int dama_verb_calibrate(int argc, char **argv)
{
    struct arguments a = parse(argc, argv);
    struct dama_error err = {0};
    bool all_good = true;
    dama_stop_install();
    if (check_file(&a, &err) != DAMA_OK) {
        return dama_verb_fail(&err);
    }
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        const char *variant = a.all ? dama_rules_builtin(i)->name : a.run.common.variant;
        if (calibrate(&a, variant, &all_good, &err) != DAMA_OK) {
            return dama_verb_fail(&err);
        }
        if (!a.all) {
            break;
        }
    }
    return all_good ? DAMA_EXIT_DONE : DAMA_EXIT_FAILED;
}
