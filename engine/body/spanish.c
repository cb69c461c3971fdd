/* The kernel specialised for Spanish draughts. */
#define DAMA_BODY_KERNEL dama_kernel_spanish
#define DAMA_BODY_NAME "spanish"
#define DAMA_BODY_RULES "engine/variants/spanish.inc"
#include "engine/body/body.h"
