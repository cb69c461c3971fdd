/* The kernel specialised for Czech draughts. */
#define DAMA_BODY_KERNEL dama_kernel_czech
#define DAMA_BODY_NAME "czech"
#define DAMA_BODY_RULES "engine/variants/czech.inc"
#include "engine/body/body.h"
