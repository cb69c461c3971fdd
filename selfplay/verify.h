/* Verification of stored games: the shard's own checks, then every game by the rules, then by
 * playing it again. */
#ifndef DAMA_VERIFY_H
#define DAMA_VERIFY_H

#include "selfplay/run_store.h"

/* Every row's position, move, flags and label follow from the start position and the rules, and the
   end is the one that is stored. err names row and reason. */
enum dama_status dama_verify_shard(const struct dama_stored_run *run,
                                   const struct dama_shard *shard, struct dama_error *err);

/* The same for one game of the shard; leaves it played in `game`, which is one of the run's rules
   and draw rules. An imported game starts where its first row says. */
enum dama_status dama_verify_game(const struct dama_stored_run *run, const struct dama_shard *shard,
                                  size_t index, struct dama_game *game, struct dama_error *err);

/* Plays game `index` of the shard again by the engine and compares every row. */
enum dama_status dama_verify_replay(struct dama_record_player *player,
                                    const struct dama_shard *shard, size_t index,
                                    struct dama_error *err);

struct dama_verify_report {
    uint64_t shards, bad_shards, games, rows, bytes, replayed;
    double seconds;
};
/* How far to look. */
struct dama_verify_depth {
    bool is_quick;       /* the bytes alone: header, CRC, SHA-256, the file's name */
    double replay_share; /* 0 to 1, the share of games played again, chosen by game number */
};
/* Collective: ranks share the shards below RUN (or one folder of it). Each bad shard is one line on
   stderr: file, row, reason. DAMA_CORRUPT when any shard is bad. */
enum dama_status dama_verify_run(const char *run, const struct dama_verify_depth *depth,
                                 struct dama_verify_report *report, struct dama_error *err);

#endif
