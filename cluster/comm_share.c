/* The work loop: rank 0 hands out jobs by messages and works too; every rank sleeps between rounds.
 */
#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/comm.h"
#include "cluster/comm_mpi.h"

/* Messages to rank 0: HELLO (slots), RESULT (job, bytes), LACK (jobs), ASK_STOP, BYE (a rank's
   last). From rank 0: JOB, and one CLOSE (1: a stop, 0: all is done), its last. */
enum tag { TAG_HELLO = 1, TAG_RESULT, TAG_LACK, TAG_ASK_STOP, TAG_BYE, TAG_JOB, TAG_CLOSE };

/* Below so many jobs a rank left to hand out, a free slot is not enough, the rank must lack a job:
   what a rank has not begun when the queue is empty, all others wait for. */
enum { LAST_JOBS_A_RANK = 8 };

/* What rank 0 knows of a rank. */
struct peer {
    int64_t slots;
    int64_t in_hand;
    int64_t lacking; /* jobs that it has asked for and not been given */
};

struct share {
    const struct dama_comm_work *work;
    const struct dama_comm_state *comm;
    int64_t next;      /* job to hand out (rank 0) or to start (static) */
    int64_t collected; /* rank 0: results so far */
    int in_hand;       /* of this rank */
    int asked;         /* jobs that this rank lacks and has told rank 0 of */
    int byes;          /* rank 0: ranks that are done */
    bool is_closed;    /* CLOSE was sent or has come */
    bool is_stopped;   /* somebody asked for a stop */
    bool has_asked;    /* this rank's ASK_STOP is on its way */
    struct dama_comm_rest rest;
    size_t message_size;  /* of a RESULT */
    unsigned char *bytes; /* one message */
    struct peer *peers;   /* rank 0: one a rank */
};

static bool is_master(const struct share *share)
{
    return share->comm->rank == 0;
}

static void send_number(const struct share *share, int rank, enum tag tag, int64_t number)
{
    MPI_Send(&number, 1, MPI_INT64_T, rank, tag, share->comm->work);
}

static bool may_hand_out(const struct share *share)
{
    return !share->is_stopped && share->next < share->work->jobs;
}

/* True while a free slot alone is reason enough to hand out a job. */
static bool is_plenty(const struct share *share)
{
    return !share->work->lacking || share->work->is_static ||
           share->work->jobs - share->next >= LAST_JOBS_A_RANK * share->comm->size;
}

static void hand_out(struct share *share, int rank)
{
    struct peer *peer = &share->peers[rank];
    while (may_hand_out(share) && !share->work->is_static && peer->in_hand < peer->slots &&
           (is_plenty(share) || peer->lacking > 0)) {
        send_number(share, rank, TAG_JOB, share->next++);
        peer->in_hand++;
        peer->lacking -= peer->lacking > 0;
    }
}

static void begin(struct share *share, int64_t job)
{
    share->in_hand++;
    share->work->start(share->work->context, job);
}

/* Rank 0 takes from the common queue; any rank takes its own of a static schedule. */
static bool fill_slots(struct share *share)
{
    bool has_begun = false;
    int step = share->work->is_static ? share->comm->size : 1;
    if (!share->work->is_static && !is_master(share)) {
        return false;
    }
    while (may_hand_out(share) && share->in_hand < share->work->slots &&
           (is_plenty(share) || share->work->lacking(share->work->context) > 0)) {
        begin(share, share->next);
        share->next += step;
        has_begun = true;
    }
    return has_begun;
}

/* Any other rank tells rank 0 once of each job that it lacks. */
static void tell_lack(struct share *share)
{
    const struct dama_comm_work *work = share->work;
    if (is_master(share) || share->is_closed || work->is_static || !work->lacking) {
        return;
    }
    int lacking = work->lacking(work->context);
    if (lacking > share->asked) {
        send_number(share, 0, TAG_LACK, lacking - share->asked);
        share->asked = lacking;
    }
}

static void collect(struct share *share, int rank, int64_t job, const void *result)
{
    assert(job >= 0 && job < share->work->jobs);
    share->collected++;
    share->work->collect(share->work->context, rank, job, result);
}

static bool take_finished(struct share *share)
{
    bool has_taken = false;
    int64_t job;
    unsigned char *result = share->bytes + sizeof job;
    while (share->work->finished(share->work->context, &job, result)) {
        has_taken = true;
        share->in_hand--;
        if (is_master(share)) {
            collect(share, 0, job, result);
        } else {
            memcpy(share->bytes, &job, sizeof job);
            MPI_Send(share->bytes, (int)share->message_size, MPI_BYTE, 0, TAG_RESULT,
                     share->comm->work);
        }
    }
    return has_taken;
}

static void handle(struct share *share, int source, enum tag tag)
{
    int64_t number;
    memcpy(&number, share->bytes, sizeof number);
    switch (tag) {
    case TAG_HELLO:
        share->peers[source] = (struct peer){.slots = number};
        hand_out(share, source);
        break;
    case TAG_RESULT:
        collect(share, source, number, share->bytes + sizeof number);
        share->peers[source].in_hand--;
        hand_out(share, source);
        break;
    case TAG_LACK:
        share->peers[source].lacking += number;
        hand_out(share, source);
        break;
    case TAG_ASK_STOP:
        /* What CLOSE has said holds on every rank. */
        share->is_stopped |= !share->is_closed;
        break;
    case TAG_BYE:
        share->byes++;
        break;
    case TAG_JOB:
        share->asked -= share->asked > 0;
        begin(share, number);
        break;
    case TAG_CLOSE:
        share->is_closed = true;
        share->is_stopped = number != 0;
        break;
    }
}

static bool receive(struct share *share)
{
    bool has_received = false;
    while (share->comm->size > 1) {
        int is_there = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, share->comm->work, &is_there, &status);
        if (!is_there) {
            break;
        }
        MPI_Recv(share->bytes, (int)share->message_size, MPI_BYTE, status.MPI_SOURCE,
                 status.MPI_TAG, share->comm->work, MPI_STATUS_IGNORE);
        handle(share, status.MPI_SOURCE, (enum tag)status.MPI_TAG);
        has_received = true;
    }
    return has_received;
}

/* Rank 0: tells all ranks once that nothing more is handed out. */
static void close_when_over(struct share *share)
{
    if (share->is_closed || !(share->is_stopped || share->collected == share->work->jobs)) {
        return;
    }
    for (int rank = 1; rank < share->comm->size; rank++) {
        send_number(share, rank, TAG_CLOSE, share->is_stopped);
    }
    share->is_closed = true;
}

static void ask_stop(struct share *share)
{
    if (is_master(share)) {
        share->is_stopped = true;
    } else if (!share->has_asked) {
        send_number(share, 0, TAG_ASK_STOP, 0);
        share->has_asked = true;
    }
}

/* True while this rank has jobs in hand that are worth waiting for; tells the context of a stop. */
static bool is_busy(const struct share *share)
{
    const struct dama_comm_work *work = share->work;
    return share->is_stopped && work->stopping && work->stopping(work->context) &&
           share->in_hand > 0;
}

static void run(struct share *share)
{
    while (!share->is_closed) {
        bool has_moved = take_finished(share);
        has_moved |= receive(share);
        has_moved |= fill_slots(share);
        tell_lack(share);
        if (share->collected < share->work->jobs && share->work->poll(share->work->context)) {
            ask_stop(share);
        }
        if (is_master(share)) {
            close_when_over(share);
        }
        dama_comm_rest(&share->rest, has_moved || share->is_closed);
    }
    while (is_busy(share)) {
        bool has_moved = receive(share);
        has_moved |= take_finished(share);
        dama_comm_rest(&share->rest, has_moved);
    }
    take_finished(share);
    if (!is_master(share)) {
        send_number(share, 0, TAG_BYE, 0);
    }
    while (is_master(share) && share->byes < share->comm->size - 1) {
        dama_comm_rest(&share->rest, receive(share));
    }
}

enum dama_status dama_comm_share(const struct dama_comm_work *work, struct dama_error *err)
{
    assert(work->slots >= 1 && work->jobs >= 0);
    struct share share = {
        .work = work,
        .comm = dama_comm_state(),
        .message_size = sizeof(int64_t) + work->result_size,
    };
    share.next = work->is_static ? share.comm->rank : 0;
    share.bytes = malloc(share.message_size);
    share.peers = calloc((size_t)share.comm->size, sizeof *share.peers);
    enum dama_status status = DAMA_OK;
    if (!share.bytes || !share.peers) {
        status = dama_fail(err, DAMA_MEMORY, "no memory for a result of %lu bytes",
                           (unsigned long long)work->result_size);
    }
    status = dama_comm_agree(status, err);
    if (status != DAMA_OK) {
        free(share.bytes);
        free(share.peers);
        return status;
    }
    if (!is_master(&share)) {
        send_number(&share, 0, TAG_HELLO, work->slots);
    }
    run(&share);
    if (share.comm->is_started) {
        /* Orders: a rank's next HELLO comes after rank 0 has read everybody's BYE. */
        MPI_Request request;
        MPI_Ibarrier(share.comm->collective, &request);
        dama_comm_wait(&request);
    }
    free(share.bytes);
    free(share.peers);
    return share.is_stopped ? dama_fail(err, DAMA_STOPPED, "stopped on request") : DAMA_OK;
}
