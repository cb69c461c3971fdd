/* The engine's verbs: each gets argv with argv[0] the verb's name and returns an exit status. */
#ifndef DAMA_VERBS_H
#define DAMA_VERBS_H

int dama_verb_variants(int argc, char **argv);
int dama_verb_perft(int argc, char **argv);
int dama_verb_moves(int argc, char **argv);
int dama_verb_bench(int argc, char **argv);
int dama_verb_analyze(int argc, char **argv);
int dama_verb_genmove(int argc, char **argv);
int dama_verb_hub(int argc, char **argv);
int dama_verb_play(int argc, char **argv);
int dama_verb_pdn(int argc, char **argv);
int dama_verb_weights(int argc, char **argv);
int dama_verb_check(int argc, char **argv);

#endif
