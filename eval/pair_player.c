/* Players of one thread: openings, limits, clocks and the games of a pair. */
#include "eval/pair_player.h"

#include <stdlib.h>

#include "cluster/run_folder.h"
#include "engine/rng.h"

enum {
    JUDGE_TABLE_KB = 256,
    /* Numbers of the seed's match streams: game numbers from below, the openings' seed at the top.
     */
    GAMES_OF_A_PAIR = 2,
};
static const uint64_t opening_stream = UINT64_MAX;

struct side {
    struct dama_searcher *searcher;
    struct dama_level level; /* with the limits of the match */
    int64_t time_ms;
};

struct dama_pair_player {
    const struct dama_match_setup *setup;
    const struct dama_opening_book *book;
    struct dama_searcher *judge; /* of openings: a table of neither side, so that they are fair */
    struct side sides[2];
    struct dama_game *game;
    /* While a game is played. */
    struct dama_adjudication adjudication;
    atomic_bool *stop;
    double move_started;
    int64_t move_ms[2]; /* limit of White's and Black's moves; 0: none */
    int side_to_move;
};

int dama_pair_move_room(const struct dama_match_setup *setup)
{
    return setup->max_plies > setup->random_plies ? setup->max_plies : setup->random_plies;
}

size_t dama_pair_record_size(const struct dama_match_setup *setup, bool with_moves)
{
    size_t moves = with_moves ? GAMES_OF_A_PAIR * (size_t)dama_pair_move_room(setup) : 0;
    return sizeof(struct dama_pair_record) + moves * sizeof(dama_move);
}

uint64_t dama_pair_opening_seed(const struct dama_match_setup *setup)
{
    struct dama_rng rng = dama_rng_make(setup->seed, DAMA_RNG_MATCH, opening_stream);
    return dama_rng_next64(&rng);
}

int dama_pair_colour(const struct dama_match_setup *setup, int game)
{
    int first = (int)setup->ruleset->rules.first_mover;
    return game == 0 ? first : !first;
}

static struct side side_new(const struct dama_match_setup *setup,
                            const struct dama_match_player *player, struct dama_error *err)
{
    struct side side = {
        .searcher =
            dama_searcher_new(&setup->ruleset->rules, player->weights, setup->table_kb, err),
        .time_ms = player->time_ms,
    };
    if (player->level) {
        side.level = *player->level;
        if (!dama_level_is_partner(player->level) && (player->nodes || player->depth)) {
            side.level.nodes = player->nodes;
            side.level.depth = player->depth;
        }
    }
    return side;
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
    player->sides[0] = side_new(setup, &setup->players[0], err);
    player->sides[1] = side_new(setup, &setup->players[1], err);
    player->game = dama_game_new(rules, setup->draws, NULL);
    if (!player->judge || !player->sides[0].searcher || !player->sides[1].searcher ||
        !player->game) {
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
        dama_searcher_free(player->sides[0].searcher);
        dama_searcher_free(player->sides[1].searcher);
        dama_game_free(player->game);
        free(player);
    }
}

static bool stop_search(void *context)
{
    struct dama_pair_player *player = context;
    int64_t limit = player->move_ms[player->side_to_move];
    return atomic_load(player->stop) ||
           (limit && (dama_clock() - player->move_started) * 1000 >= (double)limit);
}

/* Between two moves: starts the next clock. A stop lowers the ply cap, which ends the game here. */
static void watch_move(void *context, const struct dama_game *game, dama_move move, int score)
{
    struct dama_pair_player *player = context;
    (void)move;
    (void)score;
    player->side_to_move = (int)!dama_game_position(game)->side;
    player->move_started = dama_clock();
    if (atomic_load(player->stop)) {
        player->adjudication.max_plies = 1;
    }
}

/* The contest's players by colour: A has `colour`, and each game has its own noise. */
static void seat(struct dama_pair_player *player, int colour, uint64_t game,
                 struct dama_player seats[2])
{
    struct dama_rng rng = dama_rng_make(player->setup->seed, DAMA_RNG_MATCH, game);
    for (int i = 0; i < 2; i++) {
        const struct dama_match_player *from = &player->setup->players[i];
        int at = i == 0 ? colour : !colour;
        seats[at] = (struct dama_player){
            .searcher = player->sides[i].searcher,
            .level = from->level ? &player->sides[i].level : NULL,
            .limits = {.depth = from->depth,
                       .nodes = from->nodes,
                       .stop = stop_search,
                       .context = player},
            .seed = dama_rng_next64(&rng),
        };
        dama_searcher_clear(player->sides[i].searcher);
        player->move_ms[at] = player->sides[i].time_ms;
    }
}

/* FNV-1a over the moves: games with the same moves are one game. */
static uint64_t hash_moves(const struct dama_game *game)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int ply = 0; ply < game->ply; ply++) {
        for (int byte = 0; byte < 8; byte++) {
            hash = (hash ^ (game->plies[ply].move >> 8 * byte & 255)) * UINT64_C(0x100000001b3);
        }
    }
    return hash;
}

/* Plays on from the opening in the game. */
static enum dama_status play_game(struct dama_pair_player *player, int64_t pair, int number,
                                  struct dama_pair_game *out, struct dama_error *err)
{
    struct dama_player seats[2];
    uint64_t game_number = GAMES_OF_A_PAIR * (uint64_t)pair + (uint64_t)number;
    seat(player, dama_pair_colour(player->setup, number), game_number, seats);
    player->adjudication = (struct dama_adjudication){.max_plies = player->setup->max_plies};
    player->side_to_move = (int)dama_game_position(player->game)->side;
    player->move_started = dama_clock();
    struct dama_contest_result result =
        dama_contest_play(player->game, seats, &player->adjudication, watch_move, player);
    if (atomic_load(player->stop)) {
        return dama_fail(err, DAMA_STOPPED, "stopped on request");
    }
    if (result.status != DAMA_OK) {
        return dama_fail(err, result.status, "no memory for a game of %d plies", player->game->ply);
    }
    *out = (struct dama_pair_game){
        .hash = hash_moves(player->game),
        .plies = player->game->ply,
        .result = (int8_t)result.result,
        .termination = (uint8_t)result.termination,
        .reason = (uint8_t)result.reason,
    };
    return DAMA_OK;
}

enum dama_status dama_pair_play(struct dama_pair_player *player, int64_t pair, bool with_moves,
                                atomic_bool *stop, struct dama_pair_record *record,
                                struct dama_error *err)
{
    const struct dama_match_setup *setup = player->setup;
    uint64_t seed = dama_pair_opening_seed(setup);
    player->stop = stop;
    record->opening = dama_opening_choose(player->book, player->judge, seed, (uint64_t)pair,
                                          setup->opening_window, player->game);
    for (int g = 0; g < GAMES_OF_A_PAIR; g++) {
        if (g > 0) {
            dama_opening_play(player->book, seed, record->opening, player->game);
        }
        DAMA_TRY(play_game(player, pair, g, &record->games[g], err));
        dama_move *moves = record->moves + g * dama_pair_move_room(setup);
        for (int ply = 0; with_moves && ply < player->game->ply; ply++) {
            moves[ply] = player->game->plies[ply].move;
        }
    }
    return DAMA_OK;
}
