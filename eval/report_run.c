/* Sections on the run itself: its sum, its throughput, where it comes from. */
#include <string.h>

#include "eval/report_sections.h"

static void fact(struct dama_page *page, const char *name, const char *text)
{
    dama_page_cell(page, "%s", name);
    dama_page_cell(page, "%s", text);
}

static void count_fact(struct dama_page *page, const char *name, uint64_t count)
{
    dama_page_cell(page, "%s", name);
    dama_page_cell(page, "%llu", (unsigned long long)count);
}

static void elo_fact(struct dama_page *page, const char *name, const json_t *match)
{
    double elo = 0, low = 0, high = 0;
    if (match && json_unpack((json_t *)match, "{s:F, s:F, s:F}", "elo", &elo, "elo_low", &low,
                             "elo_high", &high) == 0) {
        dama_page_cell(page, "%s", name);
        dama_page_cell(page, "%+.1f [%+.1f, %+.1f]", elo, low, high);
    }
}

/* What games without fits are: self-play, or what a verb has made of others. */
static const char *kind_of_games(const char *request)
{
    if (strstr(request, "\nrescore_nodes = ")) {
        return "games of another run, scored again";
    }
    return strstr(request, "\nsource = import\n") ? "imported games" : "self-play games";
}

void dama_report_summary(struct dama_page *page, const struct dama_report_facts *facts)
{
    static const char *const heads[] = {"", "", NULL};
    struct dama_game_facts sum = {0};
    uint64_t freed = 0;
    for (int i = 0; i < facts->count; i++) {
        sum.games += facts->generation[i].games.games;
        sum.rows += facts->generation[i].games.rows;
        sum.bytes += facts->generation[i].games.bytes;
        freed += facts->generation[i].games.games == 0;
    }
    const char *kind = facts->is_training          ? "training"
                       : facts->generation[0].tune ? "one generation of a training"
                                                   : kind_of_games(facts->request);
    dama_page_section(page, "summary", "Summary", NULL);
    dama_page_table(page, heads);
    fact(page, "variant", facts->ruleset.rules.name);
    fact(page, "run", kind);
    if (facts->is_training) {
        count_fact(page, "generations with games", (uint64_t)facts->count - freed);
    }
    if (freed > 0) {
        count_fact(page, "generations whose games were freed by clean", freed);
    }
    count_fact(page, "games", sum.games);
    count_fact(page, "positions", sum.rows);
    count_fact(page, "bytes of shards", sum.bytes);
    elo_fact(page, "Elo of the best table over the first", facts->final);
    if (facts->shown >= 0) {
        const struct dama_report_generation *g = &facts->generation[facts->shown];
        fact(page, "table shown", g->name);
        elo_fact(page, "its Elo over the table before", g->match);
    }
    dama_page_show(page);
}

void dama_report_throughput(struct dama_page *page, const struct dama_report_facts *facts)
{
    static const char *const heads[] = {
        "rank", "blocks", "games", "positions", "games a second", "positions a second", NULL};
    dama_page_section(page, "throughput", "Throughput by rank",
                      "From the log: blocks that each rank finished after the first block of a "
                      "stretch of play (one process in one generation), over the time of all "
                      "stretches together. What follows play, fits and matches, is not in it.");
    if (facts->ranks == 0) {
        dama_page_note(page, facts->is_import ? "Imported games were not played here."
                                              : "The log of this run has no blocks.");
        return;
    }
    dama_page_table(page, heads);
    for (int i = 0; i < facts->ranks; i++) {
        const struct dama_rank_facts *rank = &facts->rank[i];
        double seconds = rank->seconds > 0 ? rank->seconds : 1;
        dama_page_cell(page, "%d", rank->rank);
        dama_page_cell(page, "%llu", (unsigned long long)rank->blocks);
        dama_page_cell(page, "%llu", (unsigned long long)rank->games);
        dama_page_cell(page, "%llu", (unsigned long long)rank->rows);
        dama_page_cell(page, "%.2f", (double)rank->games / seconds);
        dama_page_cell(page, "%.0f", (double)rank->rows / seconds);
    }
    dama_page_note(page, "%.1f seconds of play measured.", facts->rank[0].seconds);
    dama_page_plot(
        page, (const struct dama_plot[]){
                  {"Positions a second by rank", 720, 260,
                   "unset key\nset ylabel 'positions a second'\nset yrange [0:*]\n"
                   "set xlabel 'rank'\nset boxwidth 0.5\nset xrange [-0.7:rows-0.3]\n"
                   "plot $table using 0:6:xtic(label($0,strcol(1))) with boxes lc rgb '#3a9d6e'",
                   6},
                  {0}});
}

static void request_table(struct dama_page *page, const char *request)
{
    static const char *const heads[] = {"key", "value", NULL};
    dama_page_note(page, "The request, from run.conf: all that the games depend on.");
    dama_page_table(page, heads);
    for (const char *line = request; *line;) {
        int length = (int)strcspn(line, "\n");
        const char *sign = strstr(line, " = ");
        if (sign && sign < line + length) {
            dama_page_cell(page, "%.*s", (int)(sign - line), line);
            dama_page_cell(page, "%.*s", length - (int)(sign - line) - 3, sign + 3);
        }
        line += length + (line[length] == '\n');
    }
    dama_page_show(page);
}

static void lineage_table(struct dama_page *page, const struct dama_report_facts *facts)
{
    static const char *const heads[] = {"generation", "played by (SHA-256)", "fitted from",
                                        "new table (SHA-256)", NULL};
    dama_page_note(page, "Which table played each generation, and which came of it.");
    dama_page_table(page, heads);
    for (int i = 0; i < facts->count; i++) {
        const struct dama_report_generation *g = &facts->generation[i];
        const char *parent =
            json_string_value(json_object_get(json_object_get(g->tune, "parent"), "sha256"));
        const char *table = json_string_value(json_object_get(g->match, "a_sha256"));
        dama_page_cell(page, "%s", g->name);
        dama_page_cell(page, "%.16s", *g->player_hash ? g->player_hash : "-");
        dama_page_cell(page, "%.16s", parent ? parent : "-");
        dama_page_cell(page, "%.16s", table ? table : "-");
    }
    dama_page_show(page);
}

static void table_lineage(struct dama_page *page, const struct dama_report_facts *facts)
{
    static const char *const heads[] = {"", "", NULL};
    const struct dama_lineage *lineage = &facts->weights.lineage;
    char parent[2 * DAMA_HASH_SIZE + 1];
    static const unsigned char material[DAMA_HASH_SIZE];
    dama_hash_hex(lineage->parent, parent);
    bool has_parent = memcmp(lineage->parent, material, DAMA_HASH_SIZE) != 0;
    dama_page_note(page, "What the table shown says of itself.");
    dama_page_table(page, heads);
    fact(page, "SHA-256", facts->weights_hash);
    fact(page, "run", *lineage->run ? lineage->run : "-");
    count_fact(page, "generation", lineage->generation);
    count_fact(page, "games behind it", lineage->games);
    count_fact(page, "positions fitted on", lineage->positions);
    fact(page, "parent", has_parent ? parent : "the material-only table, or hand-set");
    dama_page_cell(page, "slope, logits per hundredth of a man");
    dama_page_cell(page, "%.6f", 1e-6 * facts->weights.slope_ppm);
    dama_page_show(page);
}

void dama_report_origin(struct dama_page *page, const struct dama_report_facts *facts)
{
    dama_page_section(page, "request", "Request and lineage", NULL);
    lineage_table(page, facts);
    if (facts->has_weights) {
        table_lineage(page, facts);
    }
    request_table(page, facts->request);
}
