/* One game of a PDN file as rows of a shard, or the reason why it cannot be data. */
#ifndef DAMA_IMPORT_GAME_H
#define DAMA_IMPORT_GAME_H

#include "cluster/shard.h"
#include "engine/pdn.h"

/* Why a game is left out. */
#define DAMA_IMPORT_REASONS(X)                                                       \
    X(TAKEN, "taken")                                                                \
    X(OTHER_GAME, "another kind of game, or none named")                             \
    X(DAMAGED, "damaged text or an illegal move")                                    \
    X(NO_RESULT, "no result")                                                        \
    X(CONTRADICTION, "results that contradict each other or the position")           \
    X(SET_UP, "an impossible set-up: more pieces than the start, or too many moves") \
    X(SET_UP_AGAIN, "another set-up in the middle")                                  \
    X(NO_MOVES, "no moves")                                                          \
    X(TOO_LONG, "more plies than a row can count")                                   \
    X(AMBIGUOUS, "moves that can be read in several ways")
enum dama_import_reason {
#define X(name, text) DAMA_IMPORT_##name,
    DAMA_IMPORT_REASONS(X)
#undef X
        DAMA_IMPORT_REASON_COUNT
};
const char *dama_import_reason_text(enum dama_import_reason reason);

/* What the games are read into, and how. Memory is reused from game to game. */
struct dama_importer {
    const struct dama_rules *rules;
    /* Whether the rules win over a game's GameType; else games of another type are left out. */
    bool is_given;
    enum dama_squares squares;
    int file;               /* number of the file being read, from 1 */
    struct dama_game *game; /* of the rules and the draw rules of the run; owned by the caller */
    struct dama_pdn_replay replay;
};

/* Appends the game's rows and its game row to out, as the next game: id is that of the first game
   in out plus the games there, or 0. A row a move, no score; the label is the game's result, and
   `opening` is the file's number << 32 plus the game's number in it. TAKEN, or the reason with
   nothing appended and err telling file, line and cause. Out of memory is in err too, as
   DAMA_MEMORY. */
enum dama_import_reason dama_import_game(struct dama_importer *importer,
                                         const struct dama_pdn_game *pdn, struct dama_shard *out,
                                         struct dama_error *err);

#endif
