/* Newton's method on Davidson's likelihood, which is concave. */
#include "eval/davidson.h"

#include <math.h>
#include <string.h>

enum { STEPS = 200 };
static const double precision = 1e-10;
/* Longest step of a parameter: far from the maximum the second derivative says little. */
static const double step_max = 1.0;
/* A pivot below this is a parameter without information. */
static const double pivot_min = 1e-9;

struct system {
    int size;
    double matrix[DAMA_DAVIDSON_SIZE][DAMA_DAVIDSON_SIZE];
    double gradient[DAMA_DAVIDSON_SIZE];
};

struct chances {
    double win, draw, loss;
};

static struct chances chances_of(double d, double log_nu)
{
    double win = exp(d / 2);
    double loss = exp(-d / 2);
    double draw = exp(log_nu);
    double sum = win + draw + loss;
    return (struct chances){win / sum, draw / sum, loss / sum};
}

/* A game tells of d by (win - loss) / 2 and of log nu by whether it is drawn. */
static void add_bout(struct system *system, const struct dama_davidson_bout *bout,
                     const double *strength)
{
    int nu = system->size - 1;
    double games = bout->wins + bout->draws + bout->losses;
    struct chances p = chances_of(strength[bout->a] - strength[bout->b], strength[nu]);
    double lead = (p.win - p.loss) / 2;
    double pull = (bout->wins - bout->losses) / 2 - games * lead;
    double strong = games * ((p.win + p.loss) / 4 - lead * lead);
    double mixed = -games * lead * p.draw;
    system->gradient[bout->a] += pull;
    system->gradient[bout->b] -= pull;
    system->gradient[nu] += bout->draws - games * p.draw;
    system->matrix[bout->a][bout->a] += strong;
    system->matrix[bout->b][bout->b] += strong;
    system->matrix[bout->a][bout->b] -= strong;
    system->matrix[bout->b][bout->a] -= strong;
    system->matrix[bout->a][nu] += mixed;
    system->matrix[nu][bout->a] += mixed;
    system->matrix[bout->b][nu] -= mixed;
    system->matrix[nu][bout->b] -= mixed;
    system->matrix[nu][nu] += games * p.draw * (1 - p.draw);
}

static void build(struct system *system, int anchor, const struct dama_davidson_bout *bouts,
                  int count, const double *strength)
{
    memset(system->matrix, 0, sizeof system->matrix);
    memset(system->gradient, 0, sizeof system->gradient);
    for (int i = 0; i < count; i++) {
        add_bout(system, &bouts[i], strength);
    }
    for (int i = 0; i < system->size; i++) {
        system->matrix[anchor][i] = system->matrix[i][anchor] = 0;
    }
    system->matrix[anchor][anchor] = 1;
    system->gradient[anchor] = 0;
}

/* Gauss-Jordan without pivoting, which a positive definite matrix allows. */
static bool invert(const struct system *system,
                   double inverse[DAMA_DAVIDSON_SIZE][DAMA_DAVIDSON_SIZE])
{
    double rest[DAMA_DAVIDSON_SIZE][DAMA_DAVIDSON_SIZE];
    int size = system->size;
    memcpy(rest, system->matrix, sizeof rest);
    for (int i = 0; i < size; i++) {
        memset(inverse[i], 0, sizeof inverse[i]);
        inverse[i][i] = 1;
    }
    for (int i = 0; i < size; i++) {
        double pivot = rest[i][i];
        if (!(pivot > pivot_min)) {
            return false;
        }
        for (int k = 0; k < size; k++) {
            rest[i][k] /= pivot;
            inverse[i][k] /= pivot;
        }
        for (int row = 0; row < size; row++) {
            double factor = rest[row][i];
            if (row == i || factor == 0) {
                continue;
            }
            for (int k = 0; k < size; k++) {
                rest[row][k] -= factor * rest[i][k];
                inverse[row][k] -= factor * inverse[i][k];
            }
        }
    }
    return true;
}

/* One step of Newton; the longest change of a parameter. */
static double improve(const struct system *system, struct dama_davidson_fit *fit)
{
    double longest = 0;
    double step[DAMA_DAVIDSON_SIZE] = {0};
    for (int i = 0; i < system->size; i++) {
        for (int k = 0; k < system->size; k++) {
            step[i] += fit->covariance[i][k] * system->gradient[k];
        }
        longest = fmax(longest, fabs(step[i]));
    }
    double scale = longest > step_max ? step_max / longest : 1;
    for (int i = 0; i < system->size; i++) {
        fit->strength[i] += scale * step[i];
    }
    return longest;
}

enum dama_status dama_davidson_maximise(int players, int anchor,
                                        const struct dama_davidson_bout *bouts, int count,
                                        struct dama_davidson_fit *fit)
{
    struct system system = {.size = players + 1};
    memset(fit, 0, sizeof *fit);
    for (int step = 0; step < STEPS; step++) {
        build(&system, anchor, bouts, count, fit->strength);
        if (!invert(&system, fit->covariance)) {
            return DAMA_NUMERIC;
        }
        if (improve(&system, fit) < precision) {
            break;
        }
    }
    fit->covariance[anchor][anchor] = 0;
    return DAMA_OK;
}

double dama_davidson_information(double d, double log_nu)
{
    struct chances p = chances_of(d, log_nu);
    double lead = (p.win - p.loss) / 2;
    return (p.win + p.loss) / 4 - lead * lead;
}
