/* The evaluation's contract: score and training trace come from one body of terms. */
#ifndef DAMA_EVALUATE_H
#define DAMA_EVALUATE_H

#include "engine/features.h"
#include "engine/kernel.h"
#include "engine/weights.h"

/* Scores beyond the evaluation: a win found at distance d plies is DAMA_SCORE_WIN - d. */
enum {
    DAMA_SCORE_EVAL_MAX = 20000,
    DAMA_SCORE_WIN = 32000,
    DAMA_SCORE_WIN_MIN = 31000,
    DAMA_SCORE_INFINITE = 32001,
    DAMA_SCORE_NONE = -32768,
};

/* What evaluate() saw, from the side to move. The score is
       sum of value[i] * (w[0][i] * phase + w[1][i] * (phase_max - phase))
   divided by phase_max, rounded towards zero, then limited to +-DAMA_SCORE_EVAL_MAX. phase is the
   number of pieces on the board, at most phase_max, which is twice the men of a side at the start.
 */
struct dama_trace {
    int phase;
    int phase_max;
    int16_t value[DAMA_FEATURE_COUNT];
};

/* The undivided sum of the formula above (in units of score * phase_max). */
int64_t dama_trace_sum(const struct dama_trace *trace, const struct dama_weights *weights);

/* The one division of the formula above, and its limits. */
static inline int dama_score_of_sum(int64_t sum, int phase_max)
{
    int64_t score = sum / phase_max;
    if (score > DAMA_SCORE_EVAL_MAX) {
        return DAMA_SCORE_EVAL_MAX;
    }
    return score < -DAMA_SCORE_EVAL_MAX ? -DAMA_SCORE_EVAL_MAX : (int)score;
}

#endif
