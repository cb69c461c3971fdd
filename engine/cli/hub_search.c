/* A search in the Hub protocol: clocks, what may come during it, and its answers. */
#include <inttypes.h>
#include <string.h>

#include "engine/cli/clock.h"
#include "engine/cli/hub_session.h"
#include "engine/cli/time_budget.h"
#include "engine/level.h"
#include "engine/parallel_search.h"

struct search {
    struct dama_hub_session *session;
    bool is_pondering; /* the clock does not run */
    bool is_infinite;  /* nothing but a command ends it */
    bool is_stopped;
    double started;  /* of the search */
    double budget;   /* seconds; 0: none */
    double deadline; /* of the clock; meaningless while pondering */
};

static void start_clock(struct search *search)
{
    search->is_pondering = false;
    search->deadline = dama_clock() + search->budget;
}

/* A command that does not belong into a search waits for its end; a search that would have none
   ends for it. */
static void keep(struct search *search, const char *text)
{
    search->session->pending = strdup(text);
    search->is_stopped = !search->session->pending || search->is_infinite || search->is_pondering;
}

static void obey(struct search *search, char *text)
{
    size_t length = strcspn(text + strspn(text, " \t"), " \t");
    const char *word = text + strspn(text, " \t");
    if (length == strlen("ping") && !strncmp(word, "ping", length)) {
        fputs("pong\n", search->session->out);
        fflush(search->session->out);
    } else if (length == strlen("stop") && !strncmp(word, "stop", length)) {
        search->is_stopped = true;
    } else if (length == strlen("ponder-hit") && !strncmp(word, "ponder-hit", length)) {
        if (search->is_pondering) {
            start_clock(search);
        }
    } else if (length == strlen("quit") && !strncmp(word, "quit", length)) {
        search->session->is_over = true;
    } else if (length > 0) {
        keep(search, text);
    }
}

/* Looks at the input without waiting. Behind a line that waits nothing is read, but an input that
   was closed is seen all the same. */
static void look_at_input(struct search *search)
{
    struct dama_hub_session *session = search->session;
    while (!session->pending && !session->is_over && !search->is_stopped) {
        char *text = NULL;
        enum dama_lines_state state = dama_lines_next(&session->lines, 0, &text);
        if (state == DAMA_LINES_NONE) {
            return;
        }
        if (state == DAMA_LINES_END) {
            session->is_over = true;
        } else if (state == DAMA_LINES_LINE) {
            obey(search, text);
        }
    }
    if (session->pending && dama_lines_is_hung_up(&session->lines)) {
        session->is_over = true;
    }
}

static bool is_stop_wanted(void *context)
{
    struct search *search = context;
    look_at_input(search);
    bool is_late = search->budget > 0 && !search->is_pondering && dama_clock() >= search->deadline;
    return search->is_stopped || search->session->is_over || is_late;
}

static void write_moves(const struct dama_hub_session *session, const dama_move *moves, int count)
{
    for (int i = 0; i < count; i++) {
        char text[DAMA_HUB_MOVE_SIZE];
        dama_hub_write_move(&session->board, moves[i], text);
        fprintf(session->out, "%s%s", i ? " " : "", text);
    }
}

/* Scores in men, speed in millions of nodes a second, as Scan writes them. */
static void report(void *context, const struct dama_search_result *result)
{
    const struct search *search = context;
    FILE *out = search->session->out;
    double elapsed = dama_clock() - search->started;
    double speed = elapsed > 0 ? (double)result->nodes / elapsed / 1e6 : 0;
    fprintf(out, "info depth=%d score=%.2f nodes=%" PRIu64 " time=%.3f nps=%.3f pv=\"",
            result->depth, result->score / 100.0, result->nodes, elapsed, speed);
    write_moves(search->session, result->pv, result->pv_length);
    fputs("\"\n", out);
    fflush(out);
}

/* A position without moves is answered by `done` alone. */
static void write_done(const struct dama_hub_session *session, const dama_move *moves, int count)
{
    fputs("done", session->out);
    if (count > 0) {
        fputs(" move=", session->out);
        write_moves(session, moves, 1);
    }
    if (count > 1) {
        fputs(" ponder=", session->out);
        write_moves(session, moves + 1, 1);
    }
    fputc('\n', session->out);
}

static double budget_of(const struct dama_hub_limits *limits)
{
    double clock =
        limits->has_clock ? dama_time_budget(limits->time, limits->increment, limits->moves) : 0;
    bool is_shorter = limits->move_time > 0 && (clock <= 0 || limits->move_time < clock);
    return is_shorter ? limits->move_time : clock;
}

static void search_fully(struct dama_hub_session *session, enum dama_hub_mode mode)
{
    const struct dama_hub_limits *limits = &session->limits;
    struct search search = {
        .session = session,
        .is_pondering = mode == DAMA_HUB_PONDER,
        .started = dama_clock(),
        .budget = budget_of(limits),
    };
    search.deadline = search.started + search.budget;
    search.is_infinite = !limits->depth && !limits->nodes && search.budget <= 0;
    const struct dama_search_limits wanted = {
        .depth = limits->depth,
        .nodes = limits->nodes,
        .stop = is_stop_wanted,
        .report = report,
        .context = &search,
        .is_analysis = mode == DAMA_HUB_ANALYZE,
    };
    struct dama_search_result result;
    struct dama_error err = {0};
    int threads = (int)dama_hub_params_int(&session->params, DAMA_HUB_THREADS);
    if (dama_searcher_search_parallel(session->searcher, threads, session->game, &wanted, &result,
                                      &err) != DAMA_OK) {
        dama_hub_error(session, err.text);
    } else if (!session->is_over) {
        write_done(session, result.pv, result.pv_length);
    }
}

void dama_hub_search(struct dama_hub_session *session, enum dama_hub_mode mode)
{
    const struct dama_game *game = session->game;
    const char *name = session->params.values[DAMA_HUB_LEVEL];
    const struct dama_level *level = dama_level_find(game->rules, name);
    if (!game->kernel->has_move(game->rules, dama_game_position(game))) {
        write_done(session, NULL, 0);
    } else if (level && mode == DAMA_HUB_THINK) {
        uint64_t seed = (uint64_t)dama_hub_params_int(&session->params, DAMA_HUB_SEED);
        dama_move move = dama_level_move(level, session->searcher, game, seed);
        write_done(session, &move, 1);
    } else {
        search_fully(session, mode);
    }
}
