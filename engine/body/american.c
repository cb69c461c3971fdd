/* The kernel specialised for American draughts. */
#define DAMA_BODY_KERNEL dama_kernel_american
#define DAMA_BODY_NAME "american"
#define DAMA_BODY_RULES "engine/variants/american.inc"
#include "engine/body/body.h"
