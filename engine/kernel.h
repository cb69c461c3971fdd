/* The hot path of one rule set: the same body compiled once per base variant against its constant
   rules, and once against run-time rules. All functions are pure and thread safe. */
#ifndef DAMA_KERNEL_H
#define DAMA_KERNEL_H

#include "engine/move.h"
#include "engine/position.h"

struct dama_weights;
struct dama_trace;

/* Every function takes the rules it plays by. A specialised kernel reads nothing of them but
 * capture_mandatory. */
struct dama_kernel {
    const char *name;
    /* All legal moves, distinct; the order is fixed and the same in every kernel. */
    void (*generate)(const struct dama_rules *rules, const struct dama_position *position,
                     struct dama_move_list *list);
    /* Only the captures (quiescence); empty when there are none. */
    void (*captures)(const struct dama_rules *rules, const struct dama_position *position,
                     struct dama_move_list *list);
    bool (*has_capture)(const struct dama_rules *rules, const struct dama_position *position);
    bool (*has_move)(const struct dama_rules *rules, const struct dama_position *position);
    /* The position after a legal move, the other side to move. */
    struct dama_position (*make)(const struct dama_rules *rules,
                                 const struct dama_position *position, dama_move move);
    /* Leaves at exactly this depth. list: makes a list at every leaf; count: counts
     * without one. */
    uint64_t (*perft_list)(const struct dama_rules *rules, const struct dama_position *position,
                           int depth);
    uint64_t (*perft_count)(const struct dama_rules *rules, const struct dama_position *position,
                            int depth);
    /* Static score of the side to move in hundredths of a man, within +-DAMA_SCORE_EVAL_MAX
     * (evaluate.h). */
    int (*evaluate)(const struct dama_rules *rules, const struct dama_position *position,
                    const struct dama_weights *weights);
    /* The same terms as coefficients, from the side to move (evaluate.h). */
    void (*trace)(const struct dama_rules *rules, const struct dama_position *position,
                  struct dama_trace *trace);
};

/* The specialised kernel of a built-in's fields, else the run-time one. */
const struct dama_kernel *dama_kernel_find(const struct dama_rules *rules);
/* The run-time kernel: serves rules files, and is the oracle in tests. */
const struct dama_kernel *dama_kernel_runtime(void);

/* Refuses a position whose legal moves are more than a list holds (or take too long to find). */
enum dama_status dama_position_check_moves(const struct dama_rules *rules,
                                           const struct dama_position *position,
                                           struct dama_error *err);

#endif
