/* Enumeration of starts and their scores over threads. */
#include "eval/opening_find.h"

#include <omp.h>
#include <stdlib.h>

#include "engine/opening.h"
#include "eval/ballot.h"

enum { JUDGE_TABLE_KB = 4096 };

static struct dama_game *new_game(const struct dama_rules *rules, struct dama_error *err)
{
    struct dama_game *game = dama_game_new(rules, dama_draw_rules_default(rules), NULL);
    if (!game) {
        dama_fail(err, DAMA_MEMORY, "no memory for a game");
    }
    return game;
}

/* Every enumerated position once, by its canonical path. */
static enum dama_status list_starts(const struct dama_rules *rules, int plies,
                                    struct dama_game *game, struct dama_opening_list *out,
                                    struct dama_error *err)
{
    struct dama_opening_book *book = dama_opening_book_new(rules, plies, err);
    if (!book) {
        return err->status;
    }
    enum dama_status status =
        dama_opening_book_enumerated(book) == plies
            ? DAMA_OK
            : dama_fail(err, DAMA_UNSUPPORTED, "starts of %d plies are too many", plies);
    uint64_t size = dama_opening_book_size(book);
    for (uint64_t i = 0; status == DAMA_OK && i < size; i++) {
        dama_opening_play(book, 0, i, game);
        status = dama_opening_list_add(out, game, DAMA_SCORE_NONE, err);
    }
    dama_opening_book_free(book);
    return status;
}

/* What a thread needs to judge; made by the thread itself. */
struct judge {
    struct dama_searcher *searcher;
    struct dama_game *game;
};

static enum dama_status judge_new(struct judge *judge, const struct dama_opening_search *search,
                                  struct dama_error *err)
{
    const struct dama_rules *rules = &search->ruleset->rules;
    judge->searcher = dama_searcher_new(rules, search->weights, JUDGE_TABLE_KB, err);
    judge->game = judge->searcher ? new_game(rules, err) : NULL;
    return judge->game ? DAMA_OK : err->status;
}

static void judge_free(struct judge *judge)
{
    dama_searcher_free(judge->searcher);
    dama_game_free(judge->game);
}

static int score_of(const struct judge *judge, const struct dama_opening_search *search,
                    const struct dama_opening_list *list, uint32_t index)
{
    struct dama_search_limits limits = {
        .depth = search->depth, .nodes = search->nodes, .is_analysis = true};
    struct dama_search_result result;
    dama_opening_list_play(list, index, judge->game);
    dama_searcher_clear(judge->searcher);
    dama_searcher_search(judge->searcher, judge->game, &limits, &result);
    return result.score;
}

static enum dama_status score_all(const struct dama_opening_search *search,
                                  struct dama_opening_list *list, struct dama_error *err)
{
    struct dama_error first = {0};
#pragma omp parallel num_threads(search->threads)
    {
        struct judge judge = {0};
        struct dama_error error = {0};
        bool is_ready = judge_new(&judge, search, &error) == DAMA_OK;
        if (!is_ready) {
#pragma omp critical
            first = error;
        }
#pragma omp for schedule(dynamic)
        for (uint32_t i = 0; i < list->count; i++) {
            if (is_ready) {
                list->entries[i].score = score_of(&judge, search, list, i);
            }
        }
        judge_free(&judge);
    }
    return first.status == DAMA_OK ? DAMA_OK : dama_fail(err, first.status, "%s", first.text);
}

enum dama_status dama_opening_find(const struct dama_opening_search *search,
                                   struct dama_opening_list *out, uint32_t *found,
                                   struct dama_error *err)
{
    struct dama_game *game = new_game(&search->ruleset->rules, err);
    if (!game) {
        return err->status;
    }
    enum dama_status status =
        search->plies ? list_starts(&search->ruleset->rules, search->plies, game, out, err)
                      : dama_ballot_list(game, out, err);
    dama_game_free(game);
    DAMA_TRY(status);
    DAMA_TRY(score_all(search, out, err));
    *found = out->count;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < out->count; i++) {
        if (abs(out->entries[i].score) <= search->window) {
            out->entries[kept++] = out->entries[i];
        }
    }
    out->count = kept;
    return DAMA_OK;
}
