/* Finding the source of openings, sharing it with all ranks, and handing openings out. */
#include "eval/opening_set.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/comm.h"
#include "cluster/log.h"
#include "engine/rng.h"
#include "eval/opening_data.h"

enum { FILE_BYTES_MAX = 1 << 28, NAME_SIZE = 80, TEXT_SIZE = 160, BIASED_TRIES = 64 };

/* Books come from opening.h, lists from opening_list.h. */
struct dama_opening_set {
    struct dama_opening_request request;
    bool is_list;
    int low, high; /* a book's window */
    struct dama_opening_book *book;
    struct dama_opening_list list;
    char text[TEXT_SIZE];
};

/* A shipped list by its name on the command line; NULL when it is none. */
static const char *shipped_ending(const char *source)
{
    static const char *const names[][2] = {
        {"two-move", "2.fen"}, {"three-move", "3.fen"}, {"ballots", "ballots.fen"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!strcmp(source, names[i][0])) {
            return names[i][1];
        }
    }
    return NULL;
}

static const struct dama_opening_data *find_data(const char *name)
{
    for (const struct dama_opening_data *data = dama_opening_data; data->name; data++) {
        if (!strcmp(data->name, name)) {
            return data;
        }
    }
    return NULL;
}

/* The built-in whose fields these are, whatever the rules are called; NULL when there is none. */
static const char *builtin_name(const struct dama_rules *rules)
{
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        if (dama_rules_equal(rules, dama_rules_builtin(i))) {
            return dama_rules_builtin(i)->name;
        }
    }
    return NULL;
}

static enum dama_status read_shipped(struct dama_opening_set *set, const char *ending,
                                     struct dama_game *game, struct dama_error *err)
{
    char name[NAME_SIZE];
    const char *variant = builtin_name(game->rules);
    snprintf(name, sizeof name, "%s-%s", variant ? variant : game->rules->name, ending);
    const struct dama_opening_data *data = find_data(name);
    if (!data) {
        return dama_fail(err, DAMA_UNSUPPORTED,
                         "--openings %s: no list of %s is shipped (`dama openings find` makes one)",
                         set->request.source, game->rules->name);
    }
    const struct dama_opening_text text = {name, (const char *)data->bytes, data->size};
    return dama_opening_list_read(&set->list, &text, game, err);
}

static bool is_pdn(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && !strcasecmp(path + length - 4, ".pdn");
}

static enum dama_status read_file(struct dama_opening_set *set, struct dama_game *game,
                                  struct dama_error *err)
{
    const char *path = set->request.source;
    unsigned char *bytes = NULL;
    size_t size = 0;
    DAMA_TRY(dama_file_read(path, FILE_BYTES_MAX, &bytes, &size, err));
    const struct dama_opening_text text = {path, (const char *)bytes, size};
    enum dama_status status =
        is_pdn(path)
            ? dama_opening_list_read_pdn(&set->list, &text, set->request.file_plies, game, err)
            : dama_opening_list_read(&set->list, &text, game, err);
    free(bytes);
    uint32_t twice = status == DAMA_OK ? dama_opening_list_dedupe(&set->list, game) : 0;
    if (twice) {
        dama_log_warn("%s: %u openings lead to the position of an earlier one and are left out",
                      path, twice);
    }
    return status;
}

/* Rank 0: fills the list of the source. */
static enum dama_status read_list(struct dama_opening_set *set, const struct dama_rules *rules,
                                  struct dama_error *err)
{
    const char *ending = shipped_ending(set->request.source);
    struct dama_game *game = dama_game_new(rules, dama_draw_rules_default(rules), NULL);
    if (!game) {
        return dama_fail(err, DAMA_MEMORY, "no memory for openings");
    }
    enum dama_status status =
        ending ? read_shipped(set, ending, game, err) : read_file(set, game, err);
    dama_game_free(game);
    return status == DAMA_OK && set->list.count == 0
               ? dama_fail(err, DAMA_INVALID, "%s: expected openings, found none",
                           set->request.source)
               : status;
}

/* Collective: rank 0's list to all. */
static enum dama_status share_list(struct dama_opening_list *list, struct dama_error *err)
{
    uint32_t counts[2] = {list->count, list->move_count};
    dama_comm_broadcast(counts, sizeof counts);
    enum dama_status status = DAMA_OK;
    if (dama_comm_rank() != 0) {
        list->entries = malloc((counts[0] + 1) * sizeof *list->entries);
        list->moves = malloc((counts[1] + 1) * sizeof *list->moves);
        list->count = list->capacity = counts[0];
        list->move_count = list->move_capacity = counts[1];
        status = list->entries && list->moves
                     ? DAMA_OK
                     : dama_fail(err, DAMA_MEMORY, "no memory for %u openings", counts[0]);
    }
    DAMA_TRY(dama_comm_agree(status, err));
    dama_comm_broadcast(list->entries, counts[0] * sizeof *list->entries);
    dama_comm_broadcast(list->moves, counts[1] * sizeof *list->moves);
    return DAMA_OK;
}

/* "LOW-HIGH" at the whole of *at. */
static bool read_window(const char *at, int *low, int *high)
{
    int64_t a, b;
    if (!dama_text_read_int(&at, 0, DAMA_SCORE_EVAL_MAX, &a) || *at++ != '-' ||
        !dama_text_read_int(&at, 1, DAMA_SCORE_EVAL_MAX, &b) || *at || b < a) {
        return false;
    }
    *low = (int)a;
    *high = (int)b;
    return true;
}

/* The measured window of a built-in, from windows.conf: "american = 80-120". */
static bool find_window(const char *variant, int *low, int *high)
{
    const struct dama_opening_data *data = find_data("windows.conf");
    size_t length = strlen(variant);
    const char *at = data ? (const char *)data->bytes : NULL;
    while (at && *at) {
        size_t line = strcspn(at, "\n");
        char value[NAME_SIZE];
        if (!strncmp(at, variant, length) && !strncmp(at + length, " = ", 3) &&
            line - length - 3 < sizeof value) {
            snprintf(value, sizeof value, "%.*s", (int)(line - length - 3), at + length + 3);
            return read_window(value, low, high);
        }
        at += line + (at[line] == '\n');
    }
    return false;
}

static enum dama_status set_window(struct dama_opening_set *set, const struct dama_rules *rules,
                                   struct dama_error *err)
{
    static const char biased[] = "biased";
    const char *source = set->request.source;
    set->high = set->request.window;
    if (strncmp(source, biased, sizeof biased - 1) != 0) {
        return DAMA_OK;
    }
    const char *window = source + sizeof biased - 1;
    if (*window == ':') {
        return read_window(window + 1, &set->low, &set->high)
                   ? DAMA_OK
                   : dama_fail(err, DAMA_USAGE,
                               "--openings: expected biased:LOW-HIGH with 0 <= LOW <= HIGH <= %d, "
                               "found '%s'",
                               DAMA_SCORE_EVAL_MAX, source);
    }
    const char *variant = builtin_name(rules);
    return variant && find_window(variant, &set->low, &set->high)
               ? DAMA_OK
               : dama_fail(err, DAMA_UNSUPPORTED,
                           "--openings biased: no window of %s is known (biased:LOW-HIGH names "
                           "one, `dama openings window` measures it)",
                           rules->name);
}

static enum dama_status make_book(struct dama_opening_set *set, const struct dama_rules *rules,
                                  struct dama_error *err)
{
    DAMA_TRY(set_window(set, rules, err));
    set->book = dama_opening_book_new(rules, set->request.random_plies, err);
    return set->book ? DAMA_OK : err->status;
}

static bool is_book(const char *source)
{
    return !strcmp(source, "random") || !strcmp(source, "biased") || !strncmp(source, "biased:", 7);
}

static void describe(struct dama_opening_set *set)
{
    int plies = set->request.random_plies;
    if (set->is_list) {
        snprintf(set->text, sizeof set->text, "%s, %u openings", set->request.source,
                 set->list.count);
    } else if (set->request.source[0] == 'b') {
        snprintf(set->text, sizeof set->text, "biased, %d random plies, score %d to %d for a side",
                 plies, set->low, set->high);
    } else {
        snprintf(set->text, sizeof set->text, "%d random plies, window %d", plies, set->high);
    }
}

struct dama_opening_set *dama_opening_set_new(const struct dama_ruleset *ruleset,
                                              const struct dama_opening_request *request,
                                              struct dama_error *err)
{
    struct dama_opening_set *set = calloc(1, sizeof *set);
    enum dama_status status =
        dama_comm_agree(set ? DAMA_OK : dama_fail(err, DAMA_MEMORY, "no memory for openings"), err);
    if (status != DAMA_OK) {
        free(set);
        return NULL;
    }
    set->request = *request;
    set->request.source = request->source ? request->source : "random";
    set->is_list = !is_book(set->request.source);
    if (!set->is_list) {
        status = make_book(set, &ruleset->rules, err);
    } else if (dama_comm_rank() == 0) {
        status = read_list(set, &ruleset->rules, err);
    }
    status = dama_comm_agree(status, err);
    if (status == DAMA_OK && set->is_list) {
        status = share_list(&set->list, err);
    }
    if (status != DAMA_OK) {
        dama_opening_set_free(set);
        return NULL;
    }
    describe(set);
    return set;
}

void dama_opening_set_free(struct dama_opening_set *set)
{
    if (set) {
        dama_opening_book_free(set->book);
        dama_opening_list_free(&set->list);
        free(set);
    }
}

bool dama_opening_set_is_list(const struct dama_opening_set *set)
{
    return set->is_list;
}

uint64_t dama_opening_set_size(const struct dama_opening_set *set)
{
    if (set->is_list) {
        return set->list.count;
    }
    return dama_opening_book_size(set->book);
}

int dama_opening_set_plies(const struct dama_opening_set *set)
{
    return set->is_list ? dama_opening_list_plies(&set->list) : set->request.random_plies;
}

const char *dama_opening_set_text(const struct dama_opening_set *set)
{
    return set->text;
}

/* Of a list its positions and moves, of a book what it is made from. */
void dama_opening_set_hash(const struct dama_opening_set *set, unsigned char out[DAMA_HASH_SIZE])
{
    const struct dama_opening_list *list = &set->list;
    size_t words = 2 + 5 * (size_t)list->count + list->move_count, used = 0;
    uint64_t *word = calloc(words + 2, sizeof *word);
    if (!word) {
        memset(out, 0, DAMA_HASH_SIZE);
        return;
    }
    word[used++] = (uint64_t)set->low;
    word[used++] = (uint64_t)set->high;
    word[used++] = (uint64_t)set->request.random_plies * !set->is_list;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct dama_opening_entry *entry = &list->entries[i];
        word[used++] = entry->start.pieces[0];
        word[used++] = entry->start.pieces[1];
        word[used++] = entry->start.kings;
        word[used++] = entry->start.side;
        word[used++] = entry->ply_count;
        for (uint32_t m = 0; m < entry->ply_count; m++) {
            word[used++] = list->moves[entry->first_move + m];
        }
    }
    dama_sha256(word, used * sizeof *word, out);
    free(word);
}

uint64_t dama_opening_set_choose(const struct dama_opening_set *set, struct dama_searcher *judge,
                                 uint64_t seed, uint64_t number, struct dama_game *game)
{
    if (!set->is_list) {
        const struct dama_opening_wish wish = {.seed = seed,
                                               .number = number,
                                               .low = set->low,
                                               .high = set->high,
                                               .tries = set->low ? BIASED_TRIES : 0};
        return dama_opening_choose(set->book, judge, &wish, game);
    }
    uint64_t index = dama_permute(seed, set->list.count, number);
    dama_opening_set_play(set, seed, index, game);
    return index;
}

const struct dama_position *dama_opening_set_start(const struct dama_opening_set *set,
                                                   uint64_t index)
{
    return set->is_list && index < set->list.count ? &set->list.entries[index].start : NULL;
}

/* A game has room for an opening's plies from the start, so that playing them cannot fail. */
void dama_opening_set_play(const struct dama_opening_set *set, uint64_t seed, uint64_t index,
                           struct dama_game *game)
{
    if (set->is_list) {
        dama_opening_list_play(&set->list, (uint32_t)index, game);
    } else {
        dama_opening_play(set->book, seed, index, game);
    }
}
