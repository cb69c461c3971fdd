/* Openings as a list: in memory, as the lines of a text, and from the games of a PDN file. */
#ifndef DAMA_OPENING_LIST_H
#define DAMA_OPENING_LIST_H

#include "engine/cli/options.h"
#include "engine/game.h"
#include "engine/text.h"

/* An opening is shorter than the room that every game has from the start (game.h). */
enum { DAMA_OPENING_LINE_SIZE = 1024, DAMA_OPENING_LIST_PLIES_MAX = 400 };

/* One opening: a position and the moves that are played from it. */
struct dama_opening_entry {
    struct dama_position start;
    uint32_t first_move; /* in the list's moves */
    uint32_t ply_count;
    int32_t score; /* of the side that moves behind them; DAMA_SCORE_NONE: not known */
};
/* Growable, owned by the caller: {0} is empty. */
struct dama_opening_list {
    uint32_t count, capacity;
    uint32_t move_count, move_capacity;
    struct dama_opening_entry *entries;
    dama_move *moves;
};
void dama_opening_list_free(struct dama_opening_list *list);
/* Appends the game's start and moves as an opening; more than DAMA_OPENING_LIST_PLIES_MAX plies are
   refused. */
enum dama_status dama_opening_list_add(struct dama_opening_list *list, const struct dama_game *game,
                                       int score, struct dama_error *err);
/* Plays an opening into a game of the list's rules. */
void dama_opening_list_play(const struct dama_opening_list *list, uint32_t index,
                            struct dama_game *game);
/* Most plies of an opening. */
int dama_opening_list_plies(const struct dama_opening_list *list);
/* Takes out openings whose last position an earlier one has; returns how many. */
uint32_t dama_opening_list_dedupe(struct dama_opening_list *list, struct dama_game *game);

/* A text of openings in memory, and its name in messages. */
struct dama_opening_text {
    const char *file;
    const char *at;
    size_t size;
};
/* Reads lines: a FEN, and behind tabs, if wished, the score of the side to move ("-" when it is not
   known) and the moves that lead to the FEN from the start position; "-21" in front of the moves
   takes the piece off square 21 first. Squares are official. Lines that begin with # and empty ones
   are read over. `game` is of the list's rules, for playing. Errors name file and line: what is no
   position of a game that goes on, too. */
enum dama_status dama_opening_list_read(struct dama_opening_list *list,
                                        const struct dama_opening_text *text,
                                        struct dama_game *game, struct dama_error *err);
/* Reads PDN games: each one's first `plies` moves, 0: all of them. */
enum dama_status dama_opening_list_read_pdn(struct dama_opening_list *list,
                                            const struct dama_opening_text *text, int plies,
                                            struct dama_game *game, struct dama_error *err);
/* Writes an opening as such a line, without its end. A start that is neither the start position nor
   lacks pieces of it is not told: only the FEN is. */
void dama_opening_list_format(const struct dama_opening_list *list, uint32_t index,
                              struct dama_game *game, char out[DAMA_OPENING_LINE_SIZE]);

#endif
