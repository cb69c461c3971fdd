/* Games of the shards in hand go to whichever thread is free, those of the first shard first. */
#include "selfplay/rescore_queue.h"

#include <assert.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "engine/search.h"
#include "selfplay/verify.h"

/* A thread without work looks again after this long. */
static const struct timespec idle_pause = {.tv_nsec = 500000};

struct slot {
    bool is_used;
    int64_t job;
    size_t started, done; /* games */
    struct dama_shard shard;
};

struct dama_rescore_queue {
    const struct dama_rescorer *rescorer;
    omp_lock_t lock; /* of the slots' counters, of workers and of error */
    atomic_bool is_closed;
    struct dama_error error;
    size_t workers;
    int slot_count;
    struct slot slots[];
};

/* What one thread owns. */
struct worker {
    struct dama_rescore_queue *queue;
    struct dama_searcher *searcher;
    struct dama_game *game;
    dama_move *moves; /* of the game in hand; grows */
    int move_capacity;
};

struct dama_rescore_queue *dama_rescore_queue_new(const struct dama_rescorer *rescorer, int slots,
                                                  struct dama_error *err)
{
    struct dama_rescore_queue *queue =
        calloc(1, sizeof *queue + (size_t)slots * sizeof queue->slots[0]);
    if (!queue) {
        dama_fail(err, DAMA_MEMORY, "no memory for the queue of shards");
        return NULL;
    }
    queue->rescorer = rescorer;
    queue->slot_count = slots;
    omp_init_lock(&queue->lock);
    return queue;
}

void dama_rescore_queue_free(struct dama_rescore_queue *queue)
{
    if (!queue) {
        return;
    }
    for (int i = 0; i < queue->slot_count; i++) {
        dama_shard_free(&queue->slots[i].shard);
    }
    omp_destroy_lock(&queue->lock);
    free(queue);
}

void dama_rescore_queue_add(struct dama_rescore_queue *queue, int64_t job, struct dama_shard *shard)
{
    omp_set_lock(&queue->lock);
    int i = 0;
    while (i < queue->slot_count && queue->slots[i].is_used) {
        i++;
    }
    assert(i < queue->slot_count);
    queue->slots[i] = (struct slot){.is_used = true, .job = job, .shard = *shard};
    omp_unset_lock(&queue->lock);
    *shard = (struct dama_shard){0};
}

bool dama_rescore_queue_take(struct dama_rescore_queue *queue, int64_t *job, struct dama_shard *out)
{
    bool is_found = false;
    omp_set_lock(&queue->lock);
    for (int i = 0; i < queue->slot_count && !is_found; i++) {
        struct slot *slot = &queue->slots[i];
        is_found = slot->is_used && slot->done == slot->shard.games;
        if (is_found) {
            *job = slot->job;
            *out = slot->shard;
            *slot = (struct slot){0};
        }
    }
    omp_unset_lock(&queue->lock);
    return is_found;
}

int dama_rescore_queue_lacking(struct dama_rescore_queue *queue)
{
    size_t waiting = 0;
    omp_set_lock(&queue->lock);
    for (int i = 0; i < queue->slot_count; i++) {
        const struct slot *slot = &queue->slots[i];
        waiting += slot->is_used ? slot->shard.games - slot->started : 0;
    }
    bool is_lacking = waiting < queue->workers;
    omp_unset_lock(&queue->lock);
    return is_lacking;
}

void dama_rescore_queue_close(struct dama_rescore_queue *queue)
{
    atomic_store(&queue->is_closed, true);
}

static void keep_error(struct dama_rescore_queue *queue, const struct dama_error *error)
{
    omp_set_lock(&queue->lock);
    if (queue->error.status == DAMA_OK) {
        queue->error = *error;
    }
    omp_unset_lock(&queue->lock);
}

enum dama_status dama_rescore_queue_status(struct dama_rescore_queue *queue, struct dama_error *err)
{
    omp_set_lock(&queue->lock);
    struct dama_error error = queue->error;
    omp_unset_lock(&queue->lock);
    return error.status == DAMA_OK ? DAMA_OK : dama_fail(err, error.status, "%s", error.text);
}

/* The next game of the first shard that has one left; NULL when there is none. */
static struct slot *next_game(struct dama_rescore_queue *queue, size_t *game)
{
    struct slot *best = NULL;
    omp_set_lock(&queue->lock);
    for (int i = 0; i < queue->slot_count; i++) {
        struct slot *slot = &queue->slots[i];
        bool has_game = slot->is_used && slot->started < slot->shard.games;
        if (has_game && (!best || slot->job < best->job)) {
            best = slot;
        }
    }
    if (best) {
        *game = best->started++;
    }
    omp_unset_lock(&queue->lock);
    return best;
}

static bool is_closed(void *context)
{
    struct dama_rescore_queue *queue = context;
    return atomic_load(&queue->is_closed);
}

/* Plays the game by the rules and keeps its moves, which leaves it at its end. */
static enum dama_status read_moves(struct worker *worker, const struct dama_shard *shard,
                                   size_t index, struct dama_error *err)
{
    DAMA_TRY(dama_verify_game(worker->queue->rescorer->parent, shard, index, worker->game, err));
    int plies = worker->game->ply;
    if (plies > worker->move_capacity) {
        dama_move *grown = realloc(worker->moves, (size_t)plies * sizeof *grown);
        if (!grown) {
            return dama_fail(err, DAMA_MEMORY, "no memory for a game of %d plies", plies);
        }
        worker->moves = grown;
        worker->move_capacity = plies;
    }
    for (int i = 0; i < plies; i++) {
        worker->moves[i] = worker->game->plies[i].move;
    }
    return DAMA_OK;
}

/* Writes the game's scores; its rows are this thread's alone. */
static enum dama_status score_game(struct worker *worker, struct dama_shard *shard, size_t index,
                                   struct dama_error *err)
{
    const struct dama_rescorer *rescorer = worker->queue->rescorer;
    const struct dama_game_row *entry = &shard->game[index];
    const struct dama_search_limits limits = {.nodes = rescorer->nodes,
                                              .depth = rescorer->depth,
                                              .stop = is_closed,
                                              .context = worker->queue};
    DAMA_TRY(read_moves(worker, shard, index, err));
    struct dama_position start = worker->game->plies[0].position;
    dama_game_reset(worker->game, &start);
    dama_searcher_clear(worker->searcher);
    for (size_t i = 0; i < entry->rows && !is_closed(worker->queue); i++) {
        struct dama_row *row = &shard->row[entry->first_row + i];
        if (!(row->flags & (DAMA_ROW_RANDOM | DAMA_ROW_ONLY_MOVE))) {
            struct dama_search_result result;
            dama_searcher_search(worker->searcher, worker->game, &limits, &result);
            row->score = (int16_t)result.score;
        }
        DAMA_TRY(dama_game_play(worker->game, worker->moves[i]));
    }
    return DAMA_OK;
}

static void score_games(struct worker *worker)
{
    struct dama_rescore_queue *queue = worker->queue;
    while (!is_closed(queue)) {
        size_t game = 0;
        struct slot *slot = next_game(queue, &game);
        if (!slot) {
            nanosleep(&idle_pause, NULL);
            continue;
        }
        struct dama_error error = {0};
        if (score_game(worker, &slot->shard, game, &error) != DAMA_OK) {
            keep_error(queue, &error);
            return;
        }
        omp_set_lock(&queue->lock);
        slot->done += !is_closed(queue);
        omp_unset_lock(&queue->lock);
    }
}

void dama_rescore_queue_work(struct dama_rescore_queue *queue)
{
    const struct dama_rescorer *rescorer = queue->rescorer;
    const struct dama_rules *rules = &rescorer->parent->ruleset.rules;
    struct dama_error error = {0};
    struct worker worker = {
        .queue = queue,
        .searcher = dama_searcher_new(rules, rescorer->weights, rescorer->table_kb, &error),
        .game = dama_game_new(rules, dama_run_config_draws(&rescorer->parent->config, rules), NULL),
    };
    if (worker.searcher && worker.game) {
        omp_set_lock(&queue->lock);
        queue->workers++;
        omp_unset_lock(&queue->lock);
        score_games(&worker);
    } else {
        dama_fail(&error, DAMA_MEMORY, "no memory for a searching thread");
        keep_error(queue, &error);
    }
    dama_searcher_free(worker.searcher);
    dama_game_free(worker.game);
    free(worker.moves);
}
