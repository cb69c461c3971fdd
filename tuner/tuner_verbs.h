/* The verbs of the tuner: tune, data. */
#ifndef DAMA_TUNER_VERBS_H
#define DAMA_TUNER_VERBS_H

#include "engine/cli/verb.h"

/* Ended by a NULL name. */
extern const struct dama_verb dama_tuner_verbs[];

int dama_verb_data(int argc, char **argv);

#endif
