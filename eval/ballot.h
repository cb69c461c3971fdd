/* Eleven-man ballots: a man of each side is taken off, then each side makes one of the opening
   moves. */
#ifndef DAMA_BALLOT_H
#define DAMA_BALLOT_H

#include "eval/opening_list.h"

/* The ballot of Newell Banks (1907) as the North Carolina Checkers Association describes it
   (nccheckers.org, "Eleven Man Ballot Deck & System"): a man of each side's two front rows leaves
   (Black's from 5-12, White's from 21-28 in American draughts), and each side plays one of its
   seven opening moves; when the man that should move has left, the man behind it moves in the same
   direction, or, at the rim, the only man behind it. The list gets every different position, in a
   fixed order: 2,500 on 8x8 with three rows of men, as that source says. Squares and first mover
   are those of the rules, so the same ballots serve the Italian game. `game` is of the rules. */
enum dama_status dama_ballot_list(struct dama_game *game, struct dama_opening_list *out,
                                  struct dama_error *err);

#endif
