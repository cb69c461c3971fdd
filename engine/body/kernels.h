/* The kernels that the body is compiled to, for engine/kernel.c. */
#ifndef DAMA_BODY_KERNELS_H
#define DAMA_BODY_KERNELS_H

#include "engine/kernel.h"
#include "engine/rules.h"

#define X(variant) extern const struct dama_kernel dama_kernel_##variant;
DAMA_BASE_VARIANTS(X)
#undef X
extern const struct dama_kernel dama_kernel_any_rules;

#endif
