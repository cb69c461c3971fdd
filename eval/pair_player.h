/* One thread's players: both games of a pair. */
#ifndef DAMA_PAIR_PLAYER_H
#define DAMA_PAIR_PLAYER_H

#include <stdatomic.h>

#include "engine/opening.h"
#include "eval/match.h"

/* A finished game; result is White's. */
struct dama_pair_game {
    uint64_t hash; /* of its moves */
    int32_t plies;
    int8_t result;
    uint8_t termination;
    uint8_t reason;
    uint8_t fault; /* dama_fault of the loser */
};

/* What travels to rank 0: plain bytes. moves holds both games, game g from g * move_room on, when
   they are asked for. */
struct dama_pair_record {
    uint64_t opening; /* as dama_opening_set_choose returns it */
    struct dama_pair_game games[2];
    dama_move moves[];
};

/* Plies that a game of this match can have. */
int dama_pair_move_room(const struct dama_match_setup *setup);
/* Bytes of a record, with moves or without. */
size_t dama_pair_record_size(const struct dama_match_setup *setup, bool with_moves);
/* Where the opening of a record starts; NULL: the start position. */
const struct dama_position *dama_pair_start(const struct dama_match_setup *setup, uint64_t opening);
/* A's colour in game 0 or 1 of a pair. */
int dama_pair_colour(const struct dama_match_setup *setup, int game);
/* Of a game's start and moves: games with the same are one game. */
uint64_t dama_pair_hash_moves(const struct dama_game *game);

struct dama_pair_player;
/* The setup and the book (NULL when the setup has openings) must outlive the player. */
struct dama_pair_player *dama_pair_player_new(const struct dama_match_setup *setup,
                                              const struct dama_opening_book *book,
                                              struct dama_error *err);
void dama_pair_player_free(struct dama_pair_player *player);
/* Plays pair number `pair`; record has room for its moves when with_moves. DAMA_STOPPED as soon as
 *stop is seen. */
enum dama_status dama_pair_play(struct dama_pair_player *player, int64_t pair, bool with_moves,
                                atomic_bool *stop, struct dama_pair_record *record,
                                struct dama_error *err);

#endif
