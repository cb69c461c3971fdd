/* The report of a match. */
#include "eval/match_report.h"

#include <inttypes.h>
#include <stdio.h>

#include "eval/opening_set.h"

enum { LIMIT_SIZE = 96 };

static void describe_limits(const struct dama_match_player *player, char out[LIMIT_SIZE])
{
    const struct dama_level *level = player->level;
    bool is_own = level && (dama_level_is_partner(level) || (!player->nodes && !player->depth));
    if (level && level->random_in == 1) {
        snprintf(out, LIMIT_SIZE, "any legal move");
        return;
    }
    uint64_t nodes = is_own ? level->nodes : player->nodes;
    int depth = is_own ? level->depth : player->depth;
    int length = snprintf(out, LIMIT_SIZE, "%s", level ? "level, " : "");
    if (nodes) {
        length += snprintf(out + length, LIMIT_SIZE - (size_t)length, "%" PRIu64 " nodes ", nodes);
    }
    if (depth) {
        length += snprintf(out + length, LIMIT_SIZE - (size_t)length, "depth %d ", depth);
    }
    if (player->time_ms) {
        length +=
            snprintf(out + length, LIMIT_SIZE - (size_t)length, "%" PRId64 " ms ", player->time_ms);
    }
    if (player->clock_ms) {
        length += snprintf(out + length, LIMIT_SIZE - (size_t)length, "clock %g s + %g s ",
                           (double)player->clock_ms / 1000, (double)player->inc_ms / 1000);
    }
    snprintf(out + length, LIMIT_SIZE - (size_t)length, "a move");
}

static void print_settings(const struct dama_match_setup *setup)
{
    static const char *const labels[] = {"A", "B"};
    for (int i = 0; i < 2; i++) {
        char limits[LIMIT_SIZE];
        describe_limits(&setup->players[i], limits);
        printf("%s          %s (%s)\n", labels[i], setup->players[i].name, limits);
    }
    printf("settings   %s, draw rules %s, at most %" PRId64 " pairs, seed %" PRIu64
           ", cap %d plies, table %zu KiB\n",
           setup->ruleset->rules.name, dama_draw_rules_text(setup->draws), setup->pairs,
           setup->seed, setup->max_plies, setup->table_kb);
    if (setup->openings) {
        printf("openings   %s\n", dama_opening_set_text(setup->openings));
    } else {
        printf("openings   %d random plies, window %d\n", setup->random_plies,
               setup->opening_window);
    }
}

static void print_games(const struct dama_match_result *r)
{
    printf("games      %" PRIu64 ", %" PRIu64 " distinct, %.1f plies on average; ended by",
           r->games, r->distinct_games, r->games ? (double)r->plies / (double)r->games : 0);
    const char *separator = "";
    for (int i = 0; i <= DAMA_END_FORFEITED; i++) {
        if (r->terminations[i]) {
            printf("%s %s %" PRIu64, separator, dama_termination_text((enum dama_termination)i),
                   r->terminations[i]);
            separator = ",";
        }
    }
    printf("\n");
}

/* A player's faults by name; nothing when it has none. */
static void print_faults(const struct dama_match_setup *setup, const struct dama_match_result *r)
{
    for (int i = 0; i < 2; i++) {
        const char *separator = "";
        for (int fault = DAMA_FAULT_NONE + 1; fault < DAMA_FAULT_COUNT; fault++) {
            if (!r->faults[i][fault]) {
                continue;
            }
            if (!*separator) {
                printf("faults     %c (%s), each a lost game:", 'A' + i, setup->players[i].name);
            }
            printf("%s %s %" PRIu64, separator, dama_fault_text((enum dama_fault)fault),
                   r->faults[i][fault]);
            separator = ",";
        }
        if (*separator) {
            printf("\n");
        }
    }
}

void dama_match_print(const struct dama_match_setup *setup, const struct dama_match_result *r)
{
    const uint64_t *pairs = r->pairs.count;
    print_settings(setup);
    printf("result     A won %" PRIu64 ", drew %" PRIu64 ", lost %" PRIu64 "\n", r->wdl.wins,
           r->wdl.draws, r->wdl.losses);
    printf("pairs      LL %" PRIu64 ", LD %" PRIu64 ", DD or WL %" PRIu64 ", WD %" PRIu64
           ", WW %" PRIu64 "\n",
           pairs[0], pairs[1], pairs[2], pairs[3], pairs[4]);
    printf("Elo        %+.1f +- %.1f (95 %% interval %+.1f to %+.1f, logistic, from the pairs)\n",
           r->elo.elo, (r->elo.high - r->elo.low) / 2, r->elo.low, r->elo.high);
    struct dama_elo normalised = dama_normalised_elo_of_pairs(&r->pairs);
    printf("nElo       %+.1f +- %.1f (95 %% interval %+.1f to %+.1f, normalised, from the pairs)\n",
           normalised.elo, (normalised.high - normalised.low) / 2, normalised.low, normalised.high);
    printf("superior   %.1f %% (likelihood that A is the stronger)\n",
           100 * dama_superiority_of_pairs(&r->pairs));
    if (r->has_sprt) {
        const struct dama_sprt *sprt = setup->sprt;
        printf("LLR        %.2f in (%.2f, %.2f), H0 %.1f against H1 %.1f in %s Elo, alpha %g, "
               "beta %g: %s\n",
               r->llr, dama_sprt_lower(sprt), dama_sprt_upper(sprt), sprt->elo0, sprt->elo1,
               dama_elo_model_text(sprt->model), sprt->alpha, sprt->beta,
               dama_sprt_state_text(r->sprt));
    }
    if (r->is_stopped) {
        printf("stopped    by hand after %" PRIu64 " of %" PRId64
               " pairs: no result of the match as it was planned\n",
               dama_pairs_total(&r->pairs), setup->pairs);
    }
    print_games(r);
    print_faults(setup, r);
    if (dama_match_is_timed(setup)) {
        printf(
            "clock      moves were limited by time: the result depends on the machine and cannot "
            "be reproduced\n");
    }
    printf("time       %.1f s\n", r->seconds);
}

/* Faults by name of both players; nothing when there were none at all. */
static void print_json_faults(const struct dama_match_result *r)
{
    uint64_t all = 0;
    for (int fault = 0; fault < DAMA_FAULT_COUNT; fault++) {
        all += r->faults[0][fault] + r->faults[1][fault];
    }
    for (int i = 0; all && i < 2; i++) {
        const char *separator = "";
        printf("%s", i == 0 ? ",\"faults\":{\"a\":{" : ",\"b\":{");
        for (int fault = 0; fault < DAMA_FAULT_COUNT; fault++) {
            if (r->faults[i][fault]) {
                printf("%s\"%s\":%" PRIu64, separator, dama_fault_text((enum dama_fault)fault),
                       r->faults[i][fault]);
                separator = ",";
            }
        }
        printf("%s", i == 0 ? "}" : "}}");
    }
}

/* What the sequential test was: its numbers mean nothing without the model. */
static void print_json_sprt(const struct dama_match_setup *setup, const struct dama_match_result *r)
{
    static const char *const decisions[] = {"null", "\"h0\"", "\"h1\""};
    const struct dama_sprt *sprt = setup->sprt;
    if (r->has_sprt) {
        printf(",\"sprt\":{\"model\":\"%s\",\"elo0\":%g,\"elo1\":%g,\"alpha\":%g,\"beta\":%g,"
               "\"decision\":%s}",
               dama_elo_model_text(sprt->model), sprt->elo0, sprt->elo1, sprt->alpha, sprt->beta,
               decisions[r->sprt]);
    }
}

void dama_match_print_json(const struct dama_match_setup *setup, const struct dama_match_result *r)
{
    const uint64_t *pairs = r->pairs.count;
    printf("{\"wins\":%" PRIu64 ",\"draws\":%" PRIu64 ",\"losses\":%" PRIu64 ",\"pairs\":[%" PRIu64
           ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]",
           r->wdl.wins, r->wdl.draws, r->wdl.losses, pairs[0], pairs[1], pairs[2], pairs[3],
           pairs[4]);
    printf(",\"elo\":%.2f,\"elo_low\":%.2f,\"elo_high\":%.2f", r->elo.elo, r->elo.low, r->elo.high);
    if (r->has_sprt) {
        printf(",\"llr\":%.3f", r->llr);
    } else {
        printf(",\"llr\":null");
    }
    struct dama_elo normalised = dama_normalised_elo_of_pairs(&r->pairs);
    print_json_sprt(setup, r);
    printf(",\"nelo\":%.2f,\"nelo_low\":%.2f,\"nelo_high\":%.2f,\"superiority\":%.4f",
           normalised.elo, normalised.low, normalised.high, dama_superiority_of_pairs(&r->pairs));
    printf(",\"distinct_games\":%" PRIu64 ",\"stopped\":%s", r->distinct_games,
           r->is_stopped ? "true" : "false");
    print_json_faults(r);
    printf("}\n");
}
