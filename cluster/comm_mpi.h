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
    int node_ranks;    /* ranks on this machine */
    char launcher[64]; /* empty: one process */
    MPI_Comm work;
    MPI_Comm collective;
    MPI_Comm closing;
};
const struct dama_comm_state *dama_comm_state(void);

/* Waits for a request, asleep but for the first moments. */
void dama_comm_wait(MPI_Request *request);
/* The sleep of a loop that waits for others; all zero at first. */
struct dama_comm_rest {
    int rounds;   /* since something last happened */
    double since; /* when the first of them was, seconds of a steady clock */
};
/* Called once a round: not asleep at all at first, since one message follows another and a long one
   needs several rounds, then for an eighth of the time in which nothing has happened, so that no
   answer comes much later than it would have. */
void dama_comm_rest(struct dama_comm_rest *rest, bool has_moved);

#endif
