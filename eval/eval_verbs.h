/* The verbs of eval. */
#ifndef DAMA_EVAL_VERBS_H
#define DAMA_EVAL_VERBS_H

#include "engine/cli/verb.h"

/* Ended by a NULL name. */
extern const struct dama_verb dama_eval_verbs[];

int dama_verb_calibrate(int argc, char **argv);
int dama_verb_ladder(int argc, char **argv);
int dama_verb_match(int argc, char **argv);
int dama_verb_openings(int argc, char **argv);
int dama_verb_report(int argc, char **argv);

#endif
