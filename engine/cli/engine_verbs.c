/* The list of the engine's verbs, as both programs offer them. */
#include "engine/cli/verbs.h"

#include <stddef.h>

#include "engine/cli/verb.h"

const struct dama_verb dama_engine_verbs[] = {
    {"variants", "the built-in rule sets", dama_verb_variants, false},
    {"perft", "count the positions some plies away", dama_verb_perft, false},
    {"moves", "legal moves of positions read from stdin", dama_verb_moves, false},
    {"bench", "nodes, speed and the engine signature", dama_verb_bench, false},
    {"genmove", "the move of a level in a position", dama_verb_genmove, false},
    {"analyze", "search a position", dama_verb_analyze, false},
    {"play", "a game in the terminal", dama_verb_play, false},
    {"hub", "speak the Hub protocol with a graphical program", dama_verb_hub, false},
    {"pdn", "replay and check games in PDN files", dama_verb_pdn, false},
    {"check", "validate rules and other configuration files", dama_verb_check, false},
    {"weights", "show, verify, compare and export weight tables", dama_verb_weights, false},
    {NULL, NULL, NULL, false},
};
