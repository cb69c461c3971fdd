/* What `status` shows: a run as its folder tells it, and as text for people. */
#ifndef DAMA_STATUS_VIEW_H
#define DAMA_STATUS_VIEW_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "cluster/run_generations.h"
#include "engine/error.h"

/* By their headers; what a shard holds is checked by `verify`. */
struct dama_shard_sums {
    uint64_t shards, games, rows, bytes, bad;
};

/* What is known of a run. */
struct dama_status_view {
    const char *run;
    bool is_running;
    json_t *status;           /* NULL: none, or damaged */
    struct dama_error damage; /* of status.json */
    struct dama_shard_sums sums;
    struct dama_generations generations;
    int rank_lines; /* at most */
};

/* Prints all of it, a line a topic. */
void dama_status_print(const struct dama_status_view *view);
/* A number of a status; 0 when there is none. */
double dama_status_number(const json_t *status, const char *name);

#endif
