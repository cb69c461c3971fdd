/* The program dama-engine: the engine's verbs, for machines without MPI or HDF5. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "engine/cli/verb.h"

/* The verbs that dama alone has: who asks for one here has the wrong program, not a wrong word. */
static bool is_of_dama(const char *name)
{
    static const char *const verbs[] = {"calibrate", "clean",  "data",    "doctor",   "export",
                                        "import",    "ladder", "match",   "merge",    "openings",
                                        "replay",    "report", "rescore", "selfplay", "status",
                                        "train",     "tune",   "verify"};
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        if (strcmp(name, verbs[i]) == 0) {
            return true;
        }
    }
    return false;
}

int main(int argc, char **argv)
{
    if (!dama_streams_guard()) {
        return DAMA_EXIT_FAILED;
    }
    if (argc > 1 && is_of_dama(argv[1])) {
        fprintf(stderr,
                "dama: dama-engine has no verb '%s': it is one of the program dama (see dama "
                "--help)\n",
                argv[1]);
        return DAMA_EXIT_USAGE;
    }
    const struct dama_verb *const lists[] = {dama_engine_verbs, NULL};
    return dama_program_run("dama-engine", lists, "", argc, argv);
}
