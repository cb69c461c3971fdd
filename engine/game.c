/* A game in play: its plies, repetition, and what ends it. */
#include "engine/game.h"

#include <assert.h>
#include <stdlib.h>

/* Room for a game of the usual ply cap, so that most games never grow. */
enum { FIRST_CAPACITY = 512 };

const char *dama_termination_text(enum dama_termination termination)
{
    static const char *const texts[] = {
#define X(name, text) text,
        DAMA_TERMINATIONS(X)
#undef X
    };
    return texts[termination];
}

struct dama_game *dama_game_new(const struct dama_rules *rules, enum dama_draw_rules draws,
                                const struct dama_position *start)
{
    struct dama_game *game = calloc(1, sizeof *game);
    if (!game) {
        return NULL;
    }
    game->plies = calloc(FIRST_CAPACITY, sizeof *game->plies);
    if (!game->plies) {
        free(game);
        return NULL;
    }
    game->rules = rules;
    game->kernel = dama_kernel_find(rules);
    game->draws = draws;
    game->capacity = FIRST_CAPACITY;
    dama_game_reset(game, start);
    return game;
}

void dama_game_free(struct dama_game *game)
{
    if (game) {
        free(game->plies);
        free(game);
    }
}

void dama_game_reset(struct dama_game *game, const struct dama_position *start)
{
    struct dama_position position = start ? *start : dama_position_start(game->rules);
    game->ply = 0;
    game->plies[0] = (struct dama_game_ply){
        .position = position,
        .counts = dama_draw_start(game->rules, game->draws, &position),
        .hash = dama_position_hash(&position),
    };
}

static inline bool is_legal(const struct dama_game *game, dama_move move)
{
    struct dama_move_list list;
    game->kernel->generate(game->rules, dama_game_position(game), &list);
    for (int i = 0; i < list.count; i++) {
        if (list.moves[i] == move) {
            return true;
        }
    }
    return false;
}

/* The ply behind a legal move. */
static struct dama_game_ply ply_after(const struct dama_game *game, dama_move move)
{
    const struct dama_game_ply *now = &game->plies[game->ply];
    struct dama_position after = game->kernel->make(game->rules, &now->position, move);
    return (struct dama_game_ply){
        .position = after,
        .counts =
            dama_draw_update(game->rules, game->draws, now->counts, &now->position, &after, move),
        .hash = dama_position_hash(&after),
    };
}

enum dama_status dama_game_play(struct dama_game *game, dama_move move)
{
    assert(is_legal(game, move));
    if (game->ply + 1 == game->capacity) {
        struct dama_game_ply *plies =
            realloc(game->plies, 2 * (size_t)game->capacity * sizeof *plies);
        if (!plies) {
            return DAMA_MEMORY;
        }
        game->plies = plies;
        game->capacity *= 2;
    }
    struct dama_game_ply next = ply_after(game, move);
    game->plies[game->ply].move = move;
    game->plies[++game->ply] = next;
    return DAMA_OK;
}

void dama_game_undo(struct dama_game *game)
{
    assert(game->ply > 0);
    game->ply--;
    game->plies[game->ply].move = DAMA_MOVE_NONE;
}

/* Times the position of `now`, the game's ply number `at` or one that could follow, occurred. */
static int count_occurrences(const struct dama_game *game, int at, const struct dama_game_ply *now)
{
    int first = at - now->counts.king;
    int count = 1;
    for (int ply = at - 2; ply >= 0 && ply >= first; ply -= 2) {
        const struct dama_game_ply *then = &game->plies[ply];
        count += then->hash == now->hash && dama_position_equal(&then->position, &now->position);
    }
    return count;
}

int dama_game_occurrences(const struct dama_game *game)
{
    return count_occurrences(game, game->ply, &game->plies[game->ply]);
}

static struct dama_game_state state_of(const struct dama_game *game, int at,
                                       const struct dama_game_ply *now)
{
    if (!game->kernel->has_move(game->rules, &now->position)) {
        return (struct dama_game_state){
            .termination = DAMA_END_NO_MOVE,
            .result = now->position.side == DAMA_WHITE ? -1 : 1,
        };
    }
    enum dama_draw_reason reason = dama_draw_by_count(game->rules, game->draws, &now->counts);
    if (reason) {
        return (struct dama_game_state){.termination = DAMA_END_DRAW_RULE, .reason = reason};
    }
    int repetitions = dama_draw_repetitions(game->rules, game->draws);
    if (repetitions && count_occurrences(game, at, now) >= repetitions) {
        return (struct dama_game_state){
            .termination = DAMA_END_REPETITION,
            .reason = DAMA_DRAW_REPETITION,
        };
    }
    return (struct dama_game_state){.termination = DAMA_END_ONGOING};
}

struct dama_game_state dama_game_state(const struct dama_game *game)
{
    return state_of(game, game->ply, &game->plies[game->ply]);
}

bool dama_game_draws_at_once(const struct dama_game *game, dama_move move)
{
    struct dama_game_ply next = ply_after(game, move);
    return state_of(game, game->ply + 1, &next).reason != DAMA_DRAW_NONE;
}
