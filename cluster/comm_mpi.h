/* Inside of the communication module: the state that its source files share. */
#ifndef DAMA_COMM_MPI_H
#define DAMA_COMM_MPI_H

#include <mpi.h>
#include <stdbool.h>

/* Of this process, set once by dama_comm_start. Three communicators, so that work messages,
   collectives and the end never meet. */
struct dama_comm_state {
    bool is_started;
    int rank;
    int size;
    int node_ranks; /* ranks on this machine */
    MPI_Comm work;
    MPI_Comm collective;
    MPI_Comm closing;
};
const struct dama_comm_state *dama_comm_state(void);

/* Waits for a request, asleep but for the first moments. */
void dama_comm_wait(MPI_Request *request);
/* Waits for one round of the work loop after so many in which nothing has happened: not at all at
   first, since one message follows another and a long one needs several rounds, then ever longer.
 */
void dama_comm_nap(int idle_rounds);

#endif
