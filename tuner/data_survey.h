/* What self-play games hold for a fit: the whole of `dama data`. */
#ifndef DAMA_DATA_SURVEY_H
#define DAMA_DATA_SURVEY_H

#include <stdio.h>

#include "engine/cli/options.h"
#include "tuner/moments.h"
#include "tuner/occurrences.h"

enum { DAMA_SURVEY_PIECES = 41 }; /* pieces on the board, 0..40 */

struct dama_survey_setup {
    const char *const *folders; /* shards/ at or below them are read */
    int folder_count;
    struct dama_sample_filter filter;
    size_t occurrences; /* positions held at most (occurrences.h); 0: the default */
};

/* Rows that pass the filters, whether a fit would fit on them or hold them out. */
struct dama_survey {
    struct dama_ruleset ruleset;
    struct dama_sample_filter filter;
    struct dama_sample_counts counts;
    uint64_t results[DAMA_SURVEY_PIECES][3]; /* by pieces; lost, drawn, won by the side to move */
    struct dama_label_noise noise;
    struct dama_moments moments;
    struct dama_collinearity collinearity;
};
/* Rank 0 alone, main thread. Every shard is verified; one that is damaged ends all. */
enum dama_status dama_survey_run(const struct dama_survey_setup *setup, struct dama_survey *out,
                                 struct dama_error *err);

/* Plain text for people; JSON for programs. Neither has anything that depends on the machine. */
void dama_survey_print(const struct dama_survey *survey, FILE *out);
void dama_survey_print_json(const struct dama_survey *survey, FILE *out);

#endif
