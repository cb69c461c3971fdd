/* What a survey of the data says: text for people, JSON for programs. */
#include <inttypes.h>
#include <math.h>

#include "tuner/data_survey.h"
#include "tuner/model.h"

/* Pairs of weights at least so correlated are named, the strongest first. */
static const double correlation_named = 0.9;
enum { PAIRS_NAMED = 20, NAME_SIZE = DAMA_FEATURE_NAME_SIZE + 1 };

/* A weight that fewer rows show than this is called rare: its interval will be wide. */
enum { RARE_ROWS = 100 };

struct named_pair {
    int p, q;
    double correlation;
};

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static uint64_t all_rows(const struct dama_survey *survey)
{
    uint64_t rows = 0;
    for (int fate = 0; fate < DAMA_FATE_COUNT; fate++) {
        rows += survey->counts.fate[fate];
    }
    return rows;
}

/* Inserts a pair behind those that are stronger; the weakest of a full list is dropped. */
static int insert(struct named_pair *list, int count, struct named_pair pair)
{
    int at = count;
    while (at > 0 && fabs(list[at - 1].correlation) < fabs(pair.correlation)) {
        at--;
    }
    if (at == PAIRS_NAMED) {
        return count;
    }
    count += count < PAIRS_NAMED;
    for (int i = count - 1; i > at; i--) {
        list[i] = list[i - 1];
    }
    list[at] = pair;
    return count;
}

static int find_pairs(const struct dama_survey *survey, struct named_pair *list)
{
    int count = 0;
    for (int p = 0; p < DAMA_PARAMETERS; p++) {
        for (int q = 0; q < p; q++) {
            struct named_pair pair = {q, p, dama_moments_correlation(&survey->moments, q, p)};
            if (fabs(pair.correlation) >= correlation_named) {
                count = insert(list, count, pair);
            }
        }
    }
    return count;
}

static void print_rows(const struct dama_survey *survey, FILE *out)
{
    const struct dama_sample_counts *counts = &survey->counts;
    uint64_t rows = all_rows(survey);
    fprintf(out,
            "variant %s, %" PRIu64 " shards, %" PRIu64 " games, of these %" PRIu64
            " at the ply cap\nrows           %11" PRIu64 "\n",
            survey->ruleset.rules.name, counts->shards, counts->games, counts->games_capped, rows);
    for (int fate = 0; fate < DAMA_FATE_COUNT; fate++) {
        fprintf(out, "rows %-9s %11" PRIu64 "  %6.2f %%  %s\n", dama_sample_fate_text(fate),
                counts->fate[fate], percent(counts->fate[fate], rows),
                dama_sample_fate_meaning(fate));
    }
}

static void print_noise(const struct dama_survey *survey, FILE *out)
{
    const struct dama_label_noise *noise = &survey->noise;
    fprintf(out, "positions that pass the filters (fitted on or held out), ");
    if (noise->sampled == 1) {
        fprintf(out, "exact but for equal 64-bit hashes\n");
    } else {
        fprintf(out, "estimated from one in %" PRIu64 " by hash\n", noise->sampled);
    }
    fprintf(out, "  %11" PRIu64 " rows\n  %11" PRIu64 " distinct positions\n", survey->moments.rows,
            noise->distinct);
    fprintf(out, "  %11" PRIu64 " of them in more than one game, %" PRIu64 " times in all\n",
            noise->repeated, noise->repeated_rows);
    fprintf(out,
            "  %11" PRIu64 " of these with different results (%.2f %%), %" PRIu64 " times in all\n",
            noise->conflicting, percent(noise->conflicting, noise->repeated),
            noise->conflicting_rows);
    fprintf(out,
            "  %11.6f mean log-loss that the repeated ones leave to a predictor that knows each "
            "one's mean result\n",
            noise->floor);
}

static void print_results(const struct dama_survey *survey, FILE *out)
{
    fprintf(out, "results by pieces on the board, for the side to move\n"
                 "  pieces        rows    won %%  drawn %%   lost %%\n");
    for (int pieces = 0; pieces < DAMA_SURVEY_PIECES; pieces++) {
        const uint64_t *results = survey->results[pieces];
        uint64_t rows = results[0] + results[1] + results[2];
        if (rows) {
            fprintf(out, "  %6d %11" PRIu64 " %8.2f %8.2f %8.2f\n", pieces, rows,
                    percent(results[2], rows), percent(results[1], rows),
                    percent(results[0], rows));
        }
    }
}

/* Weights shown by low..high rows, in one line. */
static void print_shown(const struct dama_survey *survey, const char *title, uint64_t low,
                        uint64_t high, FILE *out)
{
    int count = 0;
    fprintf(out, "%s:", title);
    for (int p = 0; p < DAMA_PARAMETERS; p++) {
        uint64_t rows = survey->moments.support[p];
        if (rows >= low && rows <= high) {
            char name[NAME_SIZE];
            dama_parameter_name(p, name, sizeof name);
            fprintf(out, " %s", name);
            count++;
        }
    }
    fprintf(out, "%s\n", count ? "" : " none");
}

static void print_collinearity(const struct dama_survey *survey, FILE *out)
{
    const struct dama_collinearity *c = &survey->collinearity;
    char name[2][NAME_SIZE];
    for (int i = 0; i < c->dependent; i++) {
        const struct dama_dependence *d = &c->dependence[i];
        dama_parameter_name(d->parameter, name[0], sizeof name[0]);
        fprintf(out, "dependent weight: %s, made of", name[0]);
        for (int k = 0; k < 3 && d->maker[k] >= 0; k++) {
            dama_parameter_name(d->maker[k], name[0], sizeof name[0]);
            fprintf(out, " %s", name[0]);
        }
        fprintf(out, "\n");
    }
    struct named_pair pairs[PAIRS_NAMED];
    int count = find_pairs(survey, pairs);
    fprintf(out, "pairs of weights with a correlation of %.2f or more, at most %d:%s\n",
            correlation_named, PAIRS_NAMED, count ? "" : " none");
    for (int i = 0; i < count; i++) {
        dama_parameter_name(pairs[i].p, name[0], sizeof name[0]);
        dama_parameter_name(pairs[i].q, name[1], sizeof name[1]);
        fprintf(out, "  %7.4f  %s, %s\n", pairs[i].correlation, name[0], name[1]);
    }
    fprintf(out, "%d weights shown, %d of them dependent; condition number of the others %.3g\n",
            c->columns, c->dependent, c->condition);
}

void dama_survey_print(const struct dama_survey *survey, FILE *out)
{
    print_rows(survey, out);
    print_noise(survey, out);
    print_results(survey, out);
    fprintf(out, "weights of the first phase have plain names, those of the last an apostrophe\n");
    print_shown(survey, "silent weights, in no row", 0, 0, out);
    print_shown(survey, "rare weights, in fewer than 100 rows", 1, RARE_ROWS - 1, out);
    print_collinearity(survey, out);
}

static void json_names(const struct dama_survey *survey, uint64_t low, uint64_t high, FILE *out)
{
    const char *comma = "";
    for (int p = 0; p < DAMA_PARAMETERS; p++) {
        uint64_t rows = survey->moments.support[p];
        if (rows >= low && rows <= high) {
            char name[NAME_SIZE];
            dama_parameter_name(p, name, sizeof name);
            fprintf(out, "%s\"%s\"", comma, name);
            comma = ", ";
        }
    }
}

static void json_counts(const struct dama_survey *survey, FILE *out)
{
    const struct dama_sample_counts *counts = &survey->counts;
    fprintf(out,
            "{\n  \"variant\": \"%s\", \"shards\": %" PRIu64 ",\n  \"games\": {\"read\": %" PRIu64
            ", \"capped\": %" PRIu64 "},\n  \"rows\": {\"all\": %" PRIu64,
            survey->ruleset.rules.name, counts->shards, counts->games, counts->games_capped,
            all_rows(survey));
    for (int fate = 0; fate < DAMA_FATE_COUNT; fate++) {
        fprintf(out, ", \"%s\": %" PRIu64, dama_sample_fate_text(fate), counts->fate[fate]);
    }
    const struct dama_label_noise *noise = &survey->noise;
    fprintf(out,
            "},\n  \"positions\": {\"sampled\": %" PRIu64 ", \"rows\": %" PRIu64
            ", \"distinct\": %" PRIu64 ", \"repeated\": %" PRIu64 ", \"repeated_rows\": %" PRIu64
            ", \"conflicting\": %" PRIu64 ", \"conflicting_rows\": %" PRIu64
            ", \"floor\": %.9f},\n",
            noise->sampled, survey->moments.rows, noise->distinct, noise->repeated,
            noise->repeated_rows, noise->conflicting, noise->conflicting_rows, noise->floor);
}

static void json_results(const struct dama_survey *survey, FILE *out)
{
    const char *comma = "";
    fprintf(out, "  \"results\": [");
    for (int pieces = 0; pieces < DAMA_SURVEY_PIECES; pieces++) {
        const uint64_t *results = survey->results[pieces];
        if (results[0] + results[1] + results[2]) {
            fprintf(out,
                    "%s\n    {\"pieces\": %d, \"won\": %" PRIu64 ", \"drawn\": %" PRIu64
                    ", \"lost\": %" PRIu64 "}",
                    comma, pieces, results[2], results[1], results[0]);
            comma = ",";
        }
    }
    fprintf(out, "\n  ],\n");
}

static void json_collinearity(const struct dama_survey *survey, FILE *out)
{
    const struct dama_collinearity *c = &survey->collinearity;
    char name[2][NAME_SIZE];
    fprintf(out, "  \"columns\": %d, \"condition\": %.6g,\n  \"dependent\": [", c->columns,
            c->condition);
    for (int i = 0; i < c->dependent; i++) {
        const struct dama_dependence *d = &c->dependence[i];
        dama_parameter_name(d->parameter, name[0], sizeof name[0]);
        fprintf(out, "%s{\"weight\": \"%s\", \"made_of\": [", i ? ", " : "", name[0]);
        for (int k = 0; k < 3 && d->maker[k] >= 0; k++) {
            dama_parameter_name(d->maker[k], name[0], sizeof name[0]);
            fprintf(out, "%s\"%s\"", k ? ", " : "", name[0]);
        }
        fprintf(out, "]}");
    }
    fprintf(out, "],\n  \"correlated\": [");
    struct named_pair pairs[PAIRS_NAMED];
    int count = find_pairs(survey, pairs);
    for (int i = 0; i < count; i++) {
        dama_parameter_name(pairs[i].p, name[0], sizeof name[0]);
        dama_parameter_name(pairs[i].q, name[1], sizeof name[1]);
        fprintf(out, "%s\n    {\"weights\": [\"%s\", \"%s\"], \"correlation\": %.6f}", i ? "," : "",
                name[0], name[1], pairs[i].correlation);
    }
    fprintf(out, "%s]\n}\n", count ? "\n  " : "");
}

void dama_survey_print_json(const struct dama_survey *survey, FILE *out)
{
    json_counts(survey, out);
    json_results(survey, out);
    fprintf(out, "  \"silent\": [");
    json_names(survey, 0, 0, out);
    fprintf(out, "],\n  \"rare\": [");
    json_names(survey, 1, RARE_ROWS - 1, out);
    fprintf(out, "],\n");
    json_collinearity(survey, out);
}
