/* Ranks that work together run one program. */
#ifndef DAMA_SAME_PROGRAM_H
#define DAMA_SAME_PROGRAM_H

#include "engine/error.h"

/* Collective, before any other work of a verb: a rank whose program is another file than rank 0's
   (another version or build of it, or of HDF5) is refused, and both are named. */
enum dama_status dama_same_program(struct dama_error *err);

#endif
