/* What a fit says of itself: text for people, JSON for programs. */
#include <math.h>

#include "engine/cli/json.h"
#include "tuner/tune.h"

/* A normal quantity is within this many standard errors in 95 of 100 cases. */
static const double INTERVAL_95 = 1.96;

static unsigned long long number(uint64_t count)
{
    return (unsigned long long)count;
}

static void print_rows(const struct dama_tune_result *result, FILE *out)
{
    const struct dama_sample_counts *counts = &result->counts;
    uint64_t used = counts->fate[DAMA_FATE_TRAIN] + counts->fate[DAMA_FATE_HELD_OUT];
    fprintf(out, "variant %s, %llu shards, %llu games, of these %llu at the ply cap\n",
            result->ruleset.rules.name, number(counts->shards), number(counts->games),
            number(counts->games_capped));
    if (counts->damaged) {
        fprintf(out, "damaged shards left out: %llu\n", number(counts->damaged));
    }
    for (int fate = 0; fate < DAMA_FATE_COUNT; fate++) {
        fprintf(out, "rows %-9s %11llu  %s\n", dama_sample_fate_text(fate),
                number(counts->fate[fate]), dama_sample_fate_meaning(fate));
    }
    fprintf(out, "games fitted on %llu, held out %llu; about %.0f distinct positions fitted on\n",
            number(counts->games_train), number(counts->games_held), result->distinct);
    fprintf(out, "memory %.1f bytes a position; read in %.2f s\n",
            used ? (double)counts->bytes / (double)used : 0, result->load_seconds);
}

static void print_losses(const struct dama_tune_result *result, FILE *out)
{
    const struct dama_fit_loss *train = &result->fit.train, *held = &result->fit.held;
    const struct {
        const char *name;
        double train, held;
    } lines[] = {
        {"constant", train->constant, held->constant},
        {"parent", train->parent, held->parent},
        {"fitted", train->fitted, held->fitted},
        {"rounded", train->rounded, held->rounded},
    };
    bool has_held = result->counts.fate[DAMA_FATE_HELD_OUT] > 0;
    fprintf(out, "log-loss  fitted on  held out\n");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        fprintf(out, "%-9s %.6f ", lines[i].name, lines[i].train);
        if (has_held) {
            fprintf(out, "  %.6f\n", lines[i].held);
        } else {
            fprintf(out, "  -\n");
        }
    }
}

static void print_calibration(const struct dama_tune_result *result, FILE *out)
{
    const struct dama_calibration *calibration = &result->fit.calibration;
    fprintf(out, "points by score, rows %s\n  score       rows  expected  scored\n",
            calibration->is_held ? "held out" : "fitted on");
    for (int i = 0; i < DAMA_CALIBRATION_BINS; i++) {
        const struct dama_calibration_bin *bin = &calibration->bin[i];
        if (bin->rows) {
            fprintf(out, "  %5d %10llu    %.4f  %.4f\n", dama_calibration_score(i),
                    number(bin->rows), bin->expected, bin->scored);
        }
    }
}

static void print_steps(const struct dama_tune_result *result, FILE *out)
{
    const struct dama_newton_result *newton = &result->fit.newton;
    double rows = (double)result->counts.fate[DAMA_FATE_TRAIN];
    fprintf(out, "step  loss a row    gradient a row  fall to come  length\n");
    for (int i = 0; i < newton->steps; i++) {
        const struct dama_newton_step *step = &newton->step[i];
        fprintf(out, "%4d  %.10f  %14.3e  %12.3e  %g\n", i, step->value / rows,
                step->gradient / rows, step->decrement / rows, step->length);
    }
    fprintf(out, "%d weights in %.2f s, %.2f M positions/s; condition number %.3g; ridge %g\n",
            result->fit.model.columns, result->fit.seconds, result->fit.rows_per_second * 1e-6,
            newton->condition, result->ridge);
    fprintf(out, "slope %.6f logits per hundredth of a man\n", 1e-6 * result->fit.table.slope_ppm);
}

static void print_weight(const struct dama_tune_result *result, int p, FILE *out)
{
    const struct dama_fit *fit = &result->fit;
    int phase = p / DAMA_FEATURE_COUNT, feature = p % DAMA_FEATURE_COUNT;
    fprintf(out, "  %6d", fit->table.w[phase][feature]);
    if (fit->model.state[p] == DAMA_WEIGHT_FITTED) {
        fprintf(out, " +-%6.1f", INTERVAL_95 * fit->error[p]);
    } else {
        fprintf(out, " %8s", dama_weight_state_text(fit->model.state[p]));
    }
    fprintf(out, " (%5d)", result->parent.w[phase][feature]);
}

static void print_weights(const struct dama_tune_result *result, FILE *out)
{
    fprintf(out, "weights, hundredths of a man, +- 95 %% by games, ridge included (parent: %s)\n",
            result->parent_text);
    fprintf(out, "%-22s  %-23s   %s\n", "", "first phase", "last phase");
    for (int f = 0; f < DAMA_FEATURE_COUNT; f++) {
        char name[DAMA_FEATURE_NAME_SIZE];
        dama_feature_name(f, name, sizeof name);
        fprintf(out, "%-22s", name);
        print_weight(result, f, out);
        print_weight(result, DAMA_FEATURE_COUNT + f, out);
        fprintf(out, "\n");
    }
}

void dama_tune_print(const struct dama_tune_result *result, FILE *out)
{
    print_rows(result, out);
    print_steps(result, out);
    print_weights(result, out);
    print_calibration(result, out);
    print_losses(result, out);
}

static void json_rows(const struct dama_tune_result *result, FILE *out)
{
    const struct dama_sample_counts *counts = &result->counts;
    fprintf(out, "  \"shards\": %llu, \"damaged\": %llu,\n", number(counts->shards),
            number(counts->damaged));
    fprintf(
        out,
        "  \"games\": {\"read\": %llu, \"capped\": %llu, \"train\": %llu, \"held_out\": %llu},\n",
        number(counts->games), number(counts->games_capped), number(counts->games_train),
        number(counts->games_held));
    fprintf(out, "  \"rows\": {");
    for (int fate = 0; fate < DAMA_FATE_COUNT; fate++) {
        fprintf(out, "%s\"%s\": %llu", fate ? ", " : "", dama_sample_fate_text(fate),
                number(counts->fate[fate]));
    }
    fprintf(out, "},\n  \"distinct_positions\": %.0f,\n", result->distinct);
    fprintf(out,
            "  \"filter\": {\"score_cap\": %d, \"rows_per_game\": %d, \"skip_plies\": %d, "
            "\"max_ply\": %d, \"include_capped\": %s, \"holdout\": %.9g},\n",
            result->filter.score_cap, result->filter.rows_per_game, result->filter.skip_plies,
            result->filter.max_ply, result->filter.include_capped ? "true" : "false",
            result->filter.holdout);
}

static void json_loss(const char *name, const struct dama_fit_loss *loss, bool is_known, FILE *out)
{
    if (!is_known) {
        fprintf(out, "\"%s\": null", name);
        return;
    }
    fprintf(out,
            "\"%s\": {\"constant\": %.9f, \"parent\": %.9f, \"fitted\": %.9f, \"rounded\": %.9f}",
            name, loss->constant, loss->parent, loss->fitted, loss->rounded);
}

static void json_calibration(const struct dama_tune_result *result, FILE *out)
{
    const struct dama_calibration *calibration = &result->fit.calibration;
    fprintf(out, "  \"calibration\": {\"of\": \"%s\", \"bins\": [",
            calibration->is_held ? "held_out" : "train");
    for (int i = 0; i < DAMA_CALIBRATION_BINS; i++) {
        const struct dama_calibration_bin *bin = &calibration->bin[i];
        fprintf(
            out, "%s\n    {\"score\": %d, \"rows\": %llu, \"expected\": %.6f, \"scored\": %.6f}",
            i ? "," : "", dama_calibration_score(i), number(bin->rows), bin->expected, bin->scored);
    }
    fprintf(out, "\n  ]},\n");
}

static void json_fit(const struct dama_tune_result *result, FILE *out)
{
    const struct dama_newton_result *newton = &result->fit.newton;
    bool has_held = result->counts.fate[DAMA_FATE_HELD_OUT] > 0;
    fprintf(out, "  \"log_loss\": {");
    json_loss("train", &result->fit.train, true, out);
    fprintf(out, ", ");
    json_loss("held_out", &result->fit.held, has_held, out);
    fprintf(out, "},\n  \"ridge\": %.9g, \"condition\": %.6g, \"slope_ppm\": %u,\n", result->ridge,
            newton->condition, result->fit.table.slope_ppm);
    fprintf(out, "  \"steps\": [");
    for (int i = 0; i < newton->steps; i++) {
        const struct dama_newton_step *step = &newton->step[i];
        fprintf(out,
                "%s\n    {\"loss\": %.12g, \"gradient\": %.6g, \"decrement\": %.6g, "
                "\"length\": %.9g}",
                i ? "," : "", step->value, step->gradient, step->decrement, step->length);
    }
    fprintf(out, "\n  ],\n");
    json_calibration(result, out);
}

static void json_weight(const struct dama_tune_result *result, int p, FILE *out)
{
    const struct dama_fit *fit = &result->fit;
    int phase = p / DAMA_FEATURE_COUNT, feature = p % DAMA_FEATURE_COUNT;
    char name[DAMA_FEATURE_NAME_SIZE];
    dama_feature_name(feature, name, sizeof name);
    double margin = INTERVAL_95 * fit->error[p];
    fprintf(out,
            "    {\"name\": \"%s\", \"phase\": %d, \"state\": \"%s\", \"weight\": %d, "
            "\"parent\": %d, \"rows\": %llu",
            name, phase + 1, dama_weight_state_text(fit->model.state[p]),
            fit->table.w[phase][feature], result->parent.w[phase][feature],
            number(result->counts.support[p]));
    if (fit->model.state[p] == DAMA_WEIGHT_FITTED) {
        fprintf(out, ", \"estimate\": %.6g, \"error\": %.6g, \"low\": %.6g, \"high\": %.6g",
                fit->worth[p], fit->error[p], fit->worth[p] - margin, fit->worth[p] + margin);
    }
    fprintf(out, "}");
}

void dama_tune_print_json(const struct dama_tune_result *result, FILE *out)
{
    const struct dama_lineage *lineage = &result->fit.table.lineage;
    char hash[2 * DAMA_HASH_SIZE + 1];
    dama_hash_hex(result->parent_hash, hash);
    fprintf(out, "{\n  \"variant\": ");
    dama_json_string(out, result->ruleset.rules.name);
    fprintf(out, ",\n  \"run\": ");
    dama_json_string(out, lineage->run);
    fprintf(out, ", \"generation\": %u,\n  \"parent\": {\"from\": ", lineage->generation);
    dama_json_string(out, result->parent_text);
    fprintf(out, ", \"sha256\": \"%s\"},\n", hash);
    json_rows(result, out);
    json_fit(result, out);
    fprintf(out, "  \"weights\": [\n");
    for (int p = 0; p < DAMA_PARAMETERS; p++) {
        json_weight(result, p, out);
        fprintf(out, p + 1 < DAMA_PARAMETERS ? ",\n" : "\n  ]\n}\n");
    }
}
