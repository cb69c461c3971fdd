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

enum { DAMA_VERIFY_CONTENT_WORDS = DAMA_HASH_SIZE / 8 };
struct dama_verify_report {
    uint64_t shards, bad_shards, games, rows;
    uint64_t bytes;        /* of the files */
    uint64_t column_bytes; /* of rows and games before compression */
    uint64_t replayed;
    uint64_t content[DAMA_VERIFY_CONTENT_WORDS]; /* sums of the words of the shards' hashes */
    double seconds;
};
struct dama_verify_setup {
    const char *run;
    bool is_quick;       /* the bytes alone: header, CRC, SHA-256, the file's name */
    bool has_content;    /* also the hash of all columns */
    double replay_share; /* 0 to 1, the share of games played again, chosen by game number */
    int threads;         /* of this rank */
};
/* Collective: ranks and their threads share the shards below RUN (or one folder of it). Each bad
   shard is one line on stderr of rank 0, in order of name: file, row, reason. DAMA_CORRUPT when any
   shard is bad. Report and lines do not depend on ranks and threads. */
enum dama_status dama_verify_run(const struct dama_verify_setup *setup,
                                 struct dama_verify_report *report, struct dama_error *err);

#endif
