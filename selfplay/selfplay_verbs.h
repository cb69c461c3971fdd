/* The verbs of self-play: selfplay, replay, verify, import, rescore. */
#ifndef DAMA_SELFPLAY_VERBS_H
#define DAMA_SELFPLAY_VERBS_H

#include "engine/cli/verb.h"

/* Ended by a NULL name. */
extern const struct dama_verb dama_selfplay_verbs[];

int dama_verb_selfplay(int argc, char **argv);
int dama_verb_replay(int argc, char **argv);
int dama_verb_verify(int argc, char **argv);
int dama_verb_import(int argc, char **argv);
int dama_verb_rescore(int argc, char **argv);

#endif
