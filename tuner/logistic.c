/* exp, log and the logistic loss in plain IEEE arithmetic. */
#include "tuner/logistic.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

static const double LOG2_E = 0x1.71547652b82fep+0;
/* ln 2 in two parts: the high one has 21 zero bits at its end, so that k * high is exact. */
static const double LN2_HIGH = 0x1.62e42fee00000p-1;
static const double LN2_LOW = 0x1.a39ef35793c76p-33;
static const double EXP_LIMIT = 700;

static double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t to_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Taylor's series to the 13th power on |r| <= ln 2 / 2, where the rest is below 5e-18; even and odd
   powers apart, which halves the chain of dependent multiplications. */
double dama_exp(double x)
{
    x = x > EXP_LIMIT ? EXP_LIMIT : x < -EXP_LIMIT ? -EXP_LIMIT : x;
    int k = (int)(x * LOG2_E + (x < 0 ? -0.5 : 0.5));
    double r = (x - k * LN2_HIGH) - k * LN2_LOW;
    double s = r * r;
    double even =
        1 + s * (1.0 / 2 + s * (1.0 / 24 +
                                s * (1.0 / 720 + s * (1.0 / 40320 + s * (1.0 / 3628800 +
                                                                         s * (1.0 / 479001600))))));
    double odd =
        1 + s * (1.0 / 6 +
                 s * (1.0 / 120 +
                      s * (1.0 / 5040 +
                           s * (1.0 / 362880 + s * (1.0 / 39916800 + s * (1.0 / 6227020800))))));
    return (even + r * odd) * from_bits((uint64_t)(k + 1023) << 52);
}

/* log m = 2 artanh((m - 1) / (m + 1)) with m in [1/sqrt 2, sqrt 2], where the 23rd power's rest is
   below 1e-18. */
double dama_log(double x)
{
    assert(x > 0);
    uint64_t bits = to_bits(x);
    int k = (int)(bits >> 52) - 1023;
    double m = from_bits((bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1023) << 52);
    if (m > 0x1.6a09e667f3bcdp+0) {
        m /= 2;
        k++;
    }
    double t = (m - 1) / (m + 1);
    double s = t * t;
    double series = 0;
    for (int power = 23; power >= 3; power -= 2) {
        series = s * (1.0 / power + series);
    }
    return k * LN2_HIGH + (2 * (t + t * series) + k * LN2_LOW);
}

double dama_logistic(double x)
{
    double e = dama_exp(x < 0 ? x : -x);
    return x < 0 ? e / (1 + e) : 1 / (1 + e);
}

/* The loss of a row is max(z, 0) - y z + log(1 + exp(-|z|)); the logarithms of a chunk are one
   logarithm of a product, whose 64 factors of at most 2 cannot overflow. */
double dama_loss_chunk(int count, const double *logit, const unsigned char *twice_outcome,
                       struct dama_loss_terms *terms)
{
    assert(count >= 0 && count <= DAMA_LOSS_CHUNK);
    double e[DAMA_LOSS_CHUNK];
    for (int i = 0; i < count; i++) {
        e[i] = dama_exp(logit[i] < 0 ? logit[i] : -logit[i]);
    }
    double linear = 0;
    double product = 1;
    for (int i = 0; i < count; i++) {
        double z = logit[i];
        linear += (z < 0 ? 0 : z) - 0.5 * twice_outcome[i] * z;
        product *= 1 + e[i];
    }
    for (int i = 0; terms && i < count; i++) {
        double high = 1 / (1 + e[i]);
        double low = e[i] * high;
        terms[i].residual = (logit[i] < 0 ? low : high) - 0.5 * twice_outcome[i];
        terms[i].curvature = high * low;
    }
    return linear + dama_log(product);
}
