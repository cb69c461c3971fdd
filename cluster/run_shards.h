/* Folders and their files in order, above all the shards of a run. */
#ifndef DAMA_RUN_SHARDS_H
#define DAMA_RUN_SHARDS_H

#include <stdbool.h>

#include "cluster/shard.h"

/* Told of each path, in order of name (numbers by value); the first that is not DAMA_OK ends the
   walk. */
typedef enum dama_status (*dama_path_visit)(void *context, const char *path,
                                            struct dama_error *err);
/* Every entry of a folder that the pattern of a shell ("*.h5") matches. DAMA_IO when the folder
   cannot be read. */
enum dama_status dama_folder_visit(const char *folder, const char *pattern, dama_path_visit visit,
                                   void *context, struct dama_error *err);

/* Every file of RUN/shards and RUN/gen-NNN/shards whose name ends so (".h5", ".part"). A run
   without shards is no error; a RUN that is no folder is. */
enum dama_status dama_run_shards(const char *run, const char *ending, dama_path_visit visit,
                                 void *context, struct dama_error *err);
/* The same for the files that lie in RUN and RUN/gen-NNN themselves. */
enum dama_status dama_run_files(const char *run, const char *ending, dama_path_visit visit,
                                void *context, struct dama_error *err);

/* Each folder at or below RUN that should have shards/: RUN itself, or its gen-NNN. DAMA_INVALID
   for a RUN that is no run. */
enum dama_status dama_run_folders(const char *run, dama_path_visit visit, void *context,
                                  struct dama_error *err);
/* Collective, and so is visit: the folders are those that rank 0 finds. */
enum dama_status dama_run_folders_together(const char *run, dama_path_visit visit, void *context,
                                           struct dama_error *err);
/* Every shard of FOLDER/shards, which must be there. */
enum dama_status dama_folder_shards(const char *folder, dama_path_visit visit, void *context,
                                    struct dama_error *err);

/* True when training needs the games of a generation no more: the last fit that uses them, window
   generations in all, has left its table, and a later generation has begun. Such games are not
   played again when they are missing. */
bool dama_run_games_are_spent(const char *run, int generation, int64_t window);

#endif
