/* dama report: a run as one HTML file, or as plain text. */
#include <stdio.h>

#include "engine/cli/options.h"
#include "eval/eval_verbs.h"
#include "eval/report.h"

enum { PATH_SIZE = 4096 };

static const char report_details[] =
    "RUN is a training, one generation of it (RUN/gen-000), or a self-play run. The page needs "
    "nothing but itself: plots are drawn by gnuplot (package gnuplot-nox) and stand inside it. "
    "--terminal prints the same figures and needs no gnuplot. Every shard is verified on the way; "
    "the run may be going on.";

int dama_verb_report(int argc, char **argv)
{
    const char *out = NULL;
    bool is_terminal = false;
    const struct dama_option options[] = {
        {"out", DAMA_OPTION_TEXT, &out, "FILE", "the page to write (default RUN/report.html)", 0,
         0},
        {"terminal", DAMA_OPTION_FLAG, &is_terminal, NULL, "plain text on standard output", 0, 0},
        {0},
    };
    const struct dama_usage usage = {
        .verb = "report",
        .arguments = "RUN",
        .summary = "Write what a run has brought as one HTML file.",
        .details = report_details,
        .options = options,
        .least = 1,
        .most = 1,
    };
    struct dama_texts runs = {0};
    dama_options_parse(&usage, argc, argv, &runs);
    if (out && is_terminal) {
        dama_options_fail(&usage, "--out and --terminal exclude each other");
    }
    char path[PATH_SIZE];
    struct dama_error err = {0};
    enum dama_status status;
    if (is_terminal) {
        status = dama_report_print(runs.at[0], stdout, &err);
    } else if (!out && snprintf(path, sizeof path, "%s/report.html", runs.at[0]) >= PATH_SIZE) {
        status = dama_fail(&err, DAMA_UNSUPPORTED, "%s: the path is too long", runs.at[0]);
    } else {
        status = dama_report_write(runs.at[0], out ? out : path, &err);
    }
    if (status != DAMA_OK) {
        return dama_verb_fail(&err);
    }
    if (!is_terminal) {
        printf("%s\n", out ? out : path);
    }
    return DAMA_EXIT_DONE;
}
