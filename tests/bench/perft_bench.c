/* Times perft from the start position, one core: perft_bench VARIANT DEPTH list|count [ROUNDS]. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/kernel.h"

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int argc, char **argv)
{
    const struct dama_rules *rules = argc > 3 ? dama_rules_find(argv[1]) : NULL;
    if (!rules || (strcmp(argv[3], "list") != 0 && strcmp(argv[3], "count") != 0)) {
        fprintf(stderr, "usage: perft_bench VARIANT DEPTH list|count [ROUNDS]\n");
        return 2;
    }
    const struct dama_kernel *kernel = dama_kernel_find(rules);
    int depth = atoi(argv[2]);
    bool makes_lists = strcmp(argv[3], "list") == 0;
    struct dama_position start = dama_position_start(rules);
    for (int round = argc > 4 ? atoi(argv[4]) : 1; round > 0; round--) {
        double began = now();
        uint64_t nodes = makes_lists ? kernel->perft_list(rules, &start, depth)
                                     : kernel->perft_count(rules, &start, depth);
        double seconds = now() - began;
        printf("%s\t%d\t%s\t%llu\t%.3f s\t%.0f M/s\n", argv[1], depth, argv[3],
               (unsigned long long)nodes, seconds, (double)nodes / seconds * 1e-6);
    }
    return 0;
}
