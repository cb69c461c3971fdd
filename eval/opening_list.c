/* Lists of openings: growth, playing, and equal positions. */
#include "eval/opening_list.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 256 };

void dama_opening_list_free(struct dama_opening_list *list)
{
    free(list->entries);
    free(list->moves);
    *list = (struct dama_opening_list){0};
}

/* Room for `more` records behind `count`; NULL when there is no memory, and nothing has changed. */
static void *grow(void *records, uint32_t *capacity, uint32_t count, uint32_t more, size_t size)
{
    uint32_t wanted = *capacity ? *capacity : FIRST_CAPACITY;
    while (wanted - count < more) {
        wanted *= 2;
    }
    void *grown = realloc(records, wanted * size);
    if (grown) {
        *capacity = wanted;
    }
    return grown;
}

enum dama_status dama_opening_list_add(struct dama_opening_list *list, const struct dama_game *game,
                                       int score, struct dama_error *err)
{
    uint32_t plies = (uint32_t)game->ply;
    if (plies > DAMA_OPENING_LIST_PLIES_MAX) {
        return dama_fail(err, DAMA_UNSUPPORTED, "expected an opening of at most %d plies, found %d",
                         DAMA_OPENING_LIST_PLIES_MAX, game->ply);
    }
    struct dama_opening_entry *entries =
        grow(list->entries, &list->capacity, list->count, 1, sizeof *entries);
    list->entries = entries ? entries : list->entries;
    dama_move *moves =
        grow(list->moves, &list->move_capacity, list->move_count, plies, sizeof *moves);
    list->moves = moves ? moves : list->moves;
    if (!entries || !moves) {
        return dama_fail(err, DAMA_MEMORY, "no memory for %lu openings",
                         (unsigned long long)list->count + 1);
    }
    list->entries[list->count++] = (struct dama_opening_entry){
        .start = game->plies[0].position,
        .first_move = list->move_count,
        .ply_count = plies,
        .score = score,
    };
    for (uint32_t i = 0; i < plies; i++) {
        list->moves[list->move_count++] = game->plies[i].move;
    }
    return DAMA_OK;
}

void dama_opening_list_play(const struct dama_opening_list *list, uint32_t index,
                            struct dama_game *game)
{
    const struct dama_opening_entry *entry = &list->entries[index];
    dama_game_reset(game, &entry->start);
    for (uint32_t i = 0; i < entry->ply_count; i++) {
        dama_game_play(game, list->moves[entry->first_move + i]);
    }
}

int dama_opening_list_plies(const struct dama_opening_list *list)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        most = list->entries[i].ply_count > most ? list->entries[i].ply_count : most;
    }
    return (int)most;
}

/* The last position of each opening; its place, so that the first of equals is kept. */
struct last {
    uint64_t hash;
    uint32_t index;
};

static int compare_lasts(const void *left, const void *right)
{
    const struct last *a = left, *b = right;
    if (a->hash != b->hash) {
        return a->hash < b->hash ? -1 : 1;
    }
    return (a->index > b->index) - (a->index < b->index);
}

static int compare_indices(const void *left, const void *right)
{
    const struct last *a = left, *b = right;
    return (a->index > b->index) - (a->index < b->index);
}

/* Equal 64-bit hashes are taken for equal positions: the worst is one opening less. */
uint32_t dama_opening_list_dedupe(struct dama_opening_list *list, struct dama_game *game)
{
    struct last *lasts = malloc((list->count + 1) * sizeof *lasts);
    if (!lasts) {
        return 0;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        dama_opening_list_play(list, i, game);
        lasts[i] = (struct last){dama_position_hash(dama_game_position(game)), i};
    }
    qsort(lasts, list->count, sizeof *lasts, compare_lasts);
    for (uint32_t i = 0; i < list->count; i++) {
        if (i == 0 || lasts[i].hash != lasts[i - 1].hash) {
            lasts[kept++] = lasts[i];
        }
    }
    qsort(lasts, kept, sizeof *lasts, compare_indices);
    for (uint32_t i = 0; i < kept; i++) {
        list->entries[i] = list->entries[lasts[i].index];
    }
    uint32_t gone = list->count - kept;
    list->count = kept;
    free(lasts);
    return gone;
}
