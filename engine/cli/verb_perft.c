/* `perft`: counts the leaves of the move tree, a line per depth. */
#include "engine/cli/verbs.h"

#include <inttypes.h>
#include <stdio.h>

#include "engine/cli/clock.h"
#include "engine/cli/move_order.h"
#include "engine/cli/common_options.h"
#include "engine/cli/verb.h"
#include "engine/fen.h"
#include "engine/notation.h"

enum { DEPTH_LIMIT = 60 };

struct perft {
    struct dama_common common;
    const char *fen;
    int64_t depth;
    bool divide;
    bool list;
    struct dama_ruleset ruleset;
    enum dama_squares squares;
    struct dama_position position;
};

static uint64_t count(const struct perft *perft, const struct dama_position *position, int depth)
{
    const struct dama_kernel *kernel = perft->ruleset.kernel;
    return perft->list ? kernel->perft_list(&perft->ruleset.rules, position, depth)
                       : kernel->perft_count(&perft->ruleset.rules, position, depth);
}

/* A line per root move at the full depth, then their sum as a line of that depth. */
static enum dama_status divide(const struct perft *perft, struct dama_error *err)
{
    const struct dama_rules *rules = &perft->ruleset.rules;
    const struct dama_kernel *kernel = perft->ruleset.kernel;
    struct dama_move_list moves;
    DAMA_TRY(dama_moves_sorted(rules, kernel, &perft->position, &moves, err));
    uint64_t total = 0;
    double start = dama_clock();
    for (int i = 0; i < moves.count; i++) {
        struct dama_position next = kernel->make(rules, &perft->position, moves.moves[i]);
        uint64_t nodes = count(perft, &next, (int)perft->depth - 1);
        char text[DAMA_MOVE_TEXT_SIZE];
        dama_move_format_full(rules, perft->squares, &perft->position, moves.moves[i], text);
        printf("%s\t%" PRIu64 "\n", text, nodes);
        total += nodes;
    }
    printf("%" PRId64 "\t%" PRIu64 "\t%.3f\n", perft->depth, total, dama_clock() - start);
    return DAMA_OK;
}

static enum dama_status run(struct perft *perft, struct dama_error *err)
{
    DAMA_TRY(dama_common_squares(&perft->common, &perft->squares, err));
    DAMA_TRY(dama_common_rules(&perft->common, &perft->ruleset, err));
    perft->position = dama_position_start(&perft->ruleset.rules);
    if (perft->fen) {
        DAMA_TRY(dama_fen_parse(&perft->ruleset.rules, perft->squares, perft->fen, &perft->position,
                                err));
    }
    DAMA_TRY(dama_position_check_moves(&perft->ruleset.rules, &perft->position, err));
    if (perft->divide) {
        return divide(perft, err);
    }
    for (int depth = 1; depth <= perft->depth; depth++) {
        double start = dama_clock();
        uint64_t nodes = count(perft, &perft->position, depth);
        printf("%d\t%" PRIu64 "\t%.3f\n", depth, nodes, dama_clock() - start);
        fflush(stdout);
    }
    return DAMA_OK;
}

int dama_verb_perft(int argc, char **argv)
{
    struct perft perft = {0};
    const struct dama_option options[] = {
        dama_option_variant(&perft.common),
        dama_option_rules(&perft.common),
        dama_option_fen(&perft.fen),
        {"depth", DAMA_OPTION_INT, &perft.depth, "N", "plies, 1 to 60", 1, DEPTH_LIMIT},
        {"divide", DAMA_OPTION_FLAG, &perft.divide, NULL, "a line per first move", 0, 0},
        {"list", DAMA_OPTION_FLAG, &perft.list, NULL, "make a list of moves at every leaf", 0, 0},
        dama_option_squares(&perft.common, "numbering of squares in and out"),
        {0},
    };
    const struct dama_usage usage = {
        .verb = "perft",
        .arguments = "",
        .summary = "Counts the positions that are exactly N plies away.",
        .details = "Prints depth TAB nodes TAB seconds for each depth up to N; with --divide move "
                   "TAB nodes for each first move, and the sum. Moves of the same piece to the "
                   "same square with the same captures count once. Without --list the leaves are "
                   "counted, not made.",
        .options = options,
    };
    dama_options_parse(&usage, argc, argv, NULL);
    if (perft.depth == 0) {
        dama_options_fail(&usage, "--depth is missing");
    }
    struct dama_error err = {0};
    return run(&perft, &err) == DAMA_OK ? DAMA_EXIT_DONE : dama_verb_fail(&err);
}
