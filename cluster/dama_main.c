/* The program dama: all verbs. */
#include <stddef.h>
#include <stdio.h>

#include "cluster/cluster_verbs.h"
#include "cluster/comm.h"
#include "cluster/same_program.h"
#include "cluster/shard.h"
#include "eval/eval_verbs.h"
#include "selfplay/selfplay_verbs.h"
#include "tuner/tuner_verbs.h"

enum { VERSION_SIZE = 512 };

static const struct dama_verb *const lists[] = {dama_cluster_verbs, dama_selfplay_verbs,
                                                dama_tuner_verbs,   dama_eval_verbs,
                                                dama_engine_verbs,  NULL};

static void format_version(char out[VERSION_SIZE])
{
    snprintf(out, VERSION_SIZE, "MPI %s\nHDF5 %s\n", dama_comm_version(),
             dama_shard_library_version());
}

/* One rank speaks: the others neither print results nor repeat its message. */
static void quieten(void)
{
    dama_verb_silence();
    if (!freopen("/dev/null", "w", stdout)) {
        fclose(stdout);
    }
}

int main(int argc, char **argv)
{
    if (!dama_streams_guard()) {
        return DAMA_EXIT_FAILED;
    }
    const struct dama_verb *verb = argc > 1 ? dama_verb_find(lists, argv[1]) : NULL;
    bool shares_work = verb && verb->shares_work;
    if (!shares_work && dama_comm_launched_rank() > 0) {
        return DAMA_EXIT_DONE; /* rank 0 does it alone, without MPI */
    }
    struct dama_error err = {0};
    enum dama_status started = shares_work ? dama_comm_start(&argc, &argv, &err) : DAMA_OK;
    /* The doctor tells of other programs itself, among what else is wrong. */
    if (shares_work && started == DAMA_OK && verb->run != dama_verb_doctor) {
        started = dama_same_program(&err);
    }
    if (dama_comm_launched_rank() > 0) {
        quieten();
    }
    char version[VERSION_SIZE];
    format_version(version);
    int status = started == DAMA_OK ? dama_program_run("dama", lists, version, argc, argv)
                                    : dama_verb_fail(&err);
    dama_comm_stop(status);
    return status;
}
