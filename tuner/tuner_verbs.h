/* The verb of the tuner. */
#ifndef DAMA_TUNER_VERBS_H
#define DAMA_TUNER_VERBS_H

#include "engine/cli/verb.h"

/* Ended by a NULL name. */
extern const struct dama_verb dama_tuner_verbs[];

#endif
