/* Legal moves sorted by their squares. */
#include "engine/cli/move_order.h"

#include <stdlib.h>

/* Board bits ascend with grid squares, so bits may be compared. */
static int compare(const void *a, const void *b)
{
    dama_move x = *(const dama_move *)a, y = *(const dama_move *)b;
    int from = dama_move_from(x) - dama_move_from(y);
    int to = dama_move_to(x) - dama_move_to(y);
    if (from || to) {
        return from ? from : to;
    }
    return (dama_move_captured(x) > dama_move_captured(y)) -
           (dama_move_captured(x) < dama_move_captured(y));
}

enum dama_status dama_moves_sorted(const struct dama_rules *rules, const struct dama_kernel *kernel,
                                   const struct dama_position *position, struct dama_move_list *out,
                                   struct dama_error *err)
{
    DAMA_TRY(dama_position_check_moves(rules, position, err));
    kernel->generate(rules, position, out);
    qsort(out->moves, (size_t)out->count, sizeof out->moves[0], compare);
    return DAMA_OK;
}
