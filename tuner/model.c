/* The columns of a fit and the table they become. */
#include "tuner/model.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/text.h"

enum { UNIT = DAMA_FEATURE_man, UNIT_WORTH = DAMA_WEIGHTS_UNIT };

static const char *const state_texts[] = {
#define X(name, text) text,
    DAMA_WEIGHT_STATES(X)
#undef X
};

const char *dama_weight_state_text(enum dama_weight_state state)
{
    return state_texts[state];
}

static int table_weight(const struct dama_weights *table, int parameter)
{
    return table->w[parameter / DAMA_FEATURE_COUNT][parameter % DAMA_FEATURE_COUNT];
}

enum dama_status dama_model_init(struct dama_model *model, const struct dama_weights *parent,
                                 const bool frozen[DAMA_FEATURE_COUNT],
                                 const uint64_t support[DAMA_PARAMETERS], struct dama_error *err)
{
    *model = (struct dama_model){.columns = 1};
    if (table_weight(parent, UNIT) != UNIT_WORTH) {
        return dama_fail(err, DAMA_INVALID,
                         "the parent table's man of the first phase: expected %d, found %d",
                         UNIT_WORTH, table_weight(parent, UNIT));
    }
    for (int p = 0; p < DAMA_PARAMETERS; p++) {
        model->state[p] = p == UNIT                        ? DAMA_WEIGHT_UNIT
                          : frozen[p % DAMA_FEATURE_COUNT] ? DAMA_WEIGHT_FROZEN
                          : support[p] == 0                ? DAMA_WEIGHT_SILENT
                                                           : DAMA_WEIGHT_FITTED;
        if (model->state[p] == DAMA_WEIGHT_FITTED) {
            model->parameter[model->columns++] = p;
        } else {
            model->ratio[p] = (double)table_weight(parent, p) / UNIT_WORTH;
        }
    }
    model->parameter[0] = UNIT;
    return DAMA_OK;
}

void dama_model_expand(const struct dama_model *model, const double *columns, double *weights)
{
    for (int p = 0; p < DAMA_PARAMETERS; p++) {
        weights[p] = model->ratio[p] * columns[0];
    }
    for (int c = 1; c < model->columns; c++) {
        weights[model->parameter[c]] = columns[c];
    }
}

/* Second derivative by the unit's column and weight p. */
static double unit_by(const struct dama_model *model, const struct dama_sums *sums, int p)
{
    double sum = 0;
    for (int q = 0; q < DAMA_PARAMETERS; q++) {
        sum += model->ratio[q] * dama_sums_hessian(sums, p, q);
    }
    return sum;
}

void dama_model_reduce(const struct dama_model *model, const struct dama_sums *sums,
                       double *gradient, double *hessian)
{
    size_t n = (size_t)model->columns;
    gradient[0] = 0;
    hessian[0] = 0;
    for (int p = 0; p < DAMA_PARAMETERS; p++) {
        gradient[0] += model->ratio[p] * sums->gradient[p];
        hessian[0] += model->ratio[p] * unit_by(model, sums, p);
    }
    for (size_t c = 1; c < n; c++) {
        int p = model->parameter[c];
        gradient[c] = sums->gradient[p];
        hessian[c * n] = hessian[c] = unit_by(model, sums, p);
        for (size_t d = 1; d <= c; d++) {
            double entry = dama_sums_hessian(sums, p, model->parameter[d]);
            hessian[c * n + d] = hessian[d * n + c] = entry;
        }
    }
}

void dama_parameter_name(int parameter, char *out, size_t size)
{
    char name[DAMA_FEATURE_NAME_SIZE];
    dama_feature_name(parameter % DAMA_FEATURE_COUNT, name, sizeof name);
    dama_text_format(out, size, "%s%s", name, parameter < DAMA_FEATURE_COUNT ? "" : "'");
}

void dama_weights_in_men(const struct dama_weights *table, double *out)
{
    for (int p = 0; p < DAMA_PARAMETERS; p++) {
        out[p] = (double)table_weight(table, p) / UNIT_WORTH;
    }
}

/* The rounded weight of a column, or an error that names it. */
static enum dama_status export_weight(const struct dama_model *model, int column, double worth,
                                      int16_t *out, struct dama_error *err)
{
    if (!(worth >= INT16_MIN && worth <= INT16_MAX)) {
        char name[DAMA_FEATURE_NAME_SIZE + 1];
        dama_parameter_name(model->parameter[column], name, sizeof name);
        char found[32];
        snprintf(found, sizeof found, "%.6g", worth);
        return dama_fail(err, DAMA_NUMERIC, "weight %s: expected %d to %d, found %s", name,
                         INT16_MIN, INT16_MAX, found);
    }
    *out = (int16_t)(worth + (worth < 0 ? -0.5 : 0.5));
    return DAMA_OK;
}

enum dama_status dama_model_export(const struct dama_model *model, const double *columns,
                                   struct dama_weights *table, struct dama_error *err)
{
    static const double ppm = 1e6;
    double slope_ppm = columns[0] / UNIT_WORTH * ppm;
    if (!(slope_ppm >= 1 && slope_ppm < UINT32_MAX)) {
        char found[32];
        snprintf(found, sizeof found, "%.6g", columns[0]);
        return dama_fail(err, DAMA_NUMERIC,
                         "a man's worth in the first phase: expected a positive number of logits, "
                         "found %s: the results do not tell that men are worth something",
                         found);
    }
    struct dama_weights fitted = *table;
    fitted.slope_ppm = (uint32_t)(slope_ppm + 0.5);
    for (int c = 1; c < model->columns; c++) {
        int p = model->parameter[c];
        DAMA_TRY(export_weight(model, c, UNIT_WORTH * columns[c] / columns[0],
                               &fitted.w[p / DAMA_FEATURE_COUNT][p % DAMA_FEATURE_COUNT], err));
    }
    *table = fitted;
    return DAMA_OK;
}

static enum dama_status fail_group(const char *name, int length, struct dama_error *err)
{
    char found[64];
    snprintf(found, sizeof found, "%.*s", length, name);
    char list[256] = "";
    struct dama_text names = {.at = list, .size = sizeof list};
    for (int i = 0; i < dama_features_count; i++) {
        dama_text_add(&names, "%s%s", i ? " " : "", dama_features[i].name);
    }
    assert(dama_text_fits(&names));
    return dama_fail(err, DAMA_USAGE, "no feature group '%s': there are %s", found, list);
}

enum dama_status dama_feature_groups(const char *list, bool out[DAMA_FEATURE_COUNT],
                                     struct dama_error *err)
{
    memset(out, 0, DAMA_FEATURE_COUNT * sizeof *out);
    for (const char *at = list ? list : ""; *at;) {
        size_t length = strcspn(at, ",");
        int group = 0;
        while (group < dama_features_count &&
               (strlen(dama_features[group].name) != length ||
                strncmp(dama_features[group].name, at, length) != 0)) {
            group++;
        }
        if (group == dama_features_count) {
            return fail_group(at, (int)length, err);
        }
        for (int i = 0; i < dama_features[group].count; i++) {
            out[dama_features[group].offset + i] = true;
        }
        at += length + (at[length] == ',');
    }
    return DAMA_OK;
}
