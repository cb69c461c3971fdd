/* What a report is made of: the files of a run, read, and sums over its shards. */
#ifndef DAMA_REPORT_FACTS_H
#define DAMA_REPORT_FACTS_H

#include <jansson.h>

#include "cluster/shard.h"
#include "engine/cli/options.h"

enum {
    DAMA_REPORT_PATH_SIZE = 4096,
    DAMA_LENGTH_WIDTH = 10, /* plies of a class of game lengths */
    DAMA_LENGTH_CLASSES = 50,
    DAMA_PHASE_CLASSES = 41, /* pieces on the board, 0..40 */
    DAMA_SCORE_WIDTH = 50,   /* hundredths of a man of a class of search scores */
    DAMA_SCORE_CLASSES = 25, /* the middle one around 0; those at the ends take all beyond */
    DAMA_SQUARES_MAX = 51,   /* squares count from 1 */
};

/* The games of one folder's shards. */
struct dama_game_facts {
    uint64_t shards, games, rows, plies, bytes;
    uint64_t results[3]; /* Black has won, drawn, White has won */
    uint64_t ends[DAMA_END_ONGOING];
    uint64_t lengths[DAMA_LENGTH_CLASSES]; /* the last class takes all beyond */
    uint64_t phase[DAMA_PHASE_CLASSES];    /* positions */
    /* Searched positions of games not at the ply cap: how many, and half points of the side to
       move. */
    struct {
        uint64_t rows, half_points;
    } score[DAMA_SCORE_CLASSES];
    uint64_t distinct_games, distinct_openings;
};

/* What a piece of its own side is worth on a square, seen from White's side of the board. */
struct dama_square_value {
    uint64_t seen;
    double mean; /* hundredths of a man; 0 when never seen */
};
struct dama_board_values {
    uint64_t positions;
    struct dama_square_value man[DAMA_SQUARES_MAX], king[DAMA_SQUARES_MAX]; /* by grid square */
};

/* Blocks finished by one rank after the first of each stretch of play, and the seconds of those
   stretches. */
struct dama_rank_facts {
    int rank;
    uint64_t blocks, games, rows;
    double seconds;
};

struct dama_report_generation {
    char name[64]; /* "gen-003", or the run's own name */
    char folder[DAMA_REPORT_PATH_SIZE];
    char *request;        /* its own run.conf: what every shard in it must be of */
    json_t *tune, *match; /* NULL when not there yet */
    char player_hash[2 * DAMA_HASH_SIZE + 1];
    uint32_t player_slope_ppm; /* of the table that played; 0: not known or never fitted */
    struct dama_game_facts games;
};

/* All zero is empty. */
struct dama_report_facts {
    char name[DAMA_REPORT_PATH_SIZE]; /* of the run */
    bool is_training;
    bool is_import; /* games of others: no table of this run played them, no search scored them */
    char *request;  /* run.conf */
    json_t *final;  /* NULL when not there */
    struct dama_ruleset ruleset;
    int count;
    struct dama_report_generation *generation;
    int shown; /* whose table is shown; -1: the one that played the newest games */
    bool has_weights;
    struct dama_weights weights; /* that table */
    char weights_hash[2 * DAMA_HASH_SIZE + 1];
    struct dama_board_values board; /* by that table, in the newest games */
    int ranks;
    struct dama_rank_facts *rank; /* ascending */
};

/* All of the above. Freed by dama_report_free, after failures too. */
enum dama_status dama_report_gather(struct dama_report_facts *out, const char *run,
                                    struct dama_error *err);
void dama_report_free(struct dama_report_facts *facts);

/* The parts. Files: everything but the sums over shards and the throughput. */
enum dama_status dama_report_read_files(struct dama_report_facts *out, const char *run,
                                        struct dama_error *err);
/* Verifies and sums the shards of every generation, and measures the board values. */
enum dama_status dama_report_read_shards(struct dama_report_facts *facts, struct dama_error *err);
/* From RUN/log.jsonl; without the file there are no ranks. */
enum dama_status dama_report_read_log(struct dama_report_facts *facts, const char *run,
                                      struct dama_error *err);

#endif
