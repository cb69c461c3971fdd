/* The kernel specialised for Russian draughts. */
#define DAMA_BODY_KERNEL dama_kernel_russian
#define DAMA_BODY_NAME "russian"
#define DAMA_BODY_RULES "engine/variants/russian.inc"
#include "engine/body/body.h"
