/* `check`: rules, levels and run files, and the list of run keys. */
#include "cluster/cluster_verbs.h"

#include <stdio.h>

#include "cluster/run_config.h"
#include "engine/cli/check.h"

static enum dama_status check_run_file(const char *path, char *about, size_t size,
                                       struct dama_error *err)
{
    struct dama_run_config config;
    dama_run_config_default(&config);
    DAMA_TRY(dama_run_config_load(&config, path, err));
    struct dama_error inner = {0};
    /* What depends on the variant (draw rules) is checked when a run begins. */
    if (dama_run_config_check(&config, dama_rules_builtin(0), &inner) != DAMA_OK) {
        return dama_fail(err, inner.status, "%s: %s", path, inner.text);
    }
    char nodes[64] = "";
    char depth[64] = "";
    if (config.nodes > 0) {
        snprintf(nodes, sizeof nodes, " of %lld nodes", (long long)config.nodes);
    }
    if (config.depth > 0) {
        snprintf(depth, sizeof depth, "%s %lld plies", *nodes ? " or" : " of",
                 (long long)config.depth);
    }
    snprintf(about, size, "%lld games%s%s a move", (long long)config.games, nodes, depth);
    return DAMA_OK;
}

int dama_verb_check_run(int argc, char **argv)
{
    bool has_keys = false;
    const struct dama_option options[] = {
        {.name = "keys",
         .kind = DAMA_OPTION_FLAG,
         .target = &has_keys,
         .help = "list the keys of a run: name, type, default, range, kept by (nothing, a "
                 "training or every run, once begun), help"},
        {.name = NULL},
    };
    const struct dama_usage usage = {
        .verb = "check",
        .arguments = "FILE...",
        .summary = "Tells what kind of configuration file each FILE is and validates it.",
        .details = "Every wrong file is a line with file, line and reason; the exit status is 1 "
                   "then.",
        .options = options,
        .least = 0,
        .most = DAMA_TEXTS_MAX,
    };
    struct dama_texts files = {0};
    dama_options_parse(&usage, argc, argv, &files);
    if (has_keys) {
        dama_run_config_print_keys();
    } else if (files.count == 0) {
        dama_options_fail(&usage, "expected FILE... or --keys");
    }
    const struct dama_check_kind run_kind = {"run file", dama_run_config_keys(), check_run_file};
    const struct dama_check_kind *const run_kinds[] = {&run_kind, NULL};
    const struct dama_check_kind *const *const lists[] = {run_kinds, dama_engine_check_kinds, NULL};
    return dama_check_files(lists, files.count, files.at);
}
