/* The program dama-engine: the engine's verbs, for machines without MPI or HDF5. */
#include <stddef.h>

#include "engine/cli/verb.h"

int main(int argc, char **argv)
{
    const struct dama_verb *const lists[] = {dama_engine_verbs, NULL};
    return dama_streams_guard() ? dama_program_run("dama-engine", lists, "", argc, argv)
                                : DAMA_EXIT_FAILED;
}
