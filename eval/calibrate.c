/* Trying node limits by matches, and timing moves. */
#include "eval/calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/comm.h"
#include "cluster/log.h"
#include "engine/cli/clock.h"
#include "engine/opening.h"

enum { PROBES = 6, NODES_LEAST = 10, NODES_MOST = 1000000 };
/* A level gains about so much from twice the nodes: a guess for the second try only. */
static const double elo_of_doubling = 150;
/* And it is no more than so many doublings away. */
static const double guess_most = 2;
/* A probe this near to the aim ends the search. */
static const double good_enough_percent = 2.5;
/* A level has at least so many times the nodes of the one below. */
static const double least_step = 1.5;

struct step {
    const char *level, *opponent;
    double least, aim, most; /* percent */
};
static const struct step steps[DAMA_CALIBRATION_STEP_COUNT] = {
#define X(name, against, low, middle, high) {#name, #against, low, middle, high},
    DAMA_CALIBRATION_STEPS(X)
#undef X
};

const char *dama_calibration_opponent(int step)
{
    return steps[step].opponent;
}

static double elo_of_percent(double percent)
{
    double limited = fmax(1, fmin(99, percent));
    return 400 * log10(limited / (100 - limited));
}

static double percent_of_elo(double elo)
{
    return 100 / (1 + pow(10, -elo / 400));
}

/* A match that measures a level. */
struct trial {
    const struct dama_level *opponent;
    uint64_t seed;
    int64_t pairs;
};

/* Plays the step's level; fills games, percent and error. */
static enum dama_status measure(const struct dama_calibration_setup *setup,
                                const struct trial *trial, struct dama_calibration_step *out,
                                struct dama_error *err)
{
    const struct dama_level *opponent = trial->opponent;
    bool is_partner = dama_level_is_partner(opponent);
    struct dama_match_setup match = setup->match;
    match.players[0] = (struct dama_match_player){
        .name = out->level.name, .weights = setup->weights, .level = &out->level};
    match.players[1] =
        (struct dama_match_player){.name = opponent->name,
                                   .weights = is_partner ? setup->beginner_weights : setup->weights,
                                   .level = opponent};
    match.pairs = trial->pairs;
    match.seed = trial->seed;
    match.is_quiet = true;
    struct dama_match_result result;
    DAMA_TRY(dama_match_run(&match, &result, err));
    double points = (double)result.wdl.wins + (double)result.wdl.draws / 2;
    out->games = result.games;
    out->percent = 100 * points / (double)result.games;
    out->error = (percent_of_elo(result.elo.high) - percent_of_elo(result.elo.low)) / 2;
    return DAMA_OK;
}

/* A try: log2 of the nodes, and the Elo that are missing to the aim. */
struct probe {
    double doublings, missing;
    bool is_set;
};

/* The last tries that were too weak and too strong. */
struct bracket {
    struct probe weak, strong;
};

/* Nodes at which the level should score as it is aimed at: between a try that was too weak and one
   that was too strong, else a guess. Rank 0's for all, since logarithms may differ between
   processors. */
static uint64_t next_nodes(struct bracket *bracket, const struct step *step,
                           const struct dama_calibration_step *found, uint64_t least)
{
    struct probe probe = {
        .doublings = log2((double)found->level.nodes),
        .missing = elo_of_percent(step->aim) - elo_of_percent(found->percent),
        .is_set = true,
    };
    *(probe.missing > 0 ? &bracket->weak : &bracket->strong) = probe;
    double guess = fmax(-guess_most, fmin(guess_most, probe.missing / elo_of_doubling));
    double next = probe.doublings + guess;
    if (bracket->weak.is_set && bracket->strong.is_set) {
        double share = bracket->weak.missing / (bracket->weak.missing - bracket->strong.missing);
        next =
            bracket->weak.doublings + share * (bracket->strong.doublings - bracket->weak.doublings);
    }
    uint64_t nodes = 10 * (uint64_t)(fmin(pow(2, next), NODES_MOST) / 10 + 0.5);
    nodes = nodes < least ? least : nodes;
    dama_comm_broadcast(&nodes, sizeof nodes);
    return nodes;
}

static enum dama_status search_nodes(const struct dama_calibration_setup *setup, int number,
                                     const struct dama_level *opponent,
                                     struct dama_calibration_step *out, struct dama_error *err)
{
    const struct step *step = &steps[number];
    struct bracket bracket = {0};
    uint64_t least = (uint64_t)fmax(NODES_LEAST, least_step * (double)opponent->nodes);
    for (int probe = 0; probe < PROBES; probe++) {
        const struct trial trial = {.opponent = opponent,
                                    .seed = setup->seed + 1 + (uint64_t)probe,
                                    .pairs = setup->probe_pairs};
        DAMA_TRY(measure(setup, &trial, out, err));
        dama_log_info("%s: %s with %llu nodes scores %.1f %% of %llu games against %s",
                      setup->match.ruleset->rules.name, step->level,
                      (unsigned long long)out->level.nodes, out->percent,
                      (unsigned long long)out->games, step->opponent);
        uint64_t nodes = next_nodes(&bracket, step, out, least);
        if (fabs(out->percent - step->aim) <= good_enough_percent || nodes == out->level.nodes) {
            break;
        }
        out->level.nodes = nodes;
    }
    return DAMA_OK;
}

enum dama_status dama_calibrate(const struct dama_calibration_setup *setup,
                                struct dama_calibration *out, struct dama_error *err)
{
    const struct dama_rules *rules = &setup->match.ruleset->rules;
    for (int i = 0; i < DAMA_CALIBRATION_STEP_COUNT; i++) {
        struct dama_calibration_step *step = &out->steps[i];
        const struct dama_level *opponent =
            i == 0 ? dama_level_find(rules, steps[0].opponent) : &out->steps[i - 1].level;
        *step = (struct dama_calibration_step){.level = *dama_level_find(rules, steps[i].level)};
        if (setup->probe_pairs) {
            DAMA_TRY(search_nodes(setup, i, opponent, step, err));
        }
        const struct trial last = {
            .opponent = opponent, .seed = setup->seed, .pairs = setup->pairs};
        DAMA_TRY(measure(setup, &last, step, err));
        step->is_good = step->percent >= steps[i].least && step->percent <= steps[i].most;
    }
    return DAMA_OK;
}

static int compare_numbers(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

/* One thread's table at which a level is timed. */
struct timing {
    struct dama_opening_book *book;
    struct dama_searcher *searcher;
    struct dama_game *game;
};

/* The milliseconds of `count` moves of games that the level plays against itself. */
static void time_moves(const struct timing *timing, const struct dama_calibration_setup *setup,
                       const struct dama_level *level, double *times, int count)
{
    struct dama_opening_wish wish = {.seed = setup->seed, .high = setup->match.opening_window};
    for (int i = 0; i < count; i++) {
        if (i == 0 || dama_game_state(timing->game).termination != DAMA_END_ONGOING) {
            dama_opening_choose(timing->book, timing->searcher, &wish, timing->game);
            wish.number++;
        }
        double started = dama_clock();
        dama_move move = dama_level_move(level, timing->searcher, timing->game, setup->seed);
        times[i] = 1000 * (dama_clock() - started);
        if (dama_game_play(timing->game, move) != DAMA_OK) {
            return;
        }
    }
}

enum dama_status dama_calibration_time(const struct dama_calibration_setup *setup,
                                       const struct dama_level *level, int moves, double *ms,
                                       struct dama_error *err)
{
    const struct dama_rules *rules = &setup->match.ruleset->rules;
    const struct timing timing = {
        .book = dama_opening_book_new(rules, setup->match.random_plies, err),
        .searcher = dama_searcher_new(rules, setup->weights, setup->match.table_kb, err),
        .game = dama_game_new(rules, setup->match.draws, NULL),
    };
    double *times = calloc((size_t)moves, sizeof *times);
    if (timing.book && timing.searcher && timing.game && times) {
        time_moves(&timing, setup, level, times, moves);
        qsort(times, (size_t)moves, sizeof *times, compare_numbers);
        *ms = times[moves * 99 / 100];
    } else {
        dama_fail(err, DAMA_MEMORY, "no memory to time a level");
    }
    free(times);
    dama_game_free(timing.game);
    dama_searcher_free(timing.searcher);
    dama_opening_book_free(timing.book);
    return err->status;
}
