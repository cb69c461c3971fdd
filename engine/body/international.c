/* The kernel specialised for International draughts. */
#define DAMA_BODY_KERNEL dama_kernel_international
#define DAMA_BODY_NAME "international"
#define DAMA_BODY_RULES "engine/variants/international.inc"
#include "engine/body/body.h"
