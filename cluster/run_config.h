/* The keys of a run: one list gives name, type, default, range and help; files, --set and the
 * stored request use it. */
#ifndef DAMA_RUN_CONFIG_H
#define DAMA_RUN_CONFIG_H

#include "engine/cli/options.h"
#include "engine/draw.h"

/* What must keep a key's value once work has begun; each includes those above it. */
enum dama_run_binds {
    DAMA_BINDS_NOTHING,  /* nothing: what is stored stays good */
    DAMA_BINDS_TRAINING, /* a training: its results depend on it, no single game does */
    DAMA_BINDS_GAMES     /* every run: games or their shards do, so that it is in their request */
};

/* INT(name, default, low, high, binds, help), REAL(name, default, low, high, binds, help),
   ENUM(name, default, "a b c", binds, help); binds: NOTHING, TRAINING or GAMES. */
#define DAMA_RUN_KEYS(INT, REAL, ENUM)                                                           \
    ENUM(variant, "given",                                                                       \
         "given american italian russian brazilian spanish czech international american-free "   \
         "italian-free russian-free brazilian-free spanish-free czech-free",                     \
         GAMES, "rule set; given is by the command line")                                        \
    INT(seed, 1, 0, INT64_MAX, GAMES, "seed of the run: openings, hold-out, matches")            \
    INT(games, 2000, 1, 1000000000, TRAINING, "games to play (train: a generation)")             \
    INT(block_games, 64, 1, 100000, GAMES, "games of a block, which is one shard")               \
    INT(nodes, 2000, 0, INT64_MAX, GAMES, "nodes a move; 0 is no limit")                         \
    INT(depth, 0, 0, 100, GAMES, "plies a move; 0 is no limit")                                  \
    INT(table_kb, 1024, 1, 1048576, GAMES, "transposition table of a thread, KiB")               \
    INT(max_plies, 300, 2, 60000, GAMES, "ply cap of a game")                                    \
    ENUM(draw_rules, "default", "default site federation", GAMES,                                \
         "draw rules; default is site on 8x8")                                                   \
    INT(random_plies, 10, 0, 40, GAMES, "random plies of an opening")                            \
    INT(opening_window, 100, 0, 20000, GAMES, "an opening's score is within this; 0 takes any")  \
    INT(resign_score, 0, 0, 32000, GAMES, "resign at this score against; 0 is never")            \
    INT(resign_plies, 6, 1, 1000, GAMES, "own moves in a row at resign_score")                   \
    INT(draw_score, 0, 0, 20000, GAMES,                                                          \
        "adjudicate a draw within this; used when draw_plies is not 0")                          \
    INT(draw_plies, 0, 0, 10000, GAMES, "plies in a row within draw_score; 0 is never")          \
    INT(draw_from, 80, 0, 60000, GAMES, "first ply counted for an adjudicated draw")             \
    ENUM(paired, "false", "false true", GAMES, "games 2k and 2k+1 share an opening")             \
    INT(generations, 2, 1, 1000, NOTHING, "train: generations of self-play, tune, match")        \
    INT(window, 4, 1, 1000, TRAINING, "train: generations of games in a fit")                    \
    REAL(ridge, 1.0, 0, 1e9, TRAINING, "tune: pull towards the previous table")                  \
    REAL(holdout, 0.1, 0, 0.9, TRAINING, "tune: share of games held out")                        \
    INT(score_cap, 1500, 0, 32000, TRAINING,                                                     \
        "tune: leave out rows with a score beyond this; 0 is none")                              \
    INT(rows_per_game, 0, 0, 60000, TRAINING, "tune: rows of a game at most; 0 is all")          \
    INT(tune_skip_plies, 0, 0, 60000, TRAINING, "tune: leave out rows before this ply")          \
    INT(tune_max_ply, 0, 0, 60000, TRAINING, "tune: leave out rows from this ply on; 0 is none") \
    INT(match_pairs, 200, 1, 10000000, TRAINING, "match: pairs of games")                        \
    INT(match_nodes, 2000, 0, INT64_MAX, TRAINING, "match: nodes a move")                        \
    REAL(promote_elo0, 0.0, -1000, 1000, TRAINING, "match: promotion test, lower bound")         \
    REAL(promote_elo1, 10.0, -1000, 1000, TRAINING, "match: promotion test, upper bound")        \
    ENUM(schedule, "dynamic", "dynamic static", NOTHING, "how blocks go to ranks")

struct dama_run_config {
#define INT(name, initial, low, high, binds, help) int64_t name;
#define REAL(name, initial, low, high, binds, help) double name;
#define ENUM(name, initial, values, binds, help) char name[16];
    DAMA_RUN_KEYS(INT, REAL, ENUM)
#undef INT
#undef REAL
#undef ENUM
};

void dama_run_config_default(struct dama_run_config *out);
/* A run file over what is set so far (errors with file and line; a repeated key is an error; a
   request, such as RUN/run.conf, is refused as that). */
enum dama_status dama_run_config_load(struct dama_run_config *config, const char *path,
                                      struct dama_error *err);
/* One --set key=value. */
enum dama_status dama_run_config_set(struct dama_run_config *config, const char *assignment,
                                     struct dama_error *err);
/* The defaults, over them the run file PATH (NULL: none), over it each of `sets` in order. */
enum dama_status dama_run_config_read(struct dama_run_config *out, const char *path,
                                      const struct dama_texts *sets, struct dama_error *err);
/* The draw rules of a run: the key, or the default of the variant when it says so. */
enum dama_draw_rules dama_run_config_draws(const struct dama_run_config *config,
                                           const struct dama_rules *rules);
/* Combinations that make no sense are named (no limit, site draws without a count, ...). */
enum dama_status dama_run_config_check(const struct dama_run_config *config,
                                       const struct dama_rules *rules, struct dama_error *err);
/* The keys that bind at least so much, "key = value" a line, but for one whose value is "given",
 * by the command line. GAMES: the canonical request's part; NOTHING: the whole resolved run. */
size_t dama_run_config_format(const struct dama_run_config *config, enum dama_run_binds least,
                              char *out, size_t size);
/* The names of all keys, ended by NULL. */
const char *const *dama_run_config_keys(void);
/* `dama check --keys`: name, type, default, range, kept by (nothing, a training or every run, once
   begun), and help, a line each, separated by tabs. */
void dama_run_config_print_keys(void);

#endif
