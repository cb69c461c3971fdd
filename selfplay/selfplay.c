/* The run: find what is there, share what is missing, store blocks as they finish, count. */
#include "selfplay/selfplay.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/comm.h"
#include "cluster/log.h"
#include "cluster/run_folder.h"
#include "engine/signature.h"
#include "selfplay/block_queue.h"
#include "selfplay/manifest.h"
#include "selfplay/rank_progress.h"
#include "selfplay/request.h"
#include "selfplay/run_store.h"
#include "selfplay/stored_blocks.h"
#include "selfplay/summary.h"

struct run {
    const struct dama_selfplay_setup *setup;
    struct dama_recorder recorder;
    char request[DAMA_REQUEST_SIZE];
    struct dama_shard_origin origin;
    struct dama_block_queue *queue;
    struct dama_shard shard;            /* the finished block being stored */
    struct dama_manifest manifest;      /* rank 0 */
    struct dama_progress *progress;     /* rank 0 */
    struct dama_rank_progress *ranks;   /* rank 0 */
    double start;                       /* of play */
    struct dama_missing_blocks missing; /* job j is missing.blocks[j] */
    uint64_t played;                    /* rank 0: games of this call, all ranks */
    struct dama_error error;            /* the first failure on this rank */
};

static void start_block(void *context, int64_t job)
{
    struct run *run = context;
    dama_block_queue_add(run->queue, run->missing.blocks[job]);
}

/* Stores a finished block, if there is one, and tells what is in it. */
static bool finished_block(void *context, int64_t *job, void *result)
{
    struct run *run = context;
    if (run->error.status != DAMA_OK ||
        !dama_block_queue_take(run->queue, &run->shard, &run->error)) {
        return false;
    }
    char path[DAMA_PATH_SIZE];
    struct dama_shard_header header;
    int64_t block = (int64_t)run->shard.block;
    dama_block_path(run->setup->folder, run->setup->ruleset->rules.name, block, path, sizeof path);
    if (run->error.status != DAMA_OK ||
        dama_shard_save(path, &run->shard, &run->origin, &header, &run->error) != DAMA_OK) {
        return false;
    }
    dama_block_result_fill(result, &run->shard, &header);
    *job = dama_missing_blocks_find(&run->missing, block);
    return true;
}

static int lacking_blocks(void *context)
{
    const struct run *run = context;
    return dama_block_queue_lacking(run->queue);
}

static void collect_block(void *context, int rank, int64_t job, const void *message)
{
    struct run *run = context;
    const struct dama_block_result *result = message;
    run->played += result->games;
    dama_rank_progress_add(run->ranks, rank, result, &run->error);
    dama_log_note("block", "block %lld job %lld rank %d games %llu", (long long)result->block,
                  (long long)job, rank, (unsigned long long)result->games);
    dama_manifest_add(&run->manifest, result, &run->error);
}

static void show_progress(const struct run *run)
{
    bool is_due = dama_progress_is_due(run->progress);
    dama_progress_update(run->progress, (double)(run->missing.found_games + run->played),
                         is_due ? dama_rank_progress_format(run->ranks, dama_clock() - run->start)
                                : NULL);
}

static bool poll_run(void *context)
{
    struct run *run = context;
    dama_block_queue_status(run->queue, &run->error);
    if (run->progress) {
        show_progress(run);
    }
    return run->error.status != DAMA_OK || dama_stop_requested();
}

/* Thread 0 of the team shares blocks and stores them; the others play. */
static enum dama_status play_missing(struct run *run, struct dama_error *err)
{
    const struct dama_selfplay_setup *setup = run->setup;
    struct dama_comm_work work = {
        .jobs = run->missing.count,
        .result_size = dama_block_result_size(setup->plan.block_games),
        .slots = 2 * (1 + setup->threads / (int)setup->plan.block_games),
        .is_static = !strcmp(setup->config->schedule, "static"),
        .context = run,
        .start = start_block,
        .finished = finished_block,
        .lacking = lacking_blocks,
        .collect = collect_block,
        .poll = poll_run,
    };
    run->queue = dama_block_queue_new(&run->recorder, &setup->plan, work.slots, err);
    DAMA_TRY(dama_comm_agree(run->queue ? DAMA_OK : DAMA_MEMORY, err));
    enum dama_status status = DAMA_OK;
    omp_set_dynamic(0);
#pragma omp parallel num_threads(setup->threads + 1)
    {
        if (omp_get_thread_num() == 0) {
            if (omp_get_num_threads() < 2) {
                dama_fail(&run->error, DAMA_UNSUPPORTED,
                          "OpenMP gives one thread; unset OMP_THREAD_LIMIT");
            }
            /* With an error set, poll stops all ranks. */
            status = dama_comm_share(&work, err);
            dama_block_queue_close(run->queue);
        } else {
            dama_block_queue_work(run->queue);
        }
    }
    dama_block_queue_free(run->queue);
    dama_shard_free(&run->shard);
    if (run->error.status != DAMA_OK) {
        *err = run->error;
        status = run->error.status;
    }
    return dama_comm_agree(status, err);
}

/* Rank 0's preparations: the folder, the request, the table, what is missing. */
static enum dama_status prepare(struct run *run, struct dama_error *err)
{
    DAMA_TRY(dama_run_store_prepare(run->setup->folder, run->setup->ruleset, run->setup->weights,
                                    run->request, err));
    char path[DAMA_PATH_SIZE];
    snprintf(path, sizeof path, "%s/manifest.jsonl", run->setup->run);
    DAMA_TRY(dama_manifest_open(&run->manifest, path, err));
    return dama_stored_blocks_find(run->setup, &run->origin, &run->manifest, &run->missing, err);
}

static enum dama_status share_missing(struct run *run, struct dama_error *err)
{
    enum dama_status status = DAMA_OK;
    dama_comm_broadcast(&run->missing.count, sizeof run->missing.count);
    if (dama_comm_rank() != 0) {
        run->missing.blocks =
            malloc((size_t)(run->missing.count + 1) * sizeof *run->missing.blocks);
        status = run->missing.blocks
                     ? DAMA_OK
                     : dama_fail(err, DAMA_MEMORY, "no memory for a list of blocks");
    }
    DAMA_TRY(dama_comm_agree(status, err));
    dama_comm_broadcast(run->missing.blocks,
                        (size_t)run->missing.count * sizeof *run->missing.blocks);
    return DAMA_OK;
}

static void init_run(struct run *run, const struct dama_selfplay_setup *setup)
{
    *run = (struct run){
        .setup = setup,
        .recorder = {.ruleset = setup->ruleset, .weights = setup->weights, .config = setup->config},
    };
    dama_request_format(setup->ruleset, setup->weights, setup->config, run->request);
    run->origin = (struct dama_shard_origin){
        .variant = setup->ruleset->rules.name,
        .board_size = setup->ruleset->rules.board_size,
        .request = run->request,
        .men = dama_rules_men(&setup->ruleset->rules),
        .engine_signature = DAMA_ENGINE_SIGNATURE,
    };
    memcpy(run->origin.rules_hash, setup->ruleset->hash, DAMA_HASH_SIZE);
    memcpy(run->origin.features_hash, dama_features_hash, DAMA_HASH_SIZE);
    dama_request_weights_hash(setup->weights, run->origin.weights_hash);
}

/* Rank 0: the account begins with the blocks that were there. */
static enum dama_status count_found(struct run *run, const struct dama_worker *workers,
                                    struct dama_error *err)
{
    const struct dama_block_plan *plan = &run->setup->plan;
    run->ranks = dama_rank_progress_new(workers, dama_comm_size(), plan->block_games, err);
    if (!run->ranks) {
        return DAMA_MEMORY;
    }
    int64_t next = 0;
    for (int64_t b = plan->first_block; b < plan->first_block + dama_block_count(plan); b++) {
        if (next < run->missing.count && run->missing.blocks[next] == b) {
            next++;
            continue;
        }
        DAMA_TRY(
            dama_rank_progress_add(run->ranks, -1, dama_manifest_find(&run->manifest, b), err));
    }
    return DAMA_OK;
}

/* Collective: who plays, told to rank 0. Again before a second round. */
static enum dama_status open_progress(struct run *run, struct dama_error *err)
{
    struct dama_worker here = dama_worker_here(run->setup->threads);
    struct dama_worker *workers = calloc((size_t)dama_comm_size(), sizeof *workers);
    DAMA_TRY(dama_comm_agree(
        workers ? DAMA_OK : dama_fail(err, DAMA_MEMORY, "no memory for %d ranks", dama_comm_size()),
        err));
    dama_comm_all_gather(&here, sizeof here, workers);
    enum dama_status status = DAMA_OK;
    run->start = dama_clock();
    if (dama_comm_rank() == 0) {
        char path[DAMA_PATH_SIZE];
        snprintf(path, sizeof path, "%s/status.json", run->setup->run);
        dama_rank_progress_free(run->ranks);
        status = count_found(run, workers, err);
        if (!run->progress) {
            run->progress =
                dama_progress_new(path, "selfplay", "games", (double)run->setup->plan.games);
        }
    }
    free(workers);
    return dama_comm_agree(status, err);
}

static void close_progress(struct run *run, enum dama_status status)
{
    if (run->progress) {
        bool is_stopped = status == DAMA_STOPPED;
        bool is_stage = strcmp(run->setup->folder, run->setup->run) != 0; /* of a training */
        if (run->ranks) {
            dama_progress_update(run->progress, (double)(run->missing.found_games + run->played),
                                 dama_rank_progress_format(run->ranks, dama_clock() - run->start));
        }
        dama_progress_end(run->progress,
                          status != DAMA_OK ? is_stopped ? "stopped" : "failed"
                          : is_stage        ? "running"
                                            : "done",
                          status == DAMA_OK && !is_stage ? "dama tune RUN --out weights.dama"
                                                         : "the same command goes on");
    }
    dama_rank_progress_free(run->ranks);
}

/* Collective. A kill behind the last block leaves a status that still says "running"; the training
   loop writes the last word on a run of its own. */
static bool is_status_old(const struct run *run)
{
    const struct dama_selfplay_setup *setup = run->setup;
    bool is_old = false;
    if (dama_comm_rank() == 0 && strcmp(setup->folder, setup->run) == 0) {
        char path[DAMA_PATH_SIZE];
        snprintf(path, sizeof path, "%s/status.json", setup->run);
        is_old = !dama_status_has_state(path, "done");
    }
    dama_comm_broadcast(&is_old, sizeof is_old);
    return is_old;
}

static enum dama_status play_round(struct run *run, struct dama_error *err)
{
    DAMA_TRY(open_progress(run, err));
    return run->missing.count > 0 ? play_missing(run, err) : DAMA_OK;
}

/* Collective. What was there before may be damaged behind its header, and is missing then. Looked
   for when all else is done, so that a run of any size starts at once. */
static enum dama_status find_damaged(struct run *run, struct dama_error *err)
{
    struct dama_missing_blocks damaged = {0};
    enum dama_status status = DAMA_OK;
    if (dama_comm_rank() == 0) {
        status = dama_stored_blocks_check(run->setup, &run->manifest, &run->missing, &damaged, err);
        damaged.found_games -= damaged.blocks ? run->played : 0;
    }
    free(run->missing.blocks);
    run->missing = damaged;
    DAMA_TRY(dama_comm_agree(status, err));
    return share_missing(run, err);
}

static enum dama_status play_rounds(struct run *run, struct dama_error *err)
{
    if (run->missing.count > 0 || is_status_old(run)) {
        DAMA_TRY(play_round(run, err));
    }
    DAMA_TRY(find_damaged(run, err));
    return run->missing.count > 0 ? play_round(run, err) : DAMA_OK;
}

/* Plays what is missing, with a progress line on rank 0. */
static enum dama_status play_with_progress(struct run *run, struct dama_error *err)
{
    const struct dama_selfplay_setup *setup = run->setup;
    struct dama_opening_book *book =
        dama_opening_book_new(&setup->ruleset->rules, (int)setup->config->random_plies, err);
    run->recorder.book = book;
    enum dama_status status = dama_comm_agree(book ? DAMA_OK : DAMA_MEMORY, err);
    if (status == DAMA_OK) {
        status = play_rounds(run, err);
        close_progress(run, status);
    }
    dama_opening_book_free(book);
    return status;
}

enum dama_status dama_selfplay_run(const struct dama_selfplay_setup *setup,
                                   struct dama_selfplay_summary *summary, struct dama_error *err)
{
    struct run *run = calloc(1, sizeof *run);
    DAMA_TRY(
        dama_comm_agree(run ? DAMA_OK : dama_fail(err, DAMA_MEMORY, "no memory for a run"), err));
    init_run(run, setup);
    *summary = (struct dama_selfplay_summary){0};
    double begin = dama_clock();
    bool is_first = dama_comm_rank() == 0;
    enum dama_status status = dama_comm_agree(is_first ? prepare(run, err) : DAMA_OK, err);
    if (status == DAMA_OK) {
        status = share_missing(run, err);
    }
    if (status == DAMA_OK) {
        status = play_with_progress(run, err);
    }
    if (status == DAMA_OK) {
        status = dama_comm_agree(
            is_first ? dama_selfplay_summarise(&setup->plan, &run->manifest, summary, err)
                     : DAMA_OK,
            err);
    }
    summary->played = run->played;
    summary->seconds = dama_clock() - begin;
    dama_comm_broadcast(summary, sizeof *summary);
    dama_manifest_close(&run->manifest);
    free(run->missing.blocks);
    free(run);
    return status;
}
