/* dama data: what self-play games hold for a fit, before it. */
#include <stdlib.h>

#include "cluster/run_inputs.h"
#include "tuner/data_survey.h"
#include "tuner/tuner_verbs.h"

static const char data_details[] =
    "Rows by what a fit with these keys would do with them, distinct positions, positions that "
    "occur with different results, results by pieces on the board, and weights that no position "
    "shows or that others make up. Counts of positions are exact up to 8 million rows, beyond that "
    "estimated from a sample by hash, which is said. A correlation of two weights near 1 or -1, or "
    "a dependent one, means that the games cannot tell them apart: the ridge then decides.";

struct arguments {
    struct dama_texts folders, sets;
    const char *config_file;
    bool include_capped, json;
};

static enum dama_status survey(const struct arguments *a, struct dama_survey *out,
                               struct dama_error *err)
{
    struct dama_run_config config;
    DAMA_TRY(dama_run_config_read(&config, a->config_file, &a->sets, err));
    const struct dama_survey_setup setup = {
        .folders = a->folders.at,
        .folder_count = a->folders.count,
        .filter = {.score_cap = (int)config.score_cap,
                   .rows_per_game = (int)config.rows_per_game,
                   .skip_plies = (int)config.tune_skip_plies,
                   .max_ply = (int)config.tune_max_ply,
                   .include_capped = a->include_capped,
                   .holdout = config.holdout},
    };
    return dama_survey_run(&setup, out, err);
}

int dama_verb_data(int argc, char **argv)
{
    struct arguments a = {0};
    const struct dama_option options[] = {
        dama_option_config(&a.config_file),
        {"set", DAMA_OPTION_TEXTS, &a.sets, "KEY=VALUE",
         "one run key, over the file: holdout, score_cap, rows_per_game, tune_skip_plies, "
         "tune_max_ply",
         0, 0},
        {"include-capped", DAMA_OPTION_FLAG, &a.include_capped, NULL,
         "use games that stopped at the ply cap, as draws", 0, 0},
        dama_option_json(&a.json, "one JSON object instead of text"),
        {0},
    };
    const struct dama_usage usage = {
        .verb = "data",
        .arguments = "DIR...",
        .summary = "Tell what the self-play games in every shards/ at or below DIR hold for a fit.",
        .details = data_details,
        .options = options,
        .least = 1,
        .most = DAMA_TEXTS_MAX,
    };
    dama_options_parse(&usage, argc, argv, &a.folders);
    struct dama_error err = {0};
    struct dama_survey *result = malloc(sizeof *result);
    enum dama_status status =
        result ? survey(&a, result, &err) : dama_fail(&err, DAMA_MEMORY, "no memory for a survey");
    if (status == DAMA_OK) {
        (a.json ? dama_survey_print_json : dama_survey_print)(result, stdout);
    }
    free(result);
    return status == DAMA_OK ? DAMA_EXIT_DONE : dama_verb_fail(&err);
}
