/* dama openings: lists of starts that lose nothing, and the window of scores that decides most. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/comm.h"
#include "cluster/run_folder.h"
#include "cluster/run_inputs.h"
#include "cluster/shell_text.h"
#include "engine/signature.h"
#include "eval/eval_verbs.h"
#include "eval/opening_find.h"
#include "eval/opening_window.h"

enum { TRIALS_MAX = 64, HEX_SIZE = 2 * DAMA_HASH_SIZE + 1, WORD_SIZE = 384, LINES_PIECE = 1 << 16 };

struct find_arguments {
    struct dama_common common;
    int64_t plies, depth, nodes, window, threads;
    bool ballots;
    const char *out;
};

static const char find_details[] =
    "A start is kept when a search of it finds a score within the window, for either side. Each "
    "line is FEN, score of the side to move, and the moves that lead there (-21: the piece of 21 "
    "is taken off first), separated by tabs. The lists of configs/openings are made so, and "
    "`dama match --openings FILE` reads any.";

static struct find_arguments parse_find(int argc, char **argv)
{
    struct find_arguments a = {.window = 60, .common = {.weights = "hand-set"}};
    const struct dama_option options[] = {
        dama_option_variant(&a.common),
        dama_option_rules(&a.common),
        {"plies", DAMA_OPTION_INT, &a.plies, "N", "starts of so many plies: 2, 3, ...", 1, 5},
        {"ballots", DAMA_OPTION_FLAG, &a.ballots, NULL,
         "eleven-man ballots: a man of each side off, and a move of each", 0, 0},
        dama_option_weights(&a.common, "the table that judges (default hand-set)"),
        {"depth", DAMA_OPTION_INT, &a.depth, "N", "plies of a search", 1, DAMA_DEPTH_MAX},
        {"nodes", DAMA_OPTION_INT, &a.nodes, "N", "nodes of a search (default 100000)", 1,
         INT64_MAX},
        {"window", DAMA_OPTION_INT, &a.window, "N",
         "hundredths of a man that a side may be behind (default 60)", 0, DAMA_SCORE_EVAL_MAX},
        dama_option_threads(&a.threads, "searching threads"),
        {"out", DAMA_OPTION_TEXT, &a.out, "FILE", "the list (default: standard output)", 0, 0},
        {0},
    };
    const struct dama_usage usage = {
        .verb = "openings find",
        .arguments = "",
        .summary = "Find all starts of a kind that lose nothing by a search.",
        .details = find_details,
        .options = options,
    };
    struct dama_texts rest = {0};
    dama_options_parse(&usage, argc, argv, &rest);
    if (!a.plies == !a.ballots) {
        dama_options_fail(&usage, "expected --plies N or --ballots");
    }
    a.nodes = a.nodes || a.depth ? a.nodes : 100000;
    return a;
}

/* A text that grows. */
struct page {
    char *at;
    size_t length, capacity;
};

static enum dama_status add_line(struct page *page, const char *line, struct dama_error *err)
{
    size_t length = strlen(line);
    if (page->capacity - page->length < length + 2) {
        size_t capacity = page->capacity + length + LINES_PIECE;
        char *grown = realloc(page->at, capacity);
        if (!grown) {
            return dama_fail(err, DAMA_MEMORY, "no memory for a list of openings");
        }
        page->at = grown;
        page->capacity = capacity;
    }
    memcpy(page->at + page->length, line, length);
    page->length += length;
    page->at[page->length++] = '\n';
    page->at[page->length] = 0;
    return DAMA_OK;
}

/* "# Made by: " and the command, whose files are words for a shell. */
static enum dama_status format_command(const struct find_arguments *a,
                                       const struct dama_opening_search *search,
                                       char out[DAMA_OPENING_LINE_SIZE], struct dama_error *err)
{
    const char *file = a->common.rules_file;
    char rules[WORD_SIZE], table[WORD_SIZE];
    if (!dama_shell_word(file ? file : search->ruleset->rules.name, rules, sizeof rules) ||
        !dama_shell_word(a->common.weights, table, sizeof table)) {
        return dama_fail(err, DAMA_INVALID,
                         "expected paths below %d characters, which the list names",
                         (int)WORD_SIZE);
    }
    struct dama_text text = {.at = out, .size = DAMA_OPENING_LINE_SIZE};
    dama_text_add(&text, "# Made by: dama openings find --%s %s ", file ? "rules" : "variant",
                  rules);
    if (a->ballots) {
        dama_text_add(&text, "--ballots");
    } else {
        dama_text_add(&text, "--plies %d", search->plies);
    }
    if (search->depth) {
        dama_text_add(&text, " --depth %d", search->depth);
    }
    if (search->nodes) {
        dama_text_add(&text, " --nodes %lu", (unsigned long long)search->nodes);
    }
    dama_text_add(&text, " --window %d --weights %s", search->window, table);
    return DAMA_OK;
}

/* How the list was made: enough to make it again. */
static enum dama_status add_head(struct page *page, const struct find_arguments *a,
                                 const struct dama_opening_search *search, const uint32_t counts[2],
                                 struct dama_error *err)
{
    unsigned char bytes[DAMA_WEIGHTS_MAX_BYTES], hash[DAMA_HASH_SIZE];
    char hex[HEX_SIZE], lines[3][DAMA_OPENING_LINE_SIZE];
    const char *name = search->ruleset->rules.name;
    dama_sha256(bytes, dama_weights_encode(search->weights, bytes), hash);
    dama_hash_hex(hash, hex);
    DAMA_TRY(format_command(a, search, lines[1], err));
    snprintf(lines[0], sizeof lines[0],
             "# %s: %u of %u %s lose nothing: a search finds a score within +-%d hundredths of a "
             "man.",
             name, counts[0], counts[1], a->ballots ? "eleven-man ballots" : "starts",
             search->window);
    snprintf(lines[2], sizeof lines[2],
             "# Engine %08x, table %.16s. A line: FEN, score of the side to move, moves from the "
             "start (-21: without the piece of 21).",
             DAMA_ENGINE_SIGNATURE, hex);
    for (int i = 0; i < 3; i++) {
        DAMA_TRY(add_line(page, lines[i], err));
    }
    return DAMA_OK;
}

static enum dama_status write_list(const struct find_arguments *a,
                                   const struct dama_opening_search *search,
                                   const struct dama_opening_list *list, uint32_t found,
                                   struct dama_error *err)
{
    const struct dama_rules *rules = &search->ruleset->rules;
    struct page page = {0};
    const uint32_t counts[2] = {list->count, found};
    struct dama_game *game = dama_game_new(rules, dama_draw_rules_default(rules), NULL);
    enum dama_status status = game ? add_head(&page, a, search, counts, err)
                                   : dama_fail(err, DAMA_MEMORY, "no memory for a game");
    for (uint32_t i = 0; status == DAMA_OK && i < list->count; i++) {
        char line[DAMA_OPENING_LINE_SIZE];
        dama_opening_list_format(list, i, game, line);
        status = add_line(&page, line, err);
    }
    if (status == DAMA_OK && a->out) {
        status = dama_file_write(a->out, page.at, page.length, err);
        printf("%u of %u openings are kept in %s\n", list->count, found, a->out);
    } else if (status == DAMA_OK) {
        fputs(page.at, stdout);
    }
    dama_game_free(game);
    free(page.at);
    return status;
}

static int run_find(int argc, char **argv)
{
    struct find_arguments a = parse_find(argc, argv);
    struct dama_error err = {0};
    struct dama_ruleset ruleset;
    struct dama_weights weights;
    if (dama_common_rules(&a.common, &ruleset, &err) != DAMA_OK ||
        dama_common_weights(&a.common, &ruleset, &weights, &err) != DAMA_OK) {
        return dama_verb_fail(&err);
    }
    const struct dama_opening_search search = {
        .ruleset = &ruleset,
        .weights = &weights,
        .plies = (int)a.plies,
        .depth = (int)a.depth,
        .nodes = (uint64_t)a.nodes,
        .window = (int)a.window,
        .threads = dama_comm_threads(a.threads),
    };
    struct dama_opening_list list = {0};
    uint32_t found = 0;
    if (dama_comm_rank() == 0 && dama_opening_find(&search, &list, &found, &err) == DAMA_OK) {
        write_list(&a, &search, &list, found, &err);
    }
    dama_opening_list_free(&list);
    return err.status == DAMA_OK ? DAMA_EXIT_DONE : dama_verb_fail(&err);
}

struct window_arguments {
    struct dama_run_options run;
    int64_t step, to, pairs, nodes, odds, seed, threads, random_plies;
    bool json;
};

static struct window_arguments parse_window(int argc, char **argv)
{
    struct window_arguments a = {
        .step = 40, .to = 200, .pairs = 200, .nodes = 500, .odds = 3, .seed = 1, .random_plies = 8};
    const struct dama_option options[] = {
        dama_option_variant(&a.run.common),
        dama_option_rules(&a.run.common),
        dama_option_weights(&a.run.common, "the table of both players (default shipped)"),
        {"step", DAMA_OPTION_INT, &a.step, "N", "width of a window (default 40)", 1, 20000},
        {"to", DAMA_OPTION_INT, &a.to, "N", "end of the last window (default 200)", 1, 20000},
        {"pairs", DAMA_OPTION_INT, &a.pairs, "N", "pairs a window (default 200)", 1, 10000000},
        {"nodes", DAMA_OPTION_INT, &a.nodes, "N", "nodes a move of B (default 500)", 1, INT64_MAX},
        {"odds", DAMA_OPTION_INT, &a.odds, "N", "times as many for A (default 3)", 1, 1000},
        {"random-plies", DAMA_OPTION_INT, &a.random_plies, "N", "plies of an opening (default 8)",
         0, 40},
        dama_option_seed(&a.seed, "of the openings (default 1)"),
        dama_option_threads(&a.threads, "playing threads of a rank"),
        dama_option_json(&a.json, "a JSON object"),
        {0},
    };
    const struct dama_usage usage = {
        .verb = "openings window",
        .arguments = "",
        .summary = "Find the window of opening scores with the most decisive pairs.",
        .details = "A plays B with more nodes a move, from random openings whose score, for either "
                   "side, lies in 0..step, step..2*step and so on. A pair is decisive when it does "
                   "not end level: only such pairs tell two players apart. The best window is what "
                   "`dama match --openings biased:LOW-HIGH` takes.",
        .options = options,
    };
    struct dama_texts rest = {0};
    dama_options_parse(&usage, argc, argv, &rest);
    if (a.to / a.step > TRIALS_MAX || a.to < a.step) {
        dama_options_fail(&usage, "expected 1 to %d windows, found %lld", TRIALS_MAX,
                          (long long)(a.to / a.step));
    }
    return a;
}

static void print_trials(const struct dama_window_trial *trials, int count, const char *variant)
{
    printf("window     pairs  decisive          Elo of A\n");
    for (int i = 0; i < count; i++) {
        const struct dama_match_result *r = &trials[i].result;
        struct dama_window_share share = dama_window_decisive(&r->pairs);
        char window[24];
        snprintf(window, sizeof window, "%d-%d", trials[i].low, trials[i].high);
        printf("%-10s %5llu  %5.1f +- %4.1f %%   %+.0f\n", window,
               (unsigned long long)dama_pairs_total(&r->pairs), 100 * share.share,
               100 * share.error, r->elo.elo);
    }
    const struct dama_window_trial *best = &trials[dama_window_best(trials, count)];
    printf("%s = %d-%d\n", variant, best->low, best->high);
}

static void print_trials_json(const struct dama_window_trial *trials, int count)
{
    printf("{\"windows\":[");
    for (int i = 0; i < count; i++) {
        const struct dama_pairs *pairs = &trials[i].result.pairs;
        printf("%s{\"low\":%d,\"high\":%d,\"pairs\":[%llu,%llu,%llu,%llu,%llu],\"decisive\":%.4f}",
               i ? "," : "", trials[i].low, trials[i].high, (unsigned long long)pairs->count[0],
               (unsigned long long)pairs->count[1], (unsigned long long)pairs->count[2],
               (unsigned long long)pairs->count[3], (unsigned long long)pairs->count[4],
               dama_window_decisive(pairs).share);
    }
    const struct dama_window_trial *best = &trials[dama_window_best(trials, count)];
    printf("],\"best\":[%d,%d]}\n", best->low, best->high);
}

static enum dama_status measure(const struct window_arguments *a, struct dama_error *err)
{
    struct dama_run_inputs inputs;
    struct dama_window_trial trials[TRIALS_MAX] = {{0}};
    DAMA_TRY(dama_run_inputs_load(&a->run, &inputs, err));
    const struct dama_match_player b = {
        .name = "B", .weights = &inputs.weights, .nodes = (uint64_t)a->nodes};
    struct dama_match_player better = b;
    better.name = "A";
    better.nodes *= (uint64_t)a->odds;
    const struct dama_match_setup setup = {
        .ruleset = &inputs.ruleset,
        .players = {better, b},
        .draws = dama_run_config_draws(&inputs.config, &inputs.ruleset.rules),
        .pairs = a->pairs,
        .seed = (uint64_t)a->seed,
        .table_kb = (size_t)inputs.config.table_kb,
        .random_plies = (int)a->random_plies,
        .max_plies = (int)inputs.config.max_plies,
        .threads = dama_comm_threads(a->threads),
    };
    int count = (int)(a->to / a->step);
    for (int i = 0; i < count; i++) {
        trials[i].low = i * (int)a->step;
        trials[i].high = trials[i].low + (int)a->step;
    }
    dama_stop_install();
    DAMA_TRY(dama_window_measure(&setup, trials, count, err));
    if (dama_comm_rank() == 0 && a->json) {
        print_trials_json(trials, count);
    } else if (dama_comm_rank() == 0) {
        print_trials(trials, count, inputs.ruleset.rules.name);
    }
    return DAMA_OK;
}

static int run_window(int argc, char **argv)
{
    struct window_arguments a = parse_window(argc, argv);
    struct dama_error err = {0};
    return measure(&a, &err) == DAMA_OK ? DAMA_EXIT_DONE : dama_verb_fail(&err);
}

int dama_verb_openings(int argc, char **argv)
{
    static const struct dama_verb verbs[] = {
        {"find", "all starts of a kind that lose nothing", run_find, true},
        {"window", "the window of scores with the most decisive pairs", run_window, true},
        {0},
    };
    return dama_sub_verbs_run("openings", verbs, argc, argv);
}
