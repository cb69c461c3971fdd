/* `hub`: the engine for graphical programs and matches, over the Hub protocol. */
#include <stdio.h>
#include <unistd.h>

#include "engine/cli/hub_session.h"
#include "engine/cli/options.h"
#include "engine/cli/verb.h"
#include "engine/cli/verbs.h"

static const char details[] =
    "Reads commands from standard input and answers on standard output: version 2 of the protocol "
    "that Scan and the Hub programs speak, for all variants (parameter variant; a position is "
    "the side to move and 50 or 32 squares). Squares are numbered by the parameter numbers: "
    "official (default; games written with letters count from the top, b8 is 1), grid (all from "
    "the top) or bottom (all from the bottom, a1 is 1). The options "
    "above only change what the parameters are at the start. The end of the input ends the "
    "process at once.";

static void set(const struct dama_usage *usage, struct dama_hub_params *params,
                enum dama_hub_param which, const char *value)
{
    static const char *const names[] = {
#define X(id, name, text, kind, low, high) name,
        DAMA_HUB_PARAMS(X)
#undef X
    };
    struct dama_error err = {0};
    if (value && dama_hub_params_set(params, names[which], value, &err) != DAMA_OK) {
        dama_options_fail(usage, "%s", err.text);
    }
}

int dama_verb_hub(int argc, char **argv)
{
    const char *variant = NULL, *rules = NULL, *weights = NULL, *table_kb = NULL, *threads = NULL,
               *level = NULL;
    const struct dama_option options[] = {
        {"variant", DAMA_OPTION_TEXT, &variant, "V", "a built-in rule set; default international",
         0, 0},
        {"rules", DAMA_OPTION_TEXT, &rules, "FILE", "a rules file, whatever the parameter variant",
         0, 0},
        {"weights", DAMA_OPTION_TEXT, &weights, "FILE|material|hand-set|shipped",
         "weight table; default shipped", 0, 0},
        {"table-kb", DAMA_OPTION_TEXT, &table_kb, "N", "transposition table, KiB; default 65536", 0,
         0},
        {"threads", DAMA_OPTION_TEXT, &threads, "N", "searching threads; default 1", 0, 0},
        {"level", DAMA_OPTION_TEXT, &level, "full|easy|medium|hard",
         "a level plays by its own limits; default full", 0, 0},
        {0},
    };
    const struct dama_usage usage = {
        .verb = "hub",
        .arguments = "",
        .summary = "Speaks the Hub protocol on standard input and output.",
        .details = details,
        .options = options,
    };
    dama_options_parse(&usage, argc, argv, NULL);
    if (variant && rules) {
        dama_options_fail(&usage, "expected --variant or --rules, found both");
    }
    struct dama_hub_params params;
    dama_hub_params_init(&params);
    set(&usage, &params, DAMA_HUB_VARIANT, variant);
    set(&usage, &params, DAMA_HUB_WEIGHTS, weights);
    set(&usage, &params, DAMA_HUB_TABLE_KB, table_kb);
    set(&usage, &params, DAMA_HUB_THREADS, threads);
    set(&usage, &params, DAMA_HUB_LEVEL, level);
    return dama_hub_run(&params, rules, STDIN_FILENO, stdout);
}
