/* The list of the verbs about runs and their files. */
#include "cluster/cluster_verbs.h"

#include <stddef.h>

const struct dama_verb dama_cluster_verbs[] = {
    {"train", "train a weight table: self-play, tune, match, promote", dama_verb_train, true},
    {"status", "what a run has done, how fast, and what comes next", dama_verb_status, false},
    {"check", "validates rules, levels and run files; --keys lists the keys of a run",
     dama_verb_check_run, false},
    {"export", "a run's shards, verified, as one HDF5 file", dama_verb_export, false},
    {"clean", "removes what a killed run left half written", dama_verb_clean, false},
    {NULL, NULL, NULL, false},
};
