/* A player as the command line names it: a table, a level, or an external engine. */
#ifndef DAMA_PLAYER_SPEC_H
#define DAMA_PLAYER_SPEC_H

#include "cluster/run_inputs.h"
#include "eval/match.h"

enum { DAMA_SPEC_LEVEL_SIZE = 16 };

/* Not to be copied: an engine's fields point into it. */
struct dama_player_spec {
    const char *text;                 /* as it was given */
    struct dama_weights weights;      /* not of an engine */
    char level[DAMA_SPEC_LEVEL_SIZE]; /* empty: a table alone, or an engine */
    struct dama_engine_spec engine;   /* text is NULL: none */
};

/* Limits of the command line; 0: not given. */
struct dama_player_limits {
    uint64_t nodes;
    int depth;
    int64_t time_ms, clock_ms, inc_ms;
};

/* True for a level: it plays with the table of the inputs, everyone else brings a table along. */
bool dama_player_spec_is_level(const char *text);

/* Collective. text is material, hand-set, shipped, a level, a sparring partner, hub:COMMAND,
   engine:PATH or the file of a table, which rank 0 reads. A level plays with the table of the
   inputs, a partner with the hand-set one. text must outlive the spec. */
enum dama_status dama_player_spec_read(const char *text, const struct dama_common *common,
                                       const struct dama_run_inputs *inputs,
                                       struct dama_player_spec *out, struct dama_error *err);

/* The match's player, which points into the spec and the inputs. Without limits a level plays by
   its own and everyone else by match_nodes. */
struct dama_match_player dama_player_spec_seat(const struct dama_player_spec *spec,
                                               const struct dama_run_inputs *inputs,
                                               const struct dama_player_limits *limits);

#endif
