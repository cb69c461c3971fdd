/* The report of a ladder. */
#include "eval/ladder_report.h"

#include <inttypes.h>
#include <stdio.h>

#include "engine/cli/json.h"

/* All games of a player, counted for it. */
static struct dama_wdl games_of(const struct dama_ladder_result *result, int player)
{
    struct dama_wdl sum = {0};
    for (int i = 0; i < result->bout_count; i++) {
        const struct dama_rating_bout *bout = &result->bouts[i];
        bool is_a = bout->a == player;
        if (is_a || bout->b == player) {
            sum.wins += is_a ? bout->wdl.wins : bout->wdl.losses;
            sum.draws += bout->wdl.draws;
            sum.losses += is_a ? bout->wdl.losses : bout->wdl.wins;
        }
    }
    return sum;
}

/* Players from the strongest down; equal ones in the order of the list. */
static void sort_players(const struct dama_ladder_setup *setup,
                         const struct dama_ladder_result *result, int order[])
{
    for (int i = 0; i < setup->player_count; i++) {
        int at = i;
        for (; at > 0 && result->ratings[order[at - 1]].elo < result->ratings[i].elo; at--) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100 * (double)part / (double)whole : 0;
}

void dama_ladder_print(const struct dama_ladder_setup *setup,
                       const struct dama_ladder_result *result)
{
    int order[DAMA_RATING_PLAYERS_MAX];
    sort_players(setup, result, order);
    printf("ladder     %s, draw rules %s, %" PRIu64 " games, %" PRIu64
           " distinct within their sittings\n",
           setup->match.ruleset->rules.name, dama_draw_rules_text(setup->match.draws),
           result->games, result->distinct_games);
    printf("model      Davidson: 400 log10 of the odds win to loss, draw parameter %.3f; %s is 0; "
           "95 %% intervals\n",
           result->nu, setup->players[setup->anchor].name);
    printf("rank  %8s  %7s  %19s  %6s  %7s  %7s  player\n", "Elo", "+-", "interval", "games",
           "score", "draws");
    for (int i = 0; i < setup->player_count; i++) {
        const struct dama_ladder_player *player = &setup->players[order[i]];
        const struct dama_rating *rating = &result->ratings[order[i]];
        struct dama_wdl games = games_of(result, order[i]);
        uint64_t total = games.wins + games.draws + games.losses;
        printf("%4d  %+8.1f  %7.1f  %+8.1f..%+9.1f  %6" PRIu64 "  %5.1f %%  %5.1f %%  %s (%s)\n",
               i + 1, rating->elo, (rating->high - rating->low) / 2, rating->low, rating->high,
               total, percent(2 * games.wins + games.draws, 2 * total), percent(games.draws, total),
               player->name, player->identity);
    }
    for (int i = 0; i < setup->player_count; i++) {
        if (result->faults[order[i]]) {
            printf("faults     %s has lost %" PRIu64 " games by what it did wrong: its rating is "
                   "not that of its moves\n",
                   setup->players[order[i]].name, result->faults[order[i]]);
        }
    }
}

static void print_json_player(const struct dama_ladder_setup *setup,
                              const struct dama_ladder_result *result, int player)
{
    const struct dama_rating *rating = &result->ratings[player];
    struct dama_wdl games = games_of(result, player);
    printf("{\"name\":");
    dama_json_string(stdout, setup->players[player].name);
    printf(",\"is\":");
    dama_json_string(stdout, setup->players[player].identity);
    printf(",\"elo\":%.2f,\"elo_low\":%.2f,\"elo_high\":%.2f,\"wins\":%" PRIu64
           ",\"draws\":%" PRIu64 ",\"losses\":%" PRIu64 ",\"faults\":%" PRIu64 "}",
           rating->elo, rating->low, rating->high, games.wins, games.draws, games.losses,
           result->faults[player]);
}

static void print_json_bout(const struct dama_ladder_setup *setup,
                            const struct dama_rating_bout *bout)
{
    const uint64_t *pairs = bout->pairs.count;
    printf("{\"a\":");
    dama_json_string(stdout, setup->players[bout->a].name);
    printf(",\"b\":");
    dama_json_string(stdout, setup->players[bout->b].name);
    printf(",\"wins\":%" PRIu64 ",\"draws\":%" PRIu64 ",\"losses\":%" PRIu64 ",\"pairs\":[%" PRIu64
           ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]}",
           bout->wdl.wins, bout->wdl.draws, bout->wdl.losses, pairs[0], pairs[1], pairs[2],
           pairs[3], pairs[4]);
}

void dama_ladder_print_json(const struct dama_ladder_setup *setup,
                            const struct dama_ladder_result *result)
{
    int order[DAMA_RATING_PLAYERS_MAX];
    sort_players(setup, result, order);
    printf("{\"variant\":");
    dama_json_string(stdout, setup->match.ruleset->rules.name);
    printf(",\"model\":\"davidson\",\"nu\":%.4f,\"anchor\":", result->nu);
    dama_json_string(stdout, setup->players[setup->anchor].name);
    printf(",\"games\":%" PRIu64 ",\"distinct_games\":%" PRIu64 ",\"widest\":%.2f,\"players\":[",
           result->games, result->distinct_games, result->widest);
    for (int i = 0; i < setup->player_count; i++) {
        printf("%s", i ? "," : "");
        print_json_player(setup, result, order[i]);
    }
    printf("],\"bouts\":[");
    for (int i = 0; i < result->bout_count; i++) {
        printf("%s", i ? "," : "");
        print_json_bout(setup, &result->bouts[i]);
    }
    printf("]}\n");
}
