/* Sections on what the training brought: matches, losses, calibration. */
#include <math.h>
#include <string.h>

#include "eval/report_sections.h"

void dama_report_real(struct dama_page *page, const json_t *object, const char *key,
                      const char *format)
{
    const json_t *value = json_object_get(object, key);
    if (json_is_number(value)) {
        dama_page_cell(page, format, json_number_value(value));
    } else {
        dama_page_cell(page, "-");
    }
}

void dama_report_share(struct dama_page *page, uint64_t part, uint64_t whole)
{
    if (whole) {
        dama_page_cell(page, "%.2f", 100.0 * (double)part / (double)whole);
    } else {
        dama_page_cell(page, "-");
    }
}

static void match_row(struct dama_page *page, const char *name, const char *against,
                      const json_t *match, const char *verdict)
{
    static const char *const counts[] = {"games", "distinct_games", "wins", "draws", "losses"};
    dama_page_cell(page, "%s", name);
    dama_page_cell(page, "%s", against);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        dama_report_real(page, match, counts[i], "%.0f");
    }
    dama_report_real(page, match, "elo", "%.1f");
    dama_report_real(page, match, "elo_low", "%.1f");
    dama_report_real(page, match, "elo_high", "%.1f");
    dama_report_real(page, match, "llr", "%.2f");
    dama_page_cell(page, "%s", verdict);
}

void dama_report_strength(struct dama_page *page, const struct dama_report_facts *facts)
{
    static const char *const heads[] = {"table",  "against", "games", "distinct", "wins",
                                        "draws",  "losses",  "Elo",   "low",      "high",
                                        "log-LR", "verdict", NULL};
    dama_page_section(
        page, "strength", "Strength",
        "Matches of each generation's new table against the table that played its games, and of "
        "the best table against the one the training started from. Elo with 95 % interval, counted "
        "for the new table; log-LR is the log-likelihood ratio of the promotion test.");
    dama_page_table(page, heads);
    for (int i = 0; i < facts->count; i++) {
        const json_t *match = facts->generation[i].match;
        if (match) {
            bool is_promoted = json_is_true(json_object_get(match, "promoted"));
            match_row(page, facts->generation[i].name, "holder", match,
                      is_promoted ? "promoted" : "kept the holder");
        }
    }
    if (facts->final) {
        match_row(page, "best", "start", facts->final, "-");
    }
    if (page->rows == 0) {
        dama_page_note(page, "No match has been played yet.");
        return;
    }
    dama_page_plot(
        page,
        (const struct dama_plot[]){
            {"Elo difference with 95 % interval", 720, 320,
             "unset key\nset ylabel 'Elo'\nset offsets 0.6, 0.6, 10, 10\n"
             "set xzeroaxis lc rgb '#8d99a6' lw 1.5\n"
             "plot $table using 0:8:9:10:xtic(label($0,strcol(1))) with yerrorbars pt 7 ps 0.8 "
             "lw 1.8 lc rgb '#2f7fd1'",
             8},
            {0}});
}

/* The losses of one part ("held_out"); NULL when there are none. */
static const json_t *losses_of(const struct dama_report_generation *g, const char *part)
{
    return json_object_get(json_object_get(g->tune, "log_loss"), part);
}

static void loss_table(struct dama_page *page, const struct dama_report_facts *facts)
{
    static const char *const heads[] = {
        "generation",          "held out: constant", "table before", "new table", "rows",
        "fitted on: constant", "table before",       "new table",    "rows",      NULL};
    static const char *const parts[] = {"held_out", "train"};
    dama_page_table(page, heads);
    for (int i = 0; i < facts->count; i++) {
        const struct dama_report_generation *g = &facts->generation[i];
        if (!g->tune) {
            continue;
        }
        dama_page_cell(page, "%s", g->name);
        for (int p = 0; p < 2; p++) {
            const json_t *loss = losses_of(g, parts[p]);
            dama_report_real(page, loss, "constant", "%.6f");
            dama_report_real(page, loss, "parent", "%.6f");
            dama_report_real(page, loss, "rounded", "%.6f");
            dama_report_real(page, json_object_get(g->tune, "rows"), parts[p], "%.0f");
        }
    }
    dama_page_plot(
        page,
        (const struct dama_plot[]){
            {"Mean log-loss of a held-out position (nats)", 720, 320,
             "set ylabel 'log-loss'\nset offsets 0.6, 0.6, 0.005, 0.005\nset format y '%.3f'\n"
             "plot $table using 0:2:xtic(label($0,strcol(1))) with linespoints dt 2 pt 4 lw 1.8 lc "
             "rgb '#8d99a6' "
             "title 'constant predictor', "
             "'' using 0:3 with linespoints pt 7 ps 0.7 lw 1.8 lc rgb '#d9822b' title 'table "
             "before', '' using 0:4 with linespoints pt 7 ps 0.7 lw 1.8 lc rgb '#2f7fd1' title "
             "'new table'",
             2},
            {0}});
}

/* The loss of a row before a step; NAN beyond the last. */
static double step_loss(const json_t *tune, size_t step)
{
    const json_t *at = json_array_get(json_object_get(tune, "steps"), step);
    double rows = json_number_value(json_object_get(json_object_get(tune, "rows"), "train"));
    const json_t *loss = json_object_get(at, "loss");
    return json_is_number(loss) && rows > 0 ? json_number_value(loss) / rows : NAN;
}

static void step_cell(struct dama_page *page, double value, const char *format)
{
    if (isnan(value)) {
        dama_page_cell(page, "-");
    } else {
        dama_page_cell(page, format, value);
    }
}

/* The first generation's fit and the newest one's. */
static void step_table(struct dama_page *page, const struct dama_report_facts *facts)
{
    const struct dama_report_generation *first = NULL, *last = NULL;
    for (int i = 0; i < facts->count; i++) {
        const struct dama_report_generation *g = &facts->generation[i];
        first = !first && g->tune ? g : first;
        last = g->tune ? g : last;
    }
    const char *const heads[] = {"Newton step",    first->name,
                                 "gradient a row", first == last ? NULL : last->name,
                                 "gradient a row", NULL};
    size_t first_steps = json_array_size(json_object_get(first->tune, "steps"));
    size_t last_steps = json_array_size(json_object_get(last->tune, "steps"));
    dama_page_table(page, heads);
    for (size_t s = 0; s < first_steps || s < last_steps; s++) {
        dama_page_cell(page, "%zu", s);
        for (int i = 0; i < (first == last ? 1 : 2); i++) {
            const json_t *tune = i ? last->tune : first->tune;
            const json_t *at = json_array_get(json_object_get(tune, "steps"), s);
            double rows =
                json_number_value(json_object_get(json_object_get(tune, "rows"), "train"));
            const json_t *gradient = json_object_get(at, "gradient");
            step_cell(page, step_loss(tune, s), "%.9f");
            step_cell(page, gradient ? json_number_value(gradient) / rows : NAN, "%.2e");
        }
    }
    static const struct dama_plot one[] = {
        {"Objective a row by Newton step", 720, 280,
         "set xlabel 'step'\nset ylabel 'objective'\nset xtics 1\nset xrange [-0.3:rows-0.7]\n"
         "set offsets 0, 0, 0.001, 0.001\n"
         "set format y '%.4f'\nplot $table using 1:2 with linespoints pt 7 ps 0.7 lw 1.8 "
         "lc rgb '#2f7fd1' title 'the fit'",
         2},
        {0}};
    static const struct dama_plot two[] = {
        {"Objective a row by Newton step", 720, 280,
         "set xlabel 'step'\nset ylabel 'objective'\nset xtics 1\nset xrange [-0.3:rows-0.7]\n"
         "set offsets 0, 0, 0.001, 0.001\n"
         "set format y '%.4f'\nplot $table using 1:2 with linespoints pt 7 ps 0.7 lw 1.8 "
         "lc rgb '#d9822b' title 'first generation', '' using 1:4 with linespoints pt 7 ps 0.7 lw "
         "1.8 lc rgb '#2f7fd1' title 'newest generation'",
         2},
        {0}};
    dama_page_plot(page, first == last ? one : two);
}

static bool has_tune(const struct dama_report_facts *facts)
{
    bool has = false;
    for (int i = 0; i < facts->count; i++) {
        has = has || facts->generation[i].tune;
    }
    return has;
}

void dama_report_losses(struct dama_page *page, const struct dama_report_facts *facts)
{
    dama_page_section(
        page, "losses", "Log-loss",
        "How well a table foretells results: the mean log-loss of positions, in nats, "
        "beside the constant predictor, which knows only how often the side to move "
        "scores. Held out are whole games that the fit did not see. The objective of "
        "the fit is the log-loss with the ridge.");
    if (!has_tune(facts)) {
        dama_page_note(page, "No table has been fitted yet.");
        return;
    }
    loss_table(page, facts);
    step_table(page, facts);
}

/* What the games brought by the search's score, beside what the table that played promises. */
static void search_calibration(struct dama_page *page, const struct dama_report_generation *g)
{
    static const char *const heads[] = {"search score", "positions", "scored", "promised", NULL};
    dama_page_note(
        page,
        "By search score (%s): searched positions of games that did not stop at the ply "
        "cap; the points that the side to move scored, and what the slope of the table "
        "that played promises, where it has one. Classes of %d hundredths of a man; those at "
        "the ends take all beyond.",
        g->name, DAMA_SCORE_WIDTH);
    dama_page_table(page, heads);
    for (int i = 0; i < DAMA_SCORE_CLASSES; i++) {
        int score = (i - DAMA_SCORE_CLASSES / 2) * DAMA_SCORE_WIDTH;
        double rows = (double)g->games.score[i].rows;
        dama_page_cell(page, "%d", score);
        dama_page_cell(page, "%.0f", rows);
        step_cell(page, rows > 0 ? (double)g->games.score[i].half_points / (2 * rows) : NAN,
                  "%.4f");
        double slope = 1e-6 * g->player_slope_ppm;
        step_cell(page, slope > 0 ? 1 / (1 + exp(-slope * score)) : NAN, "%.4f");
    }
    dama_page_plot(page,
                   (const struct dama_plot[]){
                       {"Points scored by search score", 720, 340,
                        "set xlabel 'search score for the side to move (hundredths of a man)'\n"
                        "set ylabel 'points a game'\nset yrange [0:1]\n"
                        "plot $table using 1:4 with lines dt 2 lw 1.8 lc rgb '#8d99a6' title "
                        "'promised', '' using 1:3 with linespoints pt 7 ps 0.7 lw 1.8 lc rgb "
                        "'#2f7fd1' title 'scored'",
                        3},
                       {0}});
}

/* The same of the fitted table's static score, as the fit has measured it. */
static void table_calibration(struct dama_page *page, const struct dama_report_generation *g)
{
    static const char *const heads[] = {"static score", "positions", "scored", "promised", NULL};
    const json_t *calibration = json_object_get(g->tune, "calibration");
    const char *of = json_string_value(json_object_get(calibration, "of"));
    dama_page_note(page, "By the static score of the table shown (%s), positions %s.", g->name,
                   of && strcmp(of, "held_out") == 0 ? "held out" : "fitted on");
    dama_page_table(page, heads);
    size_t i;
    json_t *bin;
    json_array_foreach(json_object_get(calibration, "bins"), i, bin)
    {
        dama_report_real(page, bin, "score", "%.0f");
        dama_report_real(page, bin, "rows", "%.0f");
        dama_report_real(page, bin, "scored", "%.4f");
        dama_report_real(page, bin, "expected", "%.4f");
    }
    dama_page_plot(page,
                   (const struct dama_plot[]){
                       {"Points scored by static score", 720, 340,
                        "set xlabel 'static score for the side to move (hundredths of a man)'\n"
                        "set ylabel 'points a game'\nset yrange [0:1]\n"
                        "plot $table using 1:4 with lines dt 2 lw 1.8 lc rgb '#8d99a6' title "
                        "'promised', '' using 1:3 with linespoints pt 7 ps 0.7 lw 1.8 lc rgb "
                        "'#2f7fd1' title 'scored'",
                        3},
                       {0}});
}

void dama_report_calibration(struct dama_page *page, const struct dama_report_facts *facts)
{
    dama_page_section(page, "calibration", "Calibration",
                      "Whether a score means what it promises. A win is one point, a draw half.");
    if (facts->shown >= 0 && json_object_get(facts->generation[facts->shown].tune, "calibration")) {
        table_calibration(page, &facts->generation[facts->shown]);
    }
    if (facts->is_import) {
        dama_page_note(page,
                       "Imported games have no scores of a search; dama rescore gives them some.");
        return;
    }
    search_calibration(page, &facts->generation[facts->count - 1]);
}
