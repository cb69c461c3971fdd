/* Start and end of MPI, and the collective calls, all of which sleep while they wait. */
#include "cluster/comm.h"

#include <assert.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cluster/comm_mpi.h"
#include "cluster/log.h"
#include "engine/cli/clock.h"

enum {
    FIRST_TESTS = 100, /* before the first sleep: short waits stay short */
    FIRST_NAP_US = 10,
    NAP_US = 10000,
    NAP_SHARE = 8, /* of the time in which nothing has happened */
    FAILURE_WAIT_S = 2,
    BROADCAST_CHUNK = 1 << 30,
};

/* The one process-wide state that MPI itself has. */
static struct dama_comm_state state = {.size = 1, .node_ranks = 1};

const struct dama_comm_state *dama_comm_state(void)
{
    return &state;
}

static void sleep_us(long us)
{
    struct timespec time = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};
    nanosleep(&time, NULL);
}

void dama_comm_rest(struct dama_comm_rest *rest, bool has_moved)
{
    if (has_moved) {
        rest->rounds = 0;
        return;
    }
    if (rest->rounds == 0) {
        rest->since = dama_clock();
    }
    if (rest->rounds < FIRST_TESTS) {
        rest->rounds++;
        return;
    }
    long nap = (long)(1e6 * (dama_clock() - rest->since)) / NAP_SHARE;
    sleep_us(nap < FIRST_NAP_US ? FIRST_NAP_US : nap < NAP_US ? nap : NAP_US);
}

/* True when the request is done within limit_s seconds (negative: no limit). */
static bool wait_for(MPI_Request *request, double limit_s)
{
    struct dama_comm_rest rest = {0};
    double begin = dama_clock();
    int is_done = 0;
    for (;;) {
        MPI_Test(request, &is_done, MPI_STATUS_IGNORE);
        if (is_done || (limit_s >= 0 && dama_clock() - begin > limit_s)) {
            return is_done;
        }
        dama_comm_rest(&rest, false);
    }
}

void dama_comm_wait(MPI_Request *request)
{
    wait_for(request, -1);
}

static int environment_int(const char *name, int otherwise)
{
    const char *text = getenv(name);
    return text && *text ? atoi(text) : otherwise;
}

/* Tasks of an srun step; inside a batch script this is not set, and a plain start is one process.
 */
static int slurm_tasks(void)
{
    return environment_int("SLURM_STEP_NUM_TASKS", 1);
}

static bool has_launcher(void)
{
    /* Open MPI's mpirun, MPICH's and Intel's, srun with pmix, srun with any other plug-in. */
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE") || getenv("PMI_RANK") ||
           getenv("PMIX_RANK") || slurm_tasks() > 1;
}

int dama_comm_launched_rank(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (getenv(names[i])) {
            return environment_int(names[i], 0);
        }
    }
    return slurm_tasks() > 1 ? environment_int("SLURM_PROCID", 0) : 0;
}

/* Asked before MPI starts, which sets variables too. An mpirun within a job of Slurm is told from
   srun by what only mpirun sets: Open MPI's the first, MPICH's and Intel's the second. */
static bool is_srun(void)
{
    return slurm_tasks() > 1 && !getenv("OMPI_COMM_WORLD_SIZE") && !getenv("MPI_LOCALRANKID");
}

static void name_launcher(bool by_srun)
{
    const char *plugin = getenv("SLURM_MPI_TYPE");
    if (state.size == 1) {
        return;
    }
    if (!by_srun) {
        snprintf(state.launcher, sizeof state.launcher, "mpirun -np %d", state.size);
        return;
    }
    snprintf(state.launcher, sizeof state.launcher, "srun%s%.32s -n %d", plugin ? " --mpi=" : "",
             plugin ? plugin : "", state.size);
}

/* exit() anywhere must not leave MPI open: mpirun would call it a crash. */
static void stop_at_exit(int exit_status, void *unused)
{
    (void)unused;
    dama_comm_stop(exit_status);
}

static int count_node_ranks(void)
{
    MPI_Comm node;
    int ranks = 1;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &ranks);
    MPI_Comm_free(&node);
    return ranks;
}

enum dama_status dama_comm_start(int *argc, char ***argv, struct dama_error *err)
{
    if (state.is_started || !has_launcher()) {
        return DAMA_OK;
    }
    int provided = MPI_THREAD_SINGLE;
    bool by_srun = is_srun();
    if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_FUNNELED) {
        return dama_fail(err, DAMA_UNSUPPORTED, "MPI: expected thread level %d, found %d",
                         MPI_THREAD_FUNNELED, provided);
    }
    state.is_started = true;
    MPI_Comm_rank(MPI_COMM_WORLD, &state.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &state.size);
    MPI_Comm_dup(MPI_COMM_WORLD, &state.work);
    MPI_Comm_dup(MPI_COMM_WORLD, &state.collective);
    MPI_Comm_dup(MPI_COMM_WORLD, &state.closing);
    state.node_ranks = count_node_ranks();
    name_launcher(by_srun);
    on_exit(stop_at_exit, NULL);
    int expected =
        environment_int("OMPI_COMM_WORLD_SIZE", environment_int("PMI_SIZE", slurm_tasks()));
    if (state.size != expected) {
        return dama_fail(
            err, DAMA_MISMATCH,
            "MPI: the launcher started %d processes but MPI sees %d; use the mpirun of "
            "the MPI this program was built with (%s)",
            expected, state.size, dama_comm_version());
    }
    return DAMA_OK;
}

void dama_comm_stop(int exit_status)
{
    if (!state.is_started) {
        return;
    }
    MPI_Request request;
    /* Orders: no rank leaves MPI while another may still send to it. */
    MPI_Ibarrier(state.closing, &request);
    /* A failure that the others do not share must not leave them in a call that never ends. */
    if (!wait_for(&request, exit_status == 1 ? FAILURE_WAIT_S : -1)) {
        dama_log_warn("rank %d has failed alone, the other ranks are ended", state.rank);
        dama_comm_abort(exit_status);
    }
    state.is_started = false;
    state.rank = 0;
    state.size = 1;
    MPI_Comm_free(&state.work);
    MPI_Comm_free(&state.collective);
    MPI_Comm_free(&state.closing);
    MPI_Finalize();
}

void dama_comm_abort(int exit_status)
{
    fflush(NULL);
    if (state.is_started) {
        state.is_started = false;
        MPI_Abort(MPI_COMM_WORLD, exit_status);
    }
    _exit(exit_status);
}

int dama_comm_rank(void)
{
    return state.rank;
}

int dama_comm_size(void)
{
    return state.size;
}

const char *dama_comm_launcher(void)
{
    return state.launcher;
}

const char *dama_comm_version(void)
{
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(text, &length); /* allowed before MPI_Init */
    text[strcspn(text, ",\n")] = 0;
    for (char *tab = text; *tab; tab++) {
        *tab = *tab == '\t' ? ' ' : *tab;
    }
    return text;
}

int dama_comm_threads(int64_t asked)
{
    cpu_set_t set;
    int online = (int)sysconf(_SC_NPROCESSORS_ONLN);
    int allowed = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : online;
    /* A rank that may run anywhere shares with its neighbours; a bound one has its cores alone. */
    int share = allowed < online ? allowed : online / state.node_ranks;
    int threads = asked > 0 ? (int)asked : share > 1 ? share : 1;
    int fair = online / state.node_ranks;
    bool is_bound = state.is_started && allowed < online;
    if (is_bound && (asked > allowed || (asked <= 0 && allowed < fair))) {
        dama_log_warn("rank %d is bound to %d of %d cores, %d threads: start with "
                      "`mpirun --bind-to none` to use them all",
                      state.rank, allowed, online, threads);
    }
    return threads;
}

enum dama_status dama_comm_agree(enum dama_status status, struct dama_error *err)
{
    if (!state.is_started) {
        return status;
    }
    MPI_Request request;
    /* A stop is what the other ranks see of one rank's failure: it comes behind every cause. */
    int claim = status == DAMA_OK        ? 2 * state.size
                : status == DAMA_STOPPED ? state.size + state.rank
                                         : state.rank;
    int least = claim;
    MPI_Iallreduce(&claim, &least, 1, MPI_INT, MPI_MIN, state.collective, &request);
    dama_comm_wait(&request);
    if (least == 2 * state.size) {
        return DAMA_OK;
    }
    int first = least % state.size;
    struct dama_error told = {.status = status};
    if (first == state.rank) {
        if (err) {
            told = *err;
        }
        told.status = status;
    }
    MPI_Ibcast(&told, (int)sizeof told, MPI_BYTE, first, state.collective, &request);
    dama_comm_wait(&request);
    if (err && first != state.rank) {
        *err = told;
    }
    if (err && first > 0) {
        char prefix[32];
        snprintf(prefix, sizeof prefix, "rank %d", first);
        dama_error_prefix(err, prefix);
    }
    return told.status;
}

void dama_comm_broadcast(void *bytes, size_t size)
{
    if (!state.is_started) {
        return;
    }
    for (size_t done = 0; done < size; done += BROADCAST_CHUNK) {
        size_t part = size - done < BROADCAST_CHUNK ? size - done : BROADCAST_CHUNK;
        MPI_Request request;
        MPI_Ibcast((char *)bytes + done, (int)part, MPI_BYTE, 0, state.collective, &request);
        dama_comm_wait(&request);
    }
}

void dama_comm_sum_u64(uint64_t *values, int count)
{
    if (!state.is_started) {
        return;
    }
    MPI_Request request;
    MPI_Iallreduce(MPI_IN_PLACE, values, count, MPI_UINT64_T, MPI_SUM, state.collective, &request);
    dama_comm_wait(&request);
}

void dama_comm_all_gather(const void *bytes, size_t size, void *out)
{
    if (!state.is_started) {
        memcpy(out, bytes, size);
        return;
    }
    assert(size <= BROADCAST_CHUNK);
    MPI_Request request;
    MPI_Iallgather(bytes, (int)size, MPI_BYTE, out, (int)size, MPI_BYTE, state.collective,
                   &request);
    dama_comm_wait(&request);
}
