/* One game between two players, with resignation, adjudicated draws and the ply cap. */
#include "engine/contest.h"

#include <assert.h>
#include <stdlib.h>

/* Moves in a row that count towards an early end. */
struct rows {
    int losing[2]; /* own moves at resign_score or worse */
    int level;     /* scores of both sides within draw_score */
};

/* A choice: DAMA_SCORE_NONE when nothing was searched. */
struct choice {
    dama_move move;
    int score;
};

static struct choice choose(const struct dama_game *game, const struct dama_player *player)
{
    struct dama_move_list list;
    game->kernel->generate(game->rules, dama_game_position(game), &list);
    assert(list.count > 0);
    if (list.count == 1) {
        return (struct choice){.move = list.moves[0], .score = DAMA_SCORE_NONE};
    }
    if (player->choose) {
        return (struct choice){.move = player->choose(player->context, game),
                               .score = DAMA_SCORE_NONE};
    }
    if (player->level) {
        dama_move move = dama_level_move(player->level, player->searcher, game, player->seed);
        return (struct choice){.move = move, .score = DAMA_SCORE_NONE};
    }
    struct dama_search_result result;
    dama_searcher_search(player->searcher, game, &player->limits, &result);
    return (struct choice){.move = result.best, .score = result.score};
}

static void count_score(struct rows *rows, const struct dama_adjudication *adjudication,
                        const struct dama_game *game, int score)
{
    if (score == DAMA_SCORE_NONE) {
        return;
    }
    int side = (int)dama_game_position(game)->side;
    rows->losing[side] = score <= -adjudication->resign_score ? rows->losing[side] + 1 : 0;
    bool is_level = game->ply >= adjudication->draw_from && abs(score) <= adjudication->draw_score;
    rows->level = is_level ? rows->level + 1 : 0;
}

static bool is_resigned(const struct rows *rows, const struct dama_adjudication *adjudication,
                        int side)
{
    return adjudication->resign_score && rows->losing[side] &&
           rows->losing[side] >= adjudication->resign_plies;
}

static struct dama_contest_result lost(int side, enum dama_termination termination)
{
    return (struct dama_contest_result){.result = side == DAMA_WHITE ? -1 : 1,
                                        .termination = termination};
}

/* How the game stands before the next move: by its rules, else by adjudication. */
static struct dama_contest_result judge(const struct dama_game *game, const struct rows *rows,
                                        const struct dama_adjudication *adjudication)
{
    struct dama_game_state state = dama_game_state(game);
    struct dama_contest_result result = {
        .result = state.result,
        .termination = state.termination,
        .reason = state.reason,
    };
    if (state.termination != DAMA_END_ONGOING) {
        return result;
    }
    if (adjudication->draw_plies && rows->level >= adjudication->draw_plies) {
        result.termination = DAMA_END_ADJUDICATED;
    } else if (adjudication->max_plies && game->ply >= adjudication->max_plies) {
        result.termination = DAMA_END_PLY_CAP;
    }
    return result;
}

struct dama_contest_result dama_contest_play(struct dama_game *game,
                                             const struct dama_player players[2],
                                             const struct dama_adjudication *adjudication,
                                             dama_contest_watch watch, void *context)
{
    struct rows rows = {0};
    for (;;) {
        struct dama_contest_result result = judge(game, &rows, adjudication);
        if (result.termination != DAMA_END_ONGOING) {
            return result;
        }
        int side = (int)dama_game_position(game)->side;
        struct choice choice = choose(game, &players[side]);
        if (choice.move == DAMA_MOVE_NONE) {
            return lost(side, DAMA_END_FORFEITED);
        }
        count_score(&rows, adjudication, game, choice.score);
        if (is_resigned(&rows, adjudication, side)) {
            return lost(side, DAMA_END_RESIGNED);
        }
        if (watch) {
            watch(context, game, choice.move, choice.score);
        }
        result.status = dama_game_play(game, choice.move);
        if (result.status != DAMA_OK) {
            return result;
        }
    }
}
