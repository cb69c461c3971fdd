/* Players of one thread: openings, limits, clocks and the games of a pair. */
#include "eval/pair_player.h"

#include <stdlib.h>

#include "cluster/log.h"
#include "engine/rng.h"
#include "eval/opening_set.h"
#include "eval/seat.h"

enum {
    JUDGE_TABLE_KB = 256,
    GAMES_OF_A_PAIR = 2,
};
/* A match has one such stream. The number is kept: a seed has the same openings as ever. */
static const uint64_t opening_stream = UINT64_MAX;

struct dama_pair_player {
    const struct dama_match_setup *setup;
    const struct dama_opening_book *book;
    struct dama_searcher *judge; /* of openings: a table of neither side, so that they are fair */
    struct dama_seat *seats[2];  /* A and B */
    struct dama_game *game;
    /* While a game is played. */
    struct dama_adjudication adjudication;
    atomic_bool *stop;
};

int dama_pair_move_room(const struct dama_match_setup *setup)
{
    int plies = setup->openings ? dama_opening_set_plies(setup->openings) : setup->random_plies;
    return setup->max_plies > plies ? setup->max_plies : plies;
}

size_t dama_pair_record_size(const struct dama_match_setup *setup, bool with_moves)
{
    size_t moves = with_moves ? GAMES_OF_A_PAIR * (size_t)dama_pair_move_room(setup) : 0;
    return sizeof(struct dama_pair_record) + moves * sizeof(dama_move);
}

/* Not that of self-play with the same seed. */
static uint64_t opening_seed(const struct dama_match_setup *setup)
{
    struct dama_rng rng = dama_rng_make(setup->seed, DAMA_RNG_MATCH, opening_stream);
    return dama_rng_next64(&rng);
}

const struct dama_position *dama_pair_start(const struct dama_match_setup *setup, uint64_t opening)
{
    return setup->openings ? dama_opening_set_start(setup->openings, opening) : NULL;
}

int dama_pair_colour(const struct dama_match_setup *setup, int game)
{
    int first = (int)setup->ruleset->rules.first_mover;
    return game == 0 ? first : !first;
}

struct dama_pair_player *dama_pair_player_new(const struct dama_match_setup *setup,
                                              const struct dama_opening_book *book,
                                              struct dama_error *err)
{
    const struct dama_rules *rules = &setup->ruleset->rules;
    struct dama_pair_player *player = calloc(1, sizeof *player);
    struct dama_weights hand_set;
    if (!player) {
        dama_fail(err, DAMA_MEMORY, "no memory for a playing thread");
        return NULL;
    }
    dama_weights_hand_set(rules, &hand_set);
    player->setup = setup;
    player->book = book;
    player->judge = dama_searcher_new(rules, &hand_set, JUDGE_TABLE_KB, err);
    player->seats[0] = dama_seat_new(setup, 0, err);
    player->seats[1] = player->seats[0] ? dama_seat_new(setup, 1, err) : NULL;
    player->game = dama_game_new(rules, setup->draws, NULL);
    if (!player->judge || !player->seats[1] || !player->game) {
        dama_fail(err, DAMA_MEMORY, "no memory for a playing thread");
        dama_pair_player_free(player);
        return NULL;
    }
    return player;
}

void dama_pair_player_free(struct dama_pair_player *player)
{
    if (player) {
        dama_searcher_free(player->judge);
        dama_seat_free(player->seats[0]);
        dama_seat_free(player->seats[1]);
        dama_game_free(player->game);
        free(player);
    }
}

/* Between two moves: a stop lowers the ply cap, which ends the game here. */
static void watch_move(void *context, const struct dama_game *game, dama_move move, int score)
{
    struct dama_pair_player *player = context;
    (void)game;
    (void)move;
    (void)score;
    if (atomic_load(player->stop)) {
        player->adjudication.max_plies = 1;
    }
}

/* The contest's players by colour: A has `colour`, and each game has its own noise. */
static void take_seats(struct dama_pair_player *player, int colour, uint64_t game,
                       struct dama_player players[2])
{
    struct dama_rng rng = dama_rng_make(player->setup->seed, DAMA_RNG_SEAT, game);
    for (int i = 0; i < 2; i++) {
        dama_seat_begin(player->seats[i], dama_rng_next64(&rng), player->stop);
        players[i == 0 ? colour : !colour] =
            (struct dama_player){.choose = dama_seat_choose, .context = player->seats[i]};
    }
}

/* FNV-1a, from the start's own hash on. */
uint64_t dama_pair_hash_moves(const struct dama_game *game)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ game->plies[0].hash;
    for (int ply = 0; ply < game->ply; ply++) {
        for (int byte = 0; byte < 8; byte++) {
            hash = (hash ^ (game->plies[ply].move >> 8 * byte & 255)) * UINT64_C(0x100000001b3);
        }
    }
    return hash;
}

/* A forfeited game is told at once, on whichever rank it was played. */
static enum dama_fault find_fault(const struct dama_pair_player *player, uint64_t game)
{
    for (int i = 0; i < 2; i++) {
        enum dama_fault fault = dama_seat_fault(player->seats[i]);
        if (fault != DAMA_FAULT_NONE) {
            dama_log_warn("game %llu: %s (%s) has lost: %s, %s", (unsigned long long)game,
                          i == 0 ? "A" : "B", player->setup->players[i].name,
                          dama_fault_text(fault), dama_seat_fault_reason(player->seats[i]));
            return fault;
        }
    }
    return DAMA_FAULT_NONE;
}

/* Plays on from the opening in the game. */
static enum dama_status play_game(struct dama_pair_player *player, int64_t pair, int number,
                                  struct dama_pair_game *out, struct dama_error *err)
{
    struct dama_player players[2];
    uint64_t game_number = GAMES_OF_A_PAIR * (uint64_t)pair + (uint64_t)number;
    uint64_t noise = game_number + GAMES_OF_A_PAIR * (uint64_t)player->setup->first_pair;
    take_seats(player, dama_pair_colour(player->setup, number), noise, players);
    player->adjudication = (struct dama_adjudication){.max_plies = player->setup->max_plies};
    struct dama_contest_result result =
        dama_contest_play(player->game, players, &player->adjudication, watch_move, player);
    if (atomic_load(player->stop)) {
        return dama_fail(err, DAMA_STOPPED, "stopped on request");
    }
    if (result.status != DAMA_OK) {
        return dama_fail(err, result.status, "no memory for a game of %d plies", player->game->ply);
    }
    *out = (struct dama_pair_game){
        .hash = dama_pair_hash_moves(player->game),
        .plies = player->game->ply,
        .result = (int8_t)result.result,
        .termination = (uint8_t)result.termination,
        .reason = (uint8_t)result.reason,
        .fault = (uint8_t)find_fault(player, game_number),
    };
    return DAMA_OK;
}

/* Leaves the pair's opening played in the game. */
static uint64_t choose_opening(struct dama_pair_player *player, int64_t pair)
{
    const struct dama_match_setup *setup = player->setup;
    uint64_t seed = opening_seed(setup);
    uint64_t number = (uint64_t)(setup->first_pair + pair);
    if (setup->openings) {
        return dama_opening_set_choose(setup->openings, player->judge, seed, number, player->game);
    }
    const struct dama_opening_wish wish = {
        .seed = seed, .number = number, .high = setup->opening_window};
    return dama_opening_choose(player->book, player->judge, &wish, player->game);
}

static void repeat_opening(struct dama_pair_player *player, uint64_t opening)
{
    const struct dama_match_setup *setup = player->setup;
    uint64_t seed = opening_seed(setup);
    if (setup->openings) {
        dama_opening_set_play(setup->openings, seed, opening, player->game);
    } else {
        dama_opening_play(player->book, seed, opening, player->game);
    }
}

enum dama_status dama_pair_play(struct dama_pair_player *player, int64_t pair, bool with_moves,
                                atomic_bool *stop, struct dama_pair_record *record,
                                struct dama_error *err)
{
    const struct dama_match_setup *setup = player->setup;
    player->stop = stop;
    record->opening = choose_opening(player, pair);
    for (int g = 0; g < GAMES_OF_A_PAIR; g++) {
        if (g > 0) {
            repeat_opening(player, record->opening);
        }
        DAMA_TRY(play_game(player, pair, g, &record->games[g], err));
        dama_move *moves = record->moves + g * dama_pair_move_room(setup);
        for (int ply = 0; with_moves && ply < player->game->ply; ply++) {
            moves[ply] = player->game->plies[ply].move;
        }
    }
    return DAMA_OK;
}
