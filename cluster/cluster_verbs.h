/* The verbs about runs and their files: train, status, check, export, clean, doctor. */
#ifndef DAMA_CLUSTER_VERBS_H
#define DAMA_CLUSTER_VERBS_H

#include "engine/cli/verb.h"

/* Ended by a NULL name. */
extern const struct dama_verb dama_cluster_verbs[];

int dama_verb_train(int argc, char **argv);
int dama_verb_status(int argc, char **argv);
/* Stands before the engine's verb of this name: it knows run files too. */
int dama_verb_check_run(int argc, char **argv);
int dama_verb_export(int argc, char **argv);
int dama_verb_clean(int argc, char **argv);
int dama_verb_doctor(int argc, char **argv);

#endif
