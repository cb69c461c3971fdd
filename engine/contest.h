/* One game between two players: from an opening to its end, with adjudication. The same function
   serves self-play, matches and levels. */
#ifndef DAMA_CONTEST_H
#define DAMA_CONTEST_H

#include "engine/level.h"

/* How a side chooses its moves. Either a level, or plain search under limits. */
struct dama_player {
    struct dama_searcher
        *searcher; /* cleared by the caller per game; may be shared by both sides of self-play */
    const struct dama_level *level; /* NULL: search by limits */
    struct dama_search_limits limits;
    uint64_t seed; /* of the level's noise */
};

struct dama_adjudication {
    int max_plies;    /* the ply cap */
    int resign_score; /* 0: off; a side whose score is at most -resign_score for resign_plies own
                         moves in a row resigns */
    int resign_plies;
    int draw_score; /* 0 plies: off; both sides within +-draw_score for draw_plies plies in a row
                       after ply draw_from */
    int draw_plies;
    int draw_from;
};

struct dama_contest_result {
    int result; /* +1 White, 0, -1 */
    enum dama_termination termination;
    enum dama_draw_reason reason;
};

/* Told of each move before it is made: score is DAMA_SCORE_NONE when it was not searched. */
typedef void (*dama_contest_watch)(void *context, const struct dama_game *game, dama_move move,
                                   int score);

/* Plays the game on from its present position to the end. */
struct dama_contest_result dama_contest_play(struct dama_game *game,
                                             const struct dama_player players[2],
                                             const struct dama_adjudication *adjudication,
                                             dama_contest_watch watch, void *context);

#endif
