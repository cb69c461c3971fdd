/* Analysis on several cores: the first thread decides, its helpers fill the shared table. */
#include "engine/parallel_search.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "engine/search_state.h"

/* How often dama_search_limits.stop is called. */
enum { NODES_PER_CALL = 1024 };

/* One thread's search. The first uses the caller's searcher. */
struct worker {
    struct team *team;
    struct dama_searcher *searcher;
    struct dama_search_limits limits;
    struct dama_search_result result;
    atomic_uint_fast64_t nodes; /* so far, for the reports of the first */
};

struct team {
    const struct dama_game *game;
    const struct dama_search_limits *limits; /* the caller's */
    int count;
    atomic_bool is_done; /* the first has finished */
    struct worker *workers;
};

#ifdef _OPENMP
static int usable_threads(int threads)
{
    return threads;
}
#else
static int usable_threads(int threads)
{
    return threads > 1 ? 1 : threads;
}
#endif

static bool stop_helper(void *context)
{
    struct worker *worker = context;
    atomic_fetch_add_explicit(&worker->nodes, NODES_PER_CALL, memory_order_relaxed);
    return atomic_load_explicit(&worker->team->is_done, memory_order_relaxed);
}

static bool stop_first(void *context)
{
    const struct worker *worker = context;
    const struct dama_search_limits *limits = worker->team->limits;
    return limits->stop && limits->stop(limits->context);
}

static void report_first(void *context, const struct dama_search_result *result)
{
    const struct worker *worker = context;
    const struct team *team = worker->team;
    struct dama_search_result total = *result;
    for (int i = 1; i < team->count; i++) {
        total.nodes += atomic_load_explicit(&team->workers[i].nodes, memory_order_relaxed);
    }
    if (team->limits->report) {
        team->limits->report(team->limits->context, &total);
    }
}

/* The body of the parallel loop. A helper that starts behind the end of the first has nothing to
 * do.
 */
static void run(struct team *team, int index)
{
    struct worker *worker = &team->workers[index];
    if (index > 0 && atomic_load(&team->is_done)) {
        return;
    }
    dama_searcher_search(worker->searcher, team->game, &worker->limits, &worker->result);
    if (index == 0) {
        atomic_store(&team->is_done, true);
    }
}

static struct dama_search_limits share(const struct team *team, struct worker *worker, int index)
{
    const struct dama_search_limits *whole = team->limits;
    uint64_t count = (uint64_t)team->count;
    struct dama_search_limits limits = {
        .depth = whole->depth,
        .nodes = whole->nodes / count,
        .stop = index == 0 ? stop_first : stop_helper,
        .report = index == 0 ? report_first : NULL,
        .context = worker,
        .is_analysis = whole->is_analysis,
    };
    if (index == 0) {
        limits.nodes += whole->nodes % count;
    }
    return limits;
}

/* Gets the workers ready; what was made is freed by the caller when it fails. */
static enum dama_status prepare(struct team *team, struct dama_searcher *searcher,
                                struct dama_error *err)
{
    for (int i = 0; i < team->count; i++) {
        struct worker *worker = &team->workers[i];
        worker->team = team;
        worker->searcher = i == 0 ? searcher : dama_searcher_new_helper(searcher);
        if (!worker->searcher) {
            return dama_fail(err, DAMA_MEMORY, "no memory for a search on %d threads", team->count);
        }
        worker->limits = share(team, worker, i);
        /* Every second helper is an iteration ahead, so that they do not all do the same. */
        worker->searcher->first_depth = 1 + i % 2;
    }
    return DAMA_OK;
}

static void gather(const struct team *team, struct dama_search_result *result)
{
    uint64_t nodes = 0;
    const struct worker *best = &team->workers[0];
    for (int i = 0; i < team->count; i++) {
        nodes += team->workers[i].result.nodes;
        if (team->workers[i].result.depth > best->result.depth) {
            best = &team->workers[i];
        }
    }
    *result = best->result;
    result->nodes = nodes;
}

enum dama_status dama_searcher_search_parallel(struct dama_searcher *searcher, int threads,
                                               const struct dama_game *game,
                                               const struct dama_search_limits *limits,
                                               struct dama_search_result *result,
                                               struct dama_error *err)
{
    if (threads < 1 || threads > DAMA_SEARCH_THREADS_MAX) {
        return dama_fail(err, DAMA_INVALID, "threads: expected 1..%d, found %d",
                         DAMA_SEARCH_THREADS_MAX, threads);
    }
    struct team team = {.game = game, .limits = limits, .count = usable_threads(threads)};
    /* Each share of a node limit is at least one node: 0 would be no limit. */
    if (limits->nodes && limits->nodes < (uint64_t)team.count) {
        team.count = (int)limits->nodes;
    }
    team.workers = calloc((size_t)team.count, sizeof *team.workers);
    enum dama_status status =
        team.workers ? prepare(&team, searcher, err)
                     : dama_fail(err, DAMA_MEMORY, "no memory for %d threads", team.count);
    if (status == DAMA_OK) {
        /* One iteration a thread; should there be fewer threads, the first still comes first. */
#pragma omp parallel for num_threads(team.count) schedule(static, 1)
        for (int i = 0; i < team.count; i++) {
            run(&team, i);
        }
        gather(&team, result);
    }
    for (int i = 1; team.workers && i < team.count; i++) {
        dama_searcher_free(team.workers[i].searcher);
    }
    free(team.workers);
    return status;
}
