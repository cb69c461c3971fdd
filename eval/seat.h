/* One side of a match on one thread: chooses moves by search, by a level, or by asking an external
   engine, on its clock. */
#ifndef DAMA_SEAT_H
#define DAMA_SEAT_H

#include "eval/hub_client.h"
#include "eval/match.h"

struct dama_seat;

/* Player 0 or 1 of the setup, which must outlive the seat. An external engine is started here. NULL
   with err set. */
struct dama_seat *dama_seat_new(const struct dama_match_setup *setup, int player,
                                struct dama_error *err);
void dama_seat_free(struct dama_seat *seat);

/* A new game: tables are cleared, the clock is full. seed is that of a level's choices. A search
   ends early when *stop is seen. */
void dama_seat_begin(struct dama_seat *seat, uint64_t seed, const atomic_bool *stop);
/* The player's move, as the contest asks for it (contest.h). DAMA_MOVE_NONE after a fault. */
dama_move dama_seat_choose(void *seat, const struct dama_game *game);

/* What the last choice did wrong, and how; the text is that of dama_fault_text without a fault. */
enum dama_fault dama_seat_fault(const struct dama_seat *seat);
const char *dama_seat_fault_reason(const struct dama_seat *seat);

#endif
