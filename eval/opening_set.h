/* Where the pairs of a match begin: random plies, a shipped list, a window of scores, or a file. */
#ifndef DAMA_OPENING_SET_H
#define DAMA_OPENING_SET_H

#include "engine/opening.h"
#include "eval/opening_list.h"

/* What is asked for; texts must outlive the set. */
struct dama_opening_request {
    /* random (also NULL), two-move, three-move, ballots, biased, biased:LOW-HIGH, or a file: PDN
       when its name ends in .pdn, else lines as opening_list.h reads. */
    const char *source;
    int random_plies; /* of random and biased openings */
    int window;       /* random: the score is within it; 0 takes any */
    int file_plies;   /* of a PDN game; 0: all */
};

/* Immutable once made, shared by threads. */
struct dama_opening_set;
/* Collective: rank 0 alone reads a file. NULL with err set, on every rank. */
struct dama_opening_set *dama_opening_set_new(const struct dama_ruleset *ruleset,
                                              const struct dama_opening_request *request,
                                              struct dama_error *err);
void dama_opening_set_free(struct dama_opening_set *set);

/* A list: its openings are few and in an order, not drawn from very many. */
bool dama_opening_set_is_list(const struct dama_opening_set *set);
/* Openings before any is used again. */
uint64_t dama_opening_set_size(const struct dama_opening_set *set);
/* Most plies of an opening. */
int dama_opening_set_plies(const struct dama_opening_set *set);
/* The same for the same openings, in whatever file they lie. */
void dama_opening_set_hash(const struct dama_opening_set *set, unsigned char out[DAMA_HASH_SIZE]);
/* "two-move, 47 openings"; static while the set lives. */
const char *dama_opening_set_text(const struct dama_opening_set *set);

/* The opening of pair `number`, left played in the game of the set's rules: a list's openings come
   in a keyed order of the seed, each once before any comes again in another order. The judge, which
   random and biased openings are scored by, is left used. Returns the opening's index: place in the
   list, or index of the seed's permutation (opening.h). */
uint64_t dama_opening_set_choose(const struct dama_opening_set *set, struct dama_searcher *judge,
                                 uint64_t seed, uint64_t number, struct dama_game *game);
/* Where opening `index` starts; NULL: the start position. */
const struct dama_position *dama_opening_set_start(const struct dama_opening_set *set,
                                                   uint64_t index);
/* Plays the opening that choose returned again. */
void dama_opening_set_play(const struct dama_opening_set *set, uint64_t seed, uint64_t index,
                           struct dama_game *game);

#endif
