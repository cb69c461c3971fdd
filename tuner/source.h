/* What games were played with: the rules and the table, as self-play leaves them beside shards/. */
#ifndef DAMA_SOURCE_H
#define DAMA_SOURCE_H

#include "engine/cli/options.h"
#include "tuner/shard_list.h"

/* What is known beforehand; NULL: to be found. */
struct dama_source_request {
    const struct dama_ruleset *ruleset;
    const struct dama_weights *parent;
    struct dama_common common; /* variant, rules_file and weights as options name them */
};

struct dama_source {
    struct dama_ruleset ruleset;
    struct dama_weights parent;
    char parent_text[160]; /* where the parent is from, for people */
};

/* Collective; rank 0 reads. The rules: as given, else by name, else rules.conf beside shards/, else
   the built-in that the shard names. The parent: as given, else by name, else player.dama there (it
   must be the table that the shard names), else, when there is none, the material-only table.
   "There" is the folder of the last shard that can be read. */
enum dama_status dama_source_find(struct dama_source *out, const struct dama_shard_list *list,
                                  const struct dama_source_request *request,
                                  struct dama_error *err);
/* SHA-256 of the table's bytes. */
void dama_table_hash(const struct dama_weights *table, unsigned char out[DAMA_HASH_SIZE]);

#endif
