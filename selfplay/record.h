/* One self-play game, recorded: a pure function of the request and the game's number. */
#ifndef DAMA_RECORD_H
#define DAMA_RECORD_H

#include "cluster/run_config.h"
#include "cluster/shard.h"
#include "engine/contest.h"
#include "engine/opening.h"

/* What all games of a run share; immutable while games are played, used by many threads. */
struct dama_recorder {
    const struct dama_ruleset *ruleset;
    const struct dama_weights *weights;
    const struct dama_run_config *config;
    const struct dama_opening_book *book;
};

/* What one playing thread owns: searcher and game, made once and cleared for each game. The
   recorder must outlive it. NULL with err set. */
struct dama_record_player;
struct dama_record_player *dama_record_player_new(const struct dama_recorder *recorder,
                                                  struct dama_error *err);
void dama_record_player_free(struct dama_record_player *player);

/* Identity of a game beyond its rows: hashes of the opening position and of all its moves. */
struct dama_record_identity {
    uint64_t opening;
    uint64_t game;
};

/* Plays game `number` and puts its rows and its one game row (first_row 0, game 0) into out, which
   is cleared first. stop (NULL: never) is asked during the search; DAMA_STOPPED when it said so,
   and out is then worthless. The game itself can be read by dama_record_player_game until the next
   call. */
enum dama_status dama_record_game(struct dama_record_player *player, uint64_t number,
                                  bool (*stop)(void *context), void *context,
                                  struct dama_shard *out, struct dama_error *err);
/* The row of the game's present position, in which `move` is about to be played; its game is 0, its
   result is still to be set. */
struct dama_row dama_record_row(const struct dama_game *game, dama_move move, int score,
                                bool is_random);
/* Sets the result of the rows from first_row on, seen by the side to move, from White's. */
void dama_record_label(struct dama_shard *out, size_t first_row, int result);

/* The last game recorded, and how it ended. */
const struct dama_game *dama_record_player_game(const struct dama_record_player *player);
struct dama_contest_result dama_record_player_result(const struct dama_record_player *player);

/* The hashes of dama_record_identity from the rows of a stored game; the opening is the first
 * position whose move was not random. */
struct dama_record_identity dama_record_identify(const struct dama_row *rows, size_t count);

#endif
