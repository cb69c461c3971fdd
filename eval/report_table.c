/* Sections on the weight table: its weights with intervals, and what it says of squares. */
#include <math.h>
#include <string.h>

#include "engine/squares.h"
#include "eval/report_sections.h"

/* The entry of tune.json for a weight; NULL when there is none. */
static const json_t *find_weight(const json_t *tune, const char *name, int phase)
{
    size_t i;
    json_t *weight;
    json_array_foreach(json_object_get(tune, "weights"), i, weight)
    {
        const char *found = json_string_value(json_object_get(weight, "name"));
        if (found && strcmp(found, name) == 0 &&
            json_integer_value(json_object_get(weight, "phase")) == phase + 1) {
            return weight;
        }
    }
    return NULL;
}

static void note_no_table(struct dama_page *page, const struct dama_report_facts *facts)
{
    dama_page_note(page, facts->is_import ? "Imported games were played by no table; dama tune "
                                            "fits one to them."
                                          : "There is no table yet.");
}

static bool is_silent(const json_t *weight)
{
    const char *state = json_string_value(json_object_get(weight, "state"));
    return state && strcmp(state, "silent") == 0;
}

/* Lowest and highest end of an interval that the plot shows. */
struct range {
    double low, high;
};

static void widen(struct range *range, double value)
{
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

static void weight_row(struct dama_page *page, const struct dama_report_facts *facts, int index,
                       const json_t *const entry[DAMA_PHASES])
{
    char name[DAMA_FEATURE_NAME_SIZE];
    dama_feature_name(index, name, sizeof name);
    dama_page_cell(page, "%s", name);
    for (int phase = 0; phase < DAMA_PHASES; phase++) {
        dama_page_cell(page, "%d", facts->weights.w[phase][index]);
        dama_report_real(page, entry[phase], "low", "%.1f");
        dama_report_real(page, entry[phase], "high", "%.1f");
    }
}

/* Weights of one feature group under its meaning; those that no position shows are counted. */
static int weight_group(struct dama_page *page, const struct dama_report_facts *facts,
                        const struct dama_feature *feature, struct range *range)
{
    const json_t *tune = facts->shown >= 0 ? facts->generation[facts->shown].tune : NULL;
    int silent = 0;
    dama_page_heading(page, "%s: %s", feature->name, feature->meaning);
    for (int i = 0; i < feature->count; i++) {
        char name[DAMA_FEATURE_NAME_SIZE];
        dama_feature_name(feature->offset + i, name, sizeof name);
        const json_t *entry[DAMA_PHASES] = {find_weight(tune, name, 0), find_weight(tune, name, 1)};
        if (is_silent(entry[0]) && is_silent(entry[1])) {
            silent++;
            continue;
        }
        weight_row(page, facts, feature->offset + i, entry);
        for (int phase = 0; phase < DAMA_PHASES; phase++) {
            const json_t *low = json_object_get(entry[phase], "low");
            double weight = facts->weights.w[phase][feature->offset + i];
            widen(range, low ? json_number_value(low) : weight);
            widen(range, low ? json_number_value(json_object_get(entry[phase], "high")) : weight);
        }
    }
    return silent;
}

static void weight_plot(struct dama_page *page, const struct range *range, size_t weights)
{
    enum { HEIGHT = 90, ROW_HEIGHT = 17, SCRIPT_SIZE = 1024 };
    char script[SCRIPT_SIZE];
    double margin = 5 + 0.03 * (range->high - range->low);
    snprintf(script, sizeof script,
             "set xlabel 'hundredths of a man'\nset yrange [%d:1] noextend\n"
             "set xrange [%.0f:%.0f]\nset tics scale 0\n"
             "set arrow from 0, graph 0 to 0, graph 1 nohead lc rgb '#8d99a6' lw 1.5 back\n"
             "plot $table using 2:(-$0-0.15):3:4:ytic(1) with xerrorbars pt 7 ps 0.5 lw 1.6 lc rgb "
             "'#2f7fd1' title 'first phase (many pieces)', "
             "'' using 5:(-$0+0.15):6:7 with xerrorbars pt 5 ps 0.5 lw 1.6 lc rgb '#d9822b' title "
             "'last phase (few pieces)'",
             -(int)weights, range->low - margin, range->high + margin);
    dama_page_plot(page, (const struct dama_plot[]){{"Weights with 95 % intervals", 720,
                                                     HEIGHT + ROW_HEIGHT * (int)weights, script, 3},
                                                    {0}});
}

void dama_report_weights(struct dama_page *page, const struct dama_report_facts *facts)
{
    static const char *const heads[] = {"weight",     "first phase", "low",  "high",
                                        "last phase", "low",         "high", NULL};
    dama_page_section(page, "weights", "Weights",
                      "Hundredths of a man, in the first phase (all pieces on the board) and the "
                      "last (none left); between them they are mixed by the number of pieces. The "
                      "95 % intervals count games, not positions. A man of the first phase is 100 "
                      "by definition.");
    if (!facts->has_weights) {
        note_no_table(page, facts);
        return;
    }
    dama_page_note(page, "The table of %s, %.16s.",
                   facts->shown >= 0 ? facts->generation[facts->shown].name
                                     : "the player (never fitted in this run)",
                   facts->weights_hash);
    struct range range = {0, 0};
    int silent = 0;
    size_t groups = 0;
    dama_page_table(page, heads);
    for (int i = 0; i < dama_features_count; i++, groups++) {
        silent += weight_group(page, facts, &dama_features[i], &range);
    }
    size_t weights = page->rows - groups;
    weight_plot(page, &range, weights);
    if (silent) {
        dama_page_note(page, "Weights left out, as no position of these games shows them: %d.",
                       silent);
    }
}

/* A square with fewer pieces seen says little: it is left empty. */
enum { SEEN_LEAST = 20 };

static void value_cells(struct dama_page *page, const struct dama_square_value *value)
{
    if (value->seen < SEEN_LEAST) {
        dama_page_cell(page, "-");
    } else {
        dama_page_cell(page, "%.1f", value->mean);
    }
    dama_page_cell(page, "%llu", (unsigned long long)value->seen);
}

/* Column and row are those of the official board with White below; Italian and Spanish boards are
   the grid seen in a mirror. */
static void square_row(struct dama_page *page, const struct dama_report_facts *facts, int grid)
{
    const struct dama_rules *rules = &facts->ruleset.rules;
    int size = rules->board_size;
    int row = (grid - 1) / (size / 2);
    int column = (grid - 1) % (size / 2) * 2 + (row % 2 == 0);
    bool is_mirrored = rules->numbering == DAMA_NUMBERING_ROWS_REVERSED ||
                       rules->numbering == DAMA_NUMBERING_FROM_BOTTOM;
    char name[4];
    dama_square_format(rules, DAMA_SQUARES_OFFICIAL, grid, name);
    dama_page_cell(page, "%s", name);
    dama_page_cell(page, "%d", is_mirrored ? size - column : column + 1);
    dama_page_cell(page, "%d", size - row);
    value_cells(page, &facts->board.man[grid]);
    value_cells(page, &facts->board.king[grid]);
}

/* gnuplot's script for a board coloured by the value in `column` of the table. */
static void board_script(char *out, size_t size, int board_size, int column)
{
    snprintf(
        out, size,
        "unset key\nunset grid\nunset border\nset size ratio -1\nset format x ''\nset format y ''\n"
        "set tics scale 0\nset xrange [0.5:%d.5]\nset yrange [0.5:%d.5]\n"
        "set object 1 rectangle from 0.5,0.5 to %d.5,%d.5 fs empty border lc rgb '#8d99a6'\n"
        "set style fill solid 1 noborder\nset palette defined (0 '#fdf3d0', 0.5 '#f2a65a', 1 "
        "'#cf5b3f')\n"
        "set cblabel 'hundredths of a man'\n"
        "plot $table using 2:3:($2-0.48):($2+0.48):($3-0.48):($3+0.48):%d with boxxyerror fc "
        "palette fs solid 1, "
        "'' using 2:3:(strlen(strcol(%d)) && strcol(%d) ne '-' ? sprintf('%%.0f', column(%d)) "
        ": '') with labels tc rgb '#1b1b1b' font ',15', "
        "'' using ($2-0.42):($3+0.33):1 with labels left tc rgb '#4a3a2a' font ',9'",
        board_size, board_size, board_size, board_size, column, column, column, column);
}

void dama_report_board(struct dama_page *page, const struct dama_report_facts *facts)
{
    enum { SCRIPT_SIZE = 2048, MAN_COLUMN = 4, KING_COLUMN = 6, WIDTH = 620, HEIGHT = 520 };
    static const char *const heads[] = {"square",   "column", "row",        "man",
                                        "men seen", "king",   "kings seen", NULL};
    dama_page_section(page, "board", "Worth of a piece by square",
                      "The mean change of the table's static score, for its side, when a piece "
                      "is on the board instead of taken off, all else being as it stands: in "
                      "positions of the newest games without a capture at hand, evenly sampled. "
                      "Seen from White's side below; Black's pieces are turned round and counted "
                      "with White's. A king's figure is against no piece, not against a man.");
    if (!facts->has_weights) {
        note_no_table(page, facts);
        return;
    }
    dama_page_note(
        page, "%llu positions; squares on which fewer than %d pieces were seen are left empty.",
        (unsigned long long)facts->board.positions, SEEN_LEAST);
    int size = facts->ruleset.rules.board_size;
    dama_page_table(page, heads);
    for (int grid = 1; grid <= size * size / 2; grid++) {
        square_row(page, facts, grid);
    }
    char man[SCRIPT_SIZE], king[SCRIPT_SIZE];
    board_script(man, sizeof man, size, MAN_COLUMN);
    board_script(king, sizeof king, size, KING_COLUMN);
    dama_page_plot(page,
                   (const struct dama_plot[]){{"Worth of a man", WIDTH, HEIGHT, man, MAN_COLUMN},
                                              {"Worth of a king", WIDTH, HEIGHT, king, KING_COLUMN},
                                              {0}});
}
