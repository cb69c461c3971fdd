/* `play`: a game in the terminal against a level. */
#include "engine/cli/verbs.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/cli/common_options.h"
#include "engine/cli/play.h"
#include "engine/cli/verb.h"
#include "engine/fen.h"

enum { TABLE_KB = 1024 };

struct options {
    struct dama_common common;
    const char *level;
    const char *side;
    const char *fen;
    const char *draw_rules;
    int64_t seed;
    bool is_ascii;
};

/* Whom the person plays: the side that moves first unless --side says otherwise. */
static enum dama_status choose_sides(const struct options *options, const struct dama_rules *rules,
                                     struct dama_play *play, struct dama_error *err)
{
    static const struct {
        const char *name;
        bool is_white, is_black;
    } choices[] = {{"white", true, false},
                   {"black", false, true},
                   {"both", true, true},
                   {"none", false, false}};
    if (!options->side) {
        play->is_human[rules->first_mover] = true;
        play->style.is_flipped = rules->first_mover == DAMA_BLACK;
        return DAMA_OK;
    }
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        if (strcmp(options->side, choices[i].name) == 0) {
            play->is_human[DAMA_WHITE] = choices[i].is_white;
            play->is_human[DAMA_BLACK] = choices[i].is_black;
            play->style.is_flipped = choices[i].is_black && !choices[i].is_white;
            return DAMA_OK;
        }
    }
    return dama_fail(err, DAMA_USAGE, "--side: expected white, black, both or none, found '%s'",
                     options->side);
}

static enum dama_status choose_draws(const struct options *options, const struct dama_rules *rules,
                                     enum dama_draw_rules *out, struct dama_error *err)
{
    *out = dama_draw_rules_default(rules);
    if (options->draw_rules) {
        if (strcmp(options->draw_rules, "site") == 0) {
            *out = DAMA_DRAWS_SITE;
        } else if (strcmp(options->draw_rules, "federation") == 0) {
            *out = DAMA_DRAWS_FEDERATION;
        } else {
            return dama_fail(err, DAMA_USAGE,
                             "--draw-rules: expected site or federation, found '%s'",
                             options->draw_rules);
        }
    }
    return dama_draw_rules_check(rules, *out, err);
}

/* Makes the game and the searcher; both are the caller's even on failure. */
static enum dama_status prepare(const struct options *options, struct dama_ruleset *ruleset,
                                struct dama_play *play, struct dama_error *err)
{
    DAMA_TRY(dama_common_squares(&options->common, &play->style.squares, err));
    DAMA_TRY(dama_common_rules(&options->common, ruleset, err));
    const struct dama_rules *rules = &ruleset->rules;
    DAMA_TRY(choose_sides(options, rules, play, err));
    enum dama_draw_rules draws;
    DAMA_TRY(choose_draws(options, rules, &draws, err));
    play->level = dama_level_find(rules, options->level);
    play->hint = dama_level_find(rules, "hard");
    if (!play->level || !play->hint) {
        return dama_fail(err, DAMA_USAGE, "--level: expected easy, medium or hard, found '%s'",
                         options->level);
    }
    struct dama_position start = dama_position_start(rules);
    if (options->fen) {
        DAMA_TRY(dama_fen_parse(rules, play->style.squares, options->fen, &start, err));
    }
    DAMA_TRY(dama_position_check_moves(rules, &start, err));
    struct dama_weights weights;
    DAMA_TRY(dama_common_weights(&options->common, ruleset, &weights, err));
    play->searcher = dama_searcher_new(rules, &weights, TABLE_KB, err);
    play->game = dama_game_new(rules, draws, &start);
    if (!play->searcher || !play->game) {
        return dama_fail(err, DAMA_MEMORY, "play: out of memory");
    }
    return DAMA_OK;
}

static int run(const struct options *options)
{
    struct dama_ruleset ruleset;
    struct dama_play play = {.ruleset = &ruleset,
                             .style.is_ascii = options->is_ascii,
                             .seed = (uint64_t)options->seed,
                             .has_prompt = isatty(STDIN_FILENO)};
    struct dama_error err = {0};
    int status = prepare(options, &ruleset, &play, &err) == DAMA_OK
                     ? dama_play_run(&play, stdin, stdout)
                     : dama_verb_fail(&err);
    dama_game_free(play.game);
    dama_searcher_free(play.searcher);
    return status;
}

int dama_verb_play(int argc, char **argv)
{
    /* A new game each time, unless the seed is asked for. */
    struct options given = {.level = "medium", .seed = (int64_t)time(NULL)};
    const struct dama_option options[] = {
        dama_option_variant(&given.common),
        dama_option_rules(&given.common),
        {"level", DAMA_OPTION_TEXT, &given.level, "L", "easy, medium (default) or hard", 0, 0},
        {"side", DAMA_OPTION_TEXT, &given.side, "SIDE",
         "yours: white, black, both or none; default the first to move", 0, 0},
        dama_option_fen(&given.fen),
        {"draw-rules", DAMA_OPTION_TEXT, &given.draw_rules, "site|federation",
         "default site on 8x8, federation on 10x10", 0, 0},
        dama_option_seed(&given.seed, "of the level's choices; default the time"),
        {"ascii", DAMA_OPTION_FLAG, &given.is_ascii, NULL, "letters instead of pieces", 0, 0},
        dama_option_weights(&given.common, "weight table; default shipped"),
        dama_option_squares(&given.common, "numbering of squares in and out"),
        {0},
    };
    const struct dama_usage usage = {
        .verb = "play",
        .arguments = "",
        .summary = "Plays a game in the terminal.",
        .details = "Type a move (22-17, 22x15x8, c3-d4) or a command: board, moves, hint, undo, "
                   "resign, flip, fen, save FILE, help, quit. Lines may also come from a file or "
                   "another program.",
        .options = options,
    };
    dama_options_parse(&usage, argc, argv, NULL);
    return run(&given);
}
