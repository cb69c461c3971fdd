/* The log-likelihood ratio of a generalised sequential test, and how long the test will take. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "eval/pair_moments.h"
#include "eval/stats.h"

/* A kind that did not occur counts as this many pairs: the likelihood needs all five. */
static const double absent_count = 1e-3;
enum { BISECTIONS = 64, MODEL_STEPS = 100 };
static const double model_precision = 1e-12;
/* By how much, in spreads of a step, a random walk leaves a bound behind when it crosses it
   (Siegmund, "Sequential Analysis", 1985). */
static const double overshoot = 0.583;

double dama_t_of_normalised_elo(double elo)
{
    return sqrt(2.0) * elo * log(10) / 800;
}

const char *dama_elo_model_text(enum dama_elo_model model)
{
    static const char *const texts[] = {
#define X(name, text) text,
        DAMA_ELO_MODELS(X)
#undef X
    };
    return texts[model];
}

bool dama_elo_model_find(const char *text, enum dama_elo_model *out)
{
    for (int i = DAMA_MODEL_NORMALISED; i <= DAMA_MODEL_LOGISTIC; i++) {
        if (!strcmp(text, dama_elo_model_text((enum dama_elo_model)i))) {
            *out = (enum dama_elo_model)i;
            return true;
        }
    }
    return false;
}

const char *dama_sprt_state_text(enum dama_sprt_state state)
{
    static const char *const texts[] = {
#define X(name, text) text,
        DAMA_SPRT_STATES(X)
#undef X
    };
    return texts[state];
}

/* The distribution nearest to `seen` (in likelihood) under which the mean of `value` is 0. With
   Lagrange multipliers p[i] = seen[i] / (1 + x value[i]), where x makes the mean vanish; the mean
   falls in x between the poles, so that bisection finds it. Some value is below 0 and some above.
 */
static struct dama_pair_distribution constrain(const struct dama_pair_distribution *seen,
                                               const double value[DAMA_PAIR_KINDS])
{
    double least = 0;
    double greatest = 0;
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        least = fmin(least, value[i]);
        greatest = fmax(greatest, value[i]);
    }
    assert(least < 0 && greatest > 0);
    double low = -1 / greatest;
    double high = -1 / least;
    for (int step = 0; step < BISECTIONS; step++) {
        double x = (low + high) / 2;
        double mean = 0;
        for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
            mean += seen->p[i] * value[i] / (1 + x * value[i]);
        }
        if (mean > 0) {
            low = x;
        } else {
            high = x;
        }
    }
    struct dama_pair_distribution found;
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        found.p[i] = seen->p[i] / (1 + (low + high) / 2 * value[i]);
    }
    return found;
}

static struct dama_pair_distribution with_score(const struct dama_pair_distribution *seen,
                                                double score)
{
    double value[DAMA_PAIR_KINDS];
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        value[i] = dama_pair_score(i) - score;
    }
    return constrain(seen, value);
}

/* The nearest distribution with (mean - 1/2) / sigma == t. The condition is not linear in p; its
   derivative at the distribution of the step before is, and the steps converge. */
static struct dama_pair_distribution with_t(const struct dama_pair_distribution *seen, double t)
{
    struct dama_pair_distribution found;
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        found.p[i] = 1.0 / DAMA_PAIR_KINDS;
    }
    for (int step = 0; step < MODEL_STEPS; step++) {
        struct dama_pair_moments m = dama_pair_moments_of(&found);
        double sigma = sqrt(m.variance);
        double value[DAMA_PAIR_KINDS];
        for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
            double z = (dama_pair_score(i) - m.mean) / sigma;
            value[i] = dama_pair_score(i) - 0.5 - t * sigma * (1 + z * z) / 2;
        }
        struct dama_pair_distribution next = constrain(seen, value);
        double change = 0;
        for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
            change = fmax(change, fabs(next.p[i] - found.p[i]));
        }
        found = next;
        if (change < model_precision) {
            break;
        }
    }
    return found;
}

static struct dama_pair_distribution
hypothesis(const struct dama_sprt *sprt, const struct dama_pair_distribution *seen, double elo)
{
    if (sprt->model == DAMA_MODEL_LOGISTIC) {
        return with_score(seen, 1 / (1 + pow(10, -elo / 400)));
    }
    return with_t(seen, dama_t_of_normalised_elo(elo));
}

static struct dama_pair_distribution distribution_of(const double count[DAMA_PAIR_KINDS])
{
    struct dama_pair_distribution d;
    double total = 0;
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        total += count[i];
    }
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        d.p[i] = count[i] / total;
    }
    return d;
}

/* Counts, none below absent_count. */
static void fill_counts(const struct dama_pairs *pairs, double count[DAMA_PAIR_KINDS])
{
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        count[i] = pairs->count[i] ? (double)pairs->count[i] : absent_count;
    }
}

double dama_sprt_llr(const struct dama_sprt *sprt, const struct dama_pairs *pairs)
{
    if (dama_pairs_total(pairs) == 0) {
        return 0;
    }
    double count[DAMA_PAIR_KINDS];
    fill_counts(pairs, count);
    struct dama_pair_distribution seen = distribution_of(count);
    struct dama_pair_distribution h0 = hypothesis(sprt, &seen, sprt->elo0);
    struct dama_pair_distribution h1 = hypothesis(sprt, &seen, sprt->elo1);
    double llr = 0;
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        llr += count[i] * log(h1.p[i] / h0.p[i]);
    }
    return llr;
}

double dama_sprt_lower(const struct dama_sprt *sprt)
{
    return log(sprt->beta / (1 - sprt->alpha));
}

double dama_sprt_upper(const struct dama_sprt *sprt)
{
    return log((1 - sprt->beta) / sprt->alpha);
}

enum dama_sprt_state dama_sprt_judge(const struct dama_sprt *sprt, double llr)
{
    if (llr <= dama_sprt_lower(sprt)) {
        return DAMA_SPRT_H0;
    }
    return llr >= dama_sprt_upper(sprt) ? DAMA_SPRT_H1 : DAMA_SPRT_RUNNING;
}

/* A random walk with this drift and variance a step, between two bounds. */
static struct dama_sprt_length length_of_walk(double drift, double variance, double lower,
                                              double upper)
{
    double low = lower - overshoot * sqrt(variance);
    double high = upper + overshoot * sqrt(variance);
    double exponent = -2 * drift / variance;
    if (fabs(exponent * (high - low)) < 1e-6) {
        return (struct dama_sprt_length){.pairs = -low * high / variance,
                                         .h1 = -low / (high - low)};
    }
    double h1 = (1 - exp(exponent * low)) / (exp(exponent * high) - exp(exponent * low));
    return (struct dama_sprt_length){.pairs = (h1 * high + (1 - h1) * low) / drift, .h1 = h1};
}

struct dama_sprt_length dama_sprt_expect(const struct dama_sprt *sprt,
                                         const struct dama_pairs *seen, double elo)
{
    double count[DAMA_PAIR_KINDS];
    fill_counts(seen, count);
    struct dama_pair_distribution near = distribution_of(count);
    struct dama_pair_distribution truth = hypothesis(sprt, &near, elo);
    struct dama_pair_distribution h0 = hypothesis(sprt, &truth, sprt->elo0);
    struct dama_pair_distribution h1 = hypothesis(sprt, &truth, sprt->elo1);
    double drift = 0;
    double square = 0;
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        double step = log(h1.p[i] / h0.p[i]);
        drift += truth.p[i] * step;
        square += truth.p[i] * step * step;
    }
    return length_of_walk(drift, square - drift * drift, dama_sprt_lower(sprt),
                          dama_sprt_upper(sprt));
}
