/* The shim that turns the body into one kernel. A file that includes it defines DAMA_BODY_KERNEL
   (the kernel's name), DAMA_BODY_NAME (its text), and for a specialised one DAMA_BODY_RULES. */
#include "engine/kernel.h"

#include "engine/body/kernels.h"
#include "engine/body/perft.h"

const struct dama_kernel DAMA_BODY_KERNEL = {
    .name = DAMA_BODY_NAME,
    .generate = generate,
    .captures = captures,
    .has_capture = has_capture,
    .has_move = has_move,
    .make = make,
    .perft_list = perft_list,
    .perft_count = perft_count,
};
