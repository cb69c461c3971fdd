/* The loop over batches that all passes share. */
#include "tuner/pass.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/comm.h"
#include "cluster/run_folder.h"
#include "engine/cli/options.h"
#include "tuner/pass_log.h"

/* What a thread needs; allocated before threads start, so that failure is in one place. */
struct workspace {
    uint64_t *sums;
    void *scratch;
};

static bool workspaces_new(struct workspace *space, int threads, const struct dama_pass *pass)
{
    bool done = true;
    for (int t = 0; t < threads; t++) {
        space[t].sums = calloc((size_t)pass->count, sizeof *space[t].sums);
        space[t].scratch = calloc(1, pass->scratch_size + 1);
        done = done && space[t].sums && space[t].scratch;
    }
    return done;
}

static void workspaces_free(struct workspace *space, int threads)
{
    for (int t = 0; space && t < threads; t++) {
        free(space[t].sums);
        free(space[t].scratch);
    }
    free(space);
}

/* This rank's batches; out of memory or time it says so. */
static enum dama_status add_batches(const struct dama_dataset *data, const struct dama_pass *pass,
                                    struct workspace *space, struct dama_error *err)
{
    bool has_memory = true, is_cut = false;
#pragma omp parallel for num_threads(data->threads) schedule(static, 1) \
    reduction(&& : has_memory) reduction(|| : is_cut)
    for (int t = 0; t < data->threads; t++) {
        for (int b = t; b < data->batches && !is_cut; b += data->threads) {
            is_cut = dama_stop_requested();
            has_memory = (is_cut || pass->add(pass->context, &data->batch[b], space[t].scratch,
                                              space[t].sums)) &&
                         has_memory;
        }
    }
    if (!has_memory) {
        return dama_fail(err, DAMA_MEMORY, "no memory for the sums of a fit");
    }
    return is_cut ? dama_fail(err, DAMA_STOPPED, "stopped on request") : DAMA_OK;
}

static enum dama_status sum_rank(const struct dama_dataset *data, const struct dama_pass *pass,
                                 uint64_t *sums, struct dama_error *err)
{
    struct workspace *space = calloc((size_t)data->threads, sizeof *space);
    enum dama_status status = space && workspaces_new(space, data->threads, pass)
                                  ? add_batches(data, pass, space, err)
                                  : dama_fail(err, DAMA_MEMORY, "no memory for the sums of a fit");
    memset(sums, 0, (size_t)pass->count * sizeof *sums);
    for (int t = 0; status == DAMA_OK && t < data->threads; t++) {
        for (int i = 0; i < pass->count; i++) {
            sums[i] += space[t].sums[i];
        }
    }
    workspaces_free(space, data->threads);
    return status;
}

static void hash_question(const struct dama_pass *pass, unsigned char out[DAMA_HASH_SIZE])
{
    unsigned char bytes[2 * DAMA_HASH_SIZE] = {0};
    assert(strlen(pass->name) <= DAMA_HASH_SIZE);
    memcpy(bytes, pass->name, strlen(pass->name));
    dama_sha256(pass->question, pass->question_size, bytes + DAMA_HASH_SIZE);
    dama_sha256(bytes, sizeof bytes, out);
}

enum dama_status dama_pass_run(const struct dama_dataset *data, const struct dama_pass *pass,
                               uint64_t *sums, struct dama_error *err)
{
    unsigned char question[DAMA_HASH_SIZE];
    if (data->log) {
        hash_question(pass, question);
        bool is_known = dama_pass_log_recall(data->log, question, sums, pass->count);
        dama_comm_broadcast(&is_known, sizeof is_known);
        if (is_known) {
            dama_comm_broadcast(sums, (size_t)pass->count * sizeof *sums);
            return DAMA_OK;
        }
    }
    DAMA_TRY(dama_comm_agree(sum_rank(data, pass, sums, err), err));
    dama_comm_sum_u64(sums, pass->count);
    if (data->log) {
        dama_pass_log_add(data->log, question, sums, pass->count);
    }
    return DAMA_OK;
}
