/* Sharing of work over MPI ranks: the only module that includes mpi.h besides the program's entry.
 */
#ifndef DAMA_COMM_H
#define DAMA_COMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/error.h"

/* Without dama_comm_start, or alone, rank is 0 and size 1 and every call works without MPI. Only
   the main thread calls these. All waiting sleeps (Open MPI spins), so an idle rank costs nothing.
 */

/* Collective. Starts MPI when a launcher (mpirun, srun) has started this process, and only then: it
   costs 0.3 s. The program calls it before a verb that shares work; a second call does nothing.
   Ends MPI at exit() by itself. Refuses a launcher whose ranks MPI does not see. Either pointer may
   be NULL. */
enum dama_status dama_comm_start(int *argc, char ***argv, struct dama_error *err);
/* Collective. Ends MPI when every rank is here. With a failure the wait is short: ranks that do not
   come are ended, so that one rank's failure never leaves the others waiting. */
void dama_comm_stop(int exit_status);
/* Ends every rank at once with this status, after one message (an error that one rank alone has
 * seen). Does not return. */
_Noreturn void dama_comm_abort(int exit_status);
int dama_comm_rank(void);
int dama_comm_size(void);
/* What the launcher says of this process before MPI has started: rank 0 when there is none. */
int dama_comm_launched_rank(void);
/* What has started these ranks, to be put in front of a program: "mpirun -np 4", "srun --mpi=pmix
   -n 4"; empty for one process. */
const char *dama_comm_launcher(void);
const char *dama_comm_version(void); /* "Open MPI v4.1.4 ..." */

/* Worker threads for this rank: what was asked for, or with 0 its share of the machine's cores.
   Warns when the launcher has bound the rank to fewer cores, and says the cure. */
int dama_comm_threads(int64_t asked);

/* Collective. The failure of the lowest rank that failed becomes every rank's, with its text (and
   its rank, when that is not 0). DAMA_STOPPED comes behind all other failures: it is what the other
   ranks have when one fails. */
enum dama_status dama_comm_agree(enum dama_status status, struct dama_error *err);
/* Collective. Bytes of rank 0 to all. */
void dama_comm_broadcast(void *bytes, size_t size);
/* Collective. Sums of every rank's values on every rank; exact for integers, in any order. */
void dama_comm_sum_u64(uint64_t *values, int count);
/* Collective. Gathers `size` bytes of every rank in rank order on every rank: out has size * ranks
 * bytes. */
void dama_comm_all_gather(const void *bytes, size_t size, void *out);

/* The work loop. Jobs 0..jobs-1 are handed out in ascending order, one message each, to whoever has
   a free slot; rank 0 hands out and works too. For each job one result of result_size bytes comes
   back. All callbacks run on the main thread of their rank, which sleeps between rounds; the work
   itself belongs on threads of the context. jobs, result_size and is_static are equal on all ranks.
 */
struct dama_comm_work {
    int64_t jobs;
    size_t result_size;
    int slots;      /* jobs this rank has in hand at one time, at least 1 */
    bool is_static; /* schedule = static: job j belongs to rank j % size; only results travel */
    void *context;
    /* A job for this rank: begins it and returns at once. At most `slots` are unfinished. */
    void (*start)(void *context, int64_t job);
    /* Often: true, with job and result filled, when a job that was started has finished. */
    bool (*finished)(void *context, int64_t *job, void *result);
    /* Often: jobs that this rank's threads are short of, or are about to be; 0 when none. The last
       jobs of a dynamic schedule go to ranks that lack one, not to every free slot: what a rank has
       not begun at the end, all others wait for. NULL (on every rank): slots alone decide. */
    int (*lacking)(void *context);
    /* Rank 0 only: every result once, in order of arrival. */
    void (*collect)(void *context, int rank, int64_t job, const void *result);
    /* Every rank, every few milliseconds: progress; true asks all ranks for a stop (a signal, or a
     * job that failed: dama_comm_agree afterwards tells why). */
    bool (*poll)(void *context);
    /* Every rank, at least once, when a stop was asked for anywhere, and no job is started after:
       true while jobs in hand are still being finished, whose results are then collected. NULL or
       false: what has not finished is dropped, and is the context's to end after dama_comm_share
       returns. */
    bool (*stopping)(void *context);
};
/* Collective. DAMA_STOPPED on every rank when poll asked for a stop on any; DAMA_OK when every
 * result was collected; DAMA_MEMORY. */
enum dama_status dama_comm_share(const struct dama_comm_work *work, struct dama_error *err);

#endif
