/* Filters and compact storage of samples. */
#include "tuner/samples.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/rng.h"
#include "tuner/logistic.h"

enum { FIRST_ROWS = 1024, FIRST_ENTRIES = 16384, PHASES_MAX = UINT8_MAX + 1 };

/* The first bits of a position's hash choose a register of the distinct count. */
enum { REGISTER_BITS = 14 };
_Static_assert(DAMA_DISTINCT_REGISTERS == 1 << REGISTER_BITS, "a register for every prefix");

static const struct {
    const char *text, *meaning;
} fates[] = {
#define X(name, text, meaning) {text, meaning},
    DAMA_SAMPLE_FATES(X)
#undef X
};

const char *dama_sample_fate_text(enum dama_sample_fate fate)
{
    return fates[fate].text;
}

const char *dama_sample_fate_meaning(enum dama_sample_fate fate)
{
    return fates[fate].meaning;
}

/* Bytes that these samples need, without spare capacity. */
static size_t bytes_of(const struct dama_samples *s)
{
    size_t row = sizeof *s->first + sizeof *s->game + sizeof *s->phase + sizeof *s->twice_outcome;
    size_t entry = sizeof *s->feature + sizeof *s->value;
    return s->rows * row + s->entries * entry;
}

static void free_samples(struct dama_samples *samples)
{
    free(samples->first);
    free(samples->game);
    free(samples->phase);
    free(samples->twice_outcome);
    free(samples->feature);
    free(samples->value);
    *samples = (struct dama_samples){0};
}

/* The array with room for `count` things of this size; as it was, with *done false, without memory.
 */
static void *resized(void *array, size_t count, size_t size, bool *done)
{
    void *grown = realloc(array, (count ? count : 1) * size);
    *done = *done && grown;
    return grown ? grown : array;
}

static bool set_row_capacity(struct dama_samples *s, size_t rows)
{
    bool done = true;
    s->first = resized(s->first, rows + 1, sizeof *s->first, &done);
    s->game = resized(s->game, rows, sizeof *s->game, &done);
    s->phase = resized(s->phase, rows, sizeof *s->phase, &done);
    s->twice_outcome = resized(s->twice_outcome, rows, sizeof *s->twice_outcome, &done);
    s->row_capacity = done ? rows : s->row_capacity;
    return done;
}

static bool set_entry_capacity(struct dama_samples *s, size_t entries)
{
    bool done = true;
    s->feature = resized(s->feature, entries, sizeof *s->feature, &done);
    s->value = resized(s->value, entries, sizeof *s->value, &done);
    s->entry_capacity = done ? entries : s->entry_capacity;
    return done;
}

/* Makes room for one more row with any number of entries. */
static enum dama_status reserve(struct dama_samples *s, struct dama_error *err)
{
    bool done = true;
    if (s->rows == s->row_capacity) {
        done = set_row_capacity(s, s->row_capacity ? 2 * s->row_capacity : FIRST_ROWS);
    }
    if (done && s->entries + DAMA_FEATURE_COUNT > s->entry_capacity) {
        done = set_entry_capacity(s, s->entry_capacity ? 2 * s->entry_capacity : FIRST_ENTRIES);
    }
    if (!done) {
        return dama_fail(err, DAMA_MEMORY, "no memory for more than %lu samples of a batch",
                         (uint64_t)s->rows);
    }
    if (s->entries > UINT32_MAX - DAMA_FEATURE_COUNT) {
        return dama_fail(err, DAMA_UNSUPPORTED, "a batch of more than 2^32 feature values");
    }
    return DAMA_OK;
}

void dama_sample_counts_add(struct dama_sample_counts *sum, const struct dama_sample_counts *part)
{
    uint64_t *to = (uint64_t *)sum;
    const uint64_t *from = (const uint64_t *)part;
    for (size_t i = 0; i < sizeof *sum / sizeof *to; i++) {
        to[i] += from[i];
    }
}

void dama_sample_extremes_join(struct dama_sample_extremes *all,
                               const struct dama_sample_extremes *part)
{
    all->value = part->value > all->value ? part->value : all->value;
    all->game_rows = part->game_rows > all->game_rows ? part->game_rows : all->game_rows;
    for (int i = 0; i < DAMA_DISTINCT_REGISTERS; i++) {
        if (part->distinct[i] > all->distinct[i]) {
            all->distinct[i] = part->distinct[i];
        }
    }
}

static void count_distinct(struct dama_sample_extremes *extremes, uint64_t hash)
{
    uint64_t rest = hash << REGISTER_BITS | UINT64_C(1) << (REGISTER_BITS - 1);
    uint8_t rank = (uint8_t)(__builtin_clzll(rest) + 1);
    uint8_t *at = &extremes->distinct[hash >> (64 - REGISTER_BITS)];
    *at = rank > *at ? rank : *at;
}

double dama_sample_distinct(const struct dama_sample_extremes *extremes)
{
    const double m = DAMA_DISTINCT_REGISTERS;
    const double alpha = 0.7213 / (1 + 1.079 / m); /* the estimator's bias constant */
    double sum = 0;
    int empty = 0;
    for (int i = 0; i < DAMA_DISTINCT_REGISTERS; i++) {
        sum += ldexp(1, -extremes->distinct[i]);
        empty += extremes->distinct[i] == 0;
    }
    double estimate = alpha * m * m / sum;
    /* Below 2.5 m the share of registers still empty tells more (linear counting). */
    return estimate <= 2.5 * m && empty ? m * dama_log(m / empty) : estimate;
}

bool dama_game_is_held_out(const struct dama_game_row *game, double holdout)
{
    struct dama_rng rng = dama_rng_make(game->seed, DAMA_RNG_HOLDOUT, game->id);
    return dama_rng_next32(&rng) < holdout * 0x1p32;
}

/* The filter that a row of a game that is used meets first; TRAIN when it passes all. */
static enum dama_sample_fate row_fate(const struct dama_sample_filter *filter,
                                      const struct dama_row *row)
{
    if (row->flags & DAMA_ROW_RANDOM) {
        return DAMA_FATE_RANDOM;
    }
    if (row->ply < filter->skip_plies) {
        return DAMA_FATE_EARLY;
    }
    if (filter->max_ply && row->ply >= filter->max_ply) {
        return DAMA_FATE_LATE;
    }
    if (row->flags & DAMA_ROW_CAPTURE) {
        return DAMA_FATE_CAPTURE;
    }
    if (filter->score_cap && row->score != DAMA_SCORE_NONE && abs(row->score) > filter->score_cap) {
        return DAMA_FATE_SCORE;
    }
    return DAMA_FATE_TRAIN;
}

static void count_train_row(struct dama_batch *batch, const struct dama_trace *trace,
                            const struct dama_position *position)
{
    for (int f = 0; f < DAMA_FEATURE_COUNT; f++) {
        if (trace->value[f]) {
            batch->counts.support[f] += trace->phase > 0;
            batch->counts.support[DAMA_FEATURE_COUNT + f] += trace->phase < trace->phase_max;
        }
    }
    count_distinct(batch->extremes, dama_position_hash(position));
}

static enum dama_status add_row(struct dama_batch *batch, const struct dama_row *row, bool is_held,
                                struct dama_error *err)
{
    struct dama_samples *s = is_held ? &batch->held : &batch->train;
    DAMA_TRY(reserve(s, err));
    struct dama_position position = dama_row_position(batch->rules->board_size, row);
    struct dama_trace trace;
    batch->kernel->trace(batch->rules, &position, &trace);
    assert(trace.phase >= 0 && trace.phase < PHASES_MAX);
    s->first[s->rows] = (uint32_t)s->entries;
    for (int f = 0; f < DAMA_FEATURE_COUNT; f++) {
        int value = trace.value[f];
        if (value) {
            s->feature[s->entries] = (uint8_t)f;
            s->value[s->entries++] = (int16_t)value;
            uint32_t magnitude = (uint32_t)abs(value);
            if (magnitude > batch->extremes->value) {
                batch->extremes->value = magnitude;
            }
        }
    }
    s->game[s->rows] = batch->games;
    s->phase[s->rows] = (uint8_t)trace.phase;
    s->twice_outcome[s->rows] = (uint8_t)(row->result + 1);
    s->rows++;
    s->first[s->rows] = (uint32_t)s->entries;
    if (batch->visit) {
        batch->visit(batch->visit_context, &position, batch->games, (uint8_t)(row->result + 1));
    }
    struct dama_sample_counts *counts = &batch->counts;
    *(is_held ? &counts->held_wins : &counts->wins) += row->result > 0;
    *(is_held ? &counts->held_draws : &counts->draws) += row->result == 0;
    if (!is_held) {
        count_train_row(batch, &trace, &position);
    }
    return DAMA_OK;
}

/* Rows of a game that pass the filters of rows. */
static uint64_t count_passing(const struct dama_batch *batch, const struct dama_row *row,
                              uint32_t rows)
{
    uint64_t passing = 0;
    for (uint32_t i = 0; i < rows; i++) {
        passing += row_fate(batch->filter, &row[i]) == DAMA_FATE_TRAIN;
    }
    return passing;
}

static enum dama_status add_game(struct dama_batch *batch, const struct dama_game_row *game,
                                 const struct dama_row *row, struct dama_error *err)
{
    struct dama_sample_counts *counts = &batch->counts;
    counts->games++;
    if (game->termination == DAMA_END_PLY_CAP) {
        counts->games_capped++;
        if (!batch->filter->include_capped) {
            counts->fate[DAMA_FATE_CAPPED] += game->rows;
            return DAMA_OK;
        }
    }
    bool is_held = dama_game_is_held_out(game, batch->filter->holdout);
    uint64_t passing = count_passing(batch, row, game->rows);
    uint64_t most = (uint64_t)batch->filter->rows_per_game;
    most = most == 0 || most > passing ? passing : most;
    uint64_t seen = 0;
    for (uint32_t i = 0; i < game->rows; i++) {
        enum dama_sample_fate fate = row_fate(batch->filter, &row[i]);
        if (fate == DAMA_FATE_TRAIN) {
            /* Of `passing` rows those at which the whole part of seen * most / passing steps up. */
            bool is_kept = (seen + 1) * most / passing > seen * most / passing;
            seen++;
            fate = !is_kept ? DAMA_FATE_SURPLUS : is_held ? DAMA_FATE_HELD_OUT : DAMA_FATE_TRAIN;
            if (is_kept) {
                DAMA_TRY(add_row(batch, &row[i], is_held, err));
            }
        }
        counts->fate[fate]++;
    }
    *(is_held ? &counts->games_held : &counts->games_train) += most > 0;
    if (most > batch->extremes->game_rows) {
        batch->extremes->game_rows = (uint32_t)most;
    }
    batch->games++;
    return DAMA_OK;
}

enum dama_status dama_batch_add(struct dama_batch *batch, const struct dama_shard *shard,
                                struct dama_error *err)
{
    for (size_t g = 0; g < shard->games; g++) {
        const struct dama_game_row *game = &shard->game[g];
        assert(game->first_row + game->rows <= shard->rows);
        DAMA_TRY(add_game(batch, game, shard->row + game->first_row, err));
    }
    batch->counts.shards++;
    return DAMA_OK;
}

static void copy_row(struct dama_samples *to, const struct dama_samples *from, size_t row)
{
    size_t first = from->first[row];
    size_t count = from->first[row + 1] - first;
    to->first[to->rows] = (uint32_t)to->entries;
    to->game[to->rows] = from->game[row];
    to->phase[to->rows] = from->phase[row];
    to->twice_outcome[to->rows] = from->twice_outcome[row];
    memcpy(to->feature + to->entries, from->feature + first, count * sizeof *to->feature);
    memcpy(to->value + to->entries, from->value + first, count * sizeof *to->value);
    to->rows++;
    to->entries += count;
    to->first[to->rows] = (uint32_t)to->entries;
}

/* A stable sort by phase into arrays of the exact size. */
static enum dama_status sort_by_phase(struct dama_samples *s, struct dama_error *err)
{
    struct dama_samples sorted = {0};
    size_t start[PHASES_MAX + 1] = {0};
    uint32_t *order = calloc(s->rows + 1, sizeof *order);
    if (!order || !set_row_capacity(&sorted, s->rows) || !set_entry_capacity(&sorted, s->entries)) {
        free(order);
        free_samples(&sorted);
        return dama_fail(err, DAMA_MEMORY, "no memory to sort %lu samples", (uint64_t)s->rows);
    }
    for (size_t r = 0; r < s->rows; r++) {
        start[s->phase[r] + 1]++;
    }
    for (int p = 0; p < PHASES_MAX; p++) {
        start[p + 1] += start[p];
    }
    for (size_t r = 0; r < s->rows; r++) {
        order[start[s->phase[r]]++] = (uint32_t)r;
    }
    sorted.first[0] = 0;
    for (size_t r = 0; r < s->rows; r++) {
        copy_row(&sorted, s, order[r]);
    }
    free(order);
    free_samples(s);
    *s = sorted;
    return DAMA_OK;
}

enum dama_status dama_batch_finish(struct dama_batch *batch, struct dama_error *err)
{
    DAMA_TRY(sort_by_phase(&batch->train, err));
    DAMA_TRY(sort_by_phase(&batch->held, err));
    batch->counts.bytes = bytes_of(&batch->train) + bytes_of(&batch->held);
    return DAMA_OK;
}

void dama_batch_free(struct dama_batch *batch)
{
    free_samples(&batch->train);
    free_samples(&batch->held);
}
