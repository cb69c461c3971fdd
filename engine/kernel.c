/* Which kernel plays which rules. */
#include "engine/kernel.h"

#include "engine/body/kernels.h"
#include "engine/rules.h"

#define X(variant) &dama_kernel_##variant,
static const struct dama_kernel *const specialised[DAMA_BASE_COUNT] = {DAMA_BASE_VARIANTS(X)};
#undef X

const struct dama_kernel *dama_kernel_find(const struct dama_rules *rules)
{
    int base = dama_rules_base(rules);
    return base < 0 ? &dama_kernel_any_rules : specialised[base];
}

const struct dama_kernel *dama_kernel_runtime(void)
{
    return &dama_kernel_any_rules;
}

enum dama_status dama_position_check_moves(const struct dama_rules *rules,
                                           const struct dama_position *position,
                                           struct dama_error *err)
{
    struct dama_move_list list;
    dama_kernel_find(rules)->generate(rules, position, &list);
    if (list.is_cut) {
        return dama_fail(err, DAMA_UNSUPPORTED,
                         "the position has too many legal moves: expected at most %d",
                         DAMA_MOVES_MAX);
    }
    return DAMA_OK;
}
