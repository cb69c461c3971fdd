/* Counting blocks by rank, and the part of status.json that comes of it. */
#include "selfplay/rank_progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RANK_TEXT_SIZE = 256, HEAD_TEXT_SIZE = 512, FIRST_CAPACITY = 1024 };

/* A rank is judged by its last games: by those of this time at least, and so many blocks a rank. */
static const double window_s = 600;
enum { WINDOW_BLOCKS = 8 };

/* Identities of games, open addressing; 0 is an empty slot, so that it is stored as another one. */
struct identities {
    uint64_t *slots;
    size_t capacity, count;
};

struct dama_rank_progress {
    int ranks;
    int64_t block_games;
    struct dama_worker *workers;
    uint64_t *games; /* by rank, of this call */
    /* By rank, games before the window that is judged, and before the one that follows it. */
    uint64_t *before, *before_next;
    double next_start_s;
    double *sorted; /* room for the median */
    char *text;
    size_t text_size;
    struct identities seen;
    uint64_t results[3], all_games, shards, rows, bytes;
};

struct dama_worker dama_worker_here(int threads)
{
    struct dama_worker worker = {.threads = threads};
    gethostname(worker.host, sizeof worker.host - 1);
    for (char *at = worker.host; *at; at++) {
        *at = *at < ' ' || *at == '"' || *at == '\\' ? '?' : *at;
    }
    return worker;
}

static uint64_t *find_slot(uint64_t *slots, size_t capacity, uint64_t identity)
{
    size_t at = (size_t)identity & (capacity - 1);
    while (slots[at] && slots[at] != identity) {
        at = (at + 1) & (capacity - 1);
    }
    return &slots[at];
}

static bool grow(struct identities *set)
{
    size_t capacity = set->capacity ? 2 * set->capacity : FIRST_CAPACITY;
    uint64_t *slots = calloc(capacity, sizeof *slots);
    if (!slots) {
        return false;
    }
    for (size_t i = 0; i < set->capacity; i++) {
        if (set->slots[i]) {
            *find_slot(slots, capacity, set->slots[i]) = set->slots[i];
        }
    }
    free(set->slots);
    set->slots = slots;
    set->capacity = capacity;
    return true;
}

static bool insert(struct identities *set, uint64_t identity)
{
    if (2 * set->count >= set->capacity && !grow(set)) {
        return false;
    }
    identity = identity ? identity : UINT64_MAX;
    uint64_t *slot = find_slot(set->slots, set->capacity, identity);
    set->count += *slot == 0;
    *slot = identity;
    return true;
}

struct dama_rank_progress *dama_rank_progress_new(const struct dama_worker *workers, int ranks,
                                                  int64_t block_games, struct dama_error *err)
{
    struct dama_rank_progress *progress = calloc(1, sizeof *progress);
    size_t count = (size_t)ranks;
    if (progress) {
        progress->ranks = ranks;
        progress->block_games = block_games;
        progress->workers = malloc(count * sizeof *workers);
        progress->games = calloc(count, sizeof *progress->games);
        progress->before = calloc(count, sizeof *progress->before);
        progress->before_next = calloc(count, sizeof *progress->before_next);
        progress->sorted = malloc(count * sizeof *progress->sorted);
        progress->text_size = HEAD_TEXT_SIZE + count * RANK_TEXT_SIZE;
        progress->text = malloc(progress->text_size);
    }
    if (!progress || !progress->workers || !progress->games || !progress->before ||
        !progress->before_next || !progress->sorted || !progress->text || !grow(&progress->seen)) {
        dama_rank_progress_free(progress);
        dama_fail(err, DAMA_MEMORY, "no memory for the progress of %d ranks", ranks);
        return NULL;
    }
    memcpy(progress->workers, workers, count * sizeof *workers);
    return progress;
}

void dama_rank_progress_free(struct dama_rank_progress *progress)
{
    if (progress) {
        free(progress->workers);
        free(progress->games);
        free(progress->before);
        free(progress->before_next);
        free(progress->sorted);
        free(progress->text);
        free(progress->seen.slots);
        free(progress);
    }
}

enum dama_status dama_rank_progress_add(struct dama_rank_progress *progress, int rank,
                                        const struct dama_block_result *result,
                                        struct dama_error *err)
{
    if (rank >= 0) {
        progress->games[rank] += result->games;
    }
    progress->shards++;
    progress->all_games += result->games;
    progress->rows += result->rows;
    progress->bytes += result->bytes;
    for (int i = 0; i < 3; i++) {
        progress->results[i] += result->results[i];
    }
    for (uint64_t i = 0; i < result->games; i++) {
        if (!insert(&progress->seen, result->identity[i].game)) {
            return dama_fail(err, DAMA_MEMORY, "no memory to tell %lu games apart",
                             (unsigned long long)progress->all_games);
        }
    }
    return DAMA_OK;
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double games_per_thread(const struct dama_rank_progress *progress, int rank, int64_t more)
{
    uint64_t games = progress->games[rank] - progress->before[rank] + (uint64_t)more;
    return (double)games / progress->workers[rank].threads;
}

/* The window becomes as long as two of its least, then its first half is left behind: a rank that
   grows slow after days is seen. */
static void move_window(struct dama_rank_progress *progress, double elapsed_s)
{
    uint64_t games = 0;
    for (int rank = 0; rank < progress->ranks; rank++) {
        games += progress->games[rank] - progress->before_next[rank];
    }
    uint64_t least = WINDOW_BLOCKS * (uint64_t)progress->block_games * (uint64_t)progress->ranks;
    if (elapsed_s - progress->next_start_s >= window_s && games >= least) {
        size_t size = (size_t)progress->ranks * sizeof *progress->games;
        memcpy(progress->before, progress->before_next, size);
        memcpy(progress->before_next, progress->games, size);
        progress->next_start_s = elapsed_s;
    }
}

/* Of two ranks it is the faster one, so that a slow one of two is seen. */
static double median_of(const struct dama_rank_progress *progress)
{
    for (int rank = 0; rank < progress->ranks; rank++) {
        progress->sorted[rank] = games_per_thread(progress, rank, 0);
    }
    qsort(progress->sorted, (size_t)progress->ranks, sizeof *progress->sorted, compare_numbers);
    return progress->sorted[progress->ranks / 2];
}

static size_t format_ranks(const struct dama_rank_progress *progress, double elapsed_s,
                           size_t length)
{
    for (int rank = 0; rank < progress->ranks; rank++) {
        const struct dama_worker *worker = &progress->workers[rank];
        length += (size_t)snprintf(
            progress->text + length, progress->text_size - length,
            "%s{\"rank\":%d,\"host\":\"%s\",\"threads\":%d,\"games\":%llu,\"rate\":%.6g}",
            rank ? "," : "", rank, worker->host, worker->threads,
            (unsigned long long)progress->games[rank],
            elapsed_s > 0 ? (double)progress->games[rank] / elapsed_s : 0);
    }
    return length;
}

static size_t format_slow(const struct dama_rank_progress *progress, size_t length)
{
    double half = median_of(progress) / 2;
    const char *comma = "";
    for (int rank = 0; rank < progress->ranks; rank++) {
        if (games_per_thread(progress, rank, progress->block_games) < half) {
            length += (size_t)snprintf(progress->text + length, progress->text_size - length,
                                       "%s%d", comma, rank);
            comma = ",";
        }
    }
    return length;
}

const char *dama_rank_progress_format(struct dama_rank_progress *progress, double elapsed_s)
{
    char *text = progress->text;
    size_t size = progress->text_size;
    move_window(progress, elapsed_s);
    size_t length = (size_t)snprintf(
        text, size,
        "\"results\":{\"white\":%llu,\"draw\":%llu,\"black\":%llu},\"duplicates\":%llu,"
        "\"stored\":{\"shards\":%llu,\"positions\":%llu,\"bytes\":%llu},\"ranks\":[",
        (unsigned long long)progress->results[2], (unsigned long long)progress->results[1],
        (unsigned long long)progress->results[0],
        (unsigned long long)(progress->all_games - progress->seen.count),
        (unsigned long long)progress->shards, (unsigned long long)progress->rows,
        (unsigned long long)progress->bytes);
    length = format_ranks(progress, elapsed_s, length);
    length += (size_t)snprintf(text + length, size - length, "],\"slow\":[");
    length = format_slow(progress, length);
    snprintf(text + length, size - length, "]");
    return text;
}
