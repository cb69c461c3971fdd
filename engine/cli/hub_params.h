/* The parameters that our side of Hub declares, and what they are set to. */
#ifndef DAMA_HUB_PARAMS_H
#define DAMA_HUB_PARAMS_H

#include <stdint.h>
#include <stdio.h>

#include "engine/error.h"

/* Name, default, kind, and the range of whole numbers. */
#define DAMA_HUB_PARAMS(X)                             \
    X(VARIANT, "variant", "international", ENUM, 0, 0) \
    X(WEIGHTS, "weights", "", STRING, 0, 0)            \
    X(TABLE_KB, "table-kb", "65536", INT, 1, 1 << 20)  \
    X(THREADS, "threads", "1", INT, 1, 256)            \
    X(LEVEL, "level", "full", ENUM, 0, 0)              \
    X(SEED, "seed", "0", INT, 0, INT64_MAX)            \
    X(DRAW_RULES, "draw-rules", "default", ENUM, 0, 0) \
    X(NUMBERS, "numbers", "official", ENUM, 0, 0)
enum dama_hub_param {
#define X(id, name, value, kind, low, high) DAMA_HUB_##id,
    DAMA_HUB_PARAMS(X)
#undef X
        DAMA_HUB_PARAM_COUNT
};

enum { DAMA_HUB_VALUE_SIZE = 1024 };
struct dama_hub_params {
    char values[DAMA_HUB_PARAM_COUNT][DAMA_HUB_VALUE_SIZE];
};

/* The defaults. */
void dama_hub_params_init(struct dama_hub_params *params);
/* A `param` line each, as the answer to `hub`. */
void dama_hub_params_declare(const struct dama_hub_params *params, FILE *out);
/* Sets one; a name that is not declared is ignored, a value that is not allowed is an error. */
enum dama_status dama_hub_params_set(struct dama_hub_params *params, const char *name,
                                     const char *value, struct dama_error *err);
/* The value of an INT. */
int64_t dama_hub_params_int(const struct dama_hub_params *params, enum dama_hub_param which);
/* The index of an ENUM's value among its values. */
int dama_hub_params_choice(const struct dama_hub_params *params, enum dama_hub_param which);

#endif
