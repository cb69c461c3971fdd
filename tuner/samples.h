/* Samples: the positions of shards that a fit uses, as sparse feature vectors with a result. */
#ifndef DAMA_SAMPLES_H
#define DAMA_SAMPLES_H

#include "cluster/shard.h"
#include "engine/evaluate.h"

/* What becomes of a row; the first filter that it meets names it. */
#define DAMA_SAMPLE_FATES(X)                               \
    X(TRAIN, "train", "fitted on")                         \
    X(HELD_OUT, "held_out", "held out to measure the fit") \
    X(CAPPED, "capped", "of games stopped at the ply cap") \
    X(RANDOM, "random", "moves of the random opening")     \
    X(EARLY, "early", "before the first ply asked for")    \
    X(LATE, "late", "from the last ply asked for on")      \
    X(CAPTURE, "capture", "with a capture available")      \
    X(SCORE, "score", "with a score beyond the cap")       \
    X(SURPLUS, "surplus", "more than a game may give")

enum dama_sample_fate {
#define X(name, text, meaning) DAMA_FATE_##name,
    DAMA_SAMPLE_FATES(X)
#undef X
        DAMA_FATE_COUNT
};
const char *dama_sample_fate_text(enum dama_sample_fate fate);
const char *dama_sample_fate_meaning(enum dama_sample_fate fate);

/* Which rows are left out; a zero is no limit. */
struct dama_sample_filter {
    int score_cap;     /* hundredths of a man; a row that was not searched passes */
    int rows_per_game; /* evenly spread over the rows of the game that pass the rest */
    int skip_plies, max_ply;
    bool include_capped;
    double holdout; /* share of games, by a hash of the game's key and number */
};

/* A weight's place in vectors over both phases is phase * DAMA_FEATURE_COUNT + feature. */
enum { DAMA_PARAMETERS = DAMA_PHASES * DAMA_FEATURE_COUNT };

/* Rows in ascending order of phase. Row r has the entries first[r] .. first[r + 1] - 1: feature and
   value, features ascending, values not 0. Owned by whoever holds it; {0} is empty. */
struct dama_samples {
    size_t rows, entries;
    uint32_t *first;        /* rows + 1 */
    uint32_t *game;         /* below the number of games of the batch */
    uint8_t *phase;         /* as in struct dama_trace */
    uint8_t *twice_outcome; /* of the side to move: 2 won, 1 drawn, 0 lost */
    uint8_t *feature;
    int16_t *value;
    size_t row_capacity, entry_capacity;
};
_Static_assert(DAMA_FEATURE_COUNT <= UINT8_MAX + 1, "a feature's number fits its byte");

/* Facts that add up over batches; all are 64-bit counts. */
struct dama_sample_counts {
    uint64_t fate[DAMA_FATE_COUNT]; /* rows */
    uint64_t shards, damaged;
    uint64_t games, games_capped;      /* read; of these at the ply cap */
    uint64_t games_train, games_held;  /* that gave rows */
    uint64_t wins, draws;              /* of the side to move, in rows fitted on */
    uint64_t held_wins, held_draws;    /* the same in rows held out */
    uint64_t bytes;                    /* of samples in memory */
    uint64_t support[DAMA_PARAMETERS]; /* rows fitted on in which the weight counts */
};

enum { DAMA_DISTINCT_REGISTERS = 1 << 14 };

/* Facts that combine by maximum. */
struct dama_sample_extremes {
    uint32_t value;                            /* largest magnitude of a value */
    uint32_t game_rows;                        /* most rows of one game */
    uint8_t distinct[DAMA_DISTINCT_REGISTERS]; /* counts the distinct positions fitted on */
};
void dama_sample_counts_add(struct dama_sample_counts *sum, const struct dama_sample_counts *part);
void dama_sample_extremes_join(struct dama_sample_extremes *all,
                               const struct dama_sample_extremes *part);
/* About how many different positions were fitted on (HyperLogLog of Flajolet, Fusy, Gandouet and
   Meunier, AofA 2007; standard error 0.8 %). The same for any order of joining. */
double dama_sample_distinct(const struct dama_sample_extremes *extremes);

/* Games of one batch and their samples. Start with rules, kernel and filter set, all else zero. */
struct dama_batch {
    const struct dama_rules *rules;
    const struct dama_kernel *kernel;
    const struct dama_sample_filter *filter;
    struct dama_samples train, held;
    uint32_t games; /* of the batch so far, whether or not they gave rows */
    struct dama_sample_counts counts;
    struct dama_sample_extremes *extremes; /* joined into; owned by the caller */
    /* Told of every row that passes, with the game's number in the batch; NULL: nobody is. */
    void (*visit)(void *context, const struct dama_position *position, uint32_t game,
                  uint8_t twice_outcome);
    void *visit_context;
};

/* Adds the rows of a verified shard that pass, in the order of the shard. Thread safe for batches
   with different extremes. */
enum dama_status dama_batch_add(struct dama_batch *batch, const struct dama_shard *shard,
                                struct dama_error *err);
/* Brings the rows into the order of phase and gives spare memory back: needed before a fit. */
enum dama_status dama_batch_finish(struct dama_batch *batch, struct dama_error *err);
void dama_batch_free(struct dama_batch *batch);

/* True when the game belongs to the held-out share: of its key and number alone. */
bool dama_game_is_held_out(const struct dama_game_row *game, double holdout);

#endif
