/* dama import: games of PDN files as a run for the tuner. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cluster/log.h"
#include "cluster/run_folder.h"
#include "engine/cli/common_options.h"
#include "selfplay/import.h"
#include "selfplay/selfplay_verbs.h"

enum { FILE_BYTES_MAX = 1 << 30, ASSIGNMENT_SIZE = 80 };

struct arguments {
    struct dama_common common; /* variant, rules_file, squares */
    const char *out, *draw_rules;
    int64_t block_games;
    bool json;
    struct dama_texts files;
};

static struct arguments parse(int argc, char **argv)
{
    struct arguments a = {.block_games = 64};
    const struct dama_option options[] = {
        {"out", DAMA_OPTION_TEXT, &a.out, "RUN", "the new run's folder", 0, 0},
        {"variant", DAMA_OPTION_TEXT, &a.common.variant, "NAME",
         "a built-in rule set; it wins over the games' GameType tags", 0, 0},
        dama_option_rules(&a.common),
        dama_option_squares(&a.common, "numbering of squares in the files"),
        {"draw-rules", DAMA_OPTION_TEXT, &a.draw_rules, "site|federation",
         "which draws a final position is judged by", 0, 0},
        {"block-games", DAMA_OPTION_INT, &a.block_games, "N", "games of a shard (default 64)", 1,
         100000},
        dama_option_json(&a.json, "the report as JSON"),
        {0},
    };
    const struct dama_usage usage = {
        .verb = "import",
        .arguments = "FILE...",
        .summary = "Store the games of PDN files as a run that dama tune reads.",
        .details =
            "A position a move, labelled with the game's result, without scores (dama rescore "
            "gives some). Without --variant or --rules the first GameType tag decides, and games "
            "of another type are left out. A game is left out, with file, line and reason, when it "
            "has no result, an illegal move, an impossible set-up, no moves, or a text that can be "
            "read in several ways.",
        .options = options,
        .least = 1,
        .most = DAMA_TEXTS_MAX,
    };
    dama_options_parse(&usage, argc, argv, &a.files);
    if (!a.out) {
        dama_options_fail(&usage, "--out RUN is missing");
    }
    return a;
}

static void print_report(const struct dama_import_report *r, const char *out)
{
    uint64_t taken = r->reasons[DAMA_IMPORT_TAKEN];
    printf("games      %" PRIu64 " read, %" PRIu64 " taken (%" PRIu64 " distinct), %" PRIu64
           " left out",
           r->games, taken, r->distinct_games, r->games - taken);
    const char *separator = ":";
    for (int i = DAMA_IMPORT_TAKEN + 1; i < DAMA_IMPORT_REASON_COUNT; i++) {
        if (r->reasons[i]) {
            printf("%s %" PRIu64 " with %s", separator, r->reasons[i],
                   dama_import_reason_text((enum dama_import_reason)i));
            separator = ",";
        }
    }
    printf("\npositions  %" PRIu64 " in %s/shards, %" PRIu64 " shards\n", r->rows, out, r->shards);
    printf("next       dama tune %s --out weights.dama\n", out);
}

static void print_report_json(const struct dama_import_report *r)
{
    printf("{\"games\":%" PRIu64 ",\"taken\":%" PRIu64 ",\"distinct_games\":%" PRIu64
           ",\"rows\":%" PRIu64 ",\"shards\":%" PRIu64 ",\"left_out\":{",
           r->games, r->reasons[DAMA_IMPORT_TAKEN], r->distinct_games, r->rows, r->shards);
    for (int i = DAMA_IMPORT_TAKEN + 1; i < DAMA_IMPORT_REASON_COUNT; i++) {
        printf("%s\"%s\":%" PRIu64, i == DAMA_IMPORT_TAKEN + 1 ? "" : ",",
               dama_import_reason_text((enum dama_import_reason)i), r->reasons[i]);
    }
    printf("}}\n");
}

static enum dama_status read_files(const struct arguments *a, struct dama_import_file *files,
                                   struct dama_error *err)
{
    for (int i = 0; i < a->files.count; i++) {
        files[i].path = a->files.at[i];
        DAMA_TRY(
            dama_file_read(files[i].path, FILE_BYTES_MAX, &files[i].bytes, &files[i].size, err));
    }
    return DAMA_OK;
}

static enum dama_status import(const struct arguments *a, const struct dama_import_file *files,
                               struct dama_error *err)
{
    struct dama_ruleset ruleset;
    struct dama_run_config config;
    struct dama_import_report report;
    struct dama_import_setup setup = {
        .ruleset = &ruleset,
        .is_given = a->common.variant || a->common.rules_file,
        .config = &config,
        .file_count = a->files.count,
        .files = files,
        .run = a->out,
    };
    DAMA_TRY(setup.is_given ? dama_common_rules(&a->common, &ruleset, err)
                            : dama_import_find_rules(files, a->files.count, &ruleset, err));
    DAMA_TRY(dama_common_squares(&a->common, &setup.squares, err));
    dama_run_config_default(&config);
    config.block_games = a->block_games;
    if (a->draw_rules) {
        char assignment[ASSIGNMENT_SIZE];
        snprintf(assignment, sizeof assignment, "draw_rules=%s", a->draw_rules);
        DAMA_TRY(dama_run_config_set(&config, assignment, err));
    }
    DAMA_TRY(
        dama_draw_rules_check(&ruleset.rules, dama_run_config_draws(&config, &ruleset.rules), err));
    DAMA_TRY(dama_folder_make(a->out, err));
    DAMA_TRY(dama_run_lock(a->out, err));
    DAMA_TRY(dama_import_run(&setup, &report, err));
    if (a->json) {
        print_report_json(&report);
    } else {
        print_report(&report, a->out);
    }
    uint64_t taken = report.reasons[DAMA_IMPORT_TAKEN];
    if (report.distinct_games < taken) {
        dama_log_warn("%" PRIu64 " of %" PRIu64 " games are there more than once and count so",
                      taken - report.distinct_games, taken);
    }
    return DAMA_OK;
}

int dama_verb_import(int argc, char **argv)
{
    struct arguments a = parse(argc, argv);
    struct dama_error err = {0};
    struct dama_import_file *files = calloc((size_t)a.files.count, sizeof *files);
    enum dama_status status = files ? read_files(&a, files, &err)
                                    : dama_fail(&err, DAMA_MEMORY, "no memory for a list of files");
    if (status == DAMA_OK) {
        status = import(&a, files, &err);
    }
    for (int i = 0; files && i < a.files.count; i++) {
        free(files[i].bytes);
    }
    free(files);
    return status == DAMA_OK ? DAMA_EXIT_DONE : dama_verb_fail(&err);
}
