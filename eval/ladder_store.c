/* The ladder's results as JSON lines. */
#include "eval/ladder_store.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cluster/run_folder.h"

enum { FILE_BYTES_MAX = 1 << 28, PAIRS_MAX = 1 << 30 };

struct dama_ladder_store {
    const struct dama_ladder_setup *setup;
    char path[PATH_MAX];
    bool has_request;
    bool is_known[DAMA_RATING_PLAYERS_MAX]; /* has its line */
    struct dama_ladder_bout bouts[DAMA_RATING_PLAYERS_MAX][DAMA_RATING_PLAYERS_MAX];
};

static int find_player(const struct dama_ladder_setup *setup, const char *name)
{
    for (int i = 0; i < setup->player_count; i++) {
        if (strcmp(setup->players[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static enum dama_status check_request(struct dama_ladder_store *store, const json_t *stored,
                                      struct dama_error *err)
{
    json_t *asked = json_loads(store->setup->request, 0, NULL);
    const char *key;
    json_t *value;
    if (!asked) {
        return dama_fail(err, DAMA_MEMORY, "no memory for the request of a ladder");
    }
    json_object_foreach(asked, key, value)
    {
        const char *old = json_string_value(json_object_get(stored, key));
        if (!old || strcmp(old, json_string_value(value)) != 0) {
            dama_fail(err, DAMA_MISMATCH, "%s: %s is stored as '%s', this run has '%s'",
                      store->path, key, old ? old : "", json_string_value(value));
        }
    }
    json_t *other;
    json_object_foreach((json_t *)stored, key, other)
    {
        if (!json_object_get(asked, key)) {
            dama_fail(err, DAMA_MISMATCH, "%s: %s is stored as '%s', this run has none",
                      store->path, key, json_string_value(other));
        }
    }
    json_decref(asked);
    store->has_request = true;
    return err->status;
}

static enum dama_status read_player(struct dama_ladder_store *store, const char *name,
                                    const char *identity, struct dama_error *err)
{
    int player = find_player(store->setup, name);
    if (player < 0) {
        return DAMA_OK;
    }
    const char *asked = store->setup->players[player].identity;
    if (strcmp(identity, asked) != 0) {
        return dama_fail(err, DAMA_MISMATCH,
                         "%s: player '%s' is stored as %s, found %s; a new folder takes both",
                         store->path, name, identity, asked);
    }
    store->is_known[player] = true;
    return DAMA_OK;
}

static void count_sitting(struct dama_ladder_bout *bout, const struct dama_wdl *wdl,
                          const struct dama_pairs *pairs, uint64_t distinct)
{
    bout->sittings++;
    bout->distinct_games += distinct;
    bout->wdl.wins += wdl->wins;
    bout->wdl.draws += wdl->draws;
    bout->wdl.losses += wdl->losses;
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        bout->pairs.count[i] += pairs->count[i];
    }
}

/* Whether the pairs can be made of the games. */
static bool is_count(const json_int_t wdl[3], const json_int_t pairs[DAMA_PAIR_KINDS],
                     json_int_t distinct)
{
    json_int_t total = 0, half_points = 0;
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        if (pairs[i] < 0 || pairs[i] > PAIRS_MAX) {
            return false;
        }
        total += pairs[i];
        half_points += i * pairs[i];
    }
    for (int i = 0; i < 3; i++) {
        if (wdl[i] < 0 || wdl[i] > 2 * total) {
            return false;
        }
    }
    json_int_t level_draws = wdl[1] - pairs[1] - pairs[3];
    return total > 0 && wdl[0] + wdl[1] + wdl[2] == 2 * total &&
           2 * wdl[0] + wdl[1] == half_points && level_draws >= 0 && level_draws % 2 == 0 &&
           level_draws <= 2 * pairs[2] && distinct > 0 && distinct <= 2 * total;
}

/* False when the line is no sitting. */
static bool read_sitting(struct dama_ladder_store *store, json_t *line)
{
    const char *names[2];
    json_int_t wdl[3], pairs[DAMA_PAIR_KINDS], distinct, faults[2] = {0};
    if (json_unpack(line, "{s:s,s:s,s:I,s:I,s:I,s:[IIIII],s:I,s?[II]}", "a", &names[0], "b",
                    &names[1], "wins", &wdl[0], "draws", &wdl[1], "losses", &wdl[2], "pairs",
                    &pairs[0], &pairs[1], &pairs[2], &pairs[3], &pairs[4], "distinct_games",
                    &distinct, "faults", &faults[0], &faults[1]) != 0 ||
        faults[0] < 0 || faults[0] > wdl[2] || faults[1] < 0 || faults[1] > wdl[0] ||
        !is_count(wdl, pairs, distinct)) {
        return false;
    }
    int a = find_player(store->setup, names[0]);
    int b = find_player(store->setup, names[1]);
    if (a < 0 || b < 0 || a == b) {
        return true;
    }
    bool is_turned = a > b; /* the list has another order now */
    struct dama_wdl counted = {(uint64_t)wdl[is_turned ? 2 : 0], (uint64_t)wdl[1],
                               (uint64_t)wdl[is_turned ? 0 : 2]};
    struct dama_pairs kinds;
    for (int i = 0; i < DAMA_PAIR_KINDS; i++) {
        kinds.count[i] = (uint64_t)pairs[is_turned ? DAMA_PAIR_KINDS - 1 - i : i];
    }
    struct dama_ladder_bout *bout = is_turned ? &store->bouts[b][a] : &store->bouts[a][b];
    bout->faults[is_turned] += (uint64_t)faults[0];
    bout->faults[!is_turned] += (uint64_t)faults[1];
    count_sitting(bout, &counted, &kinds, (uint64_t)distinct);
    return true;
}

static enum dama_status read_line(struct dama_ladder_store *store, const char *text, size_t length,
                                  int number, struct dama_error *err)
{
    json_t *line = json_loadb(text, length, 0, NULL);
    const char *name = NULL;
    const char *identity = NULL;
    json_t *request = json_object_get(line, "request");
    enum dama_status status = DAMA_OK;
    if (request) {
        status = check_request(store, request, err);
    } else if (json_unpack(line, "{s:s,s:s}", "player", &name, "is", &identity) == 0) {
        status = read_player(store, name, identity, err);
    } else if (!line || !read_sitting(store, line)) {
        status = dama_fail(err, DAMA_CORRUPT, "%s:%d: expected a request, a player or a sitting",
                           store->path, number);
    }
    json_decref(line);
    return status;
}

/* A line without its end was being written when the run was killed. */
static enum dama_status read_file(struct dama_ladder_store *store, struct dama_error *err)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    if (access(store->path, F_OK) != 0) {
        return DAMA_OK;
    }
    DAMA_TRY(dama_file_read(store->path, FILE_BYTES_MAX, &bytes, &size, err));
    enum dama_status status = DAMA_OK;
    size_t at = 0;
    for (int number = 1; at < size && status == DAMA_OK; number++) {
        const unsigned char *end = memchr(bytes + at, '\n', size - at);
        if (!end) {
            break;
        }
        size_t length = (size_t)(end - bytes) - at;
        status = read_line(store, (const char *)bytes + at, length, number, err);
        at += length + 1;
    }
    free(bytes);
    if (status == DAMA_OK && at < size && truncate(store->path, (off_t)at) != 0) {
        return dama_fail(err, DAMA_IO, "%s: cannot drop a line that was cut off", store->path);
    }
    return status;
}

static enum dama_status append(struct dama_ladder_store *store, json_t *line,
                               struct dama_error *err)
{
    char *text = line ? json_dumps(line, JSON_COMPACT) : NULL;
    json_decref(line);
    if (!text) {
        return dama_fail(err, DAMA_MEMORY, "%s: no memory for a line", store->path);
    }
    enum dama_status status = dama_line_append(store->path, text, err);
    free(text);
    return status;
}

static enum dama_status write_new(struct dama_ladder_store *store, struct dama_error *err)
{
    const struct dama_ladder_setup *setup = store->setup;
    if (!store->has_request) {
        DAMA_TRY(
            append(store, json_pack("{s:o}", "request", json_loads(setup->request, 0, NULL)), err));
    }
    for (int i = 0; i < setup->player_count; i++) {
        if (!store->is_known[i]) {
            DAMA_TRY(append(store,
                            json_pack("{s:s,s:s}", "player", setup->players[i].name, "is",
                                      setup->players[i].identity),
                            err));
        }
    }
    return DAMA_OK;
}

struct dama_ladder_store *dama_ladder_store_open(const struct dama_ladder_setup *setup,
                                                 struct dama_error *err)
{
    struct dama_ladder_store *store = calloc(1, sizeof *store);
    if (!store) {
        dama_fail(err, DAMA_MEMORY, "no memory for a ladder");
        return NULL;
    }
    store->setup = setup;
    snprintf(store->path, sizeof store->path, "%s/ladder.jsonl", setup->folder);
    if (read_file(store, err) != DAMA_OK || write_new(store, err) != DAMA_OK) {
        dama_ladder_store_free(store);
        return NULL;
    }
    return store;
}

void dama_ladder_store_free(struct dama_ladder_store *store)
{
    free(store);
}

const struct dama_ladder_bout *dama_ladder_store_bout(const struct dama_ladder_store *store, int a,
                                                      int b)
{
    return &store->bouts[a][b];
}

static uint64_t count_faults(const struct dama_match_result *result, int player)
{
    uint64_t sum = 0;
    for (int fault = DAMA_FAULT_NONE + 1; fault < DAMA_FAULT_COUNT; fault++) {
        sum += result->faults[player][fault];
    }
    return sum;
}

enum dama_status dama_ladder_store_add(struct dama_ladder_store *store, int a, int b,
                                       const struct dama_match_result *result,
                                       struct dama_error *err)
{
    const struct dama_ladder_player *players = store->setup->players;
    const uint64_t *pairs = result->pairs.count;
    struct dama_ladder_bout *bout = &store->bouts[a][b];
    json_t *line = json_pack(
        "{s:s,s:s,s:i,s:I,s:I,s:I,s:[IIIII],s:I}", "a", players[a].name, "b", players[b].name,
        "sitting", bout->sittings, "wins", (json_int_t)result->wdl.wins, "draws",
        (json_int_t)result->wdl.draws, "losses", (json_int_t)result->wdl.losses, "pairs",
        (json_int_t)pairs[0], (json_int_t)pairs[1], (json_int_t)pairs[2], (json_int_t)pairs[3],
        (json_int_t)pairs[4], "distinct_games", (json_int_t)result->distinct_games);
    uint64_t faults[2];
    for (int i = 0; i < 2; i++) {
        faults[i] = count_faults(result, i);
    }
    if (line && faults[0] + faults[1] > 0) {
        json_object_set_new(line, "faults",
                            json_pack("[II]", (json_int_t)faults[0], (json_int_t)faults[1]));
    }
    DAMA_TRY(append(store, line, err));
    bout->faults[0] += faults[0];
    bout->faults[1] += faults[1];
    count_sitting(bout, &result->wdl, &result->pairs, result->distinct_games);
    return DAMA_OK;
}
