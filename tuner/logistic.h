/* exp, log and the logistic loss made of IEEE additions, multiplications and divisions alone: the
   same bits on every processor, which libm does not promise. */
#ifndef DAMA_LOGISTIC_H
#define DAMA_LOGISTIC_H

/* Both within 1e-15 of the true value, relative (exp) or of max(1, |log|) (log). exp: x in
 * [-700, 700] (beyond, the nearest end's value); log: x a normal positive number. */
double dama_exp(double x);
double dama_log(double x);
/* 1 / (1 + exp(-x)). */
double dama_logistic(double x);

/* One row's share: outcome is 1 for a win, 1/2 for a draw, 0 for a loss of the side to move. */
struct dama_loss_terms {
    double residual;  /* probability - outcome: the loss's derivative by the logit */
    double curvature; /* probability * (1 - probability): its second derivative */
};

enum { DAMA_LOSS_CHUNK = 64 };

/* The summed log-loss -(y log p + (1 - y) log(1 - p)) of `count` rows (at most DAMA_LOSS_CHUNK) of
   these logits and outcomes; twice_outcome is 2 for a win, 1 for a draw, 0 for a loss. terms (NULL:
   not wanted) gets each row's derivatives. */
double dama_loss_chunk(int count, const double *logit, const unsigned char *twice_outcome,
                       struct dama_loss_terms *terms);

#endif
