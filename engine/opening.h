/* Openings: the positions random play can reach, numbered, and a keyed permutation over them. */
#ifndef DAMA_OPENING_H
#define DAMA_OPENING_H

#include "engine/search.h"

enum { DAMA_OPENING_PLIES_MAX = 100 };

/* All distinct positions after the enumerated plies (at most 2^18 of them, the deepest ply that
   fits) in which the side to move has a move, then seeded random plies up to `plies`. Immutable
   once made, shared by threads. */
struct dama_opening_book;
/* plies is 0 (the start position alone) to DAMA_OPENING_PLIES_MAX. NULL with err set. */
struct dama_opening_book *dama_opening_book_new(const struct dama_rules *rules, int plies,
                                                struct dama_error *err);
/* NULL is allowed. */
void dama_opening_book_free(struct dama_opening_book *book);
/* Number of openings that can be asked for: enumerated positions, times continuations when random
   plies follow them. */
uint64_t dama_opening_book_size(const struct dama_opening_book *book);
/* Plies that are enumerated; the rest is random. */
int dama_opening_book_enumerated(const struct dama_opening_book *book);

/* Plays opening `index` of the seed's permutation into the game of the book's rules (reset to the
   start position first): the position's canonical path, then its continuation. Indices less than
   the number of enumerated positions apart start from different ones. Returns plies played, fewer
   when the game ends before. index < size. */
int dama_opening_play(const struct dama_opening_book *book, uint64_t seed, uint64_t index,
                      struct dama_game *game);

/* What an opening should be like. */
struct dama_opening_wish {
    uint64_t seed, number; /* of the permutation; which of the choices with it */
    int low, high; /* hundredths of a man: the score's distance from 0, for either side, is within
                      these; high 0 takes any opening in which the game goes on */
    int tries;     /* openings looked at; 0: 16 */
};
/* Tries permutation indices tries*number, tries*number+1, ... (modulo the size) and takes the first
   whose shallow search score is as wished, else the first of those that are nearest; leaves it
   played in the game and returns its permutation index. The searcher is cleared first and left
   used. */
uint64_t dama_opening_choose(const struct dama_opening_book *book, struct dama_searcher *searcher,
                             const struct dama_opening_wish *wish, struct dama_game *game);

#endif
