/* Measures how many blocks a second rank 0 hands out to ranks that play nothing:
   mpirun -np R comm_bench JOBS SLOTS RESULT_BYTES. A real rank has two or three slots; many slots
   on a few ranks load rank 0 as many ranks do. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "cluster/comm.h"

enum { SLOTS_MAX = 4096 };

/* Jobs that are done as soon as they are begun; rank 0 keeps its own until the others are through.
 */
struct idler {
    int64_t jobs;
    int64_t hand[SLOTS_MAX];
    int in_hand;
    int64_t collected;
    int64_t others; /* collected from other ranks */
};

static void start(void *context, int64_t job)
{
    struct idler *idler = context;
    idler->hand[idler->in_hand++] = job;
}

static bool finished(void *context, int64_t *job, void *result)
{
    (void)result;
    struct idler *idler = context;
    bool is_waiting = dama_comm_rank() == 0 && idler->collected < idler->jobs - idler->in_hand;
    if (idler->in_hand == 0 || is_waiting) {
        return false;
    }
    *job = idler->hand[--idler->in_hand];
    return true;
}

static void collect(void *context, int rank, int64_t job, const void *result)
{
    (void)job;
    (void)result;
    struct idler *idler = context;
    idler->collected++;
    idler->others += rank != 0;
}

static bool poll_nothing(void *context)
{
    (void)context;
    return false;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double cpu_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

int main(int argc, char **argv)
{
    struct dama_error err = {0};
    if (argc != 4 || atoi(argv[2]) < 1 || atoi(argv[2]) > SLOTS_MAX) {
        fprintf(stderr, "usage: mpirun -np R comm_bench JOBS SLOTS RESULT_BYTES\n");
        return 2;
    }
    static struct idler idler;
    struct dama_comm_work work = {
        .jobs = atoll(argv[1]),
        .slots = atoi(argv[2]),
        .result_size = (size_t)atoll(argv[3]),
        .context = &idler,
        .start = start,
        .finished = finished,
        .collect = collect,
        .poll = poll_nothing,
    };
    if (dama_comm_start(&argc, &argv, &err) != DAMA_OK) {
        fprintf(stderr, "comm_bench: %s\n", err.text);
        return 1;
    }
    idler.jobs = work.jobs;
    double begin = seconds(), cpu_begin = cpu_seconds();
    enum dama_status status = dama_comm_share(&work, &err);
    double elapsed = seconds() - begin, cpu = cpu_seconds() - cpu_begin;
    if (status == DAMA_OK && dama_comm_rank() == 0 && idler.others > 0) {
        printf("ranks %d slots %d: %lld requests of other ranks in %.2f s, %.0f a second; rank 0 "
               "used %.1f us "
               "of CPU each\n",
               dama_comm_size(), work.slots, (long long)idler.others, elapsed,
               (double)idler.others / elapsed, 1e6 * cpu / (double)idler.others);
    }
    return status == DAMA_OK ? 0 : 1;
}
