/* Counting pairs in order, the sequential test, distinct games, and the games as PDN. */
#include "eval/tally.h"

#include <stdlib.h>
#include <string.h>

#include "engine/cli/distinct.h"
#include "eval/match_pdn.h"

struct dama_tally {
    const struct dama_match_setup *setup;
    struct dama_match_result result;
    bool is_decided;
    int64_t next; /* the pair to be counted next */
    /* Records that wait for an earlier pair, by pair number; NULL: not there. */
    struct dama_pair_record **waiting;
    uint64_t *hashes; /* of the games counted */
    struct dama_match_pdn *pdn;
};

struct dama_tally *dama_tally_new(const struct dama_match_setup *setup, struct dama_error *err)
{
    struct dama_tally *tally = calloc(1, sizeof *tally);
    if (tally) {
        tally->setup = setup;
        tally->waiting = calloc((size_t)setup->pairs, sizeof(struct dama_pair_record *));
        tally->hashes = malloc(2 * (size_t)setup->pairs * sizeof *tally->hashes);
    }
    if (!tally || !tally->waiting || !tally->hashes) {
        dama_fail(err, DAMA_MEMORY, "no memory for %ld pairs of games", (long long)setup->pairs);
        dama_tally_free(tally);
        return NULL;
    }
    tally->result.has_sprt = setup->sprt != NULL;
    if (setup->pdn) {
        tally->pdn = dama_match_pdn_new(setup, err);
        if (!tally->pdn) {
            dama_tally_free(tally);
            return NULL;
        }
    }
    return tally;
}

void dama_tally_free(struct dama_tally *tally)
{
    if (!tally) {
        return;
    }
    for (int64_t i = tally->next; tally->waiting && i < tally->setup->pairs; i++) {
        free(tally->waiting[i]);
    }
    free(tally->waiting);
    free(tally->hashes);
    dama_match_pdn_free(tally->pdn);
    free(tally);
}

static void count_game(struct dama_tally *tally, const struct dama_pair_game *game, int result)
{
    struct dama_match_result *r = &tally->result;
    r->wdl.wins += result > 0;
    r->wdl.draws += result == 0;
    r->wdl.losses += result < 0;
    r->terminations[game->termination]++;
    r->faults[result < 0 ? 0 : 1][game->fault] += game->fault != DAMA_FAULT_NONE;
    r->plies += (uint64_t)game->plies;
    tally->hashes[r->games++] = game->hash;
}

static void count_pair(struct dama_tally *tally, const struct dama_pair_record *record)
{
    int results[2];
    for (int g = 0; g < 2; g++) {
        bool is_white = dama_pair_colour(tally->setup, g) == DAMA_WHITE;
        results[g] = is_white ? record->games[g].result : -record->games[g].result;
        count_game(tally, &record->games[g], results[g]);
    }
    tally->result.pairs.count[dama_pair_kind(results[0], results[1])]++;
    tally->result.twin_pairs += record->games[0].hash == record->games[1].hash;
    if (tally->setup->sprt) {
        tally->result.llr = dama_sprt_llr(tally->setup->sprt, &tally->result.pairs);
        tally->result.sprt = dama_sprt_judge(tally->setup->sprt, tally->result.llr);
        tally->is_decided = tally->result.sprt != DAMA_SPRT_RUNNING;
    }
}

enum dama_status dama_tally_add(struct dama_tally *tally, int64_t pair,
                                const struct dama_pair_record *record, struct dama_error *err)
{
    size_t size = dama_pair_record_size(tally->setup, dama_match_keeps_moves(tally->setup));
    struct dama_pair_record *copy = malloc(size);
    if (!copy) {
        return dama_fail(err, DAMA_MEMORY, "no memory for the record of a pair");
    }
    memcpy(copy, record, size);
    tally->waiting[pair] = copy;
    enum dama_status status = DAMA_OK;
    while (status == DAMA_OK && !tally->is_decided && tally->next < tally->setup->pairs &&
           tally->waiting[tally->next]) {
        struct dama_pair_record *now = tally->waiting[tally->next];
        count_pair(tally, now);
        if (tally->pdn) {
            status = dama_match_pdn_add(tally->pdn, tally->next, now, err);
        }
        free(now);
        tally->next++;
    }
    return status;
}

bool dama_tally_is_decided(const struct dama_tally *tally)
{
    return tally->is_decided;
}

const struct dama_match_result *dama_tally_result(const struct dama_tally *tally)
{
    return &tally->result;
}

enum dama_status dama_tally_finish(struct dama_tally *tally, struct dama_match_result *out,
                                   struct dama_error *err)
{
    tally->result.elo = dama_elo_of_pairs(&tally->result.pairs);
    tally->result.distinct_games = dama_count_distinct(tally->hashes, tally->result.games);
    *out = tally->result;
    struct dama_match_pdn *pdn = tally->pdn;
    tally->pdn = NULL;
    return dama_match_pdn_close(pdn, err);
}
