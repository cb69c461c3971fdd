/* Legal moves in the order of their squares, for lists that people and programs read. */
#ifndef DAMA_MOVE_ORDER_H
#define DAMA_MOVE_ORDER_H

#include "engine/kernel.h"

/* All legal moves by grid squares: from, to, then captured set. A position with more moves than a
   list holds is DAMA_UNSUPPORTED. */
enum dama_status dama_moves_sorted(const struct dama_rules *rules, const struct dama_kernel *kernel,
                                   const struct dama_position *position, struct dama_move_list *out,
                                   struct dama_error *err);

#endif
