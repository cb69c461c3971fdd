/* A run's folder as self-play leaves it: the request, the table that played, the rules; and reading
 * it back. */
#ifndef DAMA_RUN_STORE_H
#define DAMA_RUN_STORE_H

#include "selfplay/block.h"
#include "selfplay/request.h"

enum { DAMA_PATH_SIZE = 4096 };

/* Whether a file or folder of this name is there. */
bool dama_file_exists(const char *path);

/* Rank 0: stores or compares run.conf (a request that is refused changes nothing), stores
   rules.conf when the rules are no built-in, player.dama unless it is there whole, and makes
   FOLDER/shards. */
enum dama_status dama_run_store_prepare(const char *folder, const struct dama_ruleset *ruleset,
                                        const struct dama_weights *weights, const char *request,
                                        struct dama_error *err);

/* Where the games of a run come from; the request's key "source", absent for SELFPLAY. */
#define DAMA_RUN_SOURCES(X) \
    X(SELFPLAY, "selfplay") \
    X(IMPORT, "import")
enum dama_run_source {
#define X(name, text) DAMA_SOURCE_##name,
    DAMA_RUN_SOURCES(X)
#undef X
};

/* What the shards of a run played, imported or scored by this engine belong to; points to the other
   arguments, which must outlive it. */
void dama_run_origin(const struct dama_ruleset *ruleset, const struct dama_weights *weights,
                     const char *request, struct dama_shard_origin *out);

/* A stored run, read back with every check: enough to play any of its games again, unless they were
   imported or have got other scores. */
struct dama_stored_run {
    char request[DAMA_REQUEST_SIZE];
    enum dama_run_source source;
    bool is_rescored; /* the scores are not those of the player of the games (rescore.h) */
    struct dama_ruleset ruleset;
    struct dama_weights weights;
    struct dama_run_config config;
    struct dama_shard_origin origin; /* points into this struct */
};
/* Refuses a run whose rules or table are not those of its request. Its engine may be another one.
 */
enum dama_status dama_stored_run_open(const char *folder, struct dama_stored_run *out,
                                      struct dama_error *err);
/* Games can be played again only by the engine that played them: refuses another one, naming both
   signatures, and games that were imported or have got other scores. */
enum dama_status dama_stored_run_check_engine(const struct dama_stored_run *run,
                                              struct dama_error *err);

#endif
