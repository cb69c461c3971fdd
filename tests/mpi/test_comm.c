/* Work sharing and collectives, on however many ranks mpirun starts; with the argument `alone`, one
   rank fails while the others wait. */
#include "cluster/comm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "support.h"

enum { JOBS_MAX = 200, HAND_MAX = 8, RESULT_MAX = 256 };

/* A rank that works by counting rounds: a job is finished after a few polls. */
struct worker {
    int64_t jobs;
    size_t result_size;
    int slots;
    bool is_static;
    int64_t hand[HAND_MAX];
    int rounds[HAND_MAX];
    int in_hand;
    int64_t last_started;
    uint64_t started;
    uint64_t random;
    /* Rank 0. */
    int seen[JOBS_MAX];
    int64_t collected;
    /* Behaviour. */
    bool holds_first;  /* rank 0 finishes its first job only after all others are collected */
    int stop_after;    /* this rank asks for a stop after so many starts; -1 never */
    bool finishes_all; /* goes on with what is in hand after a stop */
    bool is_content;   /* never lacks a job */
    bool waits;        /* finishes nothing before it is told of a stop */
    bool was_told;     /* of a stop */
};

static struct worker *of(void *context)
{
    return context;
}

static unsigned next(struct worker *worker)
{
    worker->random = worker->random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (unsigned)(worker->random >> 40);
}

static void fill(unsigned char *result, int64_t job, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        result[i] = (unsigned char)(job * 31 + (int64_t)i * 7);
    }
}

static void start(void *context, int64_t job)
{
    struct worker *worker = of(context);
    assert_true(job > worker->last_started); /* ascending */
    assert_true(job < worker->jobs);
    assert_true(worker->in_hand < worker->slots);
    assert_false(worker->was_told);
    if (worker->is_static) {
        assert_int_equal(job % dama_comm_size(), dama_comm_rank());
    }
    worker->last_started = job;
    worker->started++;
    worker->hand[worker->in_hand] = job;
    worker->rounds[worker->in_hand++] = (int)(next(worker) % 3);
}

static bool may_finish(struct worker *worker, int i)
{
    if (worker->was_told && !worker->finishes_all) {
        return false;
    }
    if (worker->waits && !worker->was_told) {
        return false;
    }
    if (worker->holds_first && dama_comm_rank() == 0) {
        return worker->collected == worker->jobs - 1;
    }
    return worker->rounds[i]-- <= 0;
}

static bool finished(void *context, int64_t *job, void *result)
{
    struct worker *worker = of(context);
    for (int i = 0; i < worker->in_hand; i++) {
        if (may_finish(worker, i)) {
            *job = worker->hand[i];
            fill(result, *job, worker->result_size);
            worker->in_hand--;
            worker->hand[i] = worker->hand[worker->in_hand];
            worker->rounds[i] = worker->rounds[worker->in_hand];
            return true;
        }
    }
    return false;
}

static int lacking(void *context)
{
    const struct worker *worker = of(context);
    return worker->in_hand == 0 && !worker->is_content;
}

static void collect(void *context, int rank, int64_t job, const void *result)
{
    struct worker *worker = of(context);
    unsigned char expected[RESULT_MAX];
    assert_int_equal(dama_comm_rank(), 0);
    assert_in_range(rank, 0, dama_comm_size() - 1);
    fill(expected, job, worker->result_size);
    assert_memory_equal(result, expected, worker->result_size);
    worker->seen[job]++;
    worker->collected++;
}

static bool poll(void *context)
{
    const struct worker *worker = of(context);
    return worker->stop_after >= 0 && worker->started >= (uint64_t)worker->stop_after;
}

static bool stopping(void *context)
{
    struct worker *worker = of(context);
    worker->was_told = true;
    return worker->finishes_all && worker->in_hand > 0;
}

static enum dama_status share(struct worker *worker)
{
    struct dama_comm_work work = {
        .jobs = worker->jobs,
        .result_size = worker->result_size,
        .slots = worker->slots,
        .is_static = worker->is_static,
        .context = worker,
        .start = start,
        .finished = finished,
        .lacking = lacking,
        .collect = collect,
        .poll = poll,
        .stopping = stopping,
    };
    worker->last_started = -1;
    worker->random = 2026 + (uint64_t)dama_comm_rank();
    return dama_comm_share(&work, NULL);
}

static void assert_all_done(struct worker *worker)
{
    assert_int_equal(share(worker), DAMA_OK);
    uint64_t started = worker->started;
    dama_comm_sum_u64(&started, 1);
    assert_int_equal(started, worker->jobs);
    for (int64_t j = 0; dama_comm_rank() == 0 && j < worker->jobs; j++) {
        assert_int_equal(worker->seen[j], 1);
    }
}

static void every_job_is_done_once(void **state)
{
    (void)state;
    static const int64_t jobs[] = {0, 1, 2, 5, JOBS_MAX};
    for (int i = 0; i < 5 * 3 * 2; i++) {
        struct worker worker = {.jobs = jobs[i % 5],
                                .slots = 1 + i / 5 % 3,
                                .is_static = i / 15,
                                .result_size = i % 2 ? RESULT_MAX : 0,
                                .stop_after = -1};
        assert_all_done(&worker);
    }
}

/* Rank 0 keeps its first job until every other result is there: the others must have done them. */
static void slow_rank_does_not_hold_the_others(void **state)
{
    (void)state;
    if (dama_comm_size() == 1) {
        return;
    }
    struct worker worker = {
        .jobs = 50, .slots = 1, .result_size = 8, .stop_after = -1, .holds_first = true};
    assert_all_done(&worker);
    if (dama_comm_rank() == 0) {
        assert_in_range(worker.started, 0, 1);
    }
}

static void last_jobs_go_to_ranks_that_lack_one(void **state)
{
    (void)state;
    for (int content = 0; content < dama_comm_size() && dama_comm_size() > 1; content++) {
        struct worker worker = {.jobs = 4 * dama_comm_size(),
                                .slots = 2,
                                .result_size = 8,
                                .stop_after = -1,
                                .is_content = dama_comm_rank() == content};
        assert_all_done(&worker);
        assert_true(worker.started == 0 || !worker.is_content);
    }
}

static void stop_of_any_rank_stops_all(void **state)
{
    (void)state;
    for (int i = 0; i < dama_comm_size() * 4; i++) {
        int stopper = i / 4;
        struct worker worker = {.jobs = JOBS_MAX,
                                .slots = 2,
                                .is_static = i & 1,
                                .finishes_all = i & 2,
                                .result_size = 16,
                                .stop_after = dama_comm_rank() == stopper ? 3 : -1,
                                /* Or the others may do all before the stopper's third job. */
                                .waits = dama_comm_rank() != stopper};
        assert_int_equal(share(&worker), DAMA_STOPPED);
        assert_true(worker.was_told);
        uint64_t sums[2] = {worker.started, (uint64_t)worker.in_hand};
        dama_comm_sum_u64(sums, 2);
        assert_true(sums[0] < JOBS_MAX);
        if (worker.finishes_all) {
            assert_int_equal(worker.in_hand, 0);
        }
        if (dama_comm_rank() == 0) {
            assert_int_equal(worker.collected, sums[0] - sums[1]);
        }
    }
}

static void stop_before_the_first_job_is_a_stop(void **state)
{
    (void)state;
    struct worker worker = {.jobs = JOBS_MAX, .slots = 1, .result_size = 4, .stop_after = 0};
    assert_int_equal(share(&worker), DAMA_STOPPED);
}

static void failure_of_one_rank_is_everyones(void **state)
{
    (void)state;
    for (int failing = 0; failing < dama_comm_size(); failing++) {
        struct dama_error err = {0};
        enum dama_status status = DAMA_OK;
        if (dama_comm_rank() >= failing) {
            status = dama_fail(&err, DAMA_IO, "disk %d is full", dama_comm_rank());
        }
        char expected[64] = "disk 0 is full";
        if (failing > 0) {
            snprintf(expected, sizeof expected, "rank %d: disk %d is full", failing, failing);
        }
        assert_int_equal(dama_comm_agree(status, &err), DAMA_IO);
        assert_int_equal(err.status, DAMA_IO);
        assert_string_equal(err.text, expected);
    }
    struct dama_error err = {0};
    assert_int_equal(dama_comm_agree(DAMA_OK, &err), DAMA_OK);
    assert_int_equal(err.status, DAMA_OK);
}

/* A full disk on one rank stops the others: the disk is the cause, whatever their numbers. */
static void a_failure_comes_before_a_stop(void **state)
{
    (void)state;
    int last = dama_comm_size() - 1;
    bool is_last = dama_comm_rank() == last;
    struct dama_error err = {0};
    enum dama_status status = is_last ? dama_fail(&err, DAMA_IO, "disk is full")
                                      : dama_fail(&err, DAMA_STOPPED, "stopped on request");
    char expected[64] = "disk is full";
    if (last > 0) {
        snprintf(expected, sizeof expected, "rank %d: disk is full", last);
    }
    assert_int_equal(dama_comm_agree(status, &err), DAMA_IO);
    assert_int_equal(err.status, DAMA_IO);
    assert_string_equal(err.text, expected);
    struct dama_error stop = {0};
    status = is_last ? dama_fail(&stop, DAMA_STOPPED, "stopped on request") : DAMA_OK;
    assert_int_equal(dama_comm_agree(status, &stop), DAMA_STOPPED);
}

static void collectives_reach_every_rank(void **state)
{
    (void)state;
    int size = dama_comm_size();
    uint64_t mine[2] = {(uint64_t)dama_comm_rank() + 1, UINT64_C(1) << 62};
    uint64_t all[2 * 64];
    assert_in_range(size, 1, 64);
    dama_comm_all_gather(mine, sizeof mine, all);
    for (int rank = 0; rank < size; rank++) {
        assert_int_equal(all[2 * rank], rank + 1);
        assert_true(all[2 * rank + 1] == UINT64_C(1) << 62);
    }
    dama_comm_sum_u64(mine, 2);
    assert_int_equal(mine[0], size * (size + 1) / 2);
    assert_true(mine[1] == (uint64_t)size << 62);
    char text[16] = "";
    if (dama_comm_rank() == 0) {
        strcpy(text, "from rank 0");
    }
    dama_comm_broadcast(text, sizeof text);
    assert_string_equal(text, "from rank 0");
}

/* Within a job of Slurm too, which main pretends. */
static void the_launcher_is_told(void **state)
{
    (void)state;
    char expected[32] = "";
    if (dama_comm_size() > 1) {
        snprintf(expected, sizeof expected, "mpirun -np %d", dama_comm_size());
    }
    assert_string_equal(dama_comm_launcher(), expected);
}

static double cpu_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void waiting_rank_sleeps(void **state)
{
    (void)state;
    int value = 0;
    double before = cpu_seconds();
    if (dama_comm_rank() == 0) {
        nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    }
    dama_comm_broadcast(&value, sizeof value);
    /* A spinning rank takes the whole second. */
    assert_true(cpu_seconds() - before < 0.3);
}

static int fail_alone(void)
{
    char byte = 0;
    if (dama_comm_rank() == dama_comm_size() - 1) {
        return 1;
    }
    dama_comm_broadcast(&byte, 1);
    dama_comm_sum_u64(&(uint64_t){0}, 1);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_job_is_done_once),
        cmocka_unit_test(slow_rank_does_not_hold_the_others),
        cmocka_unit_test(last_jobs_go_to_ranks_that_lack_one),
        cmocka_unit_test(stop_of_any_rank_stops_all),
        cmocka_unit_test(stop_before_the_first_job_is_a_stop),
        cmocka_unit_test(failure_of_one_rank_is_everyones),
        cmocka_unit_test(a_failure_comes_before_a_stop),
        cmocka_unit_test(collectives_reach_every_rank),
        cmocka_unit_test(the_launcher_is_told),
        cmocka_unit_test(waiting_rank_sleeps),
    };
    struct dama_error err = {0};
    if (getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE")) {
        setenv("SLURM_STEP_NUM_TASKS", "7", 1);
    }
    if (dama_comm_start(&argc, &argv, &err) != DAMA_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    int status = argc > 1 && strcmp(argv[1], "alone") == 0
                     ? fail_alone()
                     : cmocka_run_group_tests(tests, NULL, NULL) != 0;
    dama_comm_stop(status);
    return status;
}
