/* Playing a ladder: rank 0 chooses who meets next, all ranks play. */
#include "eval/ladder.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cluster/comm.h"
#include "cluster/log.h"
#include "cluster/run_folder.h"
#include "engine/rng.h"
#include "eval/ladder_store.h"
#include "eval/opening_set.h"

/* What rank 0 tells all ranks. */
struct sitting {
    bool is_last; /* nothing is left to play */
    int a, b, number;
    int64_t before, pairs; /* of the bout, and of this sitting */
};

static void collect_bouts(const struct dama_ladder_setup *setup,
                          const struct dama_ladder_store *store, struct dama_ladder_result *result)
{
    result->bout_count = 0;
    memset(result->faults, 0, sizeof result->faults);
    result->games = result->distinct_games = result->most_pairs = 0;
    for (int a = 0; a < setup->player_count; a++) {
        for (int b = a + 1; b < setup->player_count; b++) {
            const struct dama_ladder_bout *bout = dama_ladder_store_bout(store, a, b);
            if (bout->sittings) {
                result->bouts[result->bout_count++] =
                    (struct dama_rating_bout){a, b, bout->wdl, bout->pairs};
                uint64_t pairs = dama_pairs_total(&bout->pairs);
                result->games += 2 * pairs;
                result->most_pairs = pairs > result->most_pairs ? pairs : result->most_pairs;
                result->distinct_games += bout->distinct_games;
                result->faults[a] += bout->faults[0];
                result->faults[b] += bout->faults[1];
            }
        }
    }
}

static struct dama_rating_table table_of(const struct dama_ladder_setup *setup,
                                         const struct dama_ladder_result *result)
{
    return (struct dama_rating_table){
        .players = setup->player_count,
        .anchor = setup->anchor,
        .bout_count = result->bout_count,
        .bouts = result->bouts,
        .seed = setup->seed,
    };
}

static double bar_of(const struct dama_rating *rating)
{
    return (rating->high - rating->low) / 2;
}

static enum dama_status rate(const struct dama_ladder_setup *setup,
                             const struct dama_ladder_store *store,
                             struct dama_ladder_result *result, struct dama_error *err)
{
    collect_bouts(setup, store, result);
    struct dama_rating_table table = table_of(setup, result);
    DAMA_TRY(dama_ratings_fit(&table, result->ratings, &result->nu, err));
    result->widest = 0;
    for (int i = 0; i < setup->player_count; i++) {
        result->widest = fmax(result->widest, bar_of(&result->ratings[i]));
    }
    return DAMA_OK;
}

/* The n-th sitting of two players is n times as long, so that far apart players, who need many
   games, need few sittings; the last one ends at the most that they may play. */
static struct sitting next_sitting(const struct dama_ladder_setup *setup,
                                   const struct dama_ladder_store *store, int a, int b)
{
    const struct dama_ladder_bout *bout = dama_ladder_store_bout(store, a, b);
    struct sitting sitting = {.a = a, .b = b, .number = bout->sittings};
    sitting.before = (int64_t)dama_pairs_total(&bout->pairs);
    sitting.pairs = (int64_t)setup->batch_pairs * (bout->sittings + 1);
    if (sitting.pairs > setup->pairs_max - sitting.before) {
        sitting.pairs = setup->pairs_max - sitting.before;
    }
    return sitting;
}

/* Two neighbours of the list that have not met; false when there are none. */
static bool find_strangers(const struct dama_ladder_setup *setup,
                           const struct dama_ladder_store *store, struct sitting *out)
{
    for (int i = 0; i + 1 < setup->player_count; i++) {
        if (dama_ladder_store_bout(store, i, i + 1)->sittings == 0) {
            *out = next_sitting(setup, store, i, i + 1);
            return true;
        }
    }
    return false;
}

static enum dama_status choose(const struct dama_ladder_setup *setup,
                               const struct dama_ladder_store *store,
                               struct dama_ladder_result *result, struct sitting *out,
                               struct dama_error *err)
{
    enum { CELLS = DAMA_RATING_PLAYERS_MAX * DAMA_RATING_PLAYERS_MAX };
    if (find_strangers(setup, store, out)) {
        return DAMA_OK;
    }
    DAMA_TRY(rate(setup, store, result, err));
    bool is_wide[DAMA_RATING_PLAYERS_MAX];
    bool is_open[CELLS] = {false};
    for (int a = 0; a < setup->player_count; a++) {
        is_wide[a] = bar_of(&result->ratings[a]) > setup->width;
        for (int b = a + 1; b < setup->player_count; b++) {
            const struct dama_ladder_bout *bout = dama_ladder_store_bout(store, a, b);
            is_open[a * setup->player_count + b] =
                (int64_t)dama_pairs_total(&bout->pairs) < setup->pairs_max;
        }
    }
    struct dama_rating_table table = table_of(setup, result);
    int bout[2] = {0, 0};
    bool is_found = dama_ratings_next(&table, is_wide, is_open, setup->batch_pairs, bout);
    *out =
        is_found ? next_sitting(setup, store, bout[0], bout[1]) : (struct sitting){.is_last = true};
    return DAMA_OK;
}

/* FNV-1a over both names: a sitting's openings depend on who meets, not on who else is there. */
static uint64_t hash_names(const char *a, const char *b)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    const char *names[] = {a, "\n", b};
    for (int i = 0; i < 3; i++) {
        for (const char *c = names[i]; *c; c++) {
            hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
        }
    }
    return hash;
}

/* A name as part of a file's name: letters and digits stay. */
static void add_file_name(char out[DAMA_LADDER_NAME_SIZE], const char *name)
{
    size_t length = 0;
    for (const char *c = name; *c && length + 1 < DAMA_LADDER_NAME_SIZE / 4; c++) {
        out[length++] = isalnum((unsigned char)*c) ? *c : '_';
    }
    out[length] = 0;
}

static enum dama_status play(const struct dama_ladder_setup *setup, const struct sitting *sitting,
                             struct dama_match_result *result, struct dama_error *err)
{
    const struct dama_ladder_player *a = &setup->players[sitting->a];
    const struct dama_ladder_player *b = &setup->players[sitting->b];
    struct dama_match_setup match = setup->match;
    /* All sittings of a bout go through a list in one order: no opening comes twice before all have
       come once. */
    bool is_list = match.openings && dama_opening_set_is_list(match.openings);
    struct dama_rng rng =
        dama_rng_make(setup->seed, DAMA_RNG_SITTING,
                      hash_names(a->name, b->name) + (is_list ? 0 : (uint64_t)sitting->number));
    char names[2][DAMA_LADDER_NAME_SIZE];
    char pdn[PATH_MAX];
    add_file_name(names[0], a->name);
    add_file_name(names[1], b->name);
    snprintf(pdn, sizeof pdn, "%s/games/%s-%s-%03d.pdn", setup->folder, names[0], names[1],
             sitting->number);
    match.players[0] = a->seat;
    match.players[1] = b->seat;
    match.first_pair = is_list ? sitting->before : 0;
    match.pairs = sitting->pairs;
    match.seed = dama_rng_next64(&rng);
    match.pdn = pdn;
    match.is_quiet = true;
    return dama_match_run(&match, result, err);
}

static void report(const struct dama_ladder_setup *setup, const struct sitting *sitting,
                   const struct dama_match_result *played, const struct dama_ladder_result *result)
{
    char before[64] = "";
    /* Until each has met the next there is no rating, nor a bar. */
    if (result->games > 0) {
        snprintf(before, sizeof before, "; %llu games, widest error bar before +-%.0f Elo",
                 (unsigned long long)result->games, result->widest);
    }
    dama_log_info("%s - %s: +%llu =%llu -%llu%s", setup->players[sitting->a].name,
                  setup->players[sitting->b].name, (unsigned long long)played->wdl.wins,
                  (unsigned long long)played->wdl.draws, (unsigned long long)played->wdl.losses,
                  before);
}

/* Collective but for the store, which is rank 0's and NULL elsewhere. */
static enum dama_status play_all(const struct dama_ladder_setup *setup,
                                 struct dama_ladder_store *store, struct dama_ladder_result *result,
                                 struct dama_error *err)
{
    for (;;) {
        struct sitting sitting = {0};
        struct dama_match_result played;
        DAMA_TRY(
            dama_comm_agree(store ? choose(setup, store, result, &sitting, err) : DAMA_OK, err));
        dama_comm_broadcast(&sitting, sizeof sitting);
        if (sitting.is_last) {
            return DAMA_OK;
        }
        DAMA_TRY(play(setup, &sitting, &played, err));
        DAMA_TRY(dama_comm_agree(
            store ? dama_ladder_store_add(store, sitting.a, sitting.b, &played, err) : DAMA_OK,
            err));
        if (store) {
            report(setup, &sitting, &played, result);
        }
    }
}

static enum dama_status open_folder(const struct dama_ladder_setup *setup,
                                    struct dama_ladder_store **store, struct dama_error *err)
{
    char games[PATH_MAX];
    if (dama_comm_rank() != 0) {
        return DAMA_OK;
    }
    DAMA_TRY(dama_run_lock(setup->folder, err));
    snprintf(games, sizeof games, "%s/games", setup->folder);
    DAMA_TRY(dama_folder_make(games, err));
    *store = dama_ladder_store_open(setup, err);
    return err->status;
}

enum dama_status dama_ladder_run(const struct dama_ladder_setup *setup,
                                 struct dama_ladder_result *result, struct dama_error *err)
{
    struct dama_ladder_store *store = NULL;
    memset(result, 0, sizeof *result);
    enum dama_status status = dama_comm_agree(open_folder(setup, &store, err), err);
    if (status == DAMA_OK) {
        status = play_all(setup, store, result, err);
    }
    dama_ladder_store_free(store);
    if (dama_comm_rank() == 0) {
        dama_run_unlock();
    }
    return status;
}
