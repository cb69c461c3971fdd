/* dama verify: checks every shard and every game of a run. */
#include <inttypes.h>
#include <stdio.h>

#include "cluster/comm.h"
#include "engine/cli/common_options.h"
#include "selfplay/selfplay_verbs.h"
#include "selfplay/verify.h"

struct arguments {
    struct dama_verify_setup setup;
    int64_t threads;
    bool json;
};

static struct arguments parse(int argc, char **argv)
{
    struct arguments a = {0};
    const struct dama_option options[] = {
        {"replay", DAMA_OPTION_NUMBER, &a.setup.replay_share, "P",
         "play this share of the games again, 0 to 1", 0, 0},
        {"quick", DAMA_OPTION_FLAG, &a.setup.is_quick, NULL,
         "the bytes alone: header, checksums, block; not what the rows say", 0, 0},
        {"content", DAMA_OPTION_FLAG, &a.setup.has_content, NULL,
         "print a hash of all columns: equal for the same games, whichever HDF5 wrote them", 0, 0},
        dama_option_threads(&a.threads, "checking threads of a rank"),
        dama_option_json(&a.json, "the report as JSON"),
        {0},
    };
    const struct dama_usage usage = {
        .verb = "verify",
        .arguments = "RUN",
        .summary = "Check every shard of a run: hash, types, rows, and every game by the rules.",
        .details = "Each bad shard is one line on stderr: file, row, reason. Exit 1 when there is "
                   "one. Ranks share the shards. A rank's threads decode one shard at a time and "
                   "check many; `columns` are rows and games before compression.",
        .options = options,
        .least = 1,
        .most = 1,
    };
    struct dama_texts rest = {0};
    dama_options_parse(&usage, argc, argv, &rest);
    if (a.setup.is_quick && (a.setup.replay_share > 0 || a.setup.has_content)) {
        dama_options_fail(&usage, "expected --quick or %s, found both",
                          a.setup.has_content ? "--content" : "--replay");
    }
    a.setup.run = rest.at[0];
    return a;
}

/* The sums as text; empty when they were not asked for. */
static void format_content(const struct arguments *a, const struct dama_verify_report *report,
                           char out[2 * DAMA_HASH_SIZE + 1])
{
    out[0] = 0;
    for (int i = 0; a->setup.has_content && i < DAMA_VERIFY_CONTENT_WORDS; i++) {
        snprintf(out + 16 * i, 17, "%016" PRIx64, report->content[i]);
    }
}

static void print_report(const struct arguments *a, const struct dama_verify_report *r)
{
    char content[2 * DAMA_HASH_SIZE + 1];
    format_content(a, r, content);
    double seconds = r->seconds > 0 ? r->seconds : 1e-9;
    double files = (double)r->bytes / 1e6 / seconds;
    /* A quick look decodes no column. */
    double columns = a->setup.is_quick ? 0 : (double)r->column_bytes / 1e6 / seconds;
    if (a->json) {
        printf("{\"shards\":%" PRIu64 ",\"bad\":%" PRIu64 ",\"games\":%" PRIu64
               ",\"positions\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"column_bytes\":%" PRIu64
               ",\"replayed\":%" PRIu64 ",\"seconds\":%.3f,\"mb_per_second\":%.1f"
               ",\"column_mb_per_second\":%.1f,\"content\":\"%s\"}\n",
               r->shards, r->bad_shards, r->games, r->rows, r->bytes, r->column_bytes, r->replayed,
               r->seconds, files, columns, content);
        return;
    }
    printf("shards %" PRIu64 ", bad %" PRIu64 ", games %" PRIu64 ", positions %" PRIu64
           ", bytes %" PRIu64 ", played again %" PRIu64 ", %.1f s\n",
           r->shards, r->bad_shards, r->games, r->rows, r->bytes, r->replayed, r->seconds);
    printf("speed      %.1f MB/s of files", files);
    if (!a->setup.is_quick) {
        printf(", %.1f MB/s of columns (%.1f bytes a position, in files %.1f)", columns,
               r->rows ? (double)r->column_bytes / (double)r->rows : 0,
               r->rows ? (double)r->bytes / (double)r->rows : 0);
    }
    printf("\n");
    if (*content) {
        printf("content    %s\n", content);
    }
}

int dama_verb_verify(int argc, char **argv)
{
    struct arguments a = parse(argc, argv);
    struct dama_error err = {0};
    struct dama_verify_report report;
    a.setup.threads = dama_comm_threads(a.threads);
    enum dama_status status = dama_verify_run(&a.setup, &report, &err);
    bool has_report = status == DAMA_OK || report.bad_shards > 0;
    if (has_report && dama_comm_rank() == 0) {
        print_report(&a, &report);
    }
    return status == DAMA_OK ? DAMA_EXIT_DONE : dama_verb_fail(&err);
}
