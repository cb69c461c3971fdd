/* Sections on the games: results, endings, lengths, phases, repeats. */
#include "eval/report_sections.h"

/* The first whose games are there: `clean` may have freed those before it, never the newest. */
static const struct dama_report_generation *first_there(const struct dama_report_facts *facts)
{
    int i = 0;
    while (i + 1 < facts->count && facts->generation[i].games.games == 0) {
        i++;
    }
    return &facts->generation[i];
}

static const struct dama_game_facts *first_games(const struct dama_report_facts *facts)
{
    return &first_there(facts)->games;
}

static const struct dama_game_facts *newest_games(const struct dama_report_facts *facts)
{
    return &facts->generation[facts->count - 1].games;
}

static void count_cell(struct dama_page *page, uint64_t count)
{
    dama_page_cell(page, "%llu", (unsigned long long)count);
}

static void result_table(struct dama_page *page, const struct dama_report_facts *facts)
{
    static const char *const heads[] = {"generation", "games",      "White wins",
                                        "draws",      "Black wins", "White %",
                                        "draws %",    "Black %",    NULL};
    dama_page_table(page, heads);
    for (int i = 0; i < facts->count; i++) {
        const struct dama_game_facts *games = &facts->generation[i].games;
        if (games->games == 0) {
            continue;
        }
        dama_page_cell(page, "%s", facts->generation[i].name);
        count_cell(page, games->games);
        for (int r = 2; r >= 0; r--) {
            count_cell(page, games->results[r]);
        }
        for (int r = 2; r >= 0; r--) {
            dama_report_share(page, games->results[r], games->games);
        }
    }
    dama_page_plot(
        page,
        (const struct dama_plot[]){
            {"Results (% of games)", 720, 280,
             "set style data histograms\nset style histogram rowstacked\nset boxwidth 0.6\n"
             "set yrange [0:100]\nset ylabel '% of games'\n"
             "set xrange [-0.7:rows-0.3]\n"
             "plot $table using 6:xtic(label($0,strcol(1))) lc rgb '#e0b84c' title 'White wins', "
             "'' using 7 lc rgb '#8d99a6' title 'draws', "
             "'' using 8 lc rgb '#4a5f8a' title 'Black wins'",
             6},
            {0}});
}

static void end_table(struct dama_page *page, const struct dama_report_facts *facts)
{
    static const char *const heads[] = {"generation", "no legal move", "draw rule",   "repetition",
                                        "ply cap",    "resigned",      "adjudicated", NULL};
    dama_page_note(page, "How games ended, %% of games.");
    dama_page_table(page, heads);
    for (int i = 0; i < facts->count; i++) {
        const struct dama_game_facts *games = &facts->generation[i].games;
        if (games->games == 0) {
            continue;
        }
        dama_page_cell(page, "%s", facts->generation[i].name);
        for (int end = 0; end < DAMA_END_ONGOING; end++) {
            dama_report_share(page, games->ends[end], games->games);
        }
    }
    dama_page_plot(
        page, (const struct dama_plot[]){
                  {"Endings (% of games)", 720, 280,
                   "set style data histograms\nset style histogram rowstacked\nset boxwidth 0.6\n"
                   "set yrange [0:100]\nset ylabel '% of games'\nset key outside right vertical\n"
                   "set xrange [-0.7:rows-0.3]\n"
                   "plot $table using 2:xtic(label($0,strcol(1))) lc rgb '#2f7fd1' title 'no legal "
                   "move', "
                   "'' using 3 lc rgb '#3a9d6e' title 'draw rule', "
                   "'' using 4 lc rgb '#d9822b' title 'repetition', "
                   "'' using 5 lc rgb '#b5526f' title 'ply cap', "
                   "'' using 6 lc rgb '#7a62b3' title 'resigned', "
                   "'' using 7 lc rgb '#8d99a6' title 'adjudicated'",
                   2},
                  {0}});
}

void dama_report_results(struct dama_page *page, const struct dama_report_facts *facts)
{
    dama_page_section(
        page, "results", "Results and endings",
        facts->is_import
            ? "As the imported files say; a game that its players ended early counts "
              "as resigned or adjudicated."
            : "Of the self-play games. A game at the ply cap counts as a draw here and "
              "is left out of the fit.");
    result_table(page, facts);
    end_table(page, facts);
}

/* Classes up to the last that any game reaches. */
static int length_classes(const struct dama_report_facts *facts)
{
    int classes = 1;
    for (int c = 0; c < DAMA_LENGTH_CLASSES; c++) {
        bool is_used = first_games(facts)->lengths[c] || newest_games(facts)->lengths[c];
        classes = is_used ? c + 1 : classes;
    }
    return classes;
}

void dama_report_lengths(struct dama_page *page, const struct dama_report_facts *facts)
{
    const struct dama_game_facts *first = first_games(facts), *newest = newest_games(facts);
    static const char *const heads[] = {
        "plies from", "first generation", "%", "newest generation", "%", NULL};
    dama_page_section(page, "lengths", "Game lengths", NULL);
    char mean_of_newest[DAMA_REPORT_PATH_SIZE] = "";
    if (first != newest) {
        snprintf(mean_of_newest, sizeof mean_of_newest, ", %.1f in %s",
                 (double)newest->plies / (double)newest->games,
                 facts->generation[facts->count - 1].name);
    }
    dama_page_note(page,
                   "Games by their number of plies, in classes of %d. Mean: %.1f plies in %s%s.",
                   DAMA_LENGTH_WIDTH, (double)first->plies / (double)first->games,
                   first_there(facts)->name, mean_of_newest);
    dama_page_table(page, heads);
    for (int c = 0; c < length_classes(facts); c++) {
        dama_page_cell(page, "%d", c * DAMA_LENGTH_WIDTH);
        count_cell(page, first->lengths[c]);
        dama_report_share(page, first->lengths[c], first->games);
        count_cell(page, newest->lengths[c]);
        dama_report_share(page, newest->lengths[c], newest->games);
    }
    static const struct dama_plot one[] = {
        {"Game lengths", 720, 300,
         "unset key\nset xlabel 'plies'\nset ylabel '% of games'\nset yrange [0:*]\n"
         "set boxwidth 9\nset xrange [0:*]\n"
         "plot $table using ($1+5):5 with boxes lc rgb '#2f7fd1'",
         5},
        {0}};
    static const struct dama_plot two[] = {
        {"Game lengths", 720, 300,
         "set xlabel 'plies'\nset ylabel '% of games'\nset yrange [0:*]\nset boxwidth 9\n"
         "set xrange [0:*]\n"
         "plot $table using ($1+5):5 with boxes lc rgb '#2f7fd1' title 'newest generation', "
         "'' using ($1+5):3 with histeps lw 1.8 lc rgb '#d9822b' title 'first generation'",
         5},
        {0}};
    dama_page_plot(page, first != newest ? two : one);
}

void dama_report_phases(struct dama_page *page, const struct dama_report_facts *facts)
{
    const struct dama_game_facts *first = first_games(facts), *newest = newest_games(facts);
    static const char *const heads[] = {"pieces", "first generation", "%", "newest generation", "%",
                                        NULL};
    dama_page_section(page, "phases", "Phases",
                      "Positions by the pieces on the board, both sides together: the phase by "
                      "which a table mixes its weights.");
    int most = 1;
    for (int p = 0; p < DAMA_PHASE_CLASSES; p++) {
        most = first->phase[p] || newest->phase[p] ? p : most;
    }
    dama_page_table(page, heads);
    for (int p = 1; p <= most; p++) {
        dama_page_cell(page, "%d", p);
        count_cell(page, first->phase[p]);
        dama_report_share(page, first->phase[p], first->rows);
        count_cell(page, newest->phase[p]);
        dama_report_share(page, newest->phase[p], newest->rows);
    }
    static const struct dama_plot one[] = {
        {"Positions by pieces on the board", 720, 300,
         "unset key\nset xlabel 'pieces'\nset ylabel '% of positions'\nset yrange [0:*]\n"
         "set boxwidth 0.8\nplot $table using 1:5 with boxes lc rgb '#2f7fd1'",
         5},
        {0}};
    static const struct dama_plot two[] = {
        {"Positions by pieces on the board", 720, 300,
         "set xlabel 'pieces'\nset ylabel '% of positions'\nset yrange [0:*]\nset boxwidth 0.8\n"
         "plot $table using 1:5 with boxes lc rgb '#2f7fd1' title 'newest generation', "
         "'' using 1:3 with histeps lw 1.8 lc rgb '#d9822b' title 'first generation'",
         5},
        {0}};
    dama_page_plot(page, first != newest ? two : one);
}

void dama_report_duplicates(struct dama_page *page, const struct dama_report_facts *facts)
{
    static const char *const heads[] = {"generation",
                                        "games",
                                        "distinct games",
                                        "distinct openings",
                                        "positions",
                                        "distinct positions fitted on (about)",
                                        NULL};
    dama_page_section(page, "duplicates", "Duplicates",
                      "A game is its positions and moves; an opening is the first position that "
                      "was not drawn at random. Repeated games add nothing to a fit. The positions "
                      "fitted on are those of all generations that a fit used.");
    dama_page_table(page, heads);
    for (int i = 0; i < facts->count; i++) {
        const struct dama_report_generation *g = &facts->generation[i];
        if (g->games.games == 0) {
            continue;
        }
        dama_page_cell(page, "%s", g->name);
        count_cell(page, g->games.games);
        count_cell(page, g->games.distinct_games);
        count_cell(page, g->games.distinct_openings);
        count_cell(page, g->games.rows);
        dama_report_real(page, g->tune, "distinct_positions", "%.0f");
    }
    dama_page_show(page);
}
