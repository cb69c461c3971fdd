/* Positions and moves as the Hub protocol writes them. */
#ifndef DAMA_HUB_BOARD_H
#define DAMA_HUB_BOARD_H

#include "engine/game.h"

/* In which order squares are numbered. OFFICIAL: the variant's own numbers; games that are written
   with letters have none and are numbered as the grid (Lidraughts does so). GRID: row by row from
   the top. BOTTOM: row by row from the bottom, so that a1 is 1 (some programs number the games with
   letters so). On 10x10 official and grid are the same. */
#define DAMA_HUB_NUMBERS(X) \
    X(OFFICIAL, "official") \
    X(GRID, "grid")         \
    X(BOTTOM, "bottom")
enum dama_hub_numbers {
#define X(name, text) DAMA_HUB_##name,
    DAMA_HUB_NUMBERS(X)
#undef X
};

struct dama_hub_board {
    const struct dama_rules *rules;
    enum dama_hub_numbers numbers;
};

/* Room for a side, 50 squares and the zero; for a move of 2 ends and 20 victims. */
enum { DAMA_HUB_POSITION_SIZE = 52, DAMA_HUB_MOVE_SIZE = 80 };

/* "Wbbb...": the side to move, then a character a square: w b men, W B kings, e empty. */
void dama_hub_write_position(const struct dama_hub_board *board,
                             const struct dama_position *position,
                             char out[DAMA_HUB_POSITION_SIZE]);
enum dama_status dama_hub_read_position(const struct dama_hub_board *board, const char *text,
                                        struct dama_position *out, struct dama_error *err);

/* "32-28", or "28x19x23": from, to and the victims in ascending order. */
void dama_hub_write_move(const struct dama_hub_board *board, dama_move move,
                         char out[DAMA_HUB_MOVE_SIZE]);
/* The legal move with these ends and these victims, in any order. */
enum dama_status dama_hub_read_move(const struct dama_hub_board *board,
                                    const struct dama_position *position, const char *text,
                                    dama_move *out, struct dama_error *err);
/* Plays moves separated by blanks; the error names the first that is not legal. */
enum dama_status dama_hub_read_moves(const struct dama_hub_board *board, const char *text,
                                     struct dama_game *game, struct dama_error *err);

#endif
