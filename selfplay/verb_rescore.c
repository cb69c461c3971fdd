/* dama rescore: other scores for the positions of a run. */
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "cluster/comm.h"
#include "cluster/run_folder.h"
#include "engine/cli/common_options.h"
#include "engine/search.h"
#include "selfplay/rescore.h"
#include "selfplay/selfplay_verbs.h"

struct arguments {
    struct dama_common common; /* weights */
    const char *run, *out;
    int64_t nodes, depth, table_kb, threads;
    bool json;
};

static struct arguments parse(int argc, char **argv)
{
    struct arguments a = {.table_kb = 1024};
    const struct dama_option options[] = {
        {"out", DAMA_OPTION_TEXT, &a.out, "RUN2", "the new run's folder", 0, 0},
        dama_option_weights(&a.common, "the table that scores (default: the one beside the games)"),
        {"nodes", DAMA_OPTION_INT, &a.nodes, "N", "nodes a position", 1, INT64_MAX},
        {"depth", DAMA_OPTION_INT, &a.depth, "N", "plies a position", 1, DAMA_DEPTH_MAX},
        {"table-kb", DAMA_OPTION_INT, &a.table_kb, "N", "transposition table of a thread, KiB", 1,
         DAMA_TABLE_KB_MAX},
        dama_option_threads(&a.threads, "searching threads of a rank"),
        dama_option_json(&a.json, "the summary as JSON"),
        {0},
    };
    const struct dama_usage usage = {
        .verb = "rescore",
        .arguments = "RUN",
        .summary = "Store a run's games again with scores of another search.",
        .details = "Games, labels and flags stay; the score of each position that was searched is "
                   "replaced, with a deeper search or another table. Imported games get scores. "
                   "The same command goes on after any stop, and the files are the same bytes for "
                   "any number of ranks and threads.",
        .options = options,
        .least = 1,
        .most = 1,
    };
    struct dama_texts rest = {0};
    dama_options_parse(&usage, argc, argv, &rest);
    a.run = rest.at[0];
    if (!a.out) {
        dama_options_fail(&usage, "--out RUN2 is missing");
    }
    if (!a.nodes && !a.depth) {
        dama_options_fail(&usage, "expected --nodes or --depth");
    }
    return a;
}

static enum dama_status lock_run(const struct arguments *a, struct dama_error *err)
{
    DAMA_TRY(dama_folder_make(a->out, err));
    struct stat from = {0}, to = {0};
    if (stat(a->run, &from) == 0 && stat(a->out, &to) == 0 && from.st_dev == to.st_dev &&
        from.st_ino == to.st_ino) {
        return dama_fail(err, DAMA_USAGE, "--out %s: expected another folder than the run's own",
                         a->out);
    }
    return dama_run_lock(a->out, err);
}

static void print_summary(const struct arguments *a, const struct dama_rescore_summary *s)
{
    if (a->json) {
        printf("{\"shards\":%" PRIu64 ",\"games\":%" PRIu64 ",\"rows\":%" PRIu64
               ",\"searched_shards\":%" PRIu64 ",\"seconds\":%.3f}\n",
               s->shards, s->games, s->rows, s->searched, s->seconds);
        return;
    }
    printf("games      %" PRIu64 ", %" PRIu64 " positions in %" PRIu64 " shards of %s\n", s->games,
           s->rows, s->shards, a->out);
    printf("searched   %" PRIu64 " shards now, %.1f s\n", s->searched, s->seconds);
    printf("next       dama tune %s --out weights.dama\n", a->out);
}

int dama_verb_rescore(int argc, char **argv)
{
    struct arguments a = parse(argc, argv);
    struct dama_error err = {0};
    struct dama_rescore_summary summary;
    const struct dama_rescore_setup setup = {
        .run = a.run,
        .out = a.out,
        .table = a.common.weights ? &a.common : NULL,
        .nodes = (uint64_t)a.nodes,
        .depth = (int)a.depth,
        .table_kb = (size_t)a.table_kb,
        .threads = dama_comm_threads(a.threads),
    };
    bool is_first = dama_comm_rank() == 0;
    enum dama_status status = dama_comm_agree(is_first ? lock_run(&a, &err) : DAMA_OK, &err);
    dama_stop_install();
    if (status == DAMA_OK) {
        status = dama_rescore_run(&setup, &summary, &err);
    }
    if (status == DAMA_OK && is_first) {
        print_summary(&a, &summary);
    }
    return status == DAMA_OK ? DAMA_EXIT_DONE : dama_verb_fail(&err);
}
