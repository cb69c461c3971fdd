/* The searcher: iterative deepening with aspiration windows over the root moves. */
#include "engine/search_state.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    AGES = 64,
    ASPIRE_DEPTH = 5,   /* from this iteration on the last score is trusted */
    ASPIRE_WIDTH = 16,  /* hundredths of a man on either side, doubled at each failure */
    ASPIRE_WIDEST = 400 /* wider than this is no window */
};

static struct dama_searcher *make(const struct dama_rules *rules,
                                  const struct dama_weights *weights)
{
    struct dama_searcher *searcher = calloc(1, sizeof *searcher);
    if (searcher) {
        searcher->rules = *rules;
        searcher->kernel = dama_kernel_find(rules);
        searcher->weights = *weights;
        searcher->first_depth = 1;
    }
    return searcher;
}

struct dama_searcher *dama_searcher_new(const struct dama_rules *rules,
                                        const struct dama_weights *weights, size_t table_kb,
                                        struct dama_error *err)
{
    if (table_kb < DAMA_TABLE_KB_MIN || table_kb > DAMA_TABLE_KB_MAX) {
        dama_fail(err, DAMA_INVALID, "table size: expected %d..%d KiB, found %lu",
                  DAMA_TABLE_KB_MIN, DAMA_TABLE_KB_MAX, (unsigned long long)table_kb);
        return NULL;
    }
    struct dama_searcher *searcher = make(rules, weights);
    if (!searcher || !dama_table_init(&searcher->own_table, table_kb)) {
        free(searcher);
        dama_fail(err, DAMA_MEMORY, "no memory for a search with a table of %lu KiB",
                  (unsigned long long)table_kb);
        return NULL;
    }
    searcher->table = &searcher->own_table;
    return searcher;
}

struct dama_searcher *dama_searcher_new_helper(struct dama_searcher *owner)
{
    struct dama_searcher *searcher = make(&owner->rules, &owner->weights);
    if (searcher) {
        searcher->table = owner->table;
        searcher->age = owner->age;
    }
    return searcher;
}

void dama_searcher_free(struct dama_searcher *searcher)
{
    if (searcher) {
        dama_table_free(&searcher->own_table);
        free(searcher);
    }
}

void dama_searcher_clear(struct dama_searcher *searcher)
{
    dama_table_clear(searcher->table);
    memset(searcher->history, 0, sizeof searcher->history);
    searcher->age = 0;
}

void dama_searcher_set_weights(struct dama_searcher *searcher, const struct dama_weights *weights)
{
    /* Scores in the table belong to the old weights. */
    searcher->weights = *weights;
    dama_searcher_clear(searcher);
}

/* Gets everything ready for a search of the game's present position; lists the root moves. */
static void begin(struct dama_searcher *searcher, const struct dama_game *game,
                  const struct dama_search_limits *limits)
{
    assert(limits->depth > 0 || limits->nodes > 0 || limits->stop);
    searcher->game = game;
    searcher->limits = limits;
    searcher->nodes = 0;
    searcher->is_stopped = false;
    searcher->cycle_ply = INT_MAX;
    searcher->age = (searcher->age + 1) % AGES;
    int16_t *history = &searcher->history[0][0][0];
    for (size_t i = 0; i < sizeof searcher->history / sizeof *history; i++) {
        history[i] = (int16_t)(history[i] / 2);
    }
    for (int i = 0; i < DAMA_SEARCH_FRAMES; i++) {
        memset(searcher->frames[i].killers, 0, sizeof searcher->frames[i].killers);
    }
    struct dama_frame *root = &searcher->frames[0];
    const struct dama_game_ply *now = &game->plies[game->ply];
    root->position = now->position;
    root->counts = now->counts;
    root->hash = now->hash;
    searcher->kernel->generate(&searcher->rules, &root->position, &root->list);
    dama_order_rank(searcher, root, -1);
    for (int i = 0; i < root->list.count; i++) {
        searcher->root_order[i] = dama_order_next(root);
    }
}

/* Score of the root move that was just entered; a null window first unless it is the first. */
static int search_root_move(struct dama_searcher *searcher, bool is_first, int depth, int alpha,
                            int beta)
{
    int score = alpha + 1;
    if (!is_first) {
        score = -dama_search_node(searcher, 1, depth, -alpha - 1, -alpha);
    }
    if (is_first || (score > alpha && score < beta && !searcher->is_stopped)) {
        score = -dama_search_node(searcher, 1, depth, -beta, -alpha);
    }
    return score;
}

static void move_to_front(int *order, int at)
{
    int index = order[at];
    memmove(order + 1, order, (size_t)at * sizeof *order);
    order[0] = index;
}

static void set_best(const struct dama_searcher *searcher, struct dama_search_result *result,
                     int score)
{
    const struct dama_frame *root = &searcher->frames[0];
    result->best = root->pv[0];
    result->score = score;
    result->pv_length = root->pv_length;
    memcpy(result->pv, root->pv, (size_t)root->pv_length * sizeof *root->pv);
}

/* All root moves to depth; the best one that was searched to its end is in the result, also when
   the search is stopped on the way. */
static int search_root(struct dama_searcher *searcher, int depth, int alpha, int beta,
                       struct dama_search_result *result)
{
    struct dama_frame *root = &searcher->frames[0];
    int reply_depth = root->list.count == 1 ? depth : depth - 1;
    int best = -DAMA_SCORE_INFINITE;
    for (int i = 0; i < root->list.count; i++) {
        int index = searcher->root_order[i];
        dama_move move = root->list.moves[index];
        if (!dama_search_enter(searcher, 0, move)) {
            break;
        }
        int score = search_root_move(searcher, i == 0, reply_depth, alpha, beta);
        if (searcher->is_stopped) {
            break;
        }
        if (score <= best) {
            continue;
        }
        best = score;
        if (score > alpha) {
            alpha = score;
            dama_search_extend_pv(root, move);
            set_best(searcher, result, score);
            move_to_front(searcher->root_order, i);
        }
        if (score >= beta) {
            break;
        }
    }
    return best;
}

/* One iteration, in a window around the last score that is widened until the score is inside. */
static void search_depth(struct dama_searcher *searcher, int depth,
                         struct dama_search_result *result)
{
    int width = ASPIRE_WIDTH;
    int alpha = -DAMA_SCORE_INFINITE;
    int beta = DAMA_SCORE_INFINITE;
    if (depth >= ASPIRE_DEPTH && !dama_score_is_decided(result->score)) {
        alpha = result->score - width;
        beta = result->score + width;
    }
    searcher->iteration = depth;
    while (!searcher->is_stopped) {
        int score = search_root(searcher, depth, alpha, beta, result);
        if (score > alpha && score < beta) {
            return;
        }
        width *= 2;
        if (score <= alpha) {
            alpha = width > ASPIRE_WIDEST ? -DAMA_SCORE_INFINITE : score - width;
        } else {
            beta = width > ASPIRE_WIDEST ? DAMA_SCORE_INFINITE : score + width;
        }
    }
}

/* The last iteration worth its time. */
static int last_depth(const struct dama_search_limits *limits, int root_moves)
{
    if (limits->depth > 0) {
        return limits->depth < DAMA_DEPTH_MAX ? limits->depth : DAMA_DEPTH_MAX;
    }
    return root_moves == 1 && !limits->is_analysis ? 1 : DAMA_DEPTH_MAX;
}

void dama_searcher_search(struct dama_searcher *searcher, const struct dama_game *game,
                          const struct dama_search_limits *limits,
                          struct dama_search_result *result)
{
    begin(searcher, game, limits);
    struct dama_frame *root = &searcher->frames[0];
    *result = (struct dama_search_result){.best = DAMA_MOVE_NONE, .score = -DAMA_SCORE_WIN};
    if (root->list.count == 0) {
        return;
    }
    /* What stands if not even one root move can be searched. */
    root->pv[0] = root->list.moves[searcher->root_order[0]];
    root->pv_length = 1;
    set_best(searcher, result,
             searcher->kernel->evaluate(&searcher->rules, &root->position, &searcher->weights));
    int last = last_depth(limits, root->list.count);
    for (int depth = searcher->first_depth; depth <= last && !searcher->is_stopped; depth++) {
        search_depth(searcher, depth, result);
        result->nodes = searcher->nodes;
        if (searcher->is_stopped) {
            break;
        }
        result->depth = depth;
        if (limits->report) {
            limits->report(limits->context, result);
        }
        int distance = DAMA_SCORE_WIN - abs(result->score);
        if (dama_score_is_decided(result->score) && distance <= depth) {
            break;
        }
    }
}

/* Exact scores of all root moves at one depth; false when the search was stopped on the way. */
static bool score_moves_at(struct dama_searcher *searcher, int depth, int16_t *scores)
{
    const struct dama_frame *root = &searcher->frames[0];
    searcher->iteration = depth;
    for (int i = 0; i < root->list.count; i++) {
        if (!dama_search_enter(searcher, 0, root->list.moves[i])) {
            return false;
        }
        int score =
            -dama_search_node(searcher, 1, depth - 1, -DAMA_SCORE_INFINITE, DAMA_SCORE_INFINITE);
        if (searcher->is_stopped) {
            return false;
        }
        scores[i] = (int16_t)score;
    }
    return true;
}

uint64_t dama_searcher_score_moves(struct dama_searcher *searcher, const struct dama_game *game,
                                   const struct dama_search_limits *limits,
                                   struct dama_move_list *list, int16_t *scores)
{
    begin(searcher, game, limits);
    const struct dama_frame *root = &searcher->frames[0];
    size_t count = (size_t)root->list.count;
    list->count = root->list.count;
    list->is_cut = root->list.is_cut;
    memcpy(list->moves, root->list.moves, count * sizeof *list->moves);
    int16_t latest[DAMA_MOVES_MAX];
    for (size_t i = 0; i < count; i++) {
        latest[i] = DAMA_SCORE_NONE;
    }
    int last = count > 0 ? last_depth(limits, list->count) : 0;
    bool is_complete = true;
    for (int depth = 1; depth <= last && is_complete; depth++) {
        is_complete = score_moves_at(searcher, depth, latest);
        if (is_complete || depth == 1) {
            memcpy(scores, latest, count * sizeof *scores);
        }
    }
    return searcher->nodes;
}
