/* The kernel specialised for Brazilian draughts. */
#define DAMA_BODY_KERNEL dama_kernel_brazilian
#define DAMA_BODY_NAME "brazilian"
#define DAMA_BODY_RULES "engine/variants/brazilian.inc"
#include "engine/body/body.h"
