/* The statistics of a match: results, pairs of games, Elo with its error, and the sequential test.
 */
#ifndef DAMA_STATS_H
#define DAMA_STATS_H

#include <stdbool.h>
#include <stdint.h>

/* Games of the first player A. */
struct dama_wdl {
    uint64_t wins, draws, losses;
};

/* Pairs of games from one opening with colours swapped, by A's points: LL, LD, DD or WL, WD, WW.
   The two games of a pair are not independent, the pairs are. */
enum { DAMA_PAIR_KINDS = 5 };
struct dama_pairs {
    uint64_t count[DAMA_PAIR_KINDS];
};
/* Index of a pair with results first and second of A: +1, 0, -1. */
static inline int dama_pair_kind(int first, int second)
{
    return 2 + first + second;
}
uint64_t dama_pairs_total(const struct dama_pairs *pairs);

/* Elo difference of A and its 95 % interval from the spread of the pairs. A score of 0 or 1 has no
   finite Elo: values are limited to +-DAMA_ELO_LIMIT. The spread is never taken to be smaller than
   that of one pair out of all with the result furthest from the mean, so that a few equal pairs, or
   a sweep, prove little. */
#define DAMA_ELO_LIMIT 1200.0
struct dama_elo {
    double elo, low, high;
};
struct dama_elo dama_elo_of_pairs(const struct dama_pairs *pairs);
/* The same in normalised Elo (below), with the error of the spread itself in the interval. */
struct dama_elo dama_normalised_elo_of_pairs(const struct dama_pairs *pairs);
/* The likelihood of superiority: that A is the stronger player, from the normal distribution of the
   score's mean. 1/2 without pairs. */
double dama_superiority_of_pairs(const struct dama_pairs *pairs);
/* Pairs in proportion (about a million) of two equal players with this rate of draws, whose games
   are independent; 0 <= draw_ratio < 1. */
struct dama_pairs dama_pairs_of_draw_ratio(double draw_ratio);

/* What an Elo difference means in the sequential test. Normalised: in units of the spread of a
   game's result (Van den Bergh, "Normalized Elo", 2020), so that a bound costs the same number of
   games at any rate of draws. Logistic: the expected score 1 / (1 + 10^(-elo/400)). */
#define DAMA_ELO_MODELS(X)      \
    X(NORMALISED, "normalised") \
    X(LOGISTIC, "logistic")
enum dama_elo_model {
#define X(name, text) DAMA_MODEL_##name,
    DAMA_ELO_MODELS(X)
#undef X
};
const char *dama_elo_model_text(enum dama_elo_model model);
/* False when no model has this name. */
bool dama_elo_model_find(const char *text, enum dama_elo_model *out);

/* Normalised Elo as the distance of a pair's mean from 1/2 in spreads of a pair: a pair's score per
   game spreads by 1/sqrt(2) of a game's, were the games independent. */
double dama_t_of_normalised_elo(double elo);

/* A sequential probability ratio test of H0: elo0 against H1: elo1 (elo0 < elo1). */
struct dama_sprt {
    enum dama_elo_model model;
    double elo0, elo1;
    double alpha, beta; /* error rates: H1 taken though H0 holds, H0 taken though H1 holds */
};
/* The log-likelihood ratio of the pairs, generalised: each hypothesis with the most likely
   distribution of pairs that it allows (fewer than one pair of a kind counts as a thousandth). 0
   without pairs. */
double dama_sprt_llr(const struct dama_sprt *sprt, const struct dama_pairs *pairs);
/* Wald's bounds: at or below lower H0 is taken, at or above upper H1. */
double dama_sprt_lower(const struct dama_sprt *sprt);
double dama_sprt_upper(const struct dama_sprt *sprt);

/* What to expect of a test before it starts, when the truth is `elo` in the test's model and pairs
   are spread as those seen are: expected pairs, and the chance that it ends with H1. From Wald's
   random walk with Siegmund's correction for its steps. At least one pair. */
struct dama_sprt_length {
    double pairs, h1;
};
struct dama_sprt_length dama_sprt_expect(const struct dama_sprt *sprt,
                                         const struct dama_pairs *seen, double elo);

#define DAMA_SPRT_STATES(X)                       \
    X(RUNNING, "between the bounds, not decided") \
    X(H0, "H0 accepted: not stronger by elo1")    \
    X(H1, "H1 accepted: stronger than elo0")
enum dama_sprt_state {
#define X(name, text) DAMA_SPRT_##name,
    DAMA_SPRT_STATES(X)
#undef X
};
const char *dama_sprt_state_text(enum dama_sprt_state state);
enum dama_sprt_state dama_sprt_judge(const struct dama_sprt *sprt, double llr);

#endif
