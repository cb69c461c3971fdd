/* Ranks that work together run one program. */
#ifndef DAMA_SAME_PROGRAM_H
#define DAMA_SAME_PROGRAM_H

#include "engine/error.h"

enum { DAMA_PROGRAM_TEXT_SIZE = 128 };
/* "dama 0.1.0, engine 1c2f01a0, features 5f0a1b2c, HDF5 1.10.8, file 0a1b2c3d": equal for equal
   programs, zeros behind it. */
void dama_program_describe(char out[DAMA_PROGRAM_TEXT_SIZE]);

/* Collective, before any other work of a verb: a rank whose program is another file than rank 0's
   (another version or build of it, or of HDF5) is refused, and both are named. */
enum dama_status dama_same_program(struct dama_error *err);

#endif
