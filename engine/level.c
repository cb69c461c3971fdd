/* The strength levels: noise and a margin on top of exact scores of the root moves; the sparring
   partners. */
#include "engine/level.h"

#include <string.h>

#include "engine/rng.h"

/* A position is won for `hard` from this score on. */
enum { WON_SCORE = 200 };

/* A row of configs/levels.conf; an empty variant is the default. */
struct row {
    const char *variant;
    struct dama_level level;
};

static const struct row rows[] = {
#include "levels.inc"
};

static const struct dama_level partners[] = {
#define X(text, plies, one_in) {.name = #text, .depth = plies, .random_in = one_in},
    DAMA_SPARRING_PARTNERS(X)
#undef X
};

static const struct dama_level *find_partner(const char *name)
{
    for (size_t i = 0; i < sizeof partners / sizeof *partners; i++) {
        if (strcmp(partners[i].name, name) == 0) {
            return &partners[i];
        }
    }
    return NULL;
}

const struct dama_level *dama_level_find(const struct dama_rules *rules, const char *name)
{
    const struct dama_rules *builtin = dama_rules_find(rules->name);
    bool is_builtin = builtin && dama_rules_equal(builtin, rules);
    const struct dama_level *found = find_partner(name);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].level.name, name) != 0) {
            continue;
        }
        if (is_builtin && strcmp(rows[i].variant, rules->name) == 0) {
            return &rows[i].level;
        }
        if (!*rows[i].variant) {
            found = &rows[i].level;
        }
    }
    return found;
}

static int best_of(const int16_t *scores, int count)
{
    int best = 0;
    for (int i = 1; i < count; i++) {
        if (scores[i] > scores[best]) {
            best = i;
        }
    }
    return best;
}

/* Whether a weak level may err on this move: it was searched and does not lose by force. */
static bool is_candidate(int score)
{
    return score > -DAMA_SCORE_WIN_MIN;
}

/* The move of a level that errs. A win that is seen is taken and a loss that is seen avoided: the
   level misjudges positions, it does not throw decided games away. */
static int choose(const struct dama_level *level, const int16_t *scores, int count,
                  struct dama_rng *rng)
{
    int best = best_of(scores, count);
    if (scores[best] >= DAMA_SCORE_WIN_MIN || !is_candidate(scores[best])) {
        return best;
    }
    int noisy[DAMA_MOVES_MAX];
    int highest = -DAMA_SCORE_INFINITE;
    for (int i = 0; i < count; i++) {
        uint32_t width = 2 * (uint32_t)level->noise + 1;
        noisy[i] = scores[i] + (int)dama_rng_below(rng, width) - level->noise;
        if (is_candidate(scores[i]) && noisy[i] > highest) {
            highest = noisy[i];
        }
    }
    int chosen = best;
    uint32_t found = 0;
    for (int i = 0; i < count; i++) {
        /* Each of the n moves within the margin is kept with chance 1/n. */
        if (is_candidate(scores[i]) && noisy[i] >= highest - level->margin &&
            dama_rng_below(rng, ++found) == 0) {
            chosen = i;
        }
    }
    return chosen;
}

static struct dama_search_result search_best(struct dama_searcher *searcher,
                                             const struct dama_game *game,
                                             const struct dama_search_limits *limits)
{
    struct dama_search_result result;
    dama_searcher_search(searcher, game, limits, &result);
    return result;
}

static bool is_won_for_hard(struct dama_searcher *searcher, const struct dama_game *game)
{
    const struct dama_level *hard = dama_level_find(game->rules, "hard");
    struct dama_search_limits limits = {.depth = hard->depth, .nodes = hard->nodes};
    dama_searcher_clear(searcher);
    return search_best(searcher, game, &limits).score >= WON_SCORE;
}

/* The move of a level that errs, from exact scores of its own search. */
static dama_move err_on_purpose(const struct dama_level *level, struct dama_searcher *searcher,
                                const struct dama_game *game, struct dama_move_list *list,
                                struct dama_rng *rng)
{
    struct dama_search_limits limits = {.depth = level->depth, .nodes = level->nodes};
    int16_t scores[DAMA_MOVES_MAX];
    dama_searcher_score_moves(searcher, game, &limits, list, scores);
    int chosen = choose(level, scores, list->count, rng);
    if (dama_game_draws_at_once(game, list->moves[chosen]) && is_won_for_hard(searcher, game)) {
        for (int i = 0; i < list->count; i++) {
            if (dama_game_draws_at_once(game, list->moves[i])) {
                scores[i] = -DAMA_SCORE_INFINITE;
            }
        }
        chosen = choose(level, scores, list->count, rng);
    }
    return list->moves[chosen];
}

dama_move dama_level_move(const struct dama_level *level, struct dama_searcher *searcher,
                          const struct dama_game *game, uint64_t seed)
{
    struct dama_move_list list;
    game->kernel->generate(game->rules, dama_game_position(game), &list);
    if (list.count <= 1) {
        return list.count ? list.moves[0] : DAMA_MOVE_NONE;
    }
    /* Another draw for each ply, so that a level does not repeat itself for ever. */
    uint64_t number = game->plies[game->ply].hash + (uint64_t)game->ply;
    struct dama_rng rng = dama_rng_make(seed, DAMA_RNG_LEVEL, number);
    if (level->random_in && dama_rng_below(&rng, (uint32_t)level->random_in) == 0) {
        return list.moves[dama_rng_below(&rng, (uint32_t)list.count)];
    }
    dama_searcher_clear(searcher);
    if (level->noise == 0 && level->margin == 0) {
        struct dama_search_limits limits = {.depth = level->depth, .nodes = level->nodes};
        return search_best(searcher, game, &limits).best;
    }
    return err_on_purpose(level, searcher, game, &list, &rng);
}
