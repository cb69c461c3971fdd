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
#include "selfplay/block_bytes.h"
#include "selfplay/block_queue.h"
#include "selfplay/manifest.h"
#include "selfplay/rank_progress.h"
#include "selfplay/request.h"
#include "selfplay/run_store.h"

struct run {
    const struct dama_selfplay_setup *setup;
    struct dama_recorder recorder;
    char request[DAMA_REQUEST_SIZE];
    struct dama_shard_origin origin;
    struct dama_block_queue *queue;
    struct dama_shard shard;          /* the finished block being stored */
    struct dama_manifest manifest;    /* rank 0 */
    struct dama_progress *progress;   /* rank 0 */
    struct dama_rank_progress *ranks; /* rank 0 */
    double start;                     /* of play */
    int64_t *missing;                 /* blocks to play, ascending: job j is missing[j] */
    int64_t missing_count;
    uint64_t found_games;    /* rank 0: in blocks that were there */
    uint64_t played;         /* rank 0: games of this call, all ranks */
    struct dama_error error; /* the first failure on this rank */
};

static void start_block(void *context, int64_t job)
{
    struct run *run = context;
    dama_block_queue_add(run->queue, run->missing[job]);
}

static int compare_blocks(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
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
    const int64_t *at =
        bsearch(&block, run->missing, (size_t)run->missing_count, sizeof block, compare_blocks);
    *job = at - run->missing;
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
    dama_progress_update(run->progress, (double)(run->found_games + run->played),
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
        .jobs = run->missing_count,
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

/* What a shard of this block says, read whole; NULL when it is damaged, of another request or of
   other games. */
static const struct dama_block_result *read_block(struct run *run, const char *path,
                                                  struct dama_error *err)
{
    const struct dama_block_plan *plan = &run->setup->plan;
    struct dama_shard_header header;
    struct dama_error error = {0};
    if (dama_shard_load(path, &run->origin, &run->shard, &header, &error) != DAMA_OK) {
        dama_log_warn("%s; it is played again", error.text);
        return NULL;
    }
    int64_t first = dama_block_first_game(plan, (int64_t)header.block);
    if (run->shard.game[0].id != (uint64_t)first) {
        dama_log_warn("%s: expected game %lld first, found %llu; it is played again", path,
                      (long long)first, (unsigned long long)run->shard.game[0].id);
        return NULL;
    }
    struct dama_block_result *result = calloc(1, dama_block_result_size((int64_t)header.games));
    if (!result) {
        dama_fail(err, DAMA_MEMORY, "no memory for a block of %lu games",
                  (unsigned long long)header.games);
        return NULL;
    }
    dama_block_result_fill(result, &run->shard, &header);
    dama_manifest_add(&run->manifest, result, err);
    free(result);
    return dama_manifest_find(&run->manifest, (int64_t)header.block);
}

/* What a present shard says, from the manifest when it knows this very file, else from the shard.
   NULL: not there, or to be played again. A run with fewer games than are stored is an error: no
   game that was played is thrown away. */
static const struct dama_block_result *find_block(struct run *run, int64_t block,
                                                  struct dama_error *err)
{
    char path[DAMA_PATH_SIZE];
    struct dama_shard_header header;
    struct dama_error error = {0};
    const struct dama_selfplay_setup *setup = run->setup;
    dama_block_path(setup->folder, setup->ruleset->rules.name, block, path, sizeof path);
    if (!dama_file_exists(path)) {
        return NULL;
    }
    if (dama_shard_peek(path, &header, &error) != DAMA_OK) {
        dama_log_warn("%s; it is played again", error.text);
        return NULL;
    }
    if (header.block != (uint64_t)block) {
        dama_log_warn("%s: expected block %lld, found %llu; it is played again", path,
                      (long long)block, (unsigned long long)header.block);
        return NULL;
    }
    int games = dama_block_games(&setup->plan, block);
    if (header.games > (uint64_t)games) {
        dama_fail(err, DAMA_MISMATCH,
                  "%s holds %lu games, %d would be left of them; the games of a run may only grow",
                  path, (unsigned long long)header.games, games);
        return NULL;
    }
    if (header.games < (uint64_t)games) {
        return NULL;
    }
    const struct dama_block_result *known = dama_manifest_find(&run->manifest, block);
    bool is_known = known && known->bytes == header.bytes &&
                    !memcmp(known->sha256, header.sha256, DAMA_HASH_SIZE);
    return is_known ? known : read_block(run, path, err);
}

/* Fills the list of blocks to play. */
static enum dama_status list_missing(struct run *run, const bool *is_damaged,
                                     struct dama_error *err)
{
    const struct dama_block_plan *plan = &run->setup->plan;
    for (int64_t i = 0; i < dama_block_count(plan); i++) {
        int64_t block = plan->first_block + i;
        const struct dama_block_result *found = is_damaged[i] ? NULL : find_block(run, block, err);
        if (err->status != DAMA_OK) {
            return err->status;
        }
        if (found) {
            run->found_games += found->games;
        } else {
            run->missing[run->missing_count++] = block;
        }
    }
    return DAMA_OK;
}

/* Rank 0: lists the blocks that are not there and valid. */
static enum dama_status find_missing(struct run *run, struct dama_error *err)
{
    const struct dama_selfplay_setup *setup = run->setup;
    const struct dama_block_bytes bytes = {
        .folder = setup->folder,
        .variant = setup->ruleset->rules.name,
        .plan = &setup->plan,
        .manifest = &run->manifest,
        .threads = setup->threads,
    };
    char path[DAMA_PATH_SIZE];
    snprintf(path, sizeof path, "%s/manifest.jsonl", setup->run);
    DAMA_TRY(dama_manifest_open(&run->manifest, path, err));
    size_t blocks = (size_t)dama_block_count(&setup->plan);
    run->missing = malloc(blocks * sizeof *run->missing);
    bool *is_damaged = calloc(blocks, sizeof *is_damaged);
    enum dama_status status =
        run->missing && is_damaged
            ? dama_block_bytes_check(&bytes, is_damaged, err)
            : dama_fail(err, DAMA_MEMORY, "no memory for a list of %lu blocks",
                        (unsigned long long)blocks);
    if (status == DAMA_OK) {
        status = list_missing(run, is_damaged, err);
    }
    free(is_damaged);
    return status;
}

/* Rank 0's preparations: the folder, the request, the table, what is missing. */
static enum dama_status prepare(struct run *run, struct dama_error *err)
{
    DAMA_TRY(dama_run_store_prepare(run->setup->folder, run->setup->ruleset, run->setup->weights,
                                    run->request, err));
    return find_missing(run, err);
}

static enum dama_status share_missing(struct run *run, struct dama_error *err)
{
    enum dama_status status = DAMA_OK;
    dama_comm_broadcast(&run->missing_count, sizeof run->missing_count);
    if (dama_comm_rank() != 0) {
        run->missing = malloc((size_t)(run->missing_count + 1) * sizeof *run->missing);
        status =
            run->missing ? DAMA_OK : dama_fail(err, DAMA_MEMORY, "no memory for a list of blocks");
    }
    DAMA_TRY(dama_comm_agree(status, err));
    dama_comm_broadcast(run->missing, (size_t)run->missing_count * sizeof *run->missing);
    return DAMA_OK;
}

static int compare_words(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t count_distinct(uint64_t *words, size_t count)
{
    qsort(words, count, sizeof *words, compare_words);
    uint64_t distinct = 0;
    for (size_t i = 0; i < count; i++) {
        distinct += i == 0 || words[i] != words[i - 1];
    }
    return distinct;
}

/* Rank 0: totals of the plan's blocks from the manifest. */
static enum dama_status summarise(const struct run *run, struct dama_selfplay_summary *out,
                                  struct dama_error *err)
{
    const struct dama_block_plan *plan = &run->setup->plan;
    uint64_t *games = malloc((size_t)plan->games * sizeof *games);
    uint64_t *openings = malloc((size_t)plan->games * sizeof *openings);
    if (!games || !openings) {
        free(games);
        free(openings);
        return dama_fail(err, DAMA_MEMORY, "no memory to count %ld games", (long long)plan->games);
    }
    for (int64_t b = 0; b < dama_block_count(plan); b++) {
        const struct dama_block_result *block =
            dama_manifest_find(&run->manifest, plan->first_block + b);
        for (uint64_t i = 0; block && i < block->games; i++) {
            games[out->games] = block->identity[i].game;
            openings[out->games++] = block->identity[i].opening;
        }
        out->rows += block ? block->rows : 0;
        out->plies += block ? block->plies : 0;
        out->bytes += block ? block->bytes : 0;
        for (int i = 0; block && i < 3; i++) {
            out->results[i] += block->results[i];
        }
        for (int i = 0; block && i < DAMA_END_ONGOING; i++) {
            out->ends[i] += block->ends[i];
        }
    }
    out->distinct_games = count_distinct(games, (size_t)out->games);
    out->distinct_openings = count_distinct(openings, (size_t)out->games);
    free(games);
    free(openings);
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
        if (next < run->missing_count && run->missing[next] == b) {
            next++;
            continue;
        }
        DAMA_TRY(
            dama_rank_progress_add(run->ranks, -1, dama_manifest_find(&run->manifest, b), err));
    }
    return DAMA_OK;
}

/* Collective: who plays, told to rank 0. */
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
        status = count_found(run, workers, err);
        run->progress =
            dama_progress_new(path, "selfplay", "games", (double)run->setup->plan.games);
    }
    free(workers);
    return dama_comm_agree(status, err);
}

static void close_progress(struct run *run, enum dama_status status)
{
    if (run->progress) {
        bool is_stopped = status == DAMA_STOPPED;
        if (run->ranks) {
            dama_progress_update(run->progress, (double)(run->found_games + run->played),
                                 dama_rank_progress_format(run->ranks, dama_clock() - run->start));
        }
        dama_progress_end(run->progress,
                          status == DAMA_OK ? "done"
                          : is_stopped      ? "stopped"
                                            : "failed",
                          status == DAMA_OK ? "dama tune RUN --out weights.dama"
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
        is_old = !dama_status_is_done(path);
    }
    dama_comm_broadcast(&is_old, sizeof is_old);
    return is_old;
}

/* Plays what is missing, with a progress line on rank 0. */
static enum dama_status play_with_progress(struct run *run, struct dama_error *err)
{
    const struct dama_selfplay_setup *setup = run->setup;
    struct dama_opening_book *book =
        dama_opening_book_new(&setup->ruleset->rules, (int)setup->config->random_plies, err);
    run->recorder.book = book;
    enum dama_status status = dama_comm_agree(book ? DAMA_OK : DAMA_MEMORY, err);
    if (status == DAMA_OK && (run->missing_count > 0 || is_status_old(run))) {
        status = open_progress(run, err);
        if (status == DAMA_OK && run->missing_count > 0) {
            status = play_missing(run, err);
        }
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
        status = dama_comm_agree(is_first ? summarise(run, summary, err) : DAMA_OK, err);
    }
    summary->played = run->played;
    summary->seconds = dama_clock() - begin;
    dama_comm_broadcast(summary, sizeof *summary);
    dama_manifest_close(&run->manifest);
    free(run->missing);
    free(run);
    return status;
}
