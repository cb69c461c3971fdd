/* The score of a trace: what every kernel's evaluate must agree with. */
#include "engine/evaluate.h"

int64_t dama_trace_sum(const struct dama_trace *trace, const struct dama_weights *weights)
{
    int64_t first = 0;
    int64_t last = 0;
    for (int i = 0; i < DAMA_FEATURE_COUNT; i++) {
        first += (int64_t)trace->value[i] * weights->w[0][i];
        last += (int64_t)trace->value[i] * weights->w[1][i];
    }
    return first * trace->phase + last * (trace->phase_max - trace->phase);
}
