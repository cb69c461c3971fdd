/* The list of the verbs about runs and their files. */
#include "cluster/cluster_verbs.h"

#include <stddef.h>

const struct dama_verb dama_cluster_verbs[] = {
    {"train", "train a weight table: self-play, tune, match, promote", dama_verb_train, true},
    {"status", "what a run has done, how fast, and what comes next", dama_verb_status, false},
    {"check", "validate rules, levels and run files; --keys lists the keys of a run",
     dama_verb_check_run, false},
    {"export", "a run's shards, verified, as one HDF5 file", dama_verb_export, false},
    {"clean", "free what later stages of a run need no more", dama_verb_clean, false},
    {"doctor", "find what makes runs slow or fail, and its cure", dama_verb_doctor, true},
    {NULL, NULL, NULL, false},
};
