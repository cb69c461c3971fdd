/* Verification of a whole run: its shards over ranks and threads, what is found in order of name.
 */
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/comm.h"
#include "cluster/log.h"
#include "cluster/run_shards.h"
#include "engine/cli/clock.h"
#include "engine/rng.h"
#include "selfplay/verify.h"

/* A shard, by its place in the order of the folder, and what is wrong with it. */
struct finding {
    uint64_t number;
    char text[sizeof(((struct dama_error *)0)->text)];
};

struct file {
    uint64_t number;
    char *path;
};

/* One folder with shards on its way; of all ranks' shards this rank has every size-th. */
struct walk {
    const struct dama_verify_setup *setup;
    struct dama_verify_report report; /* of this rank, over all folders */
    const char *folder;
    struct dama_stored_run run;
    struct dama_block_plan plan;    /* which games are which block; no block_games: unknown */
    struct dama_opening_book *book; /* when games are played again */
    struct dama_recorder recorder;
    uint64_t number; /* of the next shard of any rank */
    struct file *file;
    size_t files, file_capacity;
    atomic_size_t next; /* file without a worker */
    struct finding *finding;
    size_t findings, finding_capacity;
    struct dama_error error; /* a worker's first failure that is no shard's fault */
};

/* What one thread needs; its memory serves one shard after the other. */
struct worker {
    struct walk *walk;
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

static enum dama_status add_file(void *context, const char *path, struct dama_error *err)
{
    struct walk *walk = context;
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
    walk->file[walk->files++] = (struct file){number, copy};
    return DAMA_OK;
}

static void add_finding(struct walk *walk, uint64_t number, const char *text)
{
#pragma omp critical(dama_verify)
    {
        walk->finding = grow(walk->finding, walk->findings, &walk->finding_capacity,
                             sizeof *walk->finding, &walk->error);
        if (walk->error.status == DAMA_OK) {
            struct finding *finding = &walk->finding[walk->findings++];
            finding->number = number;
            snprintf(finding->text, sizeof finding->text, "%s", text);
        }
    }
}

static void add_failure(struct walk *walk, const struct dama_error *error)
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
static enum dama_status check_name(const struct walk *walk, const char *path, uint64_t block,
                                   struct dama_error *err)
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
    const struct walk *walk = worker->walk;
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
    struct walk *walk = worker->walk;
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
    struct walk *walk = worker->walk;
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

/* This rank's files of the folder. */
static enum dama_status verify_files(struct walk *walk, struct dama_error *err)
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

static int compare_findings(const void *a, const void *b)
{
    const struct finding *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* Collective: all ranks' findings, on rank 0, in order of the shards. */
static enum dama_status tell(struct walk *walk, struct dama_error *err)
{
    size_t size = (size_t)dama_comm_size(), most = 0, count = 0;
    size_t *counts = calloc(size, sizeof *counts);
    DAMA_TRY(dama_comm_agree(
        counts ? DAMA_OK : dama_fail(err, DAMA_MEMORY, "no memory for %lu ranks", size), err));
    dama_comm_all_gather(&walk->findings, sizeof walk->findings, counts);
    for (size_t rank = 0; rank < size; rank++) {
        most = counts[rank] > most ? counts[rank] : most;
    }
    struct finding *own = calloc(most + 1, sizeof *own);
    struct finding *all = calloc(size * most + 1, sizeof *all);
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
static enum dama_status open_players(struct walk *walk, struct dama_error *err)
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
static void find_plan(struct walk *walk)
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

static enum dama_status open_folder(struct walk *walk, struct dama_error *err)
{
    DAMA_TRY(dama_stored_run_open(walk->folder, &walk->run, err));
    find_plan(walk);
    if (walk->setup->replay_share > 0) {
        DAMA_TRY(open_players(walk, err));
    }
    return dama_folder_shards(walk->folder, add_file, walk, err);
}

static void close_folder(struct walk *walk)
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
static enum dama_status compare_lists(const struct walk *walk, struct dama_error *err)
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
    struct walk *walk = context;
    walk->folder = folder;
    enum dama_status status = dama_comm_agree(open_folder(walk, err), err);
    if (status == DAMA_OK) {
        status = compare_lists(walk, err);
    }
    if (status == DAMA_OK) {
        status = dama_comm_agree(verify_files(walk, err), err);
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
    struct walk *walk = calloc(1, sizeof *walk);
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
