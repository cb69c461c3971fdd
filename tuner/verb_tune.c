/* dama tune: fits a weight table to self-play games. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cluster/comm.h"
#include "cluster/run_folder.h"
#include "cluster/run_inputs.h"
#include "tuner/tune.h"
#include "tuner/tuner_verbs.h"

struct arguments {
    struct dama_texts folders;
    struct dama_tune_setup setup;
    const char *out;
    const char *run;
    const char *config_file;
    struct dama_texts sets;
    /* What a run file may say as well; NOT_GIVEN and NAN where no option says it. */
    int64_t score_cap, rows_per_game, skip_plies, max_ply;
    double ridge, holdout;
    int64_t threads, generation;
    bool json;
};

enum { NOT_GIVEN = -1 };

enum { SCORE_MAX = 32000, PLIES_MAX = 60000 };

static const struct dama_usage usage = {
    .verb = "tune",
    .arguments = "DIR...",
    .summary = "Fit a weight table to the self-play games in every shards/ at or below DIR.",
    .details =
        "Logistic regression of results on the evaluation's features by Newton's method. The "
        "table goes to FILE, the whole account beside it (NAME.tune.json of NAME.dama, tune.json "
        "of weights.dama); nothing is written when the fit fails. Under mpirun or srun the ranks "
        "share the work; the files are "
        "the same bytes for any number of ranks and threads.\n\n"
        "Until the table is there FILE.fit keeps the passes over the games that are done: after a "
        "kill or a stop (SIGUSR1, SIGTERM or SIGINT; exit status 75) the same command reads the "
        "games again, goes on behind those passes and writes the bytes of a fit that was not "
        "disturbed.\n\n"
        "The ridge X adds to the loss of a game X/2 times the squared distance of each weight "
        "from its parent's, counted in half men. Weights that are frozen, or that no position "
        "shows, keep the parent's value.",
    .least = 1,
    .most = DAMA_TEXTS_MAX,
};

static void check_ranges(const struct dama_usage *shown, const struct arguments *a)
{
    if (!a->out) {
        dama_options_fail(shown, "--out FILE is missing");
    }
    if (a->ridge < 0 || a->ridge > 1e9) {
        dama_options_fail(shown, "--ridge: expected 0 to 1e9, found %g", a->ridge);
    }
    if (a->holdout < 0 || a->holdout > 0.9) {
        dama_options_fail(shown, "--holdout: expected 0 to 0.9, found %g", a->holdout);
    }
    if (a->setup.step > 1e9) {
        dama_options_fail(shown, "--step: expected at most 1e9, found %g", a->setup.step);
    }
}

/* Fills what the options say; a usage error ends the program. */
static void parse(int argc, char **argv, struct arguments *a)
{
    struct dama_tune_setup *setup = &a->setup;
    struct dama_sample_filter *filter = &setup->filter;
    const struct dama_option options[] = {
        {"out", DAMA_OPTION_TEXT, &a->out, "FILE", "the table to write", 0, 0},
        {"only", DAMA_OPTION_TEXT, &setup->only, "GROUP,..", "fit these feature groups alone", 0,
         0},
        {"freeze", DAMA_OPTION_TEXT, &setup->freeze, "GROUP,..", "keep these at the parent's", 0,
         0},
        {"parent", DAMA_OPTION_TEXT, &setup->common.weights, "FILE|material|shipped",
         "the previous table (default: the one that played, else material)", 0, 0},
        {"variant", DAMA_OPTION_TEXT, &setup->common.variant, "NAME",
         "the rules (default: those of the games)", 0, 0},
        {"rules", DAMA_OPTION_TEXT, &setup->common.rules_file, "FILE", "the rules from a file", 0,
         0},
        dama_option_config(&a->config_file),
        dama_option_set(&a->sets),
        {"ridge", DAMA_OPTION_NUMBER, &a->ridge, "X", "pull towards the parent; 0 is none", 0, 0},
        {"step", DAMA_OPTION_POSITIVE, &setup->step, "X",
         "take X times Newton's step and never shorten it", 0, 0},
        {"holdout", DAMA_OPTION_NUMBER, &a->holdout, "X", "share of games held out", 0, 0},
        {"score-cap", DAMA_OPTION_INT, &a->score_cap, "N",
         "leave out rows with a score beyond this; 0 is none", 0, SCORE_MAX},
        {"rows-per-game", DAMA_OPTION_INT, &a->rows_per_game, "N", "rows of a game; 0 is all", 0,
         PLIES_MAX},
        {"skip-plies", DAMA_OPTION_INT, &a->skip_plies, "N", "leave out rows before this ply", 0,
         PLIES_MAX},
        {"max-ply", DAMA_OPTION_INT, &a->max_ply, "N", "leave out rows from this ply on", 0,
         PLIES_MAX},
        {"include-capped", DAMA_OPTION_FLAG, &filter->include_capped, NULL,
         "use games that stopped at the ply cap, as draws", 0, 0},
        {"skip-damaged", DAMA_OPTION_FLAG, &setup->skip_damaged, NULL,
         "go on without shards that are damaged", 0, 0},
        {"run", DAMA_OPTION_TEXT, &a->run, "NAME", "lineage: name (default: of the last DIR)", 0,
         0},
        {"generation", DAMA_OPTION_INT, &a->generation, "N", "lineage: generation", 0, INT32_MAX},
        dama_option_threads(&a->threads, "working threads of a rank"),
        dama_option_json(&a->json, "print that account instead of text"),
        {0},
    };
    struct dama_usage with_options = usage;
    with_options.options = options;
    dama_options_parse(&with_options, argc, argv, &a->folders);
    check_ranges(&with_options, a);
}

/* What rank 0 finds out for all: what a run file may say, and the run's name. */
struct choices {
    char variant[DAMA_NAME_SIZE]; /* empty: that of the games */
    struct dama_sample_filter filter;
    double ridge;
    char run[sizeof((struct dama_lineage){0}.run)];
};

/* The name of the last folder, also when it is given as "." or with a slash at its end. */
static void run_name(const struct arguments *a, char *out, size_t size)
{
    char *path = realpath(a->folders.at[a->folders.count - 1], NULL);
    const char *slash = path ? strrchr(path, '/') : NULL;
    snprintf(out, size, "%s", a->run ? a->run : slash ? slash + 1 : "");
    free(path);
}

/* Rank 0 reads the run file; options go before --set, and --set before the file. */
static enum dama_status read_choices(const struct arguments *a, struct choices *out,
                                     struct dama_error *err)
{
    struct dama_run_config config;
    DAMA_TRY(dama_run_config_read(&config, a->config_file, &a->sets, err));
    struct dama_common common = a->setup.common;
    DAMA_TRY(dama_run_inputs_variant(&config, &common, err));
    int64_t score_cap = a->score_cap == NOT_GIVEN ? config.score_cap : a->score_cap;
    int64_t rows = a->rows_per_game == NOT_GIVEN ? config.rows_per_game : a->rows_per_game;
    int64_t skip = a->skip_plies == NOT_GIVEN ? config.tune_skip_plies : a->skip_plies;
    int64_t most = a->max_ply == NOT_GIVEN ? config.tune_max_ply : a->max_ply;
    *out = (struct choices){.ridge = isnan(a->ridge) ? config.ridge : a->ridge,
                            .filter = {.score_cap = (int)score_cap,
                                       .rows_per_game = (int)rows,
                                       .skip_plies = (int)skip,
                                       .max_ply = (int)most,
                                       .include_capped = a->setup.filter.include_capped,
                                       .holdout = isnan(a->holdout) ? config.holdout : a->holdout}};
    snprintf(out->variant, sizeof out->variant, "%s", common.variant ? common.variant : "");
    run_name(a, out->run, sizeof out->run);
    return DAMA_OK;
}

/* Collective. */
static enum dama_status share_choices(struct arguments *a, struct choices *choices,
                                      struct dama_error *err)
{
    bool is_first = dama_comm_rank() == 0;
    DAMA_TRY(dama_comm_agree(is_first ? read_choices(a, choices, err) : DAMA_OK, err));
    dama_comm_broadcast(choices, sizeof *choices);
    a->setup.common.variant = choices->variant[0] ? choices->variant : NULL;
    a->setup.filter = choices->filter;
    a->setup.ridge = choices->ridge;
    a->setup.run = choices->run;
    return DAMA_OK;
}

/* Finds out before the work that its result can be written. */
static enum dama_status check_out(const char *path, struct dama_error *err)
{
    char folder[4096];
    const char *slash = strrchr(path, '/');
    int length = slash ? (int)(slash - path) + 1 : 0;
    if ((size_t)snprintf(folder, sizeof folder, "%.*s.", length, path) >= sizeof folder ||
        access(folder, W_OK) != 0) {
        return dama_fail(err, DAMA_IO, "%s: expected a folder that can be written to", path);
    }
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        return dama_fail(err, DAMA_IO, "%s: expected a file to replace, found something else",
                         path);
    }
    return dama_run_check_target(path, err);
}

static enum dama_status tune(struct arguments *a, struct dama_tune_result *result,
                             struct dama_error *err)
{
    bool is_first = dama_comm_rank() == 0;
    struct choices choices = {0};
    dama_stop_install();
    DAMA_TRY(share_choices(a, &choices, err));
    DAMA_TRY(dama_comm_agree(is_first ? check_out(a->out, err) : DAMA_OK, err));
    DAMA_TRY(dama_tune_run(&a->setup, result, err));
    enum dama_status status = is_first ? dama_tune_save(result, a->out, err) : DAMA_OK;
    return dama_comm_agree(status, err);
}

static void print_result(const struct arguments *a, const struct dama_tune_result *result)
{
    if (a->json) {
        dama_tune_print_json(result, stdout);
    } else {
        dama_tune_print(result, stdout);
        bool is_builtin = dama_rules_find(result->ruleset.rules.name) != NULL;
        printf("next      dama match %s %s --a %s --b %s --pairs 200\n",
               is_builtin ? "--variant" : "--rules",
               is_builtin ? result->ruleset.rules.name : "FILE", a->out,
               a->setup.common.weights ? a->setup.common.weights : "material");
    }
}

static int run_tune(int argc, char **argv)
{
    struct arguments a = {.score_cap = NOT_GIVEN,
                          .rows_per_game = NOT_GIVEN,
                          .skip_plies = NOT_GIVEN,
                          .max_ply = NOT_GIVEN,
                          .ridge = NAN,
                          .holdout = NAN};
    parse(argc, argv, &a);
    a.setup.folders = a.folders.at;
    a.setup.folder_count = a.folders.count;
    a.setup.threads = dama_comm_threads(a.threads);
    a.setup.generation = (uint32_t)a.generation;
    a.setup.table_path = a.out;

    struct dama_tune_result result = {0};
    struct dama_error err = {0};
    enum dama_status status = tune(&a, &result, &err);
    bool is_first = dama_comm_rank() == 0;
    if (status == DAMA_OK && is_first) {
        print_result(&a, &result);
    }
    dama_tune_free(&result);
    if (status == DAMA_OK) {
        return DAMA_EXIT_DONE;
    }
    /* All ranks have the same failure: the first says so. */
    return dama_verb_fail(&err);
}

const struct dama_verb dama_tuner_verbs[] = {
    {.name = "tune",
     .summary = "fit a weight table to self-play games",
     .run = run_tune,
     .shares_work = true},
    {.name = "data",
     .summary = "what self-play games hold for a fit, before it",
     .run = dama_verb_data},
    {0},
};
