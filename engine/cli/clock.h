/* Time that only goes forward, for speeds, limits and progress. */
#ifndef DAMA_CLOCK_H
#define DAMA_CLOCK_H

/* Seconds of a monotonic clock: setting the time of day does not matter. */
double dama_clock(void);

#endif
