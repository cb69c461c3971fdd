/* Pairs in hand under one lock: waiting, busy (being played or copied out), done. */
#include "eval/pair_queue.h"

#include <assert.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A thread without work looks again after this long; short against a game. */
static const struct timespec idle_pause = {.tv_nsec = 500000};

enum slot_state { SLOT_FREE, SLOT_WAITING, SLOT_BUSY, SLOT_DONE };

struct slot {
    enum slot_state state;
    int64_t pair;
    struct dama_pair_record *record;
};

struct dama_pair_queue {
    const struct dama_match_setup *setup;
    const struct dama_opening_book *book;
    bool with_moves;
    size_t record_size;
    omp_lock_t lock; /* of the slots' states, of workers and of error */
    atomic_bool is_closed;
    struct dama_error error;
    int workers;
    int slot_count;
    struct slot slots[];
};

struct dama_pair_queue *dama_pair_queue_new(const struct dama_match_setup *setup,
                                            const struct dama_opening_book *book, int slots,
                                            bool with_moves, struct dama_error *err)
{
    struct dama_pair_queue *queue =
        calloc(1, sizeof *queue + (size_t)slots * sizeof queue->slots[0]);
    if (!queue) {
        dama_fail(err, DAMA_MEMORY, "no memory for the queue of pairs");
        return NULL;
    }
    queue->setup = setup;
    queue->book = book;
    queue->with_moves = with_moves;
    queue->record_size = dama_pair_record_size(setup, with_moves);
    omp_init_lock(&queue->lock);
    for (queue->slot_count = 0; queue->slot_count < slots; queue->slot_count++) {
        struct slot *slot = &queue->slots[queue->slot_count];
        slot->record = calloc(1, queue->record_size);
        if (!slot->record) {
            dama_fail(err, DAMA_MEMORY, "no memory for the queue of pairs");
            dama_pair_queue_free(queue);
            return NULL;
        }
    }
    return queue;
}

void dama_pair_queue_free(struct dama_pair_queue *queue)
{
    if (!queue) {
        return;
    }
    for (int i = 0; i < queue->slot_count; i++) {
        free(queue->slots[i].record);
    }
    omp_destroy_lock(&queue->lock);
    free(queue);
}

/* Moves the slot of the smallest pair from one state to the next; NULL when none is in it. */
static struct slot *advance(struct dama_pair_queue *queue, enum slot_state from, enum slot_state to)
{
    struct slot *found = NULL;
    omp_set_lock(&queue->lock);
    for (int i = 0; i < queue->slot_count; i++) {
        struct slot *slot = &queue->slots[i];
        if (slot->state == from && (!found || slot->pair < found->pair)) {
            found = slot;
        }
    }
    if (found) {
        found->state = to;
    }
    omp_unset_lock(&queue->lock);
    return found;
}

static void set_state(struct dama_pair_queue *queue, struct slot *slot, enum slot_state state)
{
    omp_set_lock(&queue->lock);
    slot->state = state;
    omp_unset_lock(&queue->lock);
}

void dama_pair_queue_add(struct dama_pair_queue *queue, int64_t pair)
{
    omp_set_lock(&queue->lock);
    int i = 0;
    while (i < queue->slot_count && queue->slots[i].state != SLOT_FREE) {
        i++;
    }
    assert(i < queue->slot_count);
    queue->slots[i].pair = pair;
    queue->slots[i].state = SLOT_WAITING;
    omp_unset_lock(&queue->lock);
}

bool dama_pair_queue_take(struct dama_pair_queue *queue, int64_t *pair, void *record)
{
    struct slot *slot = advance(queue, SLOT_DONE, SLOT_BUSY);
    if (!slot) {
        return false;
    }
    *pair = slot->pair;
    memcpy(record, slot->record, queue->record_size);
    set_state(queue, slot, SLOT_FREE);
    return true;
}

int dama_pair_queue_lacking(struct dama_pair_queue *queue)
{
    omp_set_lock(&queue->lock);
    int lacking = queue->workers;
    for (int i = 0; i < queue->slot_count; i++) {
        enum slot_state state = queue->slots[i].state;
        lacking -= state == SLOT_WAITING || state == SLOT_BUSY;
    }
    omp_unset_lock(&queue->lock);
    return lacking > 0 ? lacking : 0;
}

void dama_pair_queue_close(struct dama_pair_queue *queue)
{
    atomic_store(&queue->is_closed, true);
}

enum dama_status dama_pair_queue_status(struct dama_pair_queue *queue, struct dama_error *err)
{
    omp_set_lock(&queue->lock);
    struct dama_error error = queue->error;
    omp_unset_lock(&queue->lock);
    return error.status == DAMA_OK ? DAMA_OK : dama_fail(err, error.status, "%s", error.text);
}

static void keep_error(struct dama_pair_queue *queue, const struct dama_error *error)
{
    omp_set_lock(&queue->lock);
    if (queue->error.status == DAMA_OK) {
        queue->error = *error;
    }
    omp_unset_lock(&queue->lock);
}

static void play_pairs(struct dama_pair_queue *queue, struct dama_pair_player *player)
{
    while (!atomic_load(&queue->is_closed)) {
        struct slot *slot = advance(queue, SLOT_WAITING, SLOT_BUSY);
        if (!slot) {
            nanosleep(&idle_pause, NULL);
            continue;
        }
        struct dama_error error = {0};
        if (dama_pair_play(player, slot->pair, queue->with_moves, &queue->is_closed, slot->record,
                           &error) == DAMA_OK) {
            set_state(queue, slot, SLOT_DONE);
        } else if (error.status != DAMA_STOPPED) {
            keep_error(queue, &error);
        }
    }
}

void dama_pair_queue_work(struct dama_pair_queue *queue)
{
    struct dama_error error = {0};
    struct dama_pair_player *player = dama_pair_player_new(queue->setup, queue->book, &error);
    if (!player) {
        keep_error(queue, &error);
        return;
    }
    omp_set_lock(&queue->lock);
    queue->workers++;
    omp_unset_lock(&queue->lock);
    play_pairs(queue, player);
    dama_pair_player_free(player);
}
