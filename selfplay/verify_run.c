/* Verification of a whole run: its shards over ranks and threads, what is found in order of name.
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/comm.h"
#include "cluster/log.h"
#include "cluster/run_shards.h"
#include "engine/cli/clock.h"
#include "selfplay/verify_walk.h"

static int compare_findings(const void *a, const void *b)
{
    const struct dama_verify_finding *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* Collective: all ranks' findings, on rank 0, in order of the shards. */
static enum dama_status tell(struct dama_verify_walk *walk, struct dama_error *err)
{
    size_t size = (size_t)dama_comm_size(), most = 0, count = 0;
    size_t *counts = calloc(size, sizeof *counts);
    DAMA_TRY(dama_comm_agree(
        counts ? DAMA_OK : dama_fail(err, DAMA_MEMORY, "no memory for %lu ranks", size), err));
    dama_comm_all_gather(&walk->findings, sizeof walk->findings, counts);
    for (size_t rank = 0; rank < size; rank++) {
        most = counts[rank] > most ? counts[rank] : most;
    }
    struct dama_verify_finding *own = calloc(most + 1, sizeof *own);
    struct dama_verify_finding *all = calloc(size * most + 1, sizeof *all);
    bool is_good = own && all;
    enum dama_status status = dama_comm_agree(
        is_good ? DAMA_OK : dama_fail(err, DAMA_MEMORY, "no memory for %lu bad shards", most), err);
    if (status == DAMA_OK && most > 0) {
        memcpy(own, walk->finding, walk->findings * sizeof *own);
        dama_comm_all_gather(own, most * sizeof *own, all);
        for (size_t rank = 0; rank < size; rank++) {
            memmove(&all[count], &all[rank * most], counts[rank] * sizeof *all);
            count += counts[rank];
        }
        qsort(all, count, sizeof *all, compare_findings);
    }
    for (size_t i = 0; i < count && dama_comm_rank() == 0; i++) {
        dama_log_warn("%s", all[i].text);
    }
    free(counts);
    free(own);
    free(all);
    return status;
}

/* What playing games again needs. */
static enum dama_status open_players(struct dama_verify_walk *walk, struct dama_error *err)
{
    DAMA_TRY(dama_stored_run_check_engine(&walk->run, err));
    walk->book =
        dama_opening_book_new(&walk->run.ruleset.rules, (int)walk->run.config.random_plies, err);
    walk->recorder = (struct dama_recorder){.ruleset = &walk->run.ruleset,
                                            .weights = &walk->run.weights,
                                            .config = &walk->run.config,
                                            .book = walk->book};
    return walk->book ? DAMA_OK : dama_fail(err, DAMA_MEMORY, "no memory for openings");
}

/* Of a generation, by the real name of its folder, the games of each are in the training's
   request; a rescored training has none, and nothing is said of its blocks. */
static void find_plan(struct dama_verify_walk *walk)
{
    static const char mark[] = "/gen-";
    char request[DAMA_REQUEST_SIZE], games[DAMA_REQUEST_VALUE_SIZE] = "";
    char *path = realpath(walk->folder, NULL);
    char *slash = path ? strrchr(path, '/') : NULL;
    walk->plan = (struct dama_block_plan){.block_games = walk->run.config.block_games};
    if (slash && strncmp(slash, mark, strlen(mark)) == 0) {
        int64_t generation = strtoll(slash + strlen(mark), NULL, 10);
        struct dama_error ignored = {0};
        *slash = 0;
        if (dama_request_read(path, request, &ignored) == DAMA_OK) {
            dama_request_value(request, "games", games, sizeof games);
        }
        walk->plan.games = strtoll(games, NULL, 10);
        walk->plan.block_games = walk->plan.games > 0 ? walk->plan.block_games : 0;
        walk->plan.first_game = generation * walk->plan.games;
        walk->plan.first_block =
            walk->plan.block_games ? generation * dama_block_count(&walk->plan) : 0;
    }
    free(path);
}

static enum dama_status open_folder(struct dama_verify_walk *walk, struct dama_error *err)
{
    DAMA_TRY(dama_stored_run_open(walk->folder, &walk->run, err));
    find_plan(walk);
    if (walk->setup->replay_share > 0) {
        DAMA_TRY(open_players(walk, err));
    }
    return dama_folder_shards(walk->folder, dama_verify_add_file, walk, err);
}

static void close_folder(struct dama_verify_walk *walk)
{
    for (size_t i = 0; i < walk->files; i++) {
        free(walk->file[i].path);
    }
    walk->files = 0;
    walk->findings = 0;
    dama_opening_book_free(walk->book);
    walk->book = NULL;
}

/* Collective. The ranks share the shards by their numbers: all must see the same ones. */
static enum dama_status compare_lists(const struct dama_verify_walk *walk, struct dama_error *err)
{
    uint64_t expected = walk->number;
    dama_comm_broadcast(&expected, sizeof expected);
    return dama_comm_agree(expected == walk->number
                               ? DAMA_OK
                               : dama_fail(err, DAMA_MISMATCH,
                                           "%s: expected %lu shards as on rank 0, found %lu",
                                           walk->folder, (unsigned long long)expected,
                                           (unsigned long long)walk->number),
                           err);
}

static enum dama_status visit_folder(void *context, const char *folder, struct dama_error *err)
{
    struct dama_verify_walk *walk = context;
    walk->folder = folder;
    enum dama_status status = dama_comm_agree(open_folder(walk, err), err);
    if (status == DAMA_OK) {
        status = compare_lists(walk, err);
    }
    if (status == DAMA_OK) {
        status = dama_comm_agree(dama_verify_files(walk, err), err);
    }
    if (status == DAMA_OK) {
        status = tell(walk, err);
    }
    close_folder(walk);
    return status;
}

/* Collective: all ranks' reports in one. */
static struct dama_verify_report join_reports(const struct dama_verify_report *own)
{
    enum { COUNTS = 7, SUMS = COUNTS + DAMA_VERIFY_CONTENT_WORDS };
    uint64_t sums[SUMS] = {own->shards, own->bad_shards,   own->games,   own->rows,
                           own->bytes,  own->column_bytes, own->replayed};
    memcpy(sums + COUNTS, own->content, sizeof own->content);
    dama_comm_sum_u64(sums, SUMS);
    struct dama_verify_report all = {
        .shards = sums[0],
        .bad_shards = sums[1],
        .games = sums[2],
        .rows = sums[3],
        .bytes = sums[4],
        .column_bytes = sums[5],
        .replayed = sums[6],
    };
    memcpy(all.content, sums + COUNTS, sizeof all.content);
    return all;
}

enum dama_status dama_verify_run(const struct dama_verify_setup *setup,
                                 struct dama_verify_report *report, struct dama_error *err)
{
    *report = (struct dama_verify_report){0};
    double begin = dama_clock();
    struct dama_verify_walk *walk = calloc(1, sizeof *walk);
    DAMA_TRY(dama_comm_agree(
        walk ? DAMA_OK : dama_fail(err, DAMA_MEMORY, "no memory for a walk over a run"), err));
    walk->setup = setup;
    omp_set_dynamic(0);
    enum dama_status status = dama_run_folders_together(setup->run, visit_folder, walk, err);
    struct dama_verify_report own = walk->report;
    free(walk->file);
    free(walk->finding);
    free(walk);
    DAMA_TRY(dama_comm_agree(status, err));
    *report = join_reports(&own);
    report->seconds = dama_clock() - begin;
    return report->bad_shards ? dama_fail(err, DAMA_CORRUPT, "%lu of %lu shards are bad",
                                          (unsigned long long)report->bad_shards,
                                          (unsigned long long)report->shards)
                              : DAMA_OK;
}
