/* Times the evaluation on quiet positions of random games, one core: evaluate_bench VARIANT
 * [ROUNDS]. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "engine/evaluate.h"
#include "engine/kernel.h"
#include "engine/rng.h"

enum { POSITIONS = 4096, PLIES_MAX = 120, REPEATS = 500 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void collect(const struct dama_rules *rules, struct dama_position positions[POSITIONS])
{
    const struct dama_kernel *kernel = dama_kernel_find(rules);
    int count = 0;
    for (uint64_t game = 0; count < POSITIONS; game++) {
        struct dama_rng rng = dama_rng_make(1, DAMA_RNG_TEST, game);
        struct dama_position position = dama_position_start(rules);
        struct dama_move_list list;
        for (int ply = 0; ply < PLIES_MAX && count < POSITIONS; ply++) {
            kernel->generate(rules, &position, &list);
            if (list.count == 0) {
                break;
            }
            if (!kernel->has_capture(rules, &position)) {
                positions[count++] = position;
            }
            uint32_t choice = dama_rng_below(&rng, (uint32_t)list.count);
            position = kernel->make(rules, &position, list.moves[choice]);
        }
    }
}

int main(int argc, char **argv)
{
    static struct dama_position positions[POSITIONS];
    const struct dama_rules *rules = argc > 1 ? dama_rules_find(argv[1]) : NULL;
    if (!rules) {
        fprintf(stderr, "usage: evaluate_bench VARIANT [ROUNDS]\n");
        return 2;
    }
    const struct dama_kernel *kernel = dama_kernel_find(rules);
    struct dama_weights weights;
    dama_weights_hand_set(rules, &weights);
    collect(rules, positions);
    for (int round = argc > 2 ? atoi(argv[2]) : 1; round > 0; round--) {
        long sum = 0;
        double began = now();
        for (int i = 0; i < POSITIONS * REPEATS; i++) {
            sum += kernel->evaluate(rules, &positions[i % POSITIONS], &weights);
        }
        double seconds = now() - began;
        printf("%s\t%.1f ns\tsum %ld\n", rules->name, seconds * 1e9 / (POSITIONS * REPEATS), sum);
    }
    return 0;
}
