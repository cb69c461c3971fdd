/* `genmove`: the move of a level in a position. */
#include <stdio.h>

#include "engine/cli/common_options.h"
#include "engine/cli/verb.h"
#include "engine/cli/verbs.h"
#include "engine/fen.h"
#include "engine/level.h"
#include "engine/notation.h"

enum { TABLE_KB = 1024 };

struct genmove {
    struct dama_common common;
    const char *fen;
    const char *level;
    int64_t seed;
    bool json;
    struct dama_ruleset ruleset;
    struct dama_weights weights;
    enum dama_squares squares;
};

static const struct dama_level *find_level(const struct genmove *genmove, struct dama_error *err)
{
    const struct dama_level *level = dama_level_find(&genmove->ruleset.rules, genmove->level);
    if (!level) {
        static const char names[] =
#define X(name) " " #name
            DAMA_LEVELS(X)
#undef X
#define X(name, plies, one_in) " " #name
                DAMA_SPARRING_PARTNERS(X);
#undef X
        dama_fail(err, DAMA_USAGE, "--level: expected one of%s, found '%s'", names, genmove->level);
    }
    return level;
}

static void print(const struct genmove *genmove, const struct dama_position *position,
                  dama_move move)
{
    char text[DAMA_MOVE_TEXT_SIZE] = "";
    if (move != DAMA_MOVE_NONE) {
        dama_move_format_full(&genmove->ruleset.rules, genmove->squares, position, move, text);
    }
    if (!genmove->json) {
        puts(*text ? text : "no legal move");
    } else if (*text) {
        printf("{\"move\":\"%s\"}\n", text);
    } else {
        puts("{\"move\":null}");
    }
}

static enum dama_status play(const struct genmove *genmove, const struct dama_position *start,
                             const struct dama_level *level, struct dama_error *err)
{
    const struct dama_rules *rules = &genmove->ruleset.rules;
    struct dama_game *game = dama_game_new(rules, dama_draw_rules_default(rules), start);
    struct dama_searcher *searcher = dama_searcher_new(rules, &genmove->weights, TABLE_KB, err);
    if (!game) {
        dama_fail(err, DAMA_MEMORY, "genmove: out of memory");
    }
    if (game && searcher) {
        print(genmove, start, dama_level_move(level, searcher, game, (uint64_t)genmove->seed));
    }
    dama_searcher_free(searcher);
    dama_game_free(game);
    return err->status;
}

static enum dama_status run(struct genmove *genmove, struct dama_error *err)
{
    DAMA_TRY(dama_common_squares(&genmove->common, &genmove->squares, err));
    DAMA_TRY(dama_common_rules(&genmove->common, &genmove->ruleset, err));
    const struct dama_level *level = find_level(genmove, err);
    if (!level) {
        return err->status;
    }
    if (dama_level_is_partner(level) && !genmove->common.weights) {
        genmove->common.weights = "hand-set";
    }
    const struct dama_rules *rules = &genmove->ruleset.rules;
    struct dama_position position = dama_position_start(rules);
    if (genmove->fen) {
        DAMA_TRY(dama_fen_parse(rules, genmove->squares, genmove->fen, &position, err));
    }
    DAMA_TRY(dama_position_check_moves(rules, &position, err));
    DAMA_TRY(dama_common_weights(&genmove->common, &genmove->ruleset, &genmove->weights, err));
    return play(genmove, &position, level, err);
}

int dama_verb_genmove(int argc, char **argv)
{
    struct genmove genmove = {.level = "hard"};
    const struct dama_option options[] = {
        dama_option_variant(&genmove.common),
        dama_option_rules(&genmove.common),
        {"level", DAMA_OPTION_TEXT, &genmove.level, "L",
         "easy, medium, hard (default), beginner or random", 0, 0},
        dama_option_seed(&genmove.seed, "of the level's choices, default 0"),
        dama_option_fen(&genmove.fen),
        dama_option_weights(&genmove.common, "weight table; default shipped"),
        dama_option_json(&genmove.json, "one JSON object"),
        dama_option_squares(&genmove.common, "numbering of squares in and out"),
        {0},
    };
    const struct dama_usage usage = {
        .verb = "genmove",
        .arguments = "",
        .summary = "Prints the move that a level plays in a position, with its full path.",
        .details = "The same level, seed and position give the same move on every machine. A "
                   "position without a legal move is answered by \"no legal move\".",
        .options = options,
    };
    dama_options_parse(&usage, argc, argv, NULL);
    struct dama_error err = {0};
    return run(&genmove, &err) == DAMA_OK ? DAMA_EXIT_DONE : dama_verb_fail(&err);
}
