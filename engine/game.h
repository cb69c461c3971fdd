/* A game in play: positions from the start to now, with everything that ends it. */
#ifndef DAMA_GAME_H
#define DAMA_GAME_H

#include "engine/draw.h"
#include "engine/kernel.h"

/* How a game ended; the numbers up to ADJUDICATED are those stored in shards.
   FORFEITED: a player in a match broke its rules (contest.h). */
#define DAMA_TERMINATIONS(X)      \
    X(NO_MOVE, "no legal move")   \
    X(DRAW_RULE, "draw rule")     \
    X(REPETITION, "repetition")   \
    X(PLY_CAP, "ply cap")         \
    X(RESIGNED, "resigned")       \
    X(ADJUDICATED, "adjudicated") \
    X(ONGOING, "unfinished")      \
    X(FORFEITED, "forfeited")
enum dama_termination {
#define X(name, text) DAMA_END_##name,
    DAMA_TERMINATIONS(X)
#undef X
};
const char *dama_termination_text(enum dama_termination termination);

struct dama_game_ply {
    struct dama_position position; /* before the move */
    struct dama_draw_counts counts;
    uint64_t hash;
    dama_move move;
};

/* Fields are for reading; change a game only by the functions below. plies[0..ply-1] are the moves
   made, plies[ply] has the present position, counts and hash (its move is meaningless). */
struct dama_game {
    const struct dama_rules *rules;
    const struct dama_kernel *kernel;
    enum dama_draw_rules draws;
    int ply;
    int capacity;
    struct dama_game_ply *plies;
};

/* A new game from a position (NULL: the start position). The rules must outlive it. NULL when out
 * of memory. */
struct dama_game *dama_game_new(const struct dama_rules *rules, enum dama_draw_rules draws,
                                const struct dama_position *start);
/* NULL is allowed. */
void dama_game_free(struct dama_game *game);
/* Back to ply 0 with another start position, keeping the memory. */
void dama_game_reset(struct dama_game *game, const struct dama_position *start);

static inline const struct dama_position *dama_game_position(const struct dama_game *game)
{
    return &game->plies[game->ply].position;
}

/* Plays a legal move (asserted to lead from the position); DAMA_MEMORY when it cannot grow. */
enum dama_status dama_game_play(struct dama_game *game, dama_move move);
/* Takes the last move back; there must be one. */
void dama_game_undo(struct dama_game *game);

/* Times the present position occurred so far, itself included; looks back to the last capture or
 * man's move. */
int dama_game_occurrences(const struct dama_game *game);

struct dama_game_state {
    enum dama_termination termination; /* NO_MOVE, DRAW_RULE, REPETITION or ONGOING */
    enum dama_draw_reason reason;
    int result; /* +1 White has won, -1 Black, 0 drawn or ongoing */
};
/* By the rules and the draw rules of the game, before the next move. */
struct dama_game_state dama_game_state(const struct dama_game *game);
/* Whether a legal move ends the game in a draw. */
bool dama_game_draws_at_once(const struct dama_game *game, dama_move move);

#endif
