/* Occurrences are collected in a sample of the hashes that halves itself when it grows too large:
   every position is in it as a whole or not at all. */
#include "tuner/occurrences.h"

#include <stdlib.h>
#include <string.h>

#include "tuner/logistic.h"

enum { FIRST_CAPACITY = 1 << 12 };

static bool is_sampled(const struct dama_occurrences *all, uint64_t hash)
{
    return (hash & ((UINT64_C(1) << all->bits) - 1)) == 0;
}

static void halve(struct dama_occurrences *all)
{
    size_t kept = 0;
    all->bits++;
    for (size_t i = 0; i < all->count; i++) {
        if (is_sampled(all, all->at[i].hash)) {
            all->at[kept++] = all->at[i];
        }
    }
    all->count = kept;
}

static bool grow(struct dama_occurrences *all)
{
    size_t capacity = all->capacity ? 2 * all->capacity : FIRST_CAPACITY;
    capacity = capacity < all->limit ? capacity : all->limit;
    struct dama_occurrence *grown = realloc(all->at, capacity * sizeof *grown);
    if (!grown) {
        all->is_out_of_memory = true;
        return false;
    }
    all->at = grown;
    all->capacity = capacity;
    return true;
}

void dama_occurrences_add(struct dama_occurrences *all, const struct dama_position *position,
                          uint32_t game, uint8_t twice_outcome)
{
    uint64_t hash = dama_position_hash(position);
    while (all->count == all->limit) {
        halve(all);
    }
    if (!is_sampled(all, hash) || all->is_out_of_memory) {
        return;
    }
    if (all->count < all->capacity || grow(all)) {
        all->at[all->count++] =
            (struct dama_occurrence){.hash = hash, .game = game, .twice_outcome = twice_outcome};
    }
}

void dama_occurrences_free(struct dama_occurrences *all)
{
    free(all->at);
    *all = (struct dama_occurrences){.limit = all->limit};
}

static int compare(const void *a, const void *b)
{
    const struct dama_occurrence *left = a, *right = b;
    if (left->hash != right->hash) {
        return left->hash < right->hash ? -1 : 1;
    }
    return (left->game > right->game) - (left->game < right->game);
}

/* Nats that `count` results with this sum of twice the points cost when their mean is foretold. */
static double own_loss(uint64_t count, uint64_t twice_points)
{
    double mean = (double)twice_points / (2 * (double)count);
    if (mean <= 0 || mean >= 1) {
        return 0;
    }
    return -(double)count * (mean * dama_log(mean) + (1 - mean) * dama_log(1 - mean));
}

/* One position's occurrences: first .. end - 1, sorted by game. The side to move is part of a
   position, so one game has one result for it. Returns the loss. */
static double measure_position(const struct dama_occurrence *first,
                               const struct dama_occurrence *end, struct dama_label_noise *out)
{
    uint64_t games = 0, twice_points = 0;
    bool has_conflict = false;
    for (const struct dama_occurrence *at = first; at < end; at++) {
        if (at == first || at->game != at[-1].game) {
            games++;
            twice_points += at->twice_outcome;
            has_conflict = has_conflict || at->twice_outcome != first->twice_outcome;
        }
    }
    out->distinct++;
    if (games < 2) {
        return 0;
    }
    out->repeated++;
    out->repeated_rows += games;
    out->conflicting += has_conflict;
    out->conflicting_rows += has_conflict ? games : 0;
    return own_loss(games, twice_points);
}

void dama_occurrences_measure(struct dama_occurrences *all, struct dama_label_noise *out)
{
    *out = (struct dama_label_noise){.sampled = UINT64_C(1) << all->bits};
    if (all->count) {
        qsort(all->at, all->count, sizeof *all->at, compare);
    }
    double loss = 0;
    for (size_t first = 0, end; first < all->count; first = end) {
        for (end = first + 1; end < all->count && all->at[end].hash == all->at[first].hash;) {
            end++;
        }
        loss += measure_position(all->at + first, all->at + end, out);
    }
    out->floor = out->repeated_rows ? loss / (double)out->repeated_rows : 0;
    uint64_t *counts[] = {&out->distinct, &out->repeated, &out->conflicting, &out->repeated_rows,
                          &out->conflicting_rows};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        *counts[i] *= out->sampled;
    }
}
