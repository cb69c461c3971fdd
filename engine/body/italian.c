/* The kernel specialised for Italian draughts. */
#define DAMA_BODY_KERNEL dama_kernel_italian
#define DAMA_BODY_NAME "italian"
#define DAMA_BODY_RULES "engine/variants/italian.inc"
#include "engine/body/body.h"
