/* Ratings: the fit, resampled pairs, and which bout to play next. */
#include "eval/rating.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "engine/rng.h"
#include "eval/davidson.h"

enum {
    RESAMPLES = 400,
    TAIL = RESAMPLES / 40, /* 2.5 % at each end */
    PAIR_SPLIT = 6,        /* pair kinds with DD and WL told apart */
    KIND_LEVEL = 2,        /* the kind that holds both */
};
static const double added_games = 0.1; /* of each result */
static const double normal_95 = 1.959963984540054;

static double elo_of(double strength)
{
    return 400 / log(10) * strength;
}

/* Points of the two games by split kind: LL LD DD WD WW WL. */
static const struct dama_wdl split_games[PAIR_SPLIT] = {
    {0, 0, 2}, {0, 1, 1}, {0, 2, 0}, {1, 1, 0}, {2, 0, 0}, {1, 0, 1},
};

/* DD pairs are all drawn games that LD and WD pairs do not have. */
static void split_pairs(const struct dama_rating_bout *bout, uint64_t out[PAIR_SPLIT])
{
    const uint64_t *count = bout->pairs.count;
    uint64_t both_drawn = (bout->wdl.draws - count[1] - count[3]) / 2;
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        out[i] = count[i];
    }
    out[KIND_LEVEL] = both_drawn;
    out[PAIR_SPLIT - 1] = count[KIND_LEVEL] - both_drawn;
}

static struct dama_davidson_bout bout_of(const struct dama_rating_bout *bout,
                                         const struct dama_wdl *wdl)
{
    return (struct dama_davidson_bout){
        .a = bout->a,
        .b = bout->b,
        .wins = (double)wdl->wins + added_games,
        .draws = (double)wdl->draws + added_games,
        .losses = (double)wdl->losses + added_games,
    };
}

/* As many pairs again, each drawn from those of the bout. */
static struct dama_wdl resample(const uint64_t split[PAIR_SPLIT], struct dama_rng *rng)
{
    uint64_t total = 0;
    for (int i = 0; i < PAIR_SPLIT; i++) {
        total += split[i];
    }
    struct dama_wdl wdl = {0};
    for (uint64_t pair = 0; pair < total; pair++) {
        uint64_t at = dama_rng_below(rng, (uint32_t)total);
        int kind = 0;
        while (at >= split[kind]) {
            at -= split[kind++];
        }
        wdl.wins += split_games[kind].wins;
        wdl.draws += split_games[kind].draws;
        wdl.losses += split_games[kind].losses;
    }
    return wdl;
}

static enum dama_status fit_counted(const struct dama_rating_table *table,
                                    struct dama_davidson_bout *bouts, struct dama_davidson_fit *fit,
                                    struct dama_error *err)
{
    for (int i = 0; i < table->bout_count; i++) {
        bouts[i] = bout_of(&table->bouts[i], &table->bouts[i].wdl);
    }
    if (dama_davidson_maximise(table->players, table->anchor, bouts, table->bout_count, fit)) {
        return dama_fail(err, DAMA_INVALID,
                         "ratings: expected games that join every player to the anchor");
    }
    return DAMA_OK;
}

/* The strengths of every resample, player by player. */
static enum dama_status fit_resamples(const struct dama_rating_table *table,
                                      struct dama_davidson_bout *bouts, double *strengths,
                                      struct dama_error *err)
{
    struct dama_davidson_fit fit;
    for (int r = 0; r < RESAMPLES; r++) {
        struct dama_rng rng = dama_rng_make(table->seed, DAMA_RNG_RESAMPLE, (uint64_t)r);
        for (int i = 0; i < table->bout_count; i++) {
            uint64_t split[PAIR_SPLIT];
            split_pairs(&table->bouts[i], split);
            struct dama_wdl wdl = resample(split, &rng);
            bouts[i] = bout_of(&table->bouts[i], &wdl);
        }
        if (dama_davidson_maximise(table->players, table->anchor, bouts, table->bout_count, &fit)) {
            return dama_fail(err, DAMA_NUMERIC, "ratings: a resample has no maximum");
        }
        for (int player = 0; player < table->players; player++) {
            strengths[player * RESAMPLES + r] = fit.strength[player];
        }
    }
    return DAMA_OK;
}

static int compare_numbers(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

static struct dama_rating rating_of(const struct dama_davidson_fit *fit, int player,
                                    double *resampled)
{
    double strength = fit->strength[player];
    double error = normal_95 * sqrt(fit->covariance[player][player]);
    qsort(resampled, RESAMPLES, sizeof *resampled, compare_numbers);
    return (struct dama_rating){
        .elo = elo_of(strength),
        .low = elo_of(fmin(resampled[TAIL], strength - error)),
        .high = elo_of(fmax(resampled[RESAMPLES - 1 - TAIL], strength + error)),
    };
}

enum dama_status dama_ratings_fit(const struct dama_rating_table *table,
                                  struct dama_rating *ratings, double *nu, struct dama_error *err)
{
    assert(table->players <= DAMA_RATING_PLAYERS_MAX && table->anchor < table->players);
    struct dama_davidson_fit fit;
    struct dama_davidson_bout *bouts = malloc(((size_t)table->bout_count + 1) * sizeof *bouts);
    double *strengths = malloc((size_t)table->players * RESAMPLES * sizeof *strengths);
    enum dama_status status = bouts && strengths
                                  ? fit_counted(table, bouts, &fit, err)
                                  : dama_fail(err, DAMA_MEMORY, "no memory for ratings");
    if (status == DAMA_OK) {
        status = fit_resamples(table, bouts, strengths, err);
    }
    for (int player = 0; status == DAMA_OK && player < table->players; player++) {
        ratings[player] = rating_of(&fit, player, &strengths[player * RESAMPLES]);
    }
    if (status == DAMA_OK) {
        *nu = exp(fit.strength[table->players]);
    }
    free(bouts);
    free(strengths);
    return status;
}

/* The shares that further games of a and b take off the variances of the wide players: a rank-one
   update of the covariance. Shares, since the widest bar of all would have every game else. */
static double gain_of(const struct dama_davidson_fit *fit, const struct dama_rating_table *table,
                      const bool *is_wide, const int bout[2], double games)
{
    int a = bout[0];
    int b = bout[1];
    double d = fit->strength[a] - fit->strength[b];
    double information = games * dama_davidson_information(d, fit->strength[table->players]);
    double between = fit->covariance[a][a] + fit->covariance[b][b] - 2 * fit->covariance[a][b];
    double gain = 0;
    for (int player = 0; player < table->players; player++) {
        if (is_wide[player]) {
            double tie = fit->covariance[player][a] - fit->covariance[player][b];
            gain += information * tie * tie /
                    ((1 + information * between) * fit->covariance[player][player]);
        }
    }
    return gain;
}

bool dama_ratings_next(const struct dama_rating_table *table, const bool *is_wide,
                       const bool *is_open, int pairs, int out[2])
{
    struct dama_davidson_fit fit;
    struct dama_davidson_bout *bouts = malloc(((size_t)table->bout_count + 1) * sizeof *bouts);
    double best = 0;
    if (!bouts || fit_counted(table, bouts, &fit, NULL) != DAMA_OK) {
        free(bouts);
        return false;
    }
    for (int a = 0; a < table->players; a++) {
        for (int b = a + 1; b < table->players; b++) {
            const int bout[2] = {a, b};
            double gain = is_open[a * table->players + b]
                              ? gain_of(&fit, table, is_wide, bout, 2.0 * pairs)
                              : 0;
            if (gain > best) {
                best = gain;
                out[0] = a;
                out[1] = b;
            }
        }
    }
    free(bouts);
    return best > 0;
}
