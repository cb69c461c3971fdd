/* Reading shards into batches of samples. */
#include "tuner/dataset.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/comm.h"
#include "cluster/log.h"
#include "cluster/run_folder.h"

/* Files first .. end - 1 of the list. */
struct span {
    int first, end;
};

/* A batch being read: its shards, then its samples. */
struct loading {
    struct dama_batch *batch;
    struct dama_shard *shard;
    int shards;
    struct dama_sample_extremes *extremes; /* of the thread's own */
    struct dama_error err;
};

/* What the loading of one rank works with. */
struct loader {
    const struct dama_shard_list *list;
    const struct dama_dataset_setup *setup;
    struct dama_shard_origin expected;
    struct loading *slot; /* setup->threads of them */
    struct dama_dataset *data;
};

/* The batch that starts with file `first`. */
static struct span batch_span(const struct dama_shard_list *list, int first)
{
    struct span span = {first, first};
    for (uint64_t rows = 0; span.end < list->count && rows < DAMA_BATCH_ROWS; span.end++) {
        rows += list->file[span.end].rows;
    }
    return span;
}

static bool is_damage(enum dama_status status)
{
    return status == DAMA_CORRUPT || status == DAMA_TRUNCATED || status == DAMA_ILLEGAL ||
           status == DAMA_INVALID || status == DAMA_IO;
}

/* Loads one shard into the slot, or leaves a damaged one out when that is asked for. */
static enum dama_status load_shard(struct loader *loader, struct loading *slot,
                                   const struct dama_shard_file *file, struct dama_error *err)
{
    struct dama_error why = {0};
    struct dama_shard *shard = &slot->shard[slot->shards];
    enum dama_status status = dama_shard_load(file->path, &loader->expected, shard, NULL, &why);
    if (status == DAMA_OK) {
        slot->shards++;
        return DAMA_OK;
    }
    if (!loader->setup->skip_damaged || !is_damage(status)) {
        return dama_fail(err, status, "%s", why.text);
    }
    dama_log_warn("left out: %s", why.text);
    slot->batch->counts.damaged++;
    return DAMA_OK;
}

static enum dama_status load_slot(struct loader *loader, struct loading *slot, struct span span,
                                  struct dama_error *err)
{
    slot->shards = 0;
    slot->shard = calloc((size_t)(span.end - span.first), sizeof *slot->shard);
    if (!slot->shard) {
        return dama_fail(err, DAMA_MEMORY, "no memory for %d shards", span.end - span.first);
    }
    for (int i = span.first; i < span.end; i++) {
        if (dama_stop_requested()) {
            return dama_fail(err, DAMA_STOPPED, "stopped on request");
        }
        DAMA_TRY(load_shard(loader, slot, &loader->list->file[i], err));
    }
    return DAMA_OK;
}

/* A worker's part: shards into samples. */
static void fill_batch(struct loading *slot)
{
    enum dama_status status = DAMA_OK;
    for (int i = 0; i < slot->shards && status == DAMA_OK; i++) {
        status = dama_batch_add(slot->batch, &slot->shard[i], &slot->err);
    }
    if (status == DAMA_OK) {
        dama_batch_finish(slot->batch, &slot->err);
    }
}

static void free_shards(struct loading *slot)
{
    for (int i = 0; i < slot->shards; i++) {
        dama_shard_free(&slot->shard[i]);
    }
    free(slot->shard);
    slot->shard = NULL;
    slot->shards = 0;
}

/* Reads `count` batches, one a slot: the main thread loads, as HDF5 is its alone, then all fill. */
static enum dama_status load_group(struct loader *loader, const struct span *spans, int count,
                                   struct dama_error *err)
{
    enum dama_status status = DAMA_OK;
    struct dama_batch *batches = loader->data->batch;
    for (int i = 0; i < count && status == DAMA_OK; i++) {
        struct loading *slot = &loader->slot[i];
        slot->err = (struct dama_error){0};
        slot->batch = &batches[loader->data->batches++];
        *slot->batch = (struct dama_batch){.rules = &loader->setup->ruleset->rules,
                                           .kernel = loader->setup->ruleset->kernel,
                                           .filter = loader->setup->filter,
                                           .extremes = slot->extremes};
        status = load_slot(loader, slot, spans[i], err);
    }
    if (status == DAMA_OK) {
#pragma omp parallel for num_threads(count) schedule(static, 1)
        for (int i = 0; i < count; i++) {
            fill_batch(&loader->slot[i]);
        }
    }
    for (int i = 0; i < count; i++) {
        struct loading *slot = &loader->slot[i];
        if (status == DAMA_OK && slot->err.status != DAMA_OK) {
            status = dama_fail(err, slot->err.status, "%s", slot->err.text);
        }
        free_shards(slot);
    }
    return status;
}

/* All batches of this rank: every size-th one. */
static enum dama_status load_rank(struct loader *loader, struct dama_error *err)
{
    int threads = loader->setup->threads;
    struct span *group = calloc((size_t)threads, sizeof *group);
    loader->data->batch = calloc((size_t)loader->list->count, sizeof *loader->data->batch);
    enum dama_status status =
        group && loader->data->batch
            ? DAMA_OK
            : dama_fail(err, DAMA_MEMORY, "no memory for %d batches", loader->list->count);
    int batch = 0, waiting = 0;
    for (int first = 0; first < loader->list->count && status == DAMA_OK; batch++) {
        struct span span = batch_span(loader->list, first);
        first = span.end;
        if (batch % dama_comm_size() == dama_comm_rank()) {
            group[waiting++] = span;
        }
        if (waiting == threads || (waiting && first == loader->list->count)) {
            status = load_group(loader, group, waiting, err);
            waiting = 0;
        }
    }
    free(group);
    return status;
}

/* Facts of all ranks from those of each. */
static enum dama_status join_facts(struct dama_dataset *data, const struct loading *slots,
                                   struct dama_error *err)
{
    for (int b = 0; b < data->batches; b++) {
        dama_sample_counts_add(&data->counts, &data->batch[b].counts);
    }
    for (int t = 0; t < data->threads; t++) {
        dama_sample_extremes_join(&data->extremes, slots[t].extremes);
    }
    size_t size = (size_t)dama_comm_size();
    struct dama_sample_extremes *all = calloc(size, sizeof *all);
    enum dama_status status =
        all ? DAMA_OK : dama_fail(err, DAMA_MEMORY, "no memory for facts of all ranks");
    status = dama_comm_agree(status, err);
    if (status == DAMA_OK) {
        dama_comm_all_gather(&data->extremes, sizeof data->extremes, all);
        for (size_t rank = 0; rank < size; rank++) {
            dama_sample_extremes_join(&data->extremes, &all[rank]);
        }
        dama_comm_sum_u64((uint64_t *)&data->counts, (int)(sizeof data->counts / sizeof(uint64_t)));
    }
    free(all);
    return status;
}

/* A slot for every thread; NULL without memory. */
static struct loading *make_slots(int threads)
{
    struct loading *slots = calloc((size_t)threads, sizeof *slots);
    struct dama_sample_extremes *extremes = calloc((size_t)threads, sizeof *extremes);
    if (!slots || !extremes) {
        free(slots);
        free(extremes);
        return NULL;
    }
    for (int t = 0; t < threads; t++) {
        slots[t].extremes = &extremes[t];
    }
    return slots;
}

enum dama_status dama_dataset_load(struct dama_dataset *out, const struct dama_shard_list *list,
                                   const struct dama_dataset_setup *setup, struct dama_error *err)
{
    assert(setup->threads >= 1);
    const struct dama_rules *rules = &setup->ruleset->rules;
    *out = (struct dama_dataset){.threads = setup->threads, .phase_max = 2 * dama_rules_men(rules)};
    struct loader loader = {.list = list, .setup = setup, .data = out};
    loader.expected = (struct dama_shard_origin){
        .variant = rules->name, .board_size = rules->board_size, .men = dama_rules_men(rules)};
    memcpy(loader.expected.rules_hash, setup->ruleset->hash, DAMA_HASH_SIZE);
    loader.slot = make_slots(setup->threads);
    enum dama_status status =
        loader.slot ? load_rank(&loader, err)
                    : dama_fail(err, DAMA_MEMORY, "no memory for %d threads", setup->threads);
    status = dama_comm_agree(status, err);
    if (status == DAMA_OK) {
        status = join_facts(out, loader.slot, err);
    }
    if (loader.slot) {
        free(loader.slot[0].extremes);
    }
    free(loader.slot);
    return status;
}

void dama_dataset_free(struct dama_dataset *data)
{
    for (int b = 0; b < data->batches; b++) {
        dama_batch_free(&data->batch[b]);
    }
    free(data->batch);
    *data = (struct dama_dataset){0};
}
