/* A match of A against B: pairs of games from one opening with colours swapped, over threads and
   ranks, counted in the order of the pairs. */
#ifndef DAMA_MATCH_H
#define DAMA_MATCH_H

#include "engine/cli/options.h"
#include "engine/contest.h"
#include "eval/hub_client.h"
#include "eval/stats.h"

/* One player: search by its limits, a level, or an external engine. A level without limits uses its
   own, and one with limits searches by these with its own noise and margin; time_ms (a move) is not
   for levels, and a clock only counts their time. At least one limit, unless it is a level. */
struct dama_match_player {
    const char *name;                      /* for people and PDN */
    const struct dama_weights *weights;    /* NULL of an engine */
    const struct dama_level *level;        /* NULL: plain search */
    const struct dama_engine_spec *engine; /* NULL: plays in this program */
    uint64_t nodes;
    int depth;
    int64_t time_ms;
    int64_t clock_ms, inc_ms; /* of a game, and got with each move; 0: none */
};

struct dama_opening_set; /* opening_set.h */

/* What patience_ms and margin_ms are when they are 0. */
enum { DAMA_MATCH_PATIENCE_MS = 20000, DAMA_MATCH_MARGIN_MS = 100 };

/* The same on every rank. What is pointed to must outlive the match. */
struct dama_match_setup {
    const struct dama_ruleset *ruleset;
    struct dama_match_player players[2]; /* A and B */
    enum dama_draw_rules draws;
    int64_t pairs; /* at most; all of them without a sequential test */
    uint64_t seed;
    size_t table_kb;                         /* of each searcher */
    const struct dama_opening_set *openings; /* NULL: random plies within the window, as follows */
    int random_plies;
    int opening_window;
    int64_t first_pair; /* pair k takes opening and noise of this + k, so that a match with the same
                           seed may go on where another has ended. Not with a folder */
    int max_plies;
    const struct dama_sprt *sprt; /* NULL: none */
    int threads;                  /* playing threads of this rank */
    int patience_ms; /* an engine that takes longer for its start, or for a move without a limit of
                        time or beyond it, hangs and is killed */
    int margin_ms;   /* a move that is late by more than this has lost on time */
    const char *pdn; /* rank 0: where the games go, in order; NULL: nowhere */
    const char *out; /* folder of finished pairs (match_store.h); NULL: none. On all ranks alike */
    const char *status_path; /* rank 0: of the training that goes on behind the match; NULL: none */
    bool is_quiet;           /* shows no progress */
};

/* All counted for A, over the pairs played: those up to the first, in order, at which the
   sequential test decides. */
struct dama_match_result {
    struct dama_wdl wdl;
    struct dama_pairs pairs;
    struct dama_elo elo;
    bool has_sprt;
    enum dama_sprt_state sprt;
    double llr;
    uint64_t games;
    uint64_t distinct_games;                       /* by their moves */
    uint64_t terminations[DAMA_END_FORFEITED + 1]; /* games by how they ended */
    /* Games that A and B have lost by what they did wrong: a crash, a hang, a move that is late,
       illegal or no move. Each is a loss for who did it, whatever the position. */
    uint64_t faults[2][DAMA_FAULT_COUNT];
    uint64_t plies;      /* of all games, openings included */
    uint64_t twin_pairs; /* pairs of which both games have the same moves: A and B play alike */
    bool is_stopped;     /* by hand, before it was complete or decided */
    double seconds;
};

/* Whether the moves of the games are kept. */
static inline bool dama_match_keeps_moves(const struct dama_match_setup *setup)
{
    return setup->pdn || setup->out;
}
/* Whether the clock decides anything: such results cannot be reproduced. */
bool dama_match_is_timed(const struct dama_match_setup *setup);

/* Collective. In pair k of opening first_pair + k, game 2k has A as the side that moves first and
   game 2k+1 has B. With node or depth limits the result but for its seconds is the same for any
   ranks and threads. The result is everyone's. DAMA_STOPPED when a stop was requested. With a
   folder, pairs that it holds are not played again. */
enum dama_status dama_match_run(const struct dama_match_setup *setup,
                                struct dama_match_result *result, struct dama_error *err);

#endif
