/* Elo from pairs, logistic and normalised, and the likelihood of superiority. */
#include "eval/stats.h"

#include <math.h>

#include "eval/pair_moments.h"

/* Two-sided 95 % of the normal distribution. */
static const double normal_95 = 1.959963984540054;

uint64_t dama_pairs_total(const struct dama_pairs *pairs)
{
    uint64_t total = 0;
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        total += pairs->count[i];
    }
    return total;
}

struct dama_pairs dama_pairs_of_draw_ratio(double draw_ratio)
{
    static const double scale = 1e6;
    double loss = (1 - draw_ratio) / 2;
    const double p[DAMA_PAIR_KINDS] = {loss * loss, 2 * loss * draw_ratio,
                                       draw_ratio * draw_ratio + 2 * loss * loss,
                                       2 * loss * draw_ratio, loss * loss};
    struct dama_pairs pairs;
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        pairs.count[i] = (uint64_t)llround(scale * p[i]);
    }
    return pairs;
}

/* What the pairs say of the score: its mean, the spread of a pair and of the mean, and a pair's
   third and fourth moments in spreads. */
struct estimate {
    double total;
    double mean, sigma, error;
    double m3, m4;
};

static void fill_moments(struct estimate *e, const struct dama_pair_distribution *seen)
{
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        double z = (dama_pair_score(i) - e->mean) / e->sigma;
        e->m3 += seen->p[i] * z * z * z;
        e->m4 += seen->p[i] * z * z * z * z;
    }
}

/* One pair out of all has the result furthest from the mean, the others are alike. */
static void take_least_spread(struct estimate *e)
{
    double furthest = fmax(e->mean, 1 - e->mean);
    e->sigma = furthest / sqrt(e->total);
    e->m3 = (e->mean > 0.5 ? -1 : 1) * sqrt(e->total);
    e->m4 = e->total;
}

/* Not for 0 pairs. */
static struct estimate estimate_of(const struct dama_pairs *pairs)
{
    struct estimate e = {.total = (double)dama_pairs_total(pairs)};
    struct dama_pair_distribution seen;
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        seen.p[i] = (double)pairs->count[i] / e.total;
    }
    struct dama_pair_moments m = dama_pair_moments_of(&seen);
    e.mean = m.mean;
    e.sigma = e.total > 1 ? sqrt(m.variance * e.total / (e.total - 1)) : 0;
    if (e.sigma < fmax(e.mean, 1 - e.mean) / sqrt(e.total)) {
        take_least_spread(&e);
    } else {
        fill_moments(&e, &seen);
    }
    e.error = e.sigma / sqrt(e.total);
    return e;
}

static double limit_elo(double elo)
{
    return fmax(-DAMA_ELO_LIMIT, fmin(DAMA_ELO_LIMIT, elo));
}

static double elo_of_score(double score)
{
    if (score <= 0) {
        return -DAMA_ELO_LIMIT;
    }
    if (score >= 1) {
        return DAMA_ELO_LIMIT;
    }
    return limit_elo(400 * log10(score / (1 - score)));
}

static const struct dama_elo unknown = {.low = -DAMA_ELO_LIMIT, .high = DAMA_ELO_LIMIT};

struct dama_elo dama_elo_of_pairs(const struct dama_pairs *pairs)
{
    if (dama_pairs_total(pairs) == 0) {
        return unknown;
    }
    struct estimate e = estimate_of(pairs);
    return (struct dama_elo){
        .elo = elo_of_score(e.mean),
        .low = elo_of_score(e.mean - normal_95 * e.error),
        .high = elo_of_score(e.mean + normal_95 * e.error),
    };
}

/* The third and fourth moments enter the error of t = (mean - 1/2) / sigma, since sigma is itself
   estimated: N var(t) = 1 - t m3 + t^2 (m4 - 1) / 4, by the delta method. Not below that of a known
   sigma: where t is least for its kinds of pairs (twice as many WD as WW) the formula gives 0. */
static double error_of_t(const struct estimate *e, double t)
{
    return sqrt(fmax(1, 1 - t * e->m3 + t * t * (e->m4 - 1) / 4) / e->total);
}

struct dama_elo dama_normalised_elo_of_pairs(const struct dama_pairs *pairs)
{
    if (dama_pairs_total(pairs) == 0) {
        return unknown;
    }
    struct estimate e = estimate_of(pairs);
    double t = (e.mean - 0.5) / e.sigma;
    double error = normal_95 * error_of_t(&e, t);
    double unit = 1 / dama_t_of_normalised_elo(1);
    struct dama_elo elo = {
        .elo = limit_elo(t * unit),
        .low = limit_elo((t - error) * unit),
        .high = limit_elo((t + error) * unit),
    };
    /* An uncertain spread makes no sign uncertain: it is that of the mean less 1/2. */
    double certain = normal_95 * e.error;
    elo.low = e.mean - certain > 0.5 ? fmax(elo.low, 0) : elo.low;
    elo.high = e.mean + certain < 0.5 ? fmin(elo.high, 0) : elo.high;
    return elo;
}

double dama_superiority_of_pairs(const struct dama_pairs *pairs)
{
    if (dama_pairs_total(pairs) == 0) {
        return 0.5;
    }
    struct estimate e = estimate_of(pairs);
    return erfc((0.5 - e.mean) / (sqrt(2) * e.error)) / 2;
}
