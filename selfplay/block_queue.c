/* Games of the blocks in hand go to whichever thread is free: the smallest block first, its games
 * in order. */
#include "selfplay/block_queue.h"

#include <assert.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NO_BLOCK = -1 };
/* A thread without work looks again after this long; short against a game. */
static const struct timespec idle_pause = {.tv_nsec = 500000};

struct slot {
    int64_t block;
    int games;
    int started;
    int done;
    struct dama_shard *played; /* one a game */
};

struct dama_block_queue {
    const struct dama_recorder *recorder;
    const struct dama_block_plan *plan;
    omp_lock_t lock; /* of the slots' counters, of workers and of error */
    atomic_bool is_closed;
    struct dama_error error;
    int workers;
    int slot_count;
    struct slot slots[];
};

struct dama_block_queue *dama_block_queue_new(const struct dama_recorder *recorder,
                                              const struct dama_block_plan *plan, int slots,
                                              struct dama_error *err)
{
    struct dama_block_queue *queue =
        calloc(1, sizeof *queue + (size_t)slots * sizeof queue->slots[0]);
    if (!queue) {
        dama_fail(err, DAMA_MEMORY, "no memory for the queue of blocks");
        return NULL;
    }
    queue->recorder = recorder;
    queue->plan = plan;
    omp_init_lock(&queue->lock);
    for (queue->slot_count = 0; queue->slot_count < slots; queue->slot_count++) {
        struct slot *slot = &queue->slots[queue->slot_count];
        slot->block = NO_BLOCK;
        slot->played = calloc((size_t)plan->block_games, sizeof *slot->played);
        if (!slot->played) {
            dama_fail(err, DAMA_MEMORY, "no memory for a block of %ld games",
                      (long long)plan->block_games);
            dama_block_queue_free(queue);
            return NULL;
        }
    }
    return queue;
}

void dama_block_queue_free(struct dama_block_queue *queue)
{
    if (!queue) {
        return;
    }
    for (int i = 0; i < queue->slot_count; i++) {
        for (int64_t g = 0; g < queue->plan->block_games; g++) {
            dama_shard_free(&queue->slots[i].played[g]);
        }
        free(queue->slots[i].played);
    }
    omp_destroy_lock(&queue->lock);
    free(queue);
}

void dama_block_queue_add(struct dama_block_queue *queue, int64_t block)
{
    omp_set_lock(&queue->lock);
    int i = 0;
    while (i < queue->slot_count && queue->slots[i].block != NO_BLOCK) {
        i++;
    }
    assert(i < queue->slot_count);
    struct slot *slot = &queue->slots[i];
    slot->block = block;
    slot->games = dama_block_games(queue->plan, block);
    slot->started = 0;
    slot->done = 0;
    omp_unset_lock(&queue->lock);
}

static struct slot *find_done(struct dama_block_queue *queue)
{
    struct slot *found = NULL;
    omp_set_lock(&queue->lock);
    for (int i = 0; i < queue->slot_count && !found; i++) {
        struct slot *slot = &queue->slots[i];
        found = slot->block != NO_BLOCK && slot->done == slot->games ? slot : NULL;
    }
    omp_unset_lock(&queue->lock);
    return found;
}

/* Appends one game's rows, renumbered within the block. */
static enum dama_status append_game(struct dama_shard *out, const struct dama_shard *played,
                                    uint32_t number, struct dama_error *err)
{
    struct dama_game_row game = played->game[0];
    game.first_row = out->rows;
    DAMA_TRY(dama_shard_add_game(out, &game, err));
    for (size_t i = 0; i < played->rows; i++) {
        struct dama_row row = played->row[i];
        row.game = number;
        DAMA_TRY(dama_shard_add_row(out, &row, err));
    }
    return DAMA_OK;
}

bool dama_block_queue_take(struct dama_block_queue *queue, struct dama_shard *out,
                           struct dama_error *err)
{
    struct slot *slot = find_done(queue);
    if (!slot) {
        return false;
    }
    dama_shard_clear(out);
    out->block = (uint64_t)slot->block;
    for (int i = 0; i < slot->games; i++) {
        if (append_game(out, &slot->played[i], (uint32_t)i, err) != DAMA_OK) {
            break;
        }
    }
    omp_set_lock(&queue->lock);
    slot->block = NO_BLOCK;
    omp_unset_lock(&queue->lock);
    return true;
}

int dama_block_queue_lacking(struct dama_block_queue *queue)
{
    int64_t block_games = queue->plan->block_games;
    omp_set_lock(&queue->lock);
    int64_t short_of = queue->workers;
    for (int i = 0; i < queue->slot_count; i++) {
        const struct slot *slot = &queue->slots[i];
        short_of -= slot->block == NO_BLOCK ? 0 : slot->games - slot->started;
    }
    omp_unset_lock(&queue->lock);
    return short_of > 0 ? (int)((short_of + block_games - 1) / block_games) : 0;
}

void dama_block_queue_close(struct dama_block_queue *queue)
{
    atomic_store(&queue->is_closed, true);
}

enum dama_status dama_block_queue_status(struct dama_block_queue *queue, struct dama_error *err)
{
    omp_set_lock(&queue->lock);
    struct dama_error error = queue->error;
    omp_unset_lock(&queue->lock);
    return error.status == DAMA_OK ? DAMA_OK : dama_fail(err, error.status, "%s", error.text);
}

/* The next game to play: the slot of the smallest block that has one left; NULL when there is none.
 */
static struct slot *next_game(struct dama_block_queue *queue, int *game)
{
    struct slot *best = NULL;
    omp_set_lock(&queue->lock);
    for (int i = 0; i < queue->slot_count; i++) {
        struct slot *slot = &queue->slots[i];
        bool has_game = slot->block != NO_BLOCK && slot->started < slot->games;
        if (has_game && (!best || slot->block < best->block)) {
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
    struct dama_block_queue *queue = context;
    return atomic_load(&queue->is_closed);
}

static void finish_game(struct dama_block_queue *queue, struct slot *slot,
                        const struct dama_error *error)
{
    omp_set_lock(&queue->lock);
    if (error->status == DAMA_OK) {
        slot->done++;
    } else if (error->status != DAMA_STOPPED && queue->error.status == DAMA_OK) {
        queue->error = *error;
    }
    omp_unset_lock(&queue->lock);
}

static void play_games(struct dama_block_queue *queue, struct dama_record_player *player)
{
    while (!is_closed(queue)) {
        int game = 0;
        struct slot *slot = next_game(queue, &game);
        if (!slot) {
            nanosleep(&idle_pause, NULL);
            continue;
        }
        struct dama_error error = {0};
        uint64_t number = (uint64_t)(dama_block_first_game(queue->plan, slot->block) + game);
        dama_record_game(player, number, is_closed, queue, &slot->played[game], &error);
        finish_game(queue, slot, &error);
    }
}

void dama_block_queue_work(struct dama_block_queue *queue)
{
    struct dama_error error = {0};
    struct dama_record_player *player = dama_record_player_new(queue->recorder, &error);
    if (player) {
        omp_set_lock(&queue->lock);
        queue->workers++;
        omp_unset_lock(&queue->lock);
        play_games(queue, player);
        dama_record_player_free(player);
        return;
    }
    omp_set_lock(&queue->lock);
    if (queue->error.status == DAMA_OK) {
        queue->error = error;
    }
    omp_unset_lock(&queue->lock);
}
