/* The shim that turns the body into one kernel. A file that includes it defines DAMA_BODY_KERNEL
   (the kernel's name), DAMA_BODY_NAME (its text), and for a specialised one DAMA_BODY_RULES. */
#include "engine/kernel.h"

#include "engine/body/kernels.h"
#include "engine/body/perft.h"
#include "engine/body/terms.h"

static int evaluate(const struct dama_rules *rules, const struct dama_position *position,
                    const struct dama_weights *weights)
{
    return terms_score(fixed(rules), position, weights);
}

static void trace(const struct dama_rules *rules, const struct dama_position *position,
                  struct dama_trace *out)
{
    terms_trace(fixed(rules), position, out);
}

const struct dama_kernel DAMA_BODY_KERNEL = {
    .name = DAMA_BODY_NAME,
    .generate = generate,
    .captures = captures,
    .has_capture = has_capture,
    .has_move = has_move,
    .make = make,
    .perft_list = perft_list,
    .perft_count = perft_count,
    .evaluate = evaluate,
    .trace = trace,
};
