/* `bench`: searches the fixed positions and prints the engine signature. */
#include <inttypes.h>
#include <stdio.h>

#include "engine/cli/clock.h"
#include "engine/cli/common_options.h"
#include "engine/cli/verb.h"
#include "engine/cli/verbs.h"
#include "engine/search.h"
#include "engine/signature.h"

static void print_json(const uint64_t nodes[DAMA_BUILTIN_COUNT], double elapsed, uint32_t signature)
{
    uint64_t total = 0;
    printf("{\"nodes\":{");
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        printf("%s\"%s\":%" PRIu64, i ? "," : "", dama_rules_builtin(i)->name, nodes[i]);
        total += nodes[i];
    }
    printf("},\"total\":%" PRIu64 ",\"seconds\":%.3f,\"bench\":\"%08" PRIx32 "\"}\n", total,
           elapsed, signature);
}

static void print_text(const uint64_t nodes[DAMA_BUILTIN_COUNT], double elapsed, uint32_t signature)
{
    uint64_t total = 0;
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        printf("%s\t%" PRIu64 "\n", dama_rules_builtin(i)->name, nodes[i]);
        total += nodes[i];
    }
    printf("nodes\t%" PRIu64 "\nseconds\t%.3f\nnodes/s\t%.0f\n", total, elapsed,
           elapsed > 0 ? (double)total / elapsed : 0);
    printf("bench %08" PRIx32 "\n", signature);
}

int dama_verb_bench(int argc, char **argv)
{
    bool json = false;
    const struct dama_option options[] = {
        dama_option_json(&json, "one JSON object"),
        {0},
    };
    const struct dama_usage usage = {
        .verb = "bench",
        .arguments = "",
        .summary = "Searches fixed positions of all built-in variants with hand-set weights.",
        .details = "Prints the nodes of each variant, nodes a second, and as the last line the "
                   "engine signature. A build whose signature is not the one it was released with "
                   "plays other games: that is an error, with exit status 1.",
        .options = options,
    };
    dama_options_parse(&usage, argc, argv, NULL);
    uint64_t nodes[DAMA_BUILTIN_COUNT];
    double start = dama_clock();
    uint32_t signature = dama_bench_run(nodes);
    double elapsed = dama_clock() - start;
    struct dama_error err = {0};
    if (signature == 0) {
        dama_fail(&err, DAMA_MEMORY, "bench: out of memory");
        return dama_verb_fail(&err);
    }
    (json ? print_json : print_text)(nodes, elapsed, signature);
    if (signature != DAMA_ENGINE_SIGNATURE) {
        dama_fail(&err, DAMA_MISMATCH, "bench: expected the engine signature %08x, found %08x",
                  DAMA_ENGINE_SIGNATURE, signature);
        return dama_verb_fail(&err);
    }
    return DAMA_EXIT_DONE;
}
