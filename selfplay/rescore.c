/* Folder by folder: find the shards without new scores, share them, store them. */
#include "selfplay/rescore.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/comm.h"
#include "cluster/log.h"
#include "cluster/run_folder.h"
#include "cluster/run_shards.h"
#include "engine/text.h"
#include "selfplay/manifest.h"

enum { SLOTS = 3 };

/* One folder on its way. */
struct rescore {
    const struct dama_rescore_setup *setup;
    struct dama_rescore_summary *summary;
    char folder[DAMA_PATH_SIZE], out[DAMA_PATH_SIZE];
    struct dama_stored_run parent;
    struct dama_weights weights;
    char request[DAMA_REQUEST_SIZE];
    struct dama_shard_origin origin;
    struct dama_rescorer rescorer;
    struct dama_rescore_queue *queue;
    struct dama_manifest manifest;  /* rank 0 */
    struct dama_progress *progress; /* rank 0 */
    int64_t *blocks;                /* without new scores, ascending: job j is blocks[j] */
    int64_t block_count, block_capacity;
    uint64_t most_games; /* of a shard */
    uint64_t found, done;
    struct dama_error error; /* the first failure on this rank */
};

static void shard_path(const struct rescore *r, const char *folder, int64_t block,
                       char out[DAMA_PATH_SIZE])
{
    dama_block_path(folder, r->parent.ruleset.rules.name, block, out, DAMA_PATH_SIZE);
}

static bool begins_with(const char *text, const char *start)
{
    return !strncmp(text, start, strlen(start));
}

/* The parent's lines about the games, then those about the new scores. */
static void format_request(struct rescore *r)
{
    static const char *const own[] = {"variant", "rules",  "features",
                                      "weights", "engine", "parent_request"};
    char rest[DAMA_REQUEST_SIZE], key[DAMA_REQUEST_VALUE_SIZE], value[DAMA_REQUEST_VALUE_SIZE];
    char hex[2 * DAMA_HASH_SIZE + 1];
    unsigned char hash[DAMA_HASH_SIZE];
    struct dama_text text = {.at = rest, .size = sizeof rest};
    rest[0] = 0;
    for (const char *at = r->parent.request; (at = dama_request_next(at, key, value));) {
        bool is_own = begins_with(key, "parent_") || begins_with(key, "rescore_");
        for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
            is_own = is_own || !strcmp(key, own[i]);
        }
        if (!is_own) {
            dama_text_add(&text, "%s = %s\n", key, value);
        }
    }
    dama_sha256(r->parent.request, strlen(r->parent.request), hash);
    dama_hash_hex(hash, hex);
    dama_text_add(&text, "parent_request = %s\n", hex);
    dama_request_value(r->parent.request, "weights", value, sizeof value);
    dama_text_add(&text, "parent_weights = %s\n", value);
    dama_request_value(r->parent.request, "engine", value, sizeof value);
    dama_text_add(&text, "parent_engine = %s\n", value);
    dama_text_add(&text, "rescore_nodes = %lu\nrescore_depth = %d\nrescore_table_kb = %lu\n",
                  (unsigned long long)r->setup->nodes, r->setup->depth,
                  (unsigned long long)r->setup->table_kb);
    dama_request_format_with(&r->parent.ruleset, &r->weights, rest, r->request);
}

/* Rank 0 reads the table that scores. */
static enum dama_status read_table(struct rescore *r, struct dama_error *err)
{
    if (dama_comm_rank() != 0) {
        return DAMA_OK;
    }
    r->weights = r->parent.weights;
    return r->setup->table
               ? dama_common_weights(r->setup->table, &r->parent.ruleset, &r->weights, err)
               : DAMA_OK;
}

/* Collective: the parent, the table, the request. Ranks whose folder is another run would store
   other games under one request. */
static enum dama_status read_parent(struct rescore *r, struct dama_error *err)
{
    DAMA_TRY(dama_comm_agree(dama_stored_run_open(r->folder, &r->parent, err), err));
    DAMA_TRY(dama_comm_agree(read_table(r, err), err));
    dama_comm_broadcast(&r->weights, sizeof r->weights);
    format_request(r);
    char first[DAMA_REQUEST_SIZE];
    memcpy(first, r->request, sizeof first);
    dama_comm_broadcast(first, sizeof first);
    DAMA_TRY(dama_comm_agree(strcmp(first, r->request) == 0
                                 ? DAMA_OK
                                 : dama_fail(err, DAMA_MISMATCH,
                                             "%s: expected the run that rank 0 has there, found "
                                             "another",
                                             r->folder),
                             err));
    dama_run_origin(&r->parent.ruleset, &r->weights, r->request, &r->origin);
    r->rescorer = (struct dama_rescorer){
        .parent = &r->parent,
        .weights = &r->weights,
        .nodes = r->setup->nodes,
        .depth = r->setup->depth,
        .table_kb = r->setup->table_kb,
    };
    return DAMA_OK;
}

static enum dama_status add_block(struct rescore *r, int64_t block, struct dama_error *err)
{
    if (r->block_count == r->block_capacity) {
        int64_t capacity = r->block_capacity ? 2 * r->block_capacity : 256;
        int64_t *grown = realloc(r->blocks, (size_t)capacity * sizeof *grown);
        if (!grown) {
            return dama_fail(err, DAMA_MEMORY, "no memory for a list of shards");
        }
        r->blocks = grown;
        r->block_capacity = capacity;
    }
    r->blocks[r->block_count++] = block;
    return DAMA_OK;
}

/* Whether the new run has this shard already, whole and of this request. */
static bool has_scores(struct rescore *r, const struct dama_shard_header *of)
{
    char path[DAMA_PATH_SIZE];
    struct dama_shard shard = {0};
    struct dama_shard_header header;
    struct dama_error error = {0};
    shard_path(r, r->out, (int64_t)of->block, path);
    bool is_there = dama_file_exists(path);
    bool is_good =
        is_there && dama_shard_load(path, &r->origin, &shard, &header, &error) == DAMA_OK &&
        header.block == of->block && header.games == of->games && header.rows == of->rows;
    if (is_there && !is_good) {
        dama_log_warn("%s; it is searched again", *error.text ? error.text : path);
    }
    dama_shard_free(&shard);
    return is_good;
}

static enum dama_status look_at_shard(void *context, const char *path, struct dama_error *err)
{
    struct rescore *r = context;
    struct dama_shard_header header;
    char expected[DAMA_PATH_SIZE];
    DAMA_TRY(dama_shard_peek(path, &header, err));
    shard_path(r, r->folder, (int64_t)header.block, expected);
    if (strcmp(path, expected) != 0) {
        return dama_fail(err, DAMA_MISMATCH, "%s: holds block %lu, whose file is %s", path,
                         (unsigned long long)header.block, expected);
    }
    r->summary->shards++;
    r->summary->games += header.games;
    r->summary->rows += header.rows;
    r->most_games = header.games > r->most_games ? header.games : r->most_games;
    if (has_scores(r, &header)) {
        r->found++;
        return DAMA_OK;
    }
    return add_block(r, (int64_t)header.block, err);
}

/* Rank 0: the new folder, and what it lacks. */
static enum dama_status prepare(struct rescore *r, struct dama_error *err)
{
    char path[DAMA_PATH_SIZE];
    DAMA_TRY(dama_run_store_prepare(r->out, &r->parent.ruleset, &r->weights, r->request, err));
    snprintf(path, sizeof path, "%s/parent.conf", r->out);
    DAMA_TRY(dama_file_write(path, r->parent.request, strlen(r->parent.request), err));
    snprintf(path, sizeof path, "%s/manifest.jsonl", r->setup->out);
    DAMA_TRY(dama_manifest_open(&r->manifest, path, err));
    return dama_folder_shards(r->folder, look_at_shard, r, err);
}

static enum dama_status share_blocks(struct rescore *r, struct dama_error *err)
{
    dama_comm_broadcast(&r->block_count, sizeof r->block_count);
    dama_comm_broadcast(&r->most_games, sizeof r->most_games);
    enum dama_status status = DAMA_OK;
    if (dama_comm_rank() != 0) {
        r->blocks = malloc((size_t)(r->block_count + 1) * sizeof *r->blocks);
        status =
            r->blocks ? DAMA_OK : dama_fail(err, DAMA_MEMORY, "no memory for a list of shards");
    }
    DAMA_TRY(dama_comm_agree(status, err));
    dama_comm_broadcast(r->blocks, (size_t)r->block_count * sizeof *r->blocks);
    return DAMA_OK;
}

static void start_shard(void *context, int64_t job)
{
    struct rescore *r = context;
    struct dama_shard shard = {0};
    char path[DAMA_PATH_SIZE];
    shard_path(r, r->folder, r->blocks[job], path);
    if (dama_shard_load(path, &r->parent.origin, &shard, NULL, &r->error) == DAMA_OK) {
        shard.block = (uint64_t)r->blocks[job];
        dama_rescore_queue_add(r->queue, job, &shard);
    }
}

/* Stores a shard that has all its scores, if there is one. */
static bool finished_shard(void *context, int64_t *job, void *result)
{
    struct rescore *r = context;
    struct dama_shard shard = {0};
    struct dama_shard_header header;
    char path[DAMA_PATH_SIZE];
    if (r->error.status != DAMA_OK || !dama_rescore_queue_take(r->queue, job, &shard)) {
        return false;
    }
    shard_path(r, r->out, r->blocks[*job], path);
    bool is_stored = dama_shard_save(path, &shard, &r->origin, &header, &r->error) == DAMA_OK;
    if (is_stored) {
        dama_block_result_fill(result, &shard, &header);
    }
    dama_shard_free(&shard);
    return is_stored;
}

static int lacking_shards(void *context)
{
    const struct rescore *r = context;
    return dama_rescore_queue_lacking(r->queue);
}

static void collect_shard(void *context, int rank, int64_t job, const void *result)
{
    struct rescore *r = context;
    (void)rank;
    (void)job;
    r->done++;
    dama_manifest_add(&r->manifest, result, &r->error);
}

static bool poll_shards(void *context)
{
    struct rescore *r = context;
    dama_rescore_queue_status(r->queue, &r->error);
    if (r->progress) {
        dama_progress_update(r->progress, (double)(r->found + r->done), NULL);
    }
    return r->error.status != DAMA_OK || dama_stop_requested();
}

/* Thread 0 of the team shares and stores; the others search. */
static enum dama_status search(struct rescore *r, struct dama_error *err)
{
    struct dama_comm_work work = {
        .jobs = r->block_count,
        .result_size = dama_block_result_size((int64_t)r->most_games),
        .slots = SLOTS,
        .context = r,
        .start = start_shard,
        .finished = finished_shard,
        .lacking = lacking_shards,
        .collect = collect_shard,
        .poll = poll_shards,
    };
    r->queue = dama_rescore_queue_new(&r->rescorer, SLOTS, err);
    DAMA_TRY(dama_comm_agree(r->queue ? DAMA_OK : DAMA_MEMORY, err));
    enum dama_status status = DAMA_OK;
    omp_set_dynamic(0);
#pragma omp parallel num_threads(r->setup->threads + 1)
    {
        if (omp_get_thread_num() == 0) {
            if (omp_get_num_threads() < 2) {
                dama_fail(&r->error, DAMA_UNSUPPORTED,
                          "OpenMP gives one thread; unset OMP_THREAD_LIMIT");
            }
            status = dama_comm_share(&work, err);
            dama_rescore_queue_close(r->queue);
        } else {
            dama_rescore_queue_work(r->queue);
        }
    }
    if (r->error.status != DAMA_OK) {
        *err = r->error;
        status = r->error.status;
    }
    return dama_comm_agree(status, err);
}

static enum dama_status search_with_progress(struct rescore *r, struct dama_error *err)
{
    if (r->block_count == 0) {
        return DAMA_OK;
    }
    if (dama_comm_rank() == 0) {
        char path[DAMA_PATH_SIZE];
        snprintf(path, sizeof path, "%s/status.json", r->setup->out);
        r->progress = dama_progress_new(path, "rescore", "shards",
                                        (double)(r->found + (uint64_t)r->block_count));
    }
    enum dama_status status = search(r, err);
    if (r->progress) {
        dama_progress_update(r->progress, (double)(r->found + r->done), NULL);
        dama_progress_end(r->progress,
                          status == DAMA_OK        ? "done"
                          : status == DAMA_STOPPED ? "stopped"
                                                   : "failed",
                          status == DAMA_OK ? "dama tune RUN --out weights.dama"
                                            : "the same command goes on");
    }
    return status;
}

/* Collective: one folder with shards. */
static enum dama_status rescore_folder(struct rescore *r, struct dama_error *err)
{
    bool is_first = dama_comm_rank() == 0;
    enum dama_status status = read_parent(r, err);
    if (status == DAMA_OK) {
        status = dama_comm_agree(is_first ? prepare(r, err) : DAMA_OK, err);
    }
    if (status == DAMA_OK) {
        status = share_blocks(r, err);
    }
    if (status == DAMA_OK) {
        status = search_with_progress(r, err);
    }
    r->summary->searched += r->done;
    dama_rescore_queue_free(r->queue);
    dama_manifest_close(&r->manifest);
    free(r->blocks);
    return status;
}

struct walk {
    const struct dama_rescore_setup *setup;
    struct dama_rescore_summary *summary;
};

/* RUN itself becomes OUT, RUN/gen-NNN becomes OUT/gen-NNN. */
static enum dama_status visit_folder(void *context, const char *folder, struct dama_error *err)
{
    struct walk *walk = context;
    struct rescore *r = calloc(1, sizeof *r);
    DAMA_TRY(
        dama_comm_agree(r ? DAMA_OK : dama_fail(err, DAMA_MEMORY, "no memory for a run"), err));
    const struct dama_rescore_setup *setup = walk->setup;
    r->setup = setup;
    r->summary = walk->summary;
    bool is_run = !strcmp(folder, setup->run);
    snprintf(r->folder, sizeof r->folder, "%s", folder);
    snprintf(r->out, sizeof r->out, "%s%s", setup->out, is_run ? "" : strrchr(folder, '/'));
    enum dama_status status = rescore_folder(r, err);
    free(r);
    return status;
}

enum dama_status dama_rescore_run(const struct dama_rescore_setup *setup,
                                  struct dama_rescore_summary *summary, struct dama_error *err)
{
    struct walk walk = {setup, summary};
    double begin = dama_clock();
    *summary = (struct dama_rescore_summary){0};
    DAMA_TRY(dama_run_folders_together(setup->run, visit_folder, &walk, err));
    summary->seconds = dama_clock() - begin;
    dama_comm_broadcast(summary, sizeof *summary);
    return DAMA_OK;
}
