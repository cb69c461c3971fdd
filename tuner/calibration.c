/* Points promised and points scored, by score. */
#include "tuner/calibration.h"

#include <math.h>

#include "tuner/logistic.h"
#include "tuner/model.h"
#include "tuner/pass.h"

/* Sums over rows, as integers: they add up to the same in any order. */
enum { ROWS, TWICE_SCORED, EXPECTED, SUMS };

/* A probability in units of 2^-30: a batch of 2^32 rows still fits 64 bits. */
static const double PROBABILITY_UNIT = 0x1p30;

static int bin_of(double score)
{
    double bin = floor(score / DAMA_CALIBRATION_WIDTH + 0.5) + DAMA_CALIBRATION_BINS / 2;
    return bin < 0 ? 0 : bin >= DAMA_CALIBRATION_BINS ? DAMA_CALIBRATION_BINS - 1 : (int)bin;
}

/* The score as the engine has it, but not rounded: integers up to the one division, so that no row
   falls into a neighbouring bin by rounding. */
static double row_score(const struct dama_samples *s, size_t row, const struct dama_weights *table,
                        int phase_max)
{
    int64_t sum = 0, phase = s->phase[row];
    for (uint32_t e = s->first[row]; e < s->first[row + 1]; e++) {
        int f = s->feature[e];
        sum += s->value[e] * (table->w[0][f] * phase + table->w[1][f] * (phase_max - phase));
    }
    return (double)sum / phase_max;
}

struct job {
    const struct dama_weights *table;
    int phase_max;
    bool is_held;
};

static bool add_batch(const void *context, const struct dama_batch *batch, void *scratch,
                      uint64_t *sums)
{
    (void)scratch;
    const struct job *job = context;
    const struct dama_samples *s = job->is_held ? &batch->held : &batch->train;
    double slope = 1e-6 * job->table->slope_ppm;
    for (size_t r = 0; r < s->rows; r++) {
        double score = row_score(s, r, job->table, job->phase_max);
        uint64_t *bin = sums + SUMS * bin_of(score);
        bin[ROWS]++;
        bin[TWICE_SCORED] += s->twice_outcome[r];
        bin[EXPECTED] += (uint64_t)(dama_logistic(slope * score) * PROBABILITY_UNIT + 0.5);
    }
    return true;
}

enum dama_status dama_calibration_measure(const struct dama_dataset *data,
                                          const struct dama_weights *table,
                                          struct dama_calibration *out, struct dama_error *err)
{
    const struct job job = {.table = table,
                            .phase_max = data->phase_max,
                            .is_held = data->counts.fate[DAMA_FATE_HELD_OUT] > 0};
    double question[DAMA_PARAMETERS + 1];
    dama_weights_in_men(table, question);
    question[DAMA_PARAMETERS] = table->slope_ppm;
    const struct dama_pass pass = {.name = "calibration",
                                   .question = question,
                                   .question_size = sizeof question,
                                   .context = &job,
                                   .add = add_batch,
                                   .count = SUMS * DAMA_CALIBRATION_BINS};
    uint64_t sums[SUMS * DAMA_CALIBRATION_BINS];
    DAMA_TRY(dama_pass_run(data, &pass, sums, err));
    *out = (struct dama_calibration){.is_held = job.is_held};
    for (int i = 0; i < DAMA_CALIBRATION_BINS; i++) {
        const uint64_t *bin = sums + SUMS * i;
        double rows = (double)bin[ROWS];
        out->bin[i].rows = bin[ROWS];
        if (bin[ROWS]) {
            out->bin[i].expected = (double)bin[EXPECTED] / PROBABILITY_UNIT / rows;
            out->bin[i].scored = (double)bin[TWICE_SCORED] / 2 / rows;
        }
    }
    return DAMA_OK;
}
