/* How long to think on a clock. */
#ifndef DAMA_TIME_BUDGET_H
#define DAMA_TIME_BUDGET_H

/* Seconds for this move: `left` on the clock, which gets `increment` with each move; `moves` up to
   the next time control, 0: for the rest of the game. Never so much that the clock could run out:
   a reserve is kept for what the operating system takes. */
double dama_time_budget(double left, double increment, int moves);

#endif
