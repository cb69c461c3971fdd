/* Verification of one rank's shards of a folder, over its threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/comm.h"
#include "engine/rng.h"
#include "selfplay/verify_walk.h"

/* What one thread needs; its memory serves one shard after the other. */
struct worker {
    struct dama_verify_walk *walk;
    struct dama_verify_report report;
    struct dama_record_player *player; /* NULL when nothing is played again */
    struct dama_shard shard;
};

/* Room for one more; the old records when there is no memory, with errors in err. */
static void *grow(void *records, size_t count, size_t *capacity, size_t size,
                  struct dama_error *err)
{
    if (count < *capacity) {
        return records;
    }
    size_t wanted = *capacity ? 2 * *capacity : 64;
    void *grown = realloc(records, wanted * size);
    if (!grown) {
        dama_fail(err, DAMA_MEMORY, "no memory for a list of shards");
        return records;
    }
    *capacity = wanted;
    return grown;
}

enum dama_status dama_verify_add_file(void *context, const char *path, struct dama_error *err)
{
    struct dama_verify_walk *walk = context;
    uint64_t number = walk->number++;
    if ((int)(number % (uint64_t)dama_comm_size()) != dama_comm_rank()) {
        return DAMA_OK;
    }
    walk->file = grow(walk->file, walk->files, &walk->file_capacity, sizeof *walk->file, err);
    char *copy = strdup(path);
    if (!copy || err->status != DAMA_OK) {
        free(copy);
        return dama_fail(err, DAMA_MEMORY, "no memory for a list of shards");
    }
    walk->file[walk->files++] = (struct dama_verify_file){number, copy};
    return DAMA_OK;
}

static void add_finding(struct dama_verify_walk *walk, uint64_t number, const char *text)
{
#pragma omp critical(dama_verify)
    {
        walk->finding = grow(walk->finding, walk->findings, &walk->finding_capacity,
                             sizeof *walk->finding, &walk->error);
        if (walk->error.status == DAMA_OK) {
            struct dama_verify_finding *finding = &walk->finding[walk->findings++];
            finding->number = number;
            snprintf(finding->text, sizeof finding->text, "%s", text);
        }
    }
}

static void add_failure(struct dama_verify_walk *walk, const struct dama_error *error)
{
#pragma omp critical(dama_verify)
    dama_fail(&walk->error, error->status, "%s", error->text);
}

/* Chosen by the game's number alone, so that every rank and every call chooses the same games. */
static bool is_replayed(uint64_t game, double share)
{
    struct dama_rng rng = dama_rng_make(game, DAMA_RNG_REPLAY, game);
    return (double)dama_rng_next32(&rng) < share * 4294967296.0;
}

/* A shard lies in the file of its block. */
static enum dama_status check_name(const struct dama_verify_walk *walk, const char *path,
                                   uint64_t block, struct dama_error *err)
{
    char expected[DAMA_PATH_SIZE];
    dama_block_path(walk->folder, walk->run.ruleset.rules.name, (int64_t)block, expected,
                    sizeof expected);
    return strcmp(path, expected) == 0
               ? DAMA_OK
               : dama_fail(err, DAMA_MISMATCH, "%s: holds block %lu, whose file is %s", path,
                           (unsigned long long)block, expected);
}

/* A block holds its own games. */
static enum dama_status check_first(const struct worker *worker, struct dama_error *err)
{
    const struct dama_shard *shard = &worker->shard;
    const struct dama_block_plan *plan = &worker->walk->plan;
    if (!plan->block_games || shard->games == 0) {
        return DAMA_OK;
    }
    int64_t first = dama_block_first_game(plan, (int64_t)shard->block);
    return shard->game[0].id == (uint64_t)first
               ? DAMA_OK
               : dama_fail(err, DAMA_CORRUPT,
                           "row 0: block %lu begins with game %ld, found game %lu",
                           (unsigned long long)shard->block, (long long)first,
                           (unsigned long long)shard->game[0].id);
}

static void count(struct worker *worker, const struct dama_shard_header *header)
{
    worker->report.games += header->games;
    worker->report.rows += header->rows;
    worker->report.bytes += header->bytes;
    worker->report.column_bytes += dama_shard_column_bytes(
        worker->walk->run.ruleset.rules.board_size, header->rows, header->games);
}

/* Sums of words do not depend on the order of the shards. */
static void add_content(struct worker *worker)
{
    unsigned char hash[DAMA_HASH_SIZE];
    dama_shard_content_hash(&worker->shard, hash);
    for (int i = 0; i < DAMA_HASH_SIZE; i++) {
        worker->report.content[i / 8] += (uint64_t)hash[i] << 8 * (i % 8);
    }
}

static enum dama_status check_games(struct worker *worker, struct dama_error *err)
{
    const struct dama_verify_walk *walk = worker->walk;
    const struct dama_shard *shard = &worker->shard;
    DAMA_TRY(check_first(worker, err));
    DAMA_TRY(dama_verify_shard(&walk->run, shard, err));
    for (size_t g = 0; worker->player && g < shard->games; g++) {
        if (is_replayed(shard->game[g].id, walk->setup->replay_share)) {
            worker->report.replayed++;
            DAMA_TRY(dama_verify_replay(worker->player, shard, g, err));
        }
    }
    return DAMA_OK;
}

static enum dama_status verify_file(struct worker *worker, const char *path, struct dama_error *err)
{
    struct dama_verify_walk *walk = worker->walk;
    struct dama_shard_header header;
    if (walk->setup->is_quick) {
        DAMA_TRY(dama_shard_check_bytes(path, &header, err));
        count(worker, &header);
        return check_name(walk, path, header.block, err);
    }
    DAMA_TRY(dama_shard_load(path, &walk->run.origin, &worker->shard, &header, err));
    count(worker, &header);
    DAMA_TRY(check_name(walk, path, header.block, err));
    if (check_games(worker, err) != DAMA_OK) {
        return dama_error_prefix(err, path);
    }
    if (walk->setup->has_content) {
        add_content(worker);
    }
    return DAMA_OK;
}

/* A thread's part: files until none is left. */
static void work(struct worker *worker)
{
    struct dama_verify_walk *walk = worker->walk;
    struct dama_error failure = {0};
    worker->player = walk->book ? dama_record_player_new(&walk->recorder, &failure) : NULL;
    if (walk->book && !worker->player) {
        add_failure(walk, &failure);
    }
    for (size_t i;
         failure.status == DAMA_OK && (i = atomic_fetch_add(&walk->next, 1)) < walk->files;) {
        struct dama_error err = {0};
        worker->report.shards++;
        enum dama_status status = verify_file(worker, walk->file[i].path, &err);
        if (status == DAMA_MEMORY) {
            /* That says nothing of the shard. */
            add_failure(walk, &err);
            break;
        }
        if (status != DAMA_OK) {
            worker->report.bad_shards++;
            add_finding(walk, walk->file[i].number, err.text);
        }
    }
    dama_record_player_free(worker->player);
    dama_shard_free(&worker->shard);
}

static void add_report(struct dama_verify_report *sum, const struct dama_verify_report *part)
{
    sum->shards += part->shards;
    sum->bad_shards += part->bad_shards;
    sum->games += part->games;
    sum->rows += part->rows;
    sum->bytes += part->bytes;
    sum->column_bytes += part->column_bytes;
    sum->replayed += part->replayed;
    for (int i = 0; i < DAMA_VERIFY_CONTENT_WORDS; i++) {
        sum->content[i] += part->content[i];
    }
}

enum dama_status dama_verify_files(struct dama_verify_walk *walk, struct dama_error *err)
{
    int threads = walk->setup->threads;
    struct worker *workers = calloc((size_t)threads, sizeof *workers);
    if (!workers) {
        return dama_fail(err, DAMA_MEMORY, "no memory for %d threads", threads);
    }
    atomic_store(&walk->next, 0);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int t = 0; t < threads; t++) {
        workers[t].walk = walk;
        work(&workers[t]);
    }
    for (int t = 0; t < threads; t++) {
        add_report(&walk->report, &workers[t].report);
    }
    free(workers);
    return walk->error.status == DAMA_OK
               ? DAMA_OK
               : dama_fail(err, walk->error.status, "%s", walk->error.text);
}
