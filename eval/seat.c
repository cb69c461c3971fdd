/* Three kinds of players behind one function, and their clocks. */
#include "eval/seat.h"

#include <stdlib.h>

#include "engine/cli/clock.h"
#include "engine/cli/time_budget.h"

static const double ms = 1e-3;

/* A move of one kind of player; sets seat->fault when there is none. */
typedef dama_move (*choose_move)(struct dama_seat *seat, const struct dama_game *game);

struct dama_seat {
    const struct dama_match_player *player;
    choose_move choose;
    /* Search and level. */
    struct dama_searcher *searcher;
    struct dama_level level; /* with the limits of the match */
    uint64_t seed;
    double deadline; /* of the search that runs; 0: none */
    /* External engine. */
    struct dama_hub_client *client;
    /* Of the game. */
    const atomic_bool *stop;
    double margin; /* seconds that a move may be late */
    double left;   /* on the clock */
    double used;   /* seconds, by the last move */
    enum dama_fault fault;
    struct dama_error why;
};

static bool is_over(void *context)
{
    const struct dama_seat *seat = context;
    return atomic_load(seat->stop) || (seat->deadline > 0 && dama_clock() >= seat->deadline);
}

/* Seconds to search; 0: no limit of time. */
static double budget_of(const struct dama_seat *seat)
{
    const struct dama_match_player *player = seat->player;
    double move = (double)player->time_ms * ms;
    double clock = player->clock_ms ? dama_time_budget(seat->left, player->inc_ms * ms, 0) : 0;
    return player->clock_ms && (move <= 0 || clock < move) ? clock : move;
}

static dama_move choose_by_search(struct dama_seat *seat, const struct dama_game *game)
{
    double budget = budget_of(seat);
    seat->deadline = budget > 0 ? dama_clock() + budget : 0;
    const struct dama_search_limits limits = {
        .depth = seat->player->depth,
        .nodes = seat->player->nodes,
        .stop = is_over,
        .context = seat,
    };
    struct dama_search_result result;
    dama_searcher_search(seat->searcher, game, &limits, &result);
    return result.best;
}

static dama_move choose_by_level(struct dama_seat *seat, const struct dama_game *game)
{
    return dama_level_move(&seat->level, seat->searcher, game, seat->seed);
}

/* Seconds that a move may take; 0: as many as it likes. */
static double allowed(const struct dama_seat *seat)
{
    const struct dama_match_player *player = seat->player;
    double most = player->time_ms ? (double)player->time_ms * ms + seat->margin : 0;
    double clock = seat->left + seat->margin;
    return player->clock_ms && (most <= 0 || clock < most) ? clock : most;
}

static dama_move choose_by_engine(struct dama_seat *seat, const struct dama_game *game)
{
    const struct dama_match_player *player = seat->player;
    const struct dama_hub_client_limits limits = {
        .nodes = player->nodes,
        .depth = player->depth,
        .move_time = (double)player->time_ms * ms,
        .has_clock = player->clock_ms > 0,
        .time = seat->left,
        .increment = (double)player->inc_ms * ms,
        .allowed = allowed(seat),
    };
    struct dama_hub_answer answer;
    dama_hub_client_move(seat->client, game, &limits, seat->stop, &answer);
    seat->fault = answer.fault;
    seat->why = answer.why;
    seat->used = answer.seconds;
    return answer.move;
}

/* The level with the limits of the match, where these are for it. */
static struct dama_level limited_level(const struct dama_match_player *player)
{
    struct dama_level level = *player->level;
    if (!dama_level_is_partner(player->level) && (player->nodes || player->depth)) {
        level.nodes = player->nodes;
        level.depth = player->depth;
    }
    return level;
}

static void prepare(struct dama_seat *seat, const struct dama_match_setup *setup,
                    struct dama_error *err)
{
    const struct dama_match_player *player = seat->player;
    if (player->engine) {
        const struct dama_hub_client_setup client = {
            .spec = player->engine,
            .ruleset = setup->ruleset,
            .draws = setup->draws,
            .table_kb = setup->table_kb,
            .patience_ms = setup->patience_ms ? setup->patience_ms : DAMA_MATCH_PATIENCE_MS,
        };
        seat->choose = choose_by_engine;
        seat->client = dama_hub_client_new(&client, err);
        return;
    }
    seat->searcher =
        dama_searcher_new(&setup->ruleset->rules, player->weights, setup->table_kb, err);
    seat->choose = choose_by_search;
    if (player->level) {
        seat->choose = choose_by_level;
        seat->level = limited_level(player);
    }
}

struct dama_seat *dama_seat_new(const struct dama_match_setup *setup, int player,
                                struct dama_error *err)
{
    struct dama_seat *seat = calloc(1, sizeof *seat);
    if (!seat) {
        dama_fail(err, DAMA_MEMORY, "no memory for a player");
        return NULL;
    }
    seat->player = &setup->players[player];
    seat->margin = (setup->margin_ms ? setup->margin_ms : DAMA_MATCH_MARGIN_MS) * ms;
    prepare(seat, setup, err);
    if (!seat->searcher && !seat->client) {
        dama_seat_free(seat);
        return NULL;
    }
    return seat;
}

void dama_seat_free(struct dama_seat *seat)
{
    if (seat) {
        dama_searcher_free(seat->searcher);
        dama_hub_client_free(seat->client);
        free(seat);
    }
}

void dama_seat_begin(struct dama_seat *seat, uint64_t seed, const atomic_bool *stop)
{
    seat->seed = seed;
    seat->stop = stop;
    seat->left = (double)seat->player->clock_ms * ms;
    seat->fault = DAMA_FAULT_NONE;
    if (seat->client) {
        dama_hub_client_new_game(seat->client);
    } else {
        dama_searcher_clear(seat->searcher);
    }
}

/* Stops the clock. */
static void charge(struct dama_seat *seat)
{
    double most = allowed(seat);
    if (seat->fault == DAMA_FAULT_NONE && most > 0 && seat->used > most) {
        seat->fault = DAMA_FAULT_TIME;
        seat->why = (struct dama_error){0};
        dama_fail(&seat->why, DAMA_INVALID, "its move came too late");
    }
    seat->left -= seat->used;
    seat->left = (seat->left > 0 ? seat->left : 0) + (double)seat->player->inc_ms * ms;
}

dama_move dama_seat_choose(void *context, const struct dama_game *game)
{
    struct dama_seat *seat = context;
    double started = dama_clock();
    seat->fault = DAMA_FAULT_NONE;
    dama_move move = seat->choose(seat, game);
    if (!seat->client) {
        seat->used = dama_clock() - started;
    }
    charge(seat);
    return seat->fault == DAMA_FAULT_NONE ? move : DAMA_MOVE_NONE;
}

enum dama_fault dama_seat_fault(const struct dama_seat *seat)
{
    return seat->fault;
}

const char *dama_seat_fault_reason(const struct dama_seat *seat)
{
    return seat->fault == DAMA_FAULT_NONE ? dama_fault_text(DAMA_FAULT_NONE) : seat->why.text;
}
