/* The shards of a run's folder, for verbs that look at all of them. */
#ifndef DAMA_RUN_SHARDS_H
#define DAMA_RUN_SHARDS_H

#include <stdbool.h>

#include "cluster/shard.h"

/* Told of each file in a folder with shards: its path. Stops at the first that is not DAMA_OK. */
typedef enum dama_status (*dama_shard_visit)(void *context, const char *path,
                                             struct dama_error *err);
/* Every file of RUN/shards, RUN/gen-NNN/shards (and their names' order) whose name ends so (".h5",
   ".part"). A run without shards is no error; a RUN that is no folder is. */
enum dama_status dama_run_shards(const char *run, const char *ending, dama_shard_visit visit,
                                 void *context, struct dama_error *err);

/* The same for the files that lie in RUN and RUN/gen-NNN themselves. */
enum dama_status dama_run_files(const char *run, const char *ending, dama_shard_visit visit,
                                void *context, struct dama_error *err);

/* True when training needs the games of a generation no more: the last fit that uses them, window
   generations in all, has left its table, and a later generation has begun. Such games are not
   played again when they are missing. */
bool dama_run_games_are_spent(const char *run, int generation, int64_t window);

#endif
