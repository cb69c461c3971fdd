/* Games of PDN files as a run: shards that the tuner reads like those of self-play. */
#ifndef DAMA_IMPORT_H
#define DAMA_IMPORT_H

#include "cluster/run_config.h"
#include "selfplay/import_game.h"

/* A file in memory. */
struct dama_import_file {
    const char *path;
    unsigned char *bytes;
    size_t size;
};
struct dama_import_setup {
    const struct dama_ruleset *ruleset;
    bool is_given; /* as in dama_importer */
    enum dama_squares squares;
    const struct dama_run_config *config; /* draw_rules and block_games count */
    int file_count;
    const struct dama_import_file *files;
    const char *run; /* the new run, locked by the caller */
};
struct dama_import_report {
    uint64_t games;                             /* in all files */
    uint64_t reasons[DAMA_IMPORT_REASON_COUNT]; /* how many were taken, left out and why */
    uint64_t rows, shards;
    uint64_t distinct_games; /* of those taken */
};

/* The kind of game of the first game that names one in the files. */
enum dama_status dama_import_find_rules(const struct dama_import_file *files, int count,
                                        struct dama_ruleset *out, struct dama_error *err);
/* Stores the games that can be data, in order, block_games a shard; each one that cannot is one
   warning with file, line and reason. The request says "source = import" and names each file with
   its SHA-256, so the same command writes the same bytes and another one is refused. DAMA_INVALID
   when not one game is left. */
enum dama_status dama_import_run(const struct dama_import_setup *setup,
                                 struct dama_import_report *report, struct dama_error *err);

#endif
