/* dama tune: fits a weight table to self-play games. */
#include <string.h>
#include <unistd.h>

#include "cluster/comm.h"
#include "tuner/tune.h"
#include "tuner/tuner_verbs.h"

struct arguments {
    struct dama_texts folders;
    struct dama_tune_setup setup;
    const char *out;
    const char *run;
    int64_t score_cap, rows_per_game, skip_plies, max_ply, threads, generation;
    bool json;
};

enum { SCORE_MAX = 32000, PLIES_MAX = 60000, THREADS_MAX = 4096 };

static const struct dama_usage usage = {
    .verb = "tune",
    .arguments = "DIR...",
    .summary = "Fit a weight table to the self-play games in every shards/ at or below DIR.",
    .details =
        "Logistic regression of results on the evaluation's features by Newton's method. The "
        "table goes to FILE, the whole account to tune.json beside it; nothing is written "
        "when the fit fails. Under mpirun or srun the ranks share the work; the files are "
        "the same bytes for any number of ranks and threads.\n\n"
        "The ridge X adds to the loss of a game X/2 times the squared distance of each weight "
        "from its parent's, counted in half men. Weights that are frozen, or that no position "
        "shows, keep the parent's value.",
    .least = 1,
    .most = (int)(sizeof((struct dama_texts){0}.at) / sizeof(char *)),
};

/* parse fills what the options say; a usage error ends the program. */
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
        {"ridge", DAMA_OPTION_NUMBER, &setup->ridge, "X", "pull towards the parent; 0 is none", 0,
         0},
        {"step", DAMA_OPTION_NUMBER, &setup->step, "X",
         "take X times Newton's step and never shorten it", 0, 0},
        {"holdout", DAMA_OPTION_NUMBER, &filter->holdout, "X", "share of games held out", 0, 0},
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
        {"threads", DAMA_OPTION_INT, &a->threads, "N", "working threads of a rank", 1, THREADS_MAX},
        {"json", DAMA_OPTION_FLAG, &a->json, NULL, "print tune.json instead of text", 0, 0},
        {0},
    };
    struct dama_usage with_options = usage;
    with_options.options = options;
    dama_options_parse(&with_options, argc, argv, &a->folders);
    if (!a->out) {
        dama_options_fail(&with_options, "--out FILE is missing");
    }
    if (!(setup->ridge >= 0 && setup->ridge <= 1e9)) {
        dama_options_fail(&with_options, "--ridge: expected 0 to 1e9, found %g", setup->ridge);
    }
    if (!(filter->holdout >= 0 && filter->holdout <= 0.9)) {
        dama_options_fail(&with_options, "--holdout: expected 0 to 0.9, found %g", filter->holdout);
    }
    if (!(setup->step >= 0 && setup->step <= 1e9)) {
        dama_options_fail(&with_options, "--step: expected 0 to 1e9, found %g", setup->step);
    }
}

/* The last part of a folder's path, without slashes at its end, is the run's name. */
static void run_name(const char *folder, char *out, size_t size)
{
    size_t end = strlen(folder);
    while (end > 1 && folder[end - 1] == '/') {
        end--;
    }
    size_t first = end;
    while (first > 0 && folder[first - 1] != '/') {
        first--;
    }
    snprintf(out, size, "%.*s", (int)(end - first), folder + first);
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
    return DAMA_OK;
}

static enum dama_status tune(const struct arguments *a, struct dama_tune_result *result,
                             struct dama_error *err)
{
    bool is_first = dama_comm_rank() == 0;
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
        printf("next      dama match --variant %s --a %s --b %s --pairs 200\n",
               result->ruleset.rules.name, a->out,
               a->setup.common.weights ? a->setup.common.weights : "material");
    }
}

static int run_tune(int argc, char **argv)
{
    struct arguments a = {0};
    dama_tune_defaults(&a.setup);
    a.score_cap = a.setup.filter.score_cap;
    a.rows_per_game = a.setup.filter.rows_per_game;
    a.skip_plies = a.setup.filter.skip_plies;
    a.max_ply = a.setup.filter.max_ply;
    parse(argc, argv, &a);
    a.setup.filter.score_cap = (int)a.score_cap;
    a.setup.filter.rows_per_game = (int)a.rows_per_game;
    a.setup.filter.skip_plies = (int)a.skip_plies;
    a.setup.filter.max_ply = (int)a.max_ply;
    a.setup.folders = a.folders.at;
    a.setup.folder_count = a.folders.count;
    a.setup.threads = dama_comm_threads(a.threads);
    a.setup.generation = (uint32_t)a.generation;
    char name[sizeof((struct dama_lineage){0}.run)];
    run_name(a.folders.at[a.folders.count - 1], name, sizeof name);
    a.setup.run = a.run ? a.run : name;

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
    /* All ranks have the same failure: one says so. */
    return is_first ? dama_verb_fail(&err) : DAMA_EXIT_FAILED;
}

const struct dama_verb dama_tuner_verbs[] = {
    {.name = "tune",
     .summary = "fit a weight table to self-play games",
     .run = run_tune,
     .shares_work = true},
    {0},
};
