/* A folder with match.conf and pairs.jsonl. */
#include "eval/match_store.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cluster/run_folder.h"
#include "engine/cli/hub_board.h"
#include "eval/opening_set.h"

enum { MOVE_ROOM = DAMA_HUB_MOVE_SIZE, FILE_MAX = 1 << 30, VALUE_SIZE = 160 };

struct dama_match_store {
    const struct dama_match_setup *setup;
    struct dama_hub_board board; /* moves are stored as Hub writes them, in grid numbers */
    struct dama_game *game;
    struct dama_pair_record *record;
    char pairs_path[PATH_MAX];
};

/* Splits "key = value" off the front; NULL at the end. */
static const char *next_line(const char *at, char key[VALUE_SIZE], char value[VALUE_SIZE])
{
    size_t length = strcspn(at, "\n");
    const char *sign = memmem(at, length, " = ", strlen(" = "));
    if (!sign) {
        return NULL;
    }
    snprintf(key, VALUE_SIZE, "%.*s", (int)(sign - at), at);
    sign += strlen(" = ");
    snprintf(value, VALUE_SIZE, "%.*s", (int)(at + length - sign), sign);
    return at[length] ? at + length + 1 : at + length;
}

static enum dama_status compare(const char *path, const char *stored, const char *asked,
                                struct dama_error *err)
{
    char key[VALUE_SIZE], value[VALUE_SIZE], other_key[VALUE_SIZE], other[VALUE_SIZE];
    while (strcmp(stored, asked) != 0) {
        const char *stored_next = next_line(stored, key, value);
        const char *asked_next = next_line(asked, other_key, other);
        if (!stored_next || !asked_next || strcmp(key, other_key) != 0) {
            return dama_fail(err, DAMA_MISMATCH, "%s: another match: expected the key %s, found %s",
                             path, asked_next ? other_key : "nothing",
                             stored_next ? key : "nothing");
        }
        size_t stored_length = (size_t)(stored_next - stored);
        if (stored_length != (size_t)(asked_next - asked) ||
            memcmp(stored, asked, stored_length) != 0) {
            return dama_fail(err, DAMA_MISMATCH, "%s: another match: %s is %s, asked for is %s",
                             path, key, value, other);
        }
        stored = stored_next;
        asked = asked_next;
    }
    return DAMA_OK;
}

static enum dama_status store_request(const struct dama_match_setup *setup, struct dama_error *err)
{
    char path[PATH_MAX], asked[DAMA_MATCH_REQUEST_SIZE], stored[DAMA_MATCH_REQUEST_SIZE];
    if (snprintf(path, sizeof path, "%s/match.conf", setup->out) >= PATH_MAX) {
        return dama_fail(err, DAMA_INVALID, "%s: path is too long", setup->out);
    }
    dama_match_request(setup, asked);
    if (access(path, F_OK) != 0) {
        return dama_file_write(path, asked, strlen(asked), err);
    }
    unsigned char *bytes = NULL;
    size_t size = 0;
    DAMA_TRY(dama_file_read(path, DAMA_MATCH_REQUEST_SIZE - 1, &bytes, &size, err));
    memcpy(stored, bytes, size);
    stored[size] = 0;
    free(bytes);
    return compare(path, stored, asked, err);
}

struct dama_match_store *dama_match_store_open(const struct dama_match_setup *setup,
                                               struct dama_error *err)
{
    struct dama_match_store *store = calloc(1, sizeof *store);
    if (store) {
        store->setup = setup;
        store->board =
            (struct dama_hub_board){.rules = &setup->ruleset->rules, .numbers = DAMA_HUB_GRID};
        store->game = dama_game_new(&setup->ruleset->rules, setup->draws, NULL);
        store->record = malloc(dama_pair_record_size(setup, true));
    }
    if (!store || !store->game || !store->record) {
        dama_fail(err, DAMA_MEMORY, "no memory for a match's folder");
        dama_match_store_close(store);
        return NULL;
    }
    if (dama_run_lock(setup->out, err) != DAMA_OK || store_request(setup, err) != DAMA_OK) {
        dama_match_store_close(store);
        return NULL;
    }
    snprintf(store->pairs_path, sizeof store->pairs_path, "%s/pairs.jsonl", setup->out);
    return store;
}

void dama_match_store_close(struct dama_match_store *store)
{
    if (store) {
        dama_game_free(store->game);
        free(store->record);
        free(store);
    }
}

/* The number of a word in a list of texts; -1 when it is none of them. */
static int place_of(const char *word, const char *(*text)(int), int count)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(word, text(i)) == 0) {
            return i;
        }
    }
    return -1;
}

static const char *termination_text(int i)
{
    return dama_termination_text((enum dama_termination)i);
}

static const char *reason_text(int i)
{
    return dama_draw_reason_text((enum dama_draw_reason)i);
}

static const char *fault_text(int i)
{
    return dama_fault_text((enum dama_fault)i);
}

/* Whether the game that was played ends as the record says. */
static bool is_end(const struct dama_match_store *store, const struct dama_pair_game *record)
{
    const struct dama_game *game = store->game;
    struct dama_game_state state = dama_game_state(game);
    bool is_white = dama_game_position(game)->side == DAMA_WHITE;
    if (state.termination == DAMA_END_ONGOING && record->termination == DAMA_END_FORFEITED) {
        return record->fault != DAMA_FAULT_NONE && record->result == (is_white ? -1 : 1);
    }
    if (state.termination == DAMA_END_ONGOING && game->ply >= store->setup->max_plies) {
        state.termination = DAMA_END_PLY_CAP;
    }
    return record->fault == DAMA_FAULT_NONE && record->termination == state.termination &&
           record->result == state.result && record->reason == state.reason;
}

/* Plays the moves into the record; false when the text is no game of this match. */
static bool read_game(struct dama_match_store *store, json_t *json, int number)
{
    const char *moves, *end, *reason, *fault;
    int result;
    struct dama_pair_game *game = &store->record->games[number];
    if (json_unpack(json, "{s:i,s:s,s:s,s:s,s:s}", "result", &result, "end", &end, "reason",
                    &reason, "fault", &fault, "moves", &moves) != 0) {
        return false;
    }
    int termination = place_of(end, termination_text, DAMA_END_FORFEITED + 1);
    int draw = place_of(reason, reason_text, DAMA_DRAW_BALANCE + 1);
    int wrong = place_of(fault, fault_text, DAMA_FAULT_COUNT);
    dama_game_reset(store->game, dama_pair_start(store->setup, store->record->opening));
    if (termination < 0 || draw < 0 || wrong < 0 || result < -1 || result > 1 ||
        dama_hub_read_moves(&store->board, moves, store->game, NULL) != DAMA_OK ||
        store->game->ply > dama_pair_move_room(store->setup)) {
        return false;
    }
    for (int ply = 0; ply < store->game->ply; ply++) {
        store->record->moves[number * dama_pair_move_room(store->setup) + ply] =
            store->game->plies[ply].move;
    }
    *game = (struct dama_pair_game){
        .hash = dama_pair_hash_moves(store->game),
        .plies = store->game->ply,
        .result = (int8_t)result,
        .termination = (uint8_t)termination,
        .reason = (uint8_t)draw,
        .fault = (uint8_t)wrong,
    };
    return is_end(store, game);
}

static bool is_opening(const struct dama_match_store *store, uint64_t index)
{
    const struct dama_opening_set *openings = store->setup->openings;
    return !openings || index < dama_opening_set_size(openings);
}

static bool read_pair(struct dama_match_store *store, const char *line, size_t length,
                      int64_t *pair)
{
    json_t *json = json_loadb(line, length, 0, NULL);
    json_t *games[2];
    json_int_t number = -1, opening = 0;
    bool is_good = json && json_unpack(json, "{s:I,s:I,s:[oo]}", "pair", &number, "opening",
                                       &opening, "games", &games[0], &games[1]) == 0;
    store->record->opening = (uint64_t)opening;
    is_good = is_good && number >= 0 && is_opening(store, store->record->opening) &&
              read_game(store, games[0], 0) && read_game(store, games[1], 1);
    *pair = number;
    json_decref(json);
    return is_good;
}

struct reading {
    struct dama_match_store *store;
    enum dama_status (*visit)(void *context, int64_t pair, const struct dama_pair_record *record,
                              struct dama_error *err);
    void *context;
    char *is_seen; /* by pair */
};

static enum dama_status read_lines(struct reading *reading, const char *bytes, size_t size,
                                   struct dama_error *err)
{
    struct dama_match_store *store = reading->store;
    const char *end = bytes + size;
    const char *feed;
    long long number = 1;
    for (const char *at = bytes; at < end; at = feed + 1, number++) {
        int64_t pair;
        feed = memchr(at, '\n', (size_t)(end - at));
        if (!read_pair(store, at, (size_t)(feed - at), &pair)) {
            return dama_fail(err, DAMA_CORRUPT, "%s:%ld: expected a pair of this match",
                             store->pairs_path, number);
        }
        if (pair >= store->setup->pairs) {
            continue;
        }
        if (reading->is_seen[pair]++) {
            return dama_fail(err, DAMA_CORRUPT, "%s:%ld: pair %ld is there twice",
                             store->pairs_path, number, (long long)pair);
        }
        DAMA_TRY(reading->visit(reading->context, pair, store->record, err));
    }
    return DAMA_OK;
}

/* Bytes up to the last line feed; what a kill has left behind it is cut off the file. */
static enum dama_status drop_torn_line(const struct dama_match_store *store,
                                       const unsigned char *bytes, size_t *size,
                                       struct dama_error *err)
{
    size_t whole = *size;
    while (whole > 0 && bytes[whole - 1] != '\n') {
        whole--;
    }
    if (whole < *size && truncate(store->pairs_path, (off_t)whole) != 0) {
        return dama_fail(err, DAMA_IO, "%s: cannot be cut: %s", store->pairs_path, strerror(errno));
    }
    *size = whole;
    return DAMA_OK;
}

enum dama_status dama_match_store_read(
    struct dama_match_store *store,
    enum dama_status (*visit)(void *context, int64_t pair, const struct dama_pair_record *record,
                              struct dama_error *err),
    void *context, struct dama_error *err)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    if (access(store->pairs_path, F_OK) != 0) {
        return DAMA_OK;
    }
    DAMA_TRY(dama_file_read(store->pairs_path, FILE_MAX, &bytes, &size, err));
    struct reading reading = {store, visit, context, calloc((size_t)store->setup->pairs, 1)};
    enum dama_status status = reading.is_seen
                                  ? drop_torn_line(store, bytes, &size, err)
                                  : dama_fail(err, DAMA_MEMORY, "no memory for a match's folder");
    if (status == DAMA_OK) {
        status = read_lines(&reading, (const char *)bytes, size, err);
    }
    free(reading.is_seen);
    free(bytes);
    return status;
}

static json_t *write_game(const struct dama_match_store *store,
                          const struct dama_pair_record *record, int number, char *text)
{
    const struct dama_pair_game *game = &record->games[number];
    const dama_move *moves = record->moves + number * dama_pair_move_room(store->setup);
    size_t length = 0;
    text[0] = 0;
    for (int ply = 0; ply < game->plies; ply++) {
        char move[DAMA_HUB_MOVE_SIZE];
        dama_hub_write_move(&store->board, moves[ply], move);
        length += (size_t)sprintf(text + length, "%s%s", ply ? " " : "", move);
    }
    return json_pack("{s:i,s:s,s:s,s:s,s:s}", "result", game->result, "end",
                     termination_text(game->termination), "reason", reason_text(game->reason),
                     "fault", fault_text(game->fault), "moves", text);
}

enum dama_status dama_match_store_add(struct dama_match_store *store, int64_t pair,
                                      const struct dama_pair_record *record, struct dama_error *err)
{
    char *text = malloc((size_t)dama_pair_move_room(store->setup) * (MOVE_ROOM + 1) + 1);
    json_t *first = text ? write_game(store, record, 0, text) : NULL;
    json_t *second = text ? write_game(store, record, 1, text) : NULL;
    json_t *json = json_pack("{s:I,s:I,s:[oo]}", "pair", (json_int_t)pair, "opening",
                             (json_int_t)record->opening, "games", first, second);
    char *line = json ? json_dumps(json, JSON_COMPACT) : NULL;
    enum dama_status status = line ? dama_line_append(store->pairs_path, line, err)
                                   : dama_fail(err, DAMA_MEMORY, "no memory for a pair of games");
    free(line);
    json_decref(json);
    free(text);
    return status;
}
