/* How far a training is, by what lies in its generations' folders. */
#ifndef DAMA_RUN_GENERATIONS_H
#define DAMA_RUN_GENERATIONS_H

/* All zero and best -1: no training. */
struct dama_generations {
    int begun;    /* folders gen-000, gen-001 ... */
    int fitted;   /* of these with a table */
    int judged;   /* of these with a match */
    int promoted; /* of these won it */
    int best;     /* the last that did, -1: none */
};
struct dama_generations dama_run_generations(const char *run);

#endif
