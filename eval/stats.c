/* Elo from pairs, and the log-likelihood ratio of a generalised sequential test. */
#include "eval/stats.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Two-sided 95 % of the normal distribution. */
static const double normal_95 = 1.959963984540054;
/* Score of a pair kind, per game. */
static const double pair_step = 0.25;
/* A kind that did not occur counts as this many pairs: the likelihood needs all five. */
static const double absent_count = 1e-3;
enum { BISECTIONS = 64, MODEL_STEPS = 100 };
static const double model_precision = 1e-12;

/* A distribution over the five kinds. */
struct distribution {
    double p[DAMA_PAIR_KINDS];
};
struct moments {
    double mean, variance; /* of a pair's score per game */
};

uint64_t dama_pairs_total(const struct dama_pairs *pairs)
{
    uint64_t total = 0;
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        total += pairs->count[i];
    }
    return total;
}

static double score_of(int kind)
{
    return pair_step * kind;
}

static struct moments moments_of(const struct distribution *d)
{
    struct moments m = {0};
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        m.mean += d->p[i] * score_of(i);
    }
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        double off = score_of(i) - m.mean;
        m.variance += d->p[i] * off * off;
    }
    return m;
}

static double elo_of_score(double score)
{
    if (score <= 0) {
        return -DAMA_ELO_LIMIT;
    }
    if (score >= 1) {
        return DAMA_ELO_LIMIT;
    }
    double elo = 400 * log10(score / (1 - score));
    return fmax(-DAMA_ELO_LIMIT, fmin(DAMA_ELO_LIMIT, elo));
}

struct dama_elo dama_elo_of_pairs(const struct dama_pairs *pairs)
{
    double total = (double)dama_pairs_total(pairs);
    if (total == 0) {
        return (struct dama_elo){.low = -DAMA_ELO_LIMIT, .high = DAMA_ELO_LIMIT};
    }
    struct distribution seen;
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        seen.p[i] = (double)pairs->count[i] / total;
    }
    struct moments m = moments_of(&seen);
    double variance = total > 1 ? m.variance * total / (total - 1) : m.variance;
    double error = normal_95 * sqrt(fmax(variance, pair_step * pair_step / total) / total);
    return (struct dama_elo){
        .elo = elo_of_score(m.mean),
        .low = elo_of_score(m.mean - error),
        .high = elo_of_score(m.mean + error),
    };
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
static struct distribution constrain(const struct distribution *seen,
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
    struct distribution found;
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        found.p[i] = seen->p[i] / (1 + (low + high) / 2 * value[i]);
    }
    return found;
}

static struct distribution with_score(const struct distribution *seen, double score)
{
    double value[DAMA_PAIR_KINDS];
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        value[i] = score_of(i) - score;
    }
    return constrain(seen, value);
}

/* The nearest distribution with (mean - 1/2) / sigma == t. The condition is not linear in p; its
   derivative at the distribution of the step before is, and the steps converge. */
static struct distribution with_t(const struct distribution *seen, double t)
{
    struct distribution found;
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        found.p[i] = 1.0 / DAMA_PAIR_KINDS;
    }
    for (int step = 0; step < MODEL_STEPS; step++) {
        struct moments m = moments_of(&found);
        double sigma = sqrt(m.variance);
        double value[DAMA_PAIR_KINDS];
        for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
            double z = (score_of(i) - m.mean) / sigma;
            value[i] = score_of(i) - 0.5 - t * sigma * (1 + z * z) / 2;
        }
        struct distribution next = constrain(seen, value);
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

static struct distribution hypothesis(const struct dama_sprt *sprt, const struct distribution *seen,
                                      double elo)
{
    if (sprt->model == DAMA_MODEL_LOGISTIC) {
        return with_score(seen, 1 / (1 + pow(10, -elo / 400)));
    }
    /* A pair's score per game spreads by 1/sqrt(2) of a game's, were the games independent. */
    return with_t(seen, sqrt(2.0) * elo * log(10) / 800);
}

double dama_sprt_llr(const struct dama_sprt *sprt, const struct dama_pairs *pairs)
{
    if (dama_pairs_total(pairs) == 0) {
        return 0;
    }
    double total = 0;
    double count[DAMA_PAIR_KINDS];
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        count[i] = pairs->count[i] ? (double)pairs->count[i] : absent_count;
        total += count[i];
    }
    struct distribution seen;
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        seen.p[i] = count[i] / total;
    }
    struct distribution h0 = hypothesis(sprt, &seen, sprt->elo0);
    struct distribution h1 = hypothesis(sprt, &seen, sprt->elo1);
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
