/* Openings: breadth-first enumeration of distinct positions, and the permutation over them. */
#include "engine/opening.h"

#include <assert.h>
#include <stdlib.h>

#include "engine/rng.h"

enum {
    POSITIONS_MAX = 1 << 18,
    SLOTS = 2 * POSITIONS_MAX, /* of the hash set: half full at most */
    EMPTY_SLOT = 0,            /* other slots hold an entry's index plus one */
    TRIES = 16,
    SHALLOW_DEPTH = 6,
    SHALLOW_NODES = 3000,
};
/* Continuations of one enumerated position that have a number of their own. */
static const uint64_t continuations = UINT64_C(1) << 20;

/* How a position of a ply is reached: from which position of the ply before, by which move. */
struct link {
    dama_move move;
    uint32_t parent;
};
struct entry {
    struct dama_position position;
    struct link link;
};
struct layer {
    struct entry *entries;
    uint32_t count;
};

struct dama_opening_book {
    int plies;
    int enumerated;
    uint32_t count; /* positions of the last enumerated ply */
    struct link *links[DAMA_OPENING_PLIES_MAX + 1];
};

static int compare_words(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_entries(const void *left, const void *right)
{
    const struct dama_position *a = &((const struct entry *)left)->position;
    const struct dama_position *b = &((const struct entry *)right)->position;
    int order = compare_words(a->pieces[0], b->pieces[0]);
    order = order ? order : compare_words(a->pieces[1], b->pieces[1]);
    return order ? order : compare_words(a->kings, b->kings);
}

/* Adds a position unless it is there; false when the layer is full. */
static bool add(struct layer *layer, uint32_t *slots, const struct entry *entry)
{
    uint32_t slot = (uint32_t)(dama_position_hash(&entry->position) % SLOTS);
    for (; slots[slot] != EMPTY_SLOT; slot = (slot + 1) % SLOTS) {
        if (dama_position_equal(&layer->entries[slots[slot] - 1].position, &entry->position)) {
            return true;
        }
    }
    if (layer->count == POSITIONS_MAX) {
        return false;
    }
    layer->entries[layer->count++] = *entry;
    slots[slot] = layer->count;
    return true;
}

/* The positions one ply behind those of `from`, sorted, so that an index depends on the set of
   positions alone; a position's parent is the first that reaches it. Returns false when they are
   too many, or none. */
static bool expand(const struct dama_rules *rules, const struct layer *from, struct layer *to,
                   uint32_t *slots)
{
    const struct dama_kernel *kernel = dama_kernel_find(rules);
    to->count = 0;
    for (uint32_t i = 0; i < from->count; i++) {
        struct dama_move_list list;
        kernel->generate(rules, &from->entries[i].position, &list);
        for (int m = 0; m < list.count; m++) {
            struct entry entry = {
                .position = kernel->make(rules, &from->entries[i].position, list.moves[m]),
                .link = {.move = list.moves[m], .parent = i},
            };
            if (kernel->has_move(rules, &entry.position) && !add(to, slots, &entry)) {
                return false;
            }
        }
    }
    qsort(to->entries, to->count, sizeof *to->entries, compare_entries);
    return to->count > 0;
}

static struct link *copy_links(const struct layer *layer)
{
    struct link *links = malloc(layer->count * sizeof *links);
    for (uint32_t i = 0; links && i < layer->count; i++) {
        links[i] = layer->entries[i].link;
    }
    return links;
}

/* Enumerates ply after ply while they fit; layers are two buffers of POSITIONS_MAX entries. */
static enum dama_status enumerate(const struct dama_rules *rules, struct dama_opening_book *book,
                                  struct layer layers[2], struct dama_error *err)
{
    layers[0].entries[0] = (struct entry){.position = dama_position_start(rules)};
    layers[0].count = 1;
    book->count = 1;
    for (int ply = 1; ply <= book->plies; ply++) {
        struct layer *from = &layers[(ply + 1) % 2];
        struct layer *to = &layers[ply % 2];
        uint32_t *slots = calloc(SLOTS, sizeof *slots);
        bool fits = slots && expand(rules, from, to, slots);
        free(slots);
        if (slots && !fits) {
            return DAMA_OK;
        }
        book->links[ply] = fits ? copy_links(to) : NULL;
        if (!book->links[ply]) {
            return dama_fail(err, DAMA_MEMORY, "openings: out of memory at ply %d", ply);
        }
        book->enumerated = ply;
        book->count = to->count;
    }
    return DAMA_OK;
}

struct dama_opening_book *dama_opening_book_new(const struct dama_rules *rules, int plies,
                                                struct dama_error *err)
{
    if (plies < 0 || plies > DAMA_OPENING_PLIES_MAX) {
        dama_fail(err, DAMA_INVALID, "openings: expected 0 to %d plies, found %d",
                  DAMA_OPENING_PLIES_MAX, plies);
        return NULL;
    }
    struct dama_opening_book *book = calloc(1, sizeof *book);
    struct layer layers[2] = {
        {.entries = malloc(POSITIONS_MAX * sizeof(struct entry))},
        {.entries = malloc(POSITIONS_MAX * sizeof(struct entry))},
    };
    enum dama_status status = DAMA_OK;
    if (!book || !layers[0].entries || !layers[1].entries) {
        status = dama_fail(err, DAMA_MEMORY, "openings: out of memory");
    } else {
        book->plies = plies;
        status = enumerate(rules, book, layers, err);
    }
    free(layers[0].entries);
    free(layers[1].entries);
    if (status != DAMA_OK) {
        dama_opening_book_free(book);
        return NULL;
    }
    return book;
}

void dama_opening_book_free(struct dama_opening_book *book)
{
    if (!book) {
        return;
    }
    for (int ply = 0; ply <= DAMA_OPENING_PLIES_MAX; ply++) {
        free(book->links[ply]);
    }
    free(book);
}

uint64_t dama_opening_book_size(const struct dama_opening_book *book)
{
    return book->count * (book->plies > book->enumerated ? continuations : 1);
}

int dama_opening_book_enumerated(const struct dama_opening_book *book)
{
    return book->enumerated;
}

/* The path's moves are found from its end. A game has room for these plies from the start, so that
   playing them cannot fail. */
static void play_path(const struct dama_opening_book *book, uint32_t position,
                      struct dama_game *game)
{
    dama_move path[DAMA_OPENING_PLIES_MAX];
    for (int ply = book->enumerated; ply > 0; ply--) {
        const struct link *link = &book->links[ply][position];
        path[ply - 1] = link->move;
        position = link->parent;
    }
    for (int ply = 0; ply < book->enumerated; ply++) {
        dama_game_play(game, path[ply]);
    }
}

static void play_continuation(const struct dama_opening_book *book, uint64_t seed, uint64_t index,
                              struct dama_game *game)
{
    struct dama_rng rng = dama_rng_make(seed, DAMA_RNG_OPENING, index);
    while (game->ply < book->plies && dama_game_state(game).termination == DAMA_END_ONGOING) {
        struct dama_move_list list;
        game->kernel->generate(game->rules, dama_game_position(game), &list);
        dama_game_play(game, list.moves[dama_rng_below(&rng, (uint32_t)list.count)]);
    }
}

/* Every enumerated position is used once, in an order of its own, before any is used again with
   another continuation. */
int dama_opening_play(const struct dama_opening_book *book, uint64_t seed, uint64_t index,
                      struct dama_game *game)
{
    assert(index < dama_opening_book_size(book));
    dama_game_reset(game, NULL);
    play_path(book, (uint32_t)dama_permute(seed, book->count, index), game);
    play_continuation(book, seed, index, game);
    return game->ply;
}

/* How far from the window the game's present position is: 0 within it; beyond any score when the
   game is over. A window that ends at 0 takes any score. */
static int distance(struct dama_searcher *searcher, const struct dama_game *game,
                    const struct dama_opening_wish *wish)
{
    if (dama_game_state(game).termination != DAMA_END_ONGOING) {
        return DAMA_SCORE_INFINITE;
    }
    if (!wish->high) {
        return 0;
    }
    struct dama_search_limits limits = {.depth = SHALLOW_DEPTH, .nodes = SHALLOW_NODES};
    struct dama_search_result result;
    dama_searcher_search(searcher, game, &limits, &result);
    int found = abs(result.score);
    return found > wish->high ? found - wish->high : found < wish->low ? wish->low - found : 0;
}

uint64_t dama_opening_choose(const struct dama_opening_book *book, struct dama_searcher *searcher,
                             const struct dama_opening_wish *wish, struct dama_game *game)
{
    uint64_t size = dama_opening_book_size(book);
    uint64_t tries = (uint64_t)(wish->tries ? wish->tries : TRIES);
    uint64_t best = 0;
    int least = DAMA_SCORE_INFINITE + 1;
    dama_searcher_clear(searcher);
    for (uint64_t i = 0; i < tries; i++) {
        uint64_t index = (wish->number % size * tries + i) % size;
        dama_opening_play(book, wish->seed, index, game);
        int found = distance(searcher, game, wish);
        if (found == 0) {
            return index;
        }
        if (found < least) {
            least = found;
            best = index;
        }
    }
    dama_opening_play(book, wish->seed, best, game);
    return best;
}
