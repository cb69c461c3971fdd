/* A game in the terminal: commands and moves in, board and announcements out. */
#ifndef DAMA_PLAY_H
#define DAMA_PLAY_H

#include <stdio.h>

#include "engine/cli/board_text.h"
#include "engine/cli/options.h"
#include "engine/level.h"

/* Everything a game needs; owned by the caller. The game goes on from its present position. */
struct dama_play {
    const struct dama_ruleset *ruleset;
    struct dama_board_style style;
    bool is_human[2];               /* of DAMA_WHITE and DAMA_BLACK; the level plays the others */
    const struct dama_level *level; /* the opponent's */
    const struct dama_level *hint;  /* what `hint` thinks with */
    struct dama_searcher *searcher;
    uint64_t seed;
    struct dama_game *game;
    bool has_resigned[2];
    bool has_prompt; /* a person types: write a prompt */
};

/* Plays until `quit` or the end of the input; returns an exit status. */
int dama_play_run(struct dama_play *play, FILE *in, FILE *out);

/* The end of the game: by its rules, or because a side has resigned. */
struct dama_game_state dama_play_state(const struct dama_play *play);
/* Writes the game as PDN. */
enum dama_status dama_play_save(const struct dama_play *play, const char *path,
                                struct dama_error *err);

#endif
