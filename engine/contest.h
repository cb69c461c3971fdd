/* One game between two players: from an opening to its end, with adjudication. The same function
   serves self-play, matches and levels. */
#ifndef DAMA_CONTEST_H
#define DAMA_CONTEST_H

#include "engine/level.h"

/* How a side chooses its moves: by its own function, a level, or plain search under limits. */
struct dama_player {
    /* NULL: level or search. Not asked where only one move is legal. DAMA_MOVE_NONE gives the game
       up: the side has lost, DAMA_END_FORFEITED. */
    dama_move (*choose)(void *context, const struct dama_game *game);
    void *context;
    struct dama_searcher
        *searcher; /* cleared by the caller per game; may be shared by both sides of self-play */
    const struct dama_level *level; /* NULL: search by limits */
    struct dama_search_limits limits;
    uint64_t seed; /* of the level's noise */
};

/* When a game ends before its rules end it. A position with one legal move is not searched: it has
   no score, and neither adds to a row of moves nor breaks it. */
struct dama_adjudication {
    int max_plies;    /* the ply cap, counted from the start of the game; 0: none */
    int resign_score; /* 0: off; a side whose score is at most -resign_score for resign_plies own
                         moves in a row resigns instead of playing the last of them */
    int resign_plies;
    int draw_score; /* 0 plies: off; adjudicated behind draw_plies scores in a row of both sides,
                       from ply draw_from on, each within +-draw_score */
    int draw_plies;
    int draw_from;
};

struct dama_contest_result {
    int result; /* +1 White, 0, -1 */
    enum dama_termination termination;
    enum dama_draw_reason reason;
    enum dama_status status; /* DAMA_MEMORY: the game could not grow and is unfinished */
};

/* Told of each move before it is made: score is DAMA_SCORE_NONE when it was not searched (a single
   legal move, a level's move). */
typedef void (*dama_contest_watch)(void *context, const struct dama_game *game, dama_move move,
                                   int score);

/* Plays the game on from its present position to the end; players[DAMA_WHITE] and
   players[DAMA_BLACK]. What the rules end comes first, then an adjudicated draw, then the ply cap.
   watch may be NULL. Levels give no score, so they neither resign nor are adjudicated. */
struct dama_contest_result dama_contest_play(struct dama_game *game,
                                             const struct dama_player players[2],
                                             const struct dama_adjudication *adjudication,
                                             dama_contest_watch watch, void *context);

#endif
