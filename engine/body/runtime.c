/* The kernel that reads its rules at run time. */
#define DAMA_BODY_KERNEL dama_kernel_any_rules
#define DAMA_BODY_NAME "runtime"
#include "engine/body/body.h"
