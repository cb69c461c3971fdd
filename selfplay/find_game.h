/* Finding a stored game by its number among the shards of a run. */
#ifndef DAMA_FIND_GAME_H
#define DAMA_FIND_GAME_H

#include "cluster/shard.h"

/* Where a game is: the folder whose run.conf it belongs to, and its shard, loaded (freed by the
 * caller). */
struct dama_found_game {
    char folder[4096];
    char path[4096];
    struct dama_shard shard;
    size_t index; /* in shard.game */
};

/* Looks through RUN, or its gen-NNN folders; the shards of a folder ascend by game, so few are
   opened. DAMA_INVALID when no shard has it. */
enum dama_status dama_find_game(const char *run, uint64_t number, struct dama_found_game *out,
                                struct dama_error *err);

#endif
