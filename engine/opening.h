/* Openings: the positions random play can reach, numbered, and a keyed permutation over them. */
#ifndef DAMA_OPENING_H
#define DAMA_OPENING_H

#include "engine/search.h"

/* All distinct positions after the enumerated plies (at most 2^18 of them, the deepest ply that
   fits), then seeded random plies up to `plies`. Immutable once made, shared by threads. */
struct dama_opening_book;
struct dama_opening_book *dama_opening_book_new(const struct dama_rules *rules, int plies,
                                                struct dama_error *err);
void dama_opening_book_free(struct dama_opening_book *book);
/* Number of openings that can be asked for (enumerated positions times continuations). */
uint64_t dama_opening_book_size(const struct dama_opening_book *book);

/* Plays opening `index` into the game (reset to the start position first). Returns plies played,
 * fewer when a side has no move. */
int dama_opening_play(const struct dama_opening_book *book, uint64_t seed, uint64_t index,
                      struct dama_game *game);

/* DESIGN.md 6: tries permutation indices 16*number .. 16*number+15, takes the first whose shallow
   search score lies within
   +-window (0: any playable one), else the most level; leaves it played in the game and returns its
   permutation index. */
uint64_t dama_opening_choose(const struct dama_opening_book *book, struct dama_searcher *searcher,
                             uint64_t seed, uint64_t number, int window, struct dama_game *game);

#endif
