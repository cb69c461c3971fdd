/* The shards that a fit reads, in a fixed order. */
#ifndef DAMA_SHARD_LIST_H
#define DAMA_SHARD_LIST_H

#include "cluster/shard.h"

enum { DAMA_SHARD_PATH_SIZE = 1024 };

/* rows and sha256 are what the header says, 0 when it cannot be read: loading will tell why. */
struct dama_shard_file {
    char path[DAMA_SHARD_PATH_SIZE];
    uint64_t rows;
    unsigned char sha256[DAMA_HASH_SIZE];
};
struct dama_shard_list {
    int count;
    struct dama_shard_file *file;
};

/* Collective; rank 0 looks and the others get its list, so all need the same file system only to
   load. Every *.h5 in a folder named shards at or below each given folder: folders in the order
   given, files by path. A folder that cannot be read or has no shards is an error, and so are two
   files with the same content, whose games would count twice. Free by dama_shard_list_free. */
enum dama_status dama_shard_list_make(struct dama_shard_list *out, const char *const *folders,
                                      int count, struct dama_error *err);
void dama_shard_list_free(struct dama_shard_list *list);

#endif
