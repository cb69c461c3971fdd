/* The list of self-play's verbs. */
#include "selfplay/selfplay_verbs.h"

#include <stddef.h>

const struct dama_verb dama_selfplay_verbs[] = {
    {"selfplay", "play the missing games of a run and store them", dama_verb_selfplay, true},
    {"replay", "play one stored game again and show it", dama_verb_replay, false},
    {"verify", "check every shard and every game of a run", dama_verb_verify, true},
    {"import", "store games of PDN files as a run", dama_verb_import, false},
    {"rescore", "store a run's games again with other scores", dama_verb_rescore, true},
    {NULL, NULL, NULL, false},
};
