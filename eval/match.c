/* A match: shares pairs over ranks, plays them on threads, and lets rank 0 count. */
#include "eval/match.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "cluster/comm.h"
#include "cluster/log.h"
#include "cluster/run_folder.h"
#include "eval/match_store.h"
#include "eval/pair_queue.h"
#include "eval/tally.h"

enum { SLOTS_OF_A_THREAD = 2 };

struct match {
    const struct dama_match_setup *setup;
    struct dama_pair_queue *queue;
    struct dama_tally *tally;       /* rank 0 */
    struct dama_progress *progress; /* rank 0, of a match that has begun */
    struct dama_match_store *store; /* rank 0, when there is a folder */
    int64_t missing_count;          /* pairs to be played */
    int64_t *missing;               /* their numbers, ascending; NULL: all */
    struct dama_error error;        /* the first failure on this rank */
};

static int64_t pair_of(const struct match *match, int64_t job)
{
    return match->missing ? match->missing[job] : job;
}

static int64_t job_of(const struct match *match, int64_t pair)
{
    int64_t low = 0;
    int64_t high = match->missing ? match->missing_count : 0;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (match->missing[middle] < pair) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return match->missing ? low : pair;
}

static void start_pair(void *context, int64_t job)
{
    struct match *match = context;
    dama_pair_queue_add(match->queue, pair_of(match, job));
}

static bool finished_pair(void *context, int64_t *job, void *result)
{
    struct match *match = context;
    int64_t pair;
    if (!dama_pair_queue_take(match->queue, &pair, result)) {
        return false;
    }
    *job = job_of(match, pair);
    return true;
}

static int lacking_pairs(void *context)
{
    const struct match *match = context;
    return dama_pair_queue_lacking(match->queue);
}

static void collect_pair(void *context, int rank, int64_t job, const void *result)
{
    struct match *match = context;
    (void)rank;
    if (match->error.status == DAMA_OK && match->store) {
        dama_match_store_add(match->store, pair_of(match, job), result, &match->error);
    }
    if (match->error.status == DAMA_OK) {
        dama_tally_add(match->tally, pair_of(match, job), result, &match->error);
    }
}

/* Nothing is told of a match that has not begun: its folder may be refused, and with an engine,
   which may not start, it begins with the first pair. */
static void open_progress(struct match *match, uint64_t pairs)
{
    const struct dama_match_setup *setup = match->setup;
    bool has_engine = setup->players[0].engine || setup->players[1].engine;
    if (!match->progress && match->tally && !setup->is_quiet && (pairs > 0 || !has_engine)) {
        match->progress =
            dama_progress_new(setup->status_path, "match", "pairs", (double)setup->pairs);
    }
}

static void show_progress(struct match *match)
{
    if (!match->tally) {
        return;
    }
    const struct dama_match_result *r = dama_tally_result(match->tally);
    open_progress(match, dama_pairs_total(&r->pairs));
    if (!match->progress) {
        return;
    }
    char extra[160];
    snprintf(extra, sizeof extra, "\"match\":{\"wins\":%llu,\"draws\":%llu,\"losses\":%llu}",
             (unsigned long long)r->wdl.wins, (unsigned long long)r->wdl.draws,
             (unsigned long long)r->wdl.losses);
    dama_progress_update(match->progress, (double)dama_pairs_total(&r->pairs), extra);
}

static bool poll_match(void *context)
{
    struct match *match = context;
    dama_pair_queue_status(match->queue, &match->error);
    show_progress(match);
    return match->error.status != DAMA_OK || dama_stop_requested() ||
           (match->tally && dama_tally_is_decided(match->tally));
}

static enum dama_status check_player(const struct dama_match_player *player, struct dama_error *err)
{
    bool is_limited = player->nodes || player->depth || player->time_ms || player->clock_ms;
    if (player->level && player->time_ms) {
        return dama_fail(err, DAMA_INVALID,
                         "%s: a level is limited by nodes or depth, found a time", player->name);
    }
    if (!player->level && !is_limited) {
        return dama_fail(err, DAMA_INVALID, "%s: expected a limit of nodes, depth or time",
                         player->name);
    }
    return DAMA_OK;
}

bool dama_match_is_timed(const struct dama_match_setup *setup)
{
    const struct dama_match_player *players = setup->players;
    return players[0].time_ms || players[0].clock_ms || players[1].time_ms || players[1].clock_ms;
}

static enum dama_status check_setup(const struct dama_match_setup *setup, struct dama_error *err)
{
    DAMA_TRY(check_player(&setup->players[0], err));
    DAMA_TRY(check_player(&setup->players[1], err));
    if (setup->pairs < 1 || setup->max_plies < 1) {
        return dama_fail(err, DAMA_INVALID,
                         "a match: expected pairs and a ply cap, found %ld pairs and %d plies",
                         (long long)setup->pairs, setup->max_plies);
    }
    if (setup->sprt && setup->sprt->elo0 >= setup->sprt->elo1) {
        return dama_fail(err, DAMA_INVALID, "a sequential test: expected elo0 below elo1");
    }
    return dama_draw_rules_check(&setup->ruleset->rules, setup->draws, err);
}

/* Thread 0 of the team shares the pairs; the others play. DAMA_STOPPED here may mean decided. */
static enum dama_status play_pairs(struct match *match, struct dama_error *err)
{
    const struct dama_match_setup *setup = match->setup;
    struct dama_comm_work work = {
        .jobs = match->missing_count,
        .result_size = dama_pair_record_size(setup, dama_match_keeps_moves(setup)),
        .slots = SLOTS_OF_A_THREAD * setup->threads,
        .context = match,
        .start = start_pair,
        .finished = finished_pair,
        .lacking = lacking_pairs,
        .collect = collect_pair,
        .poll = poll_match,
    };
    enum dama_status status = DAMA_OK;
    omp_set_dynamic(0);
#pragma omp parallel num_threads(setup->threads + 1)
    {
        if (omp_get_thread_num() == 0) {
            /* This rank takes part all the same: its poll stops all of them. */
            if (omp_get_num_threads() < 2) {
                dama_fail(&match->error, DAMA_UNSUPPORTED,
                          "OpenMP gives one thread; unset OMP_THREAD_LIMIT");
            }
            status = dama_comm_share(&work, err);
            dama_pair_queue_close(match->queue);
        } else {
            dama_pair_queue_work(match->queue);
        }
    }
    return status;
}

/* What rank 0 knows after the last pair: the result, and whether the match is complete. */
struct outcome {
    bool is_decided;
    struct dama_match_result result;
};

static enum dama_status share_outcome(struct match *match, enum dama_status status,
                                      struct dama_match_result *result, struct dama_error *err)
{
    struct outcome outcome = {0};
    struct dama_error error = match->error;
    if (match->tally) {
        outcome.is_decided = dama_tally_is_decided(match->tally);
        dama_tally_finish(match->tally, &outcome.result, &error);
    }
    dama_comm_broadcast(&outcome, sizeof outcome);
    *result = outcome.result;
    if (error.status == DAMA_OK && status == DAMA_STOPPED && outcome.is_decided) {
        *err = (struct dama_error){0};
        status = DAMA_OK;
    } else if (error.status != DAMA_OK) {
        *err = error;
        status = error.status;
    }
    return dama_comm_agree(status, err);
}

static enum dama_status prepare(struct match *match, const struct dama_opening_book *book,
                                struct dama_error *err)
{
    const struct dama_match_setup *setup = match->setup;
    if (!book && !setup->openings) {
        return err->status;
    }
    match->queue = dama_pair_queue_new(setup, book, SLOTS_OF_A_THREAD * setup->threads,
                                       dama_match_keeps_moves(setup), err);
    if (match->queue && dama_comm_rank() == 0) {
        match->tally = dama_tally_new(setup, err);
    }
    return err->status;
}

static enum dama_status count_stored(void *context, int64_t pair,
                                     const struct dama_pair_record *record, struct dama_error *err)
{
    struct match *match = context;
    match->missing[pair] = 0;
    return dama_tally_add(match->tally, pair, record, err);
}

/* Rank 0: counts the pairs of the folder and lists the others. */
static enum dama_status read_store(struct match *match, struct dama_error *err)
{
    int64_t pairs = match->setup->pairs;
    match->store = dama_match_store_open(match->setup, err);
    if (!match->store) {
        return err->status;
    }
    for (int64_t i = 0; i < pairs; i++) {
        match->missing[i] = 1;
    }
    DAMA_TRY(dama_match_store_read(match->store, count_stored, match, err));
    match->missing_count = 0;
    for (int64_t i = 0; i < pairs; i++) {
        if (match->missing[i]) {
            match->missing[match->missing_count++] = i;
        }
    }
    if (match->missing_count < pairs) {
        dama_log_info("%s: %lld of %lld pairs are there", match->setup->out,
                      (long long)(pairs - match->missing_count), (long long)pairs);
    }
    if (dama_tally_is_decided(match->tally)) {
        match->missing_count = 0;
    }
    return DAMA_OK;
}

/* Collective. Which pairs are to be played. */
static enum dama_status find_missing(struct match *match, struct dama_error *err)
{
    const struct dama_match_setup *setup = match->setup;
    enum dama_status status = DAMA_OK;
    match->missing_count = setup->pairs;
    if (!setup->out) {
        return DAMA_OK;
    }
    match->missing = malloc((size_t)setup->pairs * sizeof *match->missing);
    if (!match->missing) {
        status = dama_fail(err, DAMA_MEMORY, "no memory for %ld pairs", (long long)setup->pairs);
    } else if (dama_comm_rank() == 0) {
        status = read_store(match, err);
    }
    DAMA_TRY(dama_comm_agree(status, err));
    dama_comm_broadcast(&match->missing_count, sizeof match->missing_count);
    dama_comm_broadcast(match->missing, (size_t)match->missing_count * sizeof *match->missing);
    return DAMA_OK;
}

enum dama_status dama_match_run(const struct dama_match_setup *setup,
                                struct dama_match_result *result, struct dama_error *err)
{
    struct match match = {.setup = setup};
    double started = dama_clock();
    DAMA_TRY(dama_comm_agree(check_setup(setup, err), err));
    struct dama_opening_book *book =
        setup->openings ? NULL
                        : dama_opening_book_new(&setup->ruleset->rules, setup->random_plies, err);
    enum dama_status status = dama_comm_agree(prepare(&match, book, err), err);
    if (status == DAMA_OK) {
        status = find_missing(&match, err);
    }
    if (status == DAMA_OK) {
        status = match.missing_count > 0 ? play_pairs(&match, err) : DAMA_OK;
        status = share_outcome(&match, status, result, err);
        result->seconds = dama_clock() - started;
        if (status == DAMA_STOPPED && match.store) {
            dama_log_info("%s has the finished pairs: the same command goes on", setup->out);
        }
        result->is_stopped = status == DAMA_STOPPED;
        show_progress(&match);
    }
    dama_progress_end(match.progress,
                      status == DAMA_OK        ? setup->status_path ? "running" : "done"
                      : status == DAMA_STOPPED ? "stopped"
                                               : "failed",
                      "the result of the match");
    dama_match_store_close(match.store);
    free(match.missing);
    dama_tally_free(match.tally);
    dama_pair_queue_free(match.queue);
    dama_opening_book_free(book);
    return status;
}
