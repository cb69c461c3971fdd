/* Sharing of work over MPI ranks: the only module that includes mpi.h besides the program's entry.
 */
#ifndef DAMA_COMM_H
#define DAMA_COMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/error.h"

/* Without dama_comm_start, or alone, rank is 0 and size 1 and every call works. Only the main
 * thread calls these. */
enum dama_status dama_comm_start(int *argc, char ***argv, struct dama_error *err);
void dama_comm_stop(void);
/* Ends every rank at once with this status, after one message (an error that one rank alone has
 * seen). */
void dama_comm_abort(int exit_status);
int dama_comm_rank(void);
int dama_comm_size(void);
const char *dama_comm_version(void); /* "Open MPI v4.1.4 ..." */

/* Collective. A status of rank 0 becomes every rank's (with its text); any rank's failure becomes
 * everyone's. */
enum dama_status dama_comm_agree(enum dama_status status, struct dama_error *err);
/* Collective. Bytes of rank 0 to all. */
void dama_comm_broadcast(void *bytes, size_t size);
/* Collective. Sums in rank order are exact for integers. */
void dama_comm_sum_u64(uint64_t *values, int count);
/* Collective. Gathers `size` bytes of every rank in rank order on every rank: out has size * ranks
 * bytes. */
void dama_comm_all_gather(const void *bytes, size_t size, void *out);

/* The work loop: jobs 0..count-1 are handed out one by one, in ascending order, to whoever is free;
   a result of result_size bytes comes back for each. Rank 0 hands out and plays too. No collective
   call happens while jobs run, only one at the end.

   step is called on the main thread of every rank every 1-5 ms: it starts jobs on the rank's own
   worker threads when told to and reports finished ones. See dama_comm_work below. */
struct dama_comm_work {
    int64_t jobs;
    size_t result_size;
    int slots;      /* jobs this rank wants in hand at one time, at least 1 */
    bool is_static; /* schedule = static: job j belongs to rank j % size, no messages */
    void *context;
    /* A job for this rank. */
    void (*start)(void *context, int64_t job);
    /* Called often: returns true and fills job and result when a started job has finished. */
    bool (*finished)(void *context, int64_t *job, void *result);
    /* Rank 0 only: every result once, in order of arrival. */
    void (*collect)(void *context, int rank, int64_t job, const void *result);
    /* Every rank, often: progress; true asks for a stop: no new jobs, those in hand are finished or
     * dropped by the context. */
    bool (*poll)(void *context);
};
/* Collective. DAMA_STOPPED when poll asked for a stop on any rank. */
enum dama_status dama_comm_share(const struct dama_comm_work *work, struct dama_error *err);

#endif
