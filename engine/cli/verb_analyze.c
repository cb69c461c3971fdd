/* `analyze`: searches one position, a line per depth, then the best move. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/cli/clock.h"
#include "engine/cli/common_options.h"
#include "engine/cli/verb.h"
#include "engine/cli/verbs.h"
#include "engine/fen.h"
#include "engine/notation.h"
#include "engine/parallel_search.h"

static const double default_seconds = 5;
enum { TABLE_KB = 1 << 16, NODES_MAX = INT32_MAX };

struct analysis {
    struct dama_common common;
    const char *fen;
    int64_t nodes;
    int64_t depth;
    double time;
    int64_t threads;
    int64_t table_kb;
    bool json;
    struct dama_ruleset ruleset;
    struct dama_weights weights;
    enum dama_squares squares;
    struct dama_position position;
    double start;
};

static bool is_time_over(void *context)
{
    const struct analysis *analysis = context;
    return dama_clock() - analysis->start >= analysis->time;
}

/* Plies to the end of a decided game, negative when the side to move loses; 0 when undecided. */
static int plies_to_end(int score)
{
    if (score >= DAMA_SCORE_WIN_MIN) {
        return DAMA_SCORE_WIN - score;
    }
    return score <= -DAMA_SCORE_WIN_MIN ? -DAMA_SCORE_WIN - score : 0;
}

static void print_score(const struct analysis *analysis, int score)
{
    int end = plies_to_end(score);
    if (analysis->json) {
        printf("\"score\":%d", score);
        if (dama_score_is_decided(score)) {
            printf(",\"plies_to_%s\":%d", score > 0 ? "win" : "loss", abs(end));
        }
    } else if (dama_score_is_decided(score)) {
        printf("%s in %d", score > 0 ? "win" : "loss", abs(end));
    } else {
        printf("%+.2f", score / 100.0);
    }
}

static void print_pv(const struct analysis *analysis, const struct dama_search_result *result)
{
    const struct dama_rules *rules = &analysis->ruleset.rules;
    struct dama_position position = analysis->position;
    for (int i = 0; i < result->pv_length; i++) {
        char text[DAMA_MOVE_TEXT_SIZE];
        dama_move_format(rules, analysis->squares, &position, result->pv[i], text);
        const char *quote = analysis->json ? "\"" : "";
        printf("%s%s%s%s", i == 0 ? "" : analysis->json ? "," : " ", quote, text, quote);
        position = analysis->ruleset.kernel->make(rules, &position, result->pv[i]);
    }
}

/* A line of the search: depth, score, nodes, nodes a second, principal variation. */
static void report(void *context, const struct dama_search_result *result)
{
    const struct analysis *analysis = context;
    double elapsed = dama_clock() - analysis->start;
    uint64_t speed = elapsed > 0 ? (uint64_t)((double)result->nodes / elapsed) : 0;
    const char *format = analysis->json ? "{\"depth\":%d," : "depth %d score ";
    printf(format, result->depth);
    print_score(analysis, result->score);
    format = analysis->json ? ",\"nodes\":%" PRIu64 ",\"nps\":%" PRIu64 ",\"pv\":["
                            : " nodes %" PRIu64 " nps %" PRIu64 " pv ";
    printf(format, result->nodes, speed);
    print_pv(analysis, result);
    puts(analysis->json ? "]}" : "");
    fflush(stdout);
}

static void print_best(const struct analysis *analysis, const struct dama_search_result *result)
{
    char text[DAMA_MOVE_TEXT_SIZE] = "";
    if (result->best != DAMA_MOVE_NONE) {
        dama_move_format_full(&analysis->ruleset.rules, analysis->squares, &analysis->position,
                              result->best, text);
    }
    if (!analysis->json) {
        printf("bestmove %s\n", *text ? text : "none");
        return;
    }
    const char *quote = *text ? "\"" : "";
    printf("{\"bestmove\":%s%s%s,", quote, *text ? text : "null", quote);
    print_score(analysis, result->score);
    printf(",\"depth\":%d,\"nodes\":%" PRIu64 "}\n", result->depth, result->nodes);
}

static enum dama_status search(struct analysis *analysis, struct dama_error *err)
{
    const struct dama_rules *rules = &analysis->ruleset.rules;
    struct dama_game *game =
        dama_game_new(rules, dama_draw_rules_default(rules), &analysis->position);
    struct dama_searcher *searcher =
        dama_searcher_new(rules, &analysis->weights, (size_t)analysis->table_kb, err);
    if (!game) {
        dama_fail(err, DAMA_MEMORY, "analyze: out of memory");
    }
    if (game && searcher) {
        const struct dama_search_limits limits = {
            .depth = (int)analysis->depth,
            .nodes = (uint64_t)analysis->nodes,
            .stop = analysis->time > 0 ? is_time_over : NULL,
            .report = report,
            .context = analysis,
            .is_analysis = true,
        };
        struct dama_search_result result;
        analysis->start = dama_clock();
        if (dama_searcher_search_parallel(searcher, (int)analysis->threads, game, &limits, &result,
                                          err) == DAMA_OK) {
            print_best(analysis, &result);
        }
    }
    dama_searcher_free(searcher);
    dama_game_free(game);
    return err->status;
}

static enum dama_status run(struct analysis *analysis, struct dama_error *err)
{
    DAMA_TRY(dama_common_squares(&analysis->common, &analysis->squares, err));
    DAMA_TRY(dama_common_rules(&analysis->common, &analysis->ruleset, err));
    const struct dama_rules *rules = &analysis->ruleset.rules;
    analysis->position = dama_position_start(rules);
    if (analysis->fen) {
        DAMA_TRY(dama_fen_parse(rules, analysis->squares, analysis->fen, &analysis->position, err));
    }
    DAMA_TRY(dama_position_check_moves(rules, &analysis->position, err));
    DAMA_TRY(dama_common_weights(&analysis->common, &analysis->ruleset, &analysis->weights, err));
    return search(analysis, err);
}

static void parse(struct analysis *analysis, int argc, char **argv)
{
    struct dama_common *common = &analysis->common;
    const struct dama_option options[] = {
        dama_option_variant(common),
        dama_option_rules(common),
        dama_option_fen(&analysis->fen),
        {"nodes", DAMA_OPTION_INT, &analysis->nodes, "N", "stop after exactly so many nodes", 1,
         NODES_MAX},
        {"depth", DAMA_OPTION_INT, &analysis->depth, "N", "stop after this depth", 1,
         DAMA_DEPTH_MAX},
        {"time", DAMA_OPTION_POSITIVE, &analysis->time, "S", "stop after so many seconds", 0, 0},
        {"threads", DAMA_OPTION_INT, &analysis->threads, "N", "searching threads, default 1", 1,
         DAMA_SEARCH_THREADS_MAX},
        {"table-kb", DAMA_OPTION_INT, &analysis->table_kb, "N",
         "size of the transposition table in KiB, default 65536", DAMA_TABLE_KB_MIN,
         DAMA_TABLE_KB_MAX},
        dama_option_weights(common, "weight table; default shipped"),
        dama_option_json(&analysis->json, "a JSON object a line"),
        dama_option_squares(common, "numbering of squares in and out"),
        {0},
    };
    const struct dama_usage usage = {
        .verb = "analyze",
        .arguments = "",
        .summary = "Searches a position: a line per depth, then the best move.",
        .details = "Scores are those of the side to move, in men (with --json in hundredths of a "
                   "man). Without a limit it searches for 5 seconds. With --depth or --nodes one "
                   "thread finds the same on every machine.",
        .options = options,
    };
    dama_options_parse(&usage, argc, argv, NULL);
    if (analysis->nodes == 0 && analysis->depth == 0 && analysis->time == 0) {
        analysis->time = default_seconds;
    }
}

int dama_verb_analyze(int argc, char **argv)
{
    struct analysis analysis = {.threads = 1, .table_kb = TABLE_KB};
    parse(&analysis, argc, argv);
    struct dama_error err = {0};
    return run(&analysis, &err) == DAMA_OK ? DAMA_EXIT_DONE : dama_verb_fail(&err);
}
