/* Inside of the verification of a run: the walk over its folders, and what this rank does of one.
 */
#ifndef DAMA_VERIFY_WALK_H
#define DAMA_VERIFY_WALK_H

#include <stdatomic.h>

#include "selfplay/verify.h"

/* A shard, by its place in the order of the folder, and what is wrong with it. */
struct dama_verify_finding {
    uint64_t number;
    char text[sizeof(((struct dama_error *)0)->text)];
};

struct dama_verify_file {
    uint64_t number;
    char *path;
};

/* One folder with shards on its way; of all ranks' shards this rank has every size-th. */
struct dama_verify_walk {
    const struct dama_verify_setup *setup;
    struct dama_verify_report report; /* of this rank, over all folders */
    const char *folder;
    struct dama_stored_run run;
    struct dama_block_plan plan;    /* which games are which block; no block_games: unknown */
    struct dama_opening_book *book; /* when games are played again */
    struct dama_recorder recorder;
    uint64_t number; /* of the next shard of any rank */
    struct dama_verify_file *file;
    size_t files, file_capacity;
    atomic_size_t next; /* file without a worker */
    struct dama_verify_finding *finding;
    size_t findings, finding_capacity;
    struct dama_error error; /* a worker's first failure that is no shard's fault */
};

/* Told of each shard of the folder, in order of name: keeps those of this rank. */
enum dama_status dama_verify_add_file(void *context, const char *path, struct dama_error *err);
/* Checks this rank's files of the folder on its threads. What is wrong with a shard is a finding,
   in any order; err is a failure that is no shard's fault. */
enum dama_status dama_verify_files(struct dama_verify_walk *walk, struct dama_error *err);

#endif
