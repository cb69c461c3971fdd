/* dama match: A against B over pairs of games. */
#include "eval/match.h"

#include <math.h>
#include <stdio.h>

#include "cluster/comm.h"
#include "cluster/log.h"
#include "cluster/run_folder.h"
#include "cluster/run_inputs.h"
#include "eval/eval_verbs.h"
#include "eval/match_plan.h"
#include "eval/match_report.h"
#include "eval/opening_set.h"
#include "eval/player_spec.h"

/* An option that was not given: the run key's value holds. */
enum { NOT_GIVEN = -1, KEY_SIZE = 80, SECONDS_MAX = 1000000 };

struct arguments {
    struct dama_run_options run;
    const char *names[2];
    int64_t pairs, seed, nodes, depth, threads;
    int64_t table_kb, opening_window, random_plies, max_plies;
    const char *openings; /* NULL: random */
    int64_t opening_plies;
    const char *draw_rules;
    double time;                    /* seconds a move; 0: none */
    double clock, increment;        /* seconds of a game and for each move; 0: none */
    double patience, margin;        /* seconds; 0: the match's own */
    double elo0, elo1, alpha, beta; /* NAN: not given */
    const char *model;
    const char *pdn;
    const char *out;
    double draw_ratio; /* NAN: not given */
    bool plan, json;
};

static const char match_details[] =
    "X and Y are material, hand-set, shipped, a level (easy, medium, hard), beginner (2 plies, one "
    "move in six is any), random, the file of a table, or an external engine. A level plays with "
    "--weights (default shipped), beginner with the hand-set table by its own limits always. Game "
    "2k and game 2k+1 are a pair: one opening, A moves first in the former, B in the latter. "
    "Without --nodes, --depth, --time or --clock a level plays by its own limits and everyone else "
    "by match_nodes. With --elo0 or --elo1 the match ends at the first pair, in order, at which "
    "the sequential test decides; otherwise all pairs are played. Under node and depth limits the "
    "result is the same for any number of ranks and threads; under time limits it is not "
    "reproducible.\n\n"
    "--openings two-move and three-move are all starts of so many plies that lose nothing by a "
    "search, ballots the eleven-man ballots (American, Italian), biased random plies of a score "
    "within the window that decides most pairs (dama openings). A FILE has a FEN a line, or is "
    "PDN. Each opening of a list is used once, in an order of the seed, before any comes again.\n\n"
    "An external engine is engine:PATH, another build of dama-engine, or hub:COMMAND, a program "
    "that speaks the Hub protocol (version 2). \";name=value\" behind it sets a parameter, "
    "\";dir=FOLDER\" where it runs; no shell reads COMMAND. Each playing thread starts its own; a "
    "single legal move is played without asking. An engine that crashes, hangs, answers too late, "
    "with an illegal move or with no move has lost that game: the fault is named and counted, the "
    "engine is started again if need be, and the match goes on.";

static const struct dama_usage match_usage = {
    .verb = "match",
    .arguments = "",
    .summary = "Play two tables, levels or engines against each other.",
    .details = match_details,
};

static const struct arguments nothing_given = {
    .pairs = NOT_GIVEN,
    .seed = NOT_GIVEN,
    .table_kb = NOT_GIVEN,
    .opening_window = NOT_GIVEN,
    .random_plies = NOT_GIVEN,
    .max_plies = NOT_GIVEN,
    .elo0 = NAN,
    .elo1 = NAN,
    .alpha = NAN,
    .beta = NAN,
    .draw_ratio = NAN,
};

static void check_seconds(const struct dama_usage *usage, const char *option, double seconds)
{
    if (seconds < 0 || (seconds > 0 && seconds < 0.001) || seconds > SECONDS_MAX) {
        dama_options_fail(usage, "--%s: expected 0.001 to %d s, found %g", option, SECONDS_MAX,
                          seconds);
    }
}

static void check_arguments(const struct dama_usage *usage, const struct arguments *a)
{
    if (!a->names[0] || !a->names[1]) {
        dama_options_fail(usage, "expected --a X and --b Y");
    }
    check_seconds(usage, "time", a->time);
    check_seconds(usage, "clock", a->clock);
    check_seconds(usage, "inc", a->increment);
    check_seconds(usage, "patience", a->patience);
    check_seconds(usage, "margin", a->margin);
    if (!isnan(a->draw_ratio) && !(a->plan && a->draw_ratio >= 0 && a->draw_ratio < 1)) {
        dama_options_fail(usage, "--draw-ratio: expected --plan and 0 to below 1, found %g",
                          a->draw_ratio);
    }
    if (a->increment > 0 && a->clock <= 0) {
        dama_options_fail(usage, "--inc belongs to --clock, found none");
    }
}

static struct arguments parse(int argc, char **argv)
{
    struct arguments a = nothing_given;
    const struct dama_option options[] = {
        dama_option_variant(&a.run.common),
        dama_option_rules(&a.run.common),
        {"a", DAMA_OPTION_TEXT, &a.names[0], "X", "the player for whom all is counted", 0, 0},
        {"b", DAMA_OPTION_TEXT, &a.names[1], "Y", "its opponent", 0, 0},
        dama_option_weights(&a.run.common, "the table that levels play with"),
        {"pairs", DAMA_OPTION_INT, &a.pairs, "N", "pairs of games", 1, 10000000},
        dama_option_seed(&a.seed, "of openings and of levels"),
        {"nodes", DAMA_OPTION_INT, &a.nodes, "N", "nodes a move", 1, INT64_MAX},
        {"depth", DAMA_OPTION_INT, &a.depth, "N", "plies a move", 1, DAMA_DEPTH_MAX},
        {"time", DAMA_OPTION_POSITIVE, &a.time, "S", "seconds a move; not reproducible", 0, 0},
        {"clock", DAMA_OPTION_POSITIVE, &a.clock, "S", "seconds for all moves of a game", 0, 0},
        {"inc", DAMA_OPTION_NUMBER, &a.increment, "S", "seconds got with each move", 0, 0},
        {"margin", DAMA_OPTION_POSITIVE, &a.margin, "S",
         "a move later than this has lost on time (default 0.1)", 0, 0},
        {"patience", DAMA_OPTION_POSITIVE, &a.patience, "S",
         "an engine without an answer for so long is killed (default 20)", 0, 0},
        dama_option_threads(&a.threads, "playing threads of a rank"),
        {"draw-rules", DAMA_OPTION_TEXT, &a.draw_rules, "site|federation", "which draws", 0, 0},
        {"table-kb", DAMA_OPTION_INT, &a.table_kb, "N", "table of a player, KiB", DAMA_TABLE_KB_MIN,
         DAMA_TABLE_KB_MAX},
        {"openings", DAMA_OPTION_TEXT, &a.openings, "WHICH",
         "random (default), two-move, three-move, ballots, biased[:LOW-HIGH], or a file", 0, 0},
        {"opening-plies", DAMA_OPTION_INT, &a.opening_plies, "N",
         "plies taken of each game of a PDN file (default all)", 1, 400},
        {"opening-window", DAMA_OPTION_INT, &a.opening_window, "N",
         "an opening's score is within this; 0 takes any", 0, 20000},
        {"random-plies", DAMA_OPTION_INT, &a.random_plies, "N", "plies of an opening", 0, 40},
        {"max-plies", DAMA_OPTION_INT, &a.max_plies, "N", "ply cap of a game", 2, 60000},
        {"elo0", DAMA_OPTION_NUMBER, &a.elo0, "E", "sequential test: H0 (default 0)", 0, 0},
        {"elo1", DAMA_OPTION_NUMBER, &a.elo1, "E", "sequential test: H1 (default 10)", 0, 0},
        {"alpha", DAMA_OPTION_NUMBER, &a.alpha, "P", "H1 taken wrongly (default 0.05)", 0, 0},
        {"beta", DAMA_OPTION_NUMBER, &a.beta, "P", "H0 taken wrongly (default 0.05)", 0, 0},
        {"model", DAMA_OPTION_TEXT, &a.model, "normalised|logistic",
         "what the test's Elo means (default normalised)", 0, 0},
        {"plan", DAMA_OPTION_FLAG, &a.plan, NULL,
         "how long the sequential test will take, from a few pairs or --draw-ratio", 0, 0},
        {"draw-ratio", DAMA_OPTION_NUMBER, &a.draw_ratio, "P", "with --plan: drawn games, 0 to 1",
         0, 0},
        {"pdn", DAMA_OPTION_TEXT, &a.pdn, "FILE", "write the games, in order", 0, 0},
        {"out", DAMA_OPTION_TEXT, &a.out, "DIR",
         "keep finished pairs; the same command goes on where it stopped", 0, 0},
        dama_option_config(&a.run.config_file),
        dama_option_set(&a.run.sets),
        dama_option_json(&a.json, "the result as JSON"),
        {0},
    };
    struct dama_usage usage = match_usage;
    usage.options = options;
    dama_options_parse(&usage, argc, argv, NULL);
    check_arguments(&usage, &a);
    if (!dama_player_spec_is_level(a.names[0]) && !dama_player_spec_is_level(a.names[1])) {
        a.run.default_weights = "material"; /* nobody asks for it, and none need be shipped */
    }
    return a;
}

/* Options over run keys. */
static void apply_options(const struct arguments *a, struct dama_run_config *config)
{
    const struct {
        int64_t given;
        int64_t *key;
    } keys[] = {
        {a->pairs, &config->match_pairs},         {a->seed, &config->seed},
        {a->table_kb, &config->table_kb},         {a->opening_window, &config->opening_window},
        {a->random_plies, &config->random_plies}, {a->max_plies, &config->max_plies},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (keys[i].given != NOT_GIVEN) {
            *keys[i].key = keys[i].given;
        }
    }
}

static enum dama_status find_draw_rules(const struct arguments *a, struct dama_run_inputs *inputs,
                                        enum dama_draw_rules *out, struct dama_error *err)
{
    if (a->draw_rules) {
        char assignment[KEY_SIZE];
        snprintf(assignment, sizeof assignment, "draw_rules=%s", a->draw_rules);
        if (dama_run_config_set(&inputs->config, assignment, NULL) != DAMA_OK) {
            return dama_fail(err, DAMA_USAGE,
                             "--draw-rules: expected site or federation, found '%s'",
                             a->draw_rules);
        }
    }
    *out = dama_run_config_draws(&inputs->config, &inputs->ruleset.rules);
    return DAMA_OK;
}

static double or_default(double given, double value)
{
    return isnan(given) ? value : given;
}

/* *wanted is false without --elo0 and --elo1. */
static enum dama_status find_sprt(const struct arguments *a, const struct dama_run_config *config,
                                  struct dama_sprt *out, bool *wanted, struct dama_error *err)
{
    *wanted = a->plan || !isnan(a->elo0) || !isnan(a->elo1);
    if (!*wanted && (a->model || !isnan(a->alpha) || !isnan(a->beta))) {
        return dama_fail(err, DAMA_USAGE,
                         "--alpha, --beta and --model belong to --elo0 or --elo1, found neither");
    }
    out->elo0 = or_default(a->elo0, config->promote_elo0);
    out->elo1 = or_default(a->elo1, config->promote_elo1);
    out->alpha = or_default(a->alpha, 0.05);
    out->beta = or_default(a->beta, 0.05);
    out->model = DAMA_MODEL_NORMALISED;
    if (a->model && !dama_elo_model_find(a->model, &out->model)) {
        return dama_fail(err, DAMA_USAGE, "--model: expected normalised or logistic, found '%s'",
                         a->model);
    }
    if (!(out->alpha > 0 && out->beta > 0 && out->alpha < 0.5 && out->beta < 0.5)) {
        return dama_fail(err, DAMA_USAGE, "--alpha and --beta: expected between 0 and 0.5");
    }
    if (!(out->elo0 < out->elo1)) {
        return dama_fail(err, DAMA_USAGE, "expected --elo0 below --elo1");
    }
    return DAMA_OK;
}

static int64_t in_ms(double seconds)
{
    return (int64_t)(seconds * 1000 + 0.5);
}

static struct dama_player_limits limits_of(const struct arguments *a)
{
    return (struct dama_player_limits){
        .nodes = (uint64_t)a->nodes,
        .depth = (int)a->depth,
        .time_ms = in_ms(a->time),
        .clock_ms = in_ms(a->clock),
        .inc_ms = in_ms(a->increment),
    };
}

static void warn_of_repeats(const struct dama_match_result *result, uint64_t openings)
{
    uint64_t pairs = dama_pairs_total(&result->pairs);
    if (openings < pairs) {
        dama_log_warn("%llu pairs from %llu openings: each is used %.1f times on average, and "
                      "players without randomness repeat their games",
                      (unsigned long long)pairs, (unsigned long long)openings,
                      (double)pairs / (double)openings);
    }
    if (result->distinct_games < result->games) {
        dama_log_warn("%llu of %llu games are repeated; more --random-plies, a wider "
                      "--opening-window or another --openings gives more openings",
                      (unsigned long long)(result->games - result->distinct_games),
                      (unsigned long long)result->games);
    }
    if (result->twin_pairs) {
        dama_log_warn("in %llu of %llu pairs both games have the same moves: A and B play alike "
                      "there, and the pair says nothing",
                      (unsigned long long)result->twin_pairs, (unsigned long long)pairs);
    }
}

static enum dama_status play(const struct dama_match_setup *setup, bool json,
                             struct dama_error *err)
{
    struct dama_match_result result;
    enum dama_status status = dama_match_run(setup, &result, err);
    if (status != DAMA_OK && status != DAMA_STOPPED) {
        return status;
    }
    if (dama_comm_rank() == 0 && json) {
        dama_match_print_json(setup, &result);
    } else if (dama_comm_rank() == 0) {
        dama_match_print(setup, &result);
    }
    if (dama_comm_rank() == 0) {
        warn_of_repeats(&result, dama_opening_set_size(setup->openings));
    }
    return status;
}

static enum dama_status run(const struct arguments *a, struct dama_error *err)
{
    struct dama_run_inputs inputs;
    struct dama_player_spec specs[2];
    struct dama_sprt sprt;
    bool has_sprt = false;
    struct dama_match_setup setup = {0};
    DAMA_TRY(dama_run_inputs_load(&a->run, &inputs, err));
    struct dama_player_limits limits = limits_of(a);
    for (int i = 0; i < 2; i++) {
        DAMA_TRY(dama_player_spec_read(a->names[i], &a->run.common, &inputs, &specs[i], err));
        setup.players[i] = dama_player_spec_seat(&specs[i], &inputs, &limits);
    }
    apply_options(a, &inputs.config);
    DAMA_TRY(find_draw_rules(a, &inputs, &setup.draws, err));
    DAMA_TRY(find_sprt(a, &inputs.config, &sprt, &has_sprt, err));
    setup.ruleset = &inputs.ruleset;
    setup.pairs = inputs.config.match_pairs;
    setup.seed = (uint64_t)inputs.config.seed;
    setup.table_kb = (size_t)inputs.config.table_kb;
    setup.random_plies = (int)inputs.config.random_plies;
    setup.opening_window = (int)inputs.config.opening_window;
    setup.max_plies = (int)inputs.config.max_plies;
    setup.sprt = has_sprt ? &sprt : NULL;
    setup.threads = dama_comm_threads(a->threads);
    setup.patience_ms = (int)in_ms(a->patience);
    setup.margin_ms = (int)in_ms(a->margin);
    setup.pdn = a->pdn;
    setup.out = a->out;
    dama_stop_install();
    const struct dama_opening_request request = {
        .source = a->openings,
        .random_plies = setup.random_plies,
        .window = setup.opening_window,
        .file_plies = (int)a->opening_plies,
    };
    struct dama_opening_set *openings = dama_opening_set_new(&inputs.ruleset, &request, err);
    if (!openings) {
        return err->status;
    }
    setup.openings = openings;
    const struct dama_match_plan plan = {
        .sprt = &sprt, .draw_ratio = a->draw_ratio, .json = a->json};
    enum dama_status status =
        a->plan ? dama_match_plan_run(&setup, &plan, err) : play(&setup, a->json, err);
    dama_opening_set_free(openings);
    return status;
}

int dama_verb_match(int argc, char **argv)
{
    struct arguments a = parse(argc, argv);
    struct dama_error err = {0};
    return run(&a, &err) == DAMA_OK ? DAMA_EXIT_DONE : dama_verb_fail(&err);
}
