/* The search against references written from the rules alone: plain minimax without table, windows
   or reductions, endings solved backward from their ends, and published problems. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "engine/fen.h"
#include "engine/search.h"

enum { PLIES_MAX = 64 };

/* A plain search: the same rules of depth as dama_searcher_search, none of its shortcuts. */
struct reference {
    const struct dama_rules *rules;
    const struct dama_kernel *kernel;
    const struct dama_weights *weights;
    enum dama_draw_rules draws;
    int iteration;
    struct dama_position line[PLIES_MAX];
};

static int evaluate(const struct reference *reference, const struct dama_position *position)
{
    return reference->kernel->evaluate(reference->rules, position, reference->weights);
}

static int quiet_score(const struct reference *reference, const struct dama_position *position,
                       int ply)
{
    struct dama_move_list list;
    reference->kernel->generate(reference->rules, position, &list);
    if (list.count == 0) {
        return -(DAMA_SCORE_WIN - ply);
    }
    int best = -DAMA_SCORE_INFINITE;
    bool has_quiet = false;
    for (int i = 0; i < list.count; i++) {
        if (!dama_move_is_capture(list.moves[i])) {
            has_quiet = true;
            continue;
        }
        struct dama_position next =
            reference->kernel->make(reference->rules, position, list.moves[i]);
        int score = -quiet_score(reference, &next, ply + 1);
        best = score > best ? score : best;
    }
    int standing = has_quiet ? evaluate(reference, position) : best;
    return standing > best ? standing : best;
}

static int minimax(struct reference *reference, const struct dama_draw_counts *counts, int ply,
                   int depth)
{
    const struct dama_position *position = &reference->line[ply];
    for (int earlier = ply - 2; earlier >= 0; earlier -= 2) {
        if (dama_position_equal(&reference->line[earlier], position)) {
            return 0;
        }
    }
    struct dama_move_list list;
    reference->kernel->generate(reference->rules, position, &list);
    if (ply > 0 && list.count > 0 &&
        dama_draw_by_count(reference->rules, reference->draws, counts)) {
        return 0;
    }
    if (depth == 0) {
        return quiet_score(reference, position, ply);
    }
    int best = list.count == 0 ? -(DAMA_SCORE_WIN - ply) : -DAMA_SCORE_INFINITE;
    bool is_forced = list.count == 1 && ply < 2 * reference->iteration;
    for (int i = 0; i < list.count; i++) {
        struct dama_position next =
            reference->kernel->make(reference->rules, position, list.moves[i]);
        struct dama_draw_counts after = dama_draw_update(reference->rules, reference->draws,
                                                         *counts, position, &next, list.moves[i]);
        reference->line[ply + 1] = next;
        int score = -minimax(reference, &after, ply + 1, is_forced ? depth : depth - 1);
        best = score > best ? score : best;
    }
    return best;
}

/* A position after some random moves from the start, and its game. */
static void play_random(struct dama_game *game, struct dama_rng *rng, int plies)
{
    dama_game_reset(game, NULL);
    for (int i = 0; i < plies; i++) {
        struct dama_move_list list;
        game->kernel->generate(game->rules, dama_game_position(game), &list);
        if (list.count == 0 ||
            dama_game_play(game, list.moves[dama_rng_below(rng, (uint32_t)list.count)]) !=
                DAMA_OK) {
            return;
        }
    }
}

static void search_to_depth_3_equals_plain_minimax(void **state)
{
    (void)state;
    for (int variant = 0; variant < DAMA_BUILTIN_COUNT; variant++) {
        const struct dama_rules *rules = dama_rules_builtin(variant);
        struct dama_weights weights;
        dama_weights_hand_set(rules, &weights);
        enum dama_draw_rules draws = dama_draw_rules_default(rules);
        struct dama_game *game = dama_game_new(rules, draws, NULL);
        struct dama_searcher *searcher = dama_searcher_new(rules, &weights, 256, NULL);
        assert_true(game && searcher);
        struct dama_rng rng = dama_rng_make(11, DAMA_RNG_TEST, (uint64_t)variant);
        for (int i = 0; i < 16; i++) {
            play_random(game, &rng, 4 + 4 * i);
            /* The moves before are not part of this comparison. */
            struct dama_position start = *dama_game_position(game);
            dama_game_reset(game, &start);
            for (int depth = 1; depth <= 3; depth++) {
                struct reference reference = {.rules = rules,
                                              .kernel = dama_kernel_runtime(),
                                              .weights = &weights,
                                              .draws = draws,
                                              .iteration = depth,
                                              .line = {start}};
                int expected = minimax(&reference, &game->plies[0].counts, 0, depth);
                struct dama_search_result result;
                dama_searcher_clear(searcher);
                dama_searcher_search(searcher, game, &(struct dama_search_limits){.depth = depth},
                                     &result);
                assert_int_equal(result.score, expected);
            }
        }
        dama_searcher_free(searcher);
        dama_game_free(game);
    }
}

/* All positions of two kings against one and one against one on the American board, solved
   backward: plies to the end, positive when the side to move wins. Squares are 1..32, 0 is no
   second king. */
enum { SQUARES = 32, UNKNOWN = 127 };
struct ending {
    int8_t plies[SQUARES + 1][SQUARES + 1][SQUARES + 1][2]; /* [strong][strong or 0][weak][side] */
};

static bool make_position(int first, int second, int weak, int side, struct dama_position *out)
{
    uint64_t strong = UINT64_C(1) << dama_square_bit(8, first);
    if (second) {
        strong |= UINT64_C(1) << dama_square_bit(8, second);
    }
    uint64_t other = UINT64_C(1) << dama_square_bit(8, weak);
    *out = (struct dama_position){
        .pieces = {strong, other}, .kings = strong | other, .side = (uint64_t)side};
    return !(strong & other) && (!second || first < second);
}

static int look_up(const struct ending *ending, const struct dama_position *position)
{
    uint64_t strong = position->pieces[DAMA_WHITE];
    if (!strong || !position->pieces[DAMA_BLACK]) {
        return 0; /* the side to move has no piece left: it has lost */
    }
    int first = dama_bit_square(8, dama_bits_first(strong));
    strong &= strong - 1;
    int second = strong ? dama_bit_square(8, dama_bits_first(strong)) : 0;
    int weak = dama_bit_square(8, dama_bits_first(position->pieces[DAMA_BLACK]));
    return ending->plies[first][second][weak][position->side];
}

/* Plies to the end by the values of the next positions so far; UNKNOWN when they do not tell. A
   loss is 0, -2, -4 ..., a win 1, 3 ... */
static int solve_one(const struct ending *ending, const struct dama_rules *rules,
                     const struct dama_position *position, int plies)
{
    const struct dama_kernel *kernel = dama_kernel_runtime();
    struct dama_move_list list;
    kernel->generate(rules, position, &list);
    int longest = 0;
    for (int i = 0; i < list.count; i++) {
        struct dama_position next = kernel->make(rules, position, list.moves[i]);
        int value = look_up(ending, &next);
        if (value == -(plies - 1)) {
            return plies;
        }
        bool is_won_for_them = value != UNKNOWN && value > 0;
        longest = is_won_for_them && longest >= 0 ? (value > longest ? value : longest) : -1;
    }
    return longest >= 0 && longest + 1 == plies ? -plies : list.count == 0 ? 0 : UNKNOWN;
}

static void solve(struct ending *ending, const struct dama_rules *rules)
{
    memset(ending, UNKNOWN, sizeof *ending);
    bool is_changed = true;
    for (int plies = 0; plies < 2 || is_changed; plies++) {
        is_changed = false;
        for (int index = 0; index < 2 * 33 * 32 * 32; index++) {
            int side = index % 2;
            int second = index / 2 % 33;
            int first = index / 66 % 32 + 1;
            int weak = index / 66 / 32 + 1;
            struct dama_position position;
            if ((second && second <= first) ||
                ending->plies[first][second][weak][side] != UNKNOWN ||
                !make_position(first, second, weak, side, &position)) {
                continue;
            }
            int value = solve_one(ending, rules, &position, plies);
            if (value == plies || value == -plies) {
                ending->plies[first][second][weak][side] = (int8_t)value;
                is_changed = true;
            }
        }
    }
}

static void wins_and_losses_of_kings_are_found_at_their_exact_distance(void **state)
{
    (void)state;
    const struct dama_rules *rules = dama_rules_find("american");
    static struct ending ending;
    solve(&ending, rules);
    struct dama_weights weights;
    dama_weights_hand_set(rules, &weights);
    struct dama_game *game = dama_game_new(rules, DAMA_DRAWS_SITE, NULL);
    struct dama_searcher *searcher = dama_searcher_new(rules, &weights, 1024, NULL);
    assert_true(game && searcher);
    int decided = 0;
    for (int index = 0; index < 2 * 33 * 32 * 32; index += 1499) {
        struct dama_position position;
        int second = index / 2 % 33;
        if (!make_position(index / 66 % 32 + 1, second, index / 66 / 32 + 1, index % 2,
                           &position)) {
            continue;
        }
        int plies = look_up(&ending, &position);
        dama_game_reset(game, &position);
        dama_searcher_clear(searcher);
        struct dama_search_result result;
        int depth = plies == UNKNOWN ? 7 : abs(plies) + 2;
        dama_searcher_search(searcher, game, &(struct dama_search_limits){.depth = depth}, &result);
        if (plies == UNKNOWN) {
            assert_false(dama_score_is_decided(result.score));
        } else {
            int expected = plies > 0 ? DAMA_SCORE_WIN - plies : -DAMA_SCORE_WIN - plies;
            assert_int_equal(result.score, expected);
            decided++;
        }
    }
    assert_true(decided >= 10);
    dama_searcher_free(searcher);
    dama_game_free(game);
}

/* "FEN TAB winner": the side that wins stands better by more than a man. */
static void try_shot(void *context, char *line, int number)
{
    (void)context;
    if (*line == '#') {
        return;
    }
    char *winner = strchr(line, '\t');
    assert_non_null(winner);
    *winner++ = '\0';
    const struct dama_rules *rules = dama_rules_find("american");
    struct dama_position position;
    assert_int_equal(dama_fen_parse(rules, DAMA_SQUARES_OFFICIAL, line, &position, NULL), DAMA_OK);
    struct dama_weights weights;
    dama_weights_material(rules, &weights);
    struct dama_game *game = dama_game_new(rules, DAMA_DRAWS_SITE, &position);
    struct dama_searcher *searcher = dama_searcher_new(rules, &weights, 1024, NULL);
    assert_true(game && searcher);
    struct dama_search_result result;
    dama_searcher_search(
        searcher, game, &(struct dama_search_limits){.nodes = 50000, .is_analysis = true}, &result);
    int white = position.side == DAMA_WHITE ? result.score : -result.score;
    int score = strcmp(winner, "white") == 0 ? white : -white;
    if (score < 100) {
        fail_msg("shots.tsv:%d: expected %s a man ahead, found %d", number, winner, score);
    }
    dama_searcher_free(searcher);
    dama_game_free(game);
}

static void published_shots_are_found(void **state)
{
    (void)state;
    for_each_line("search/shots.tsv", try_shot, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(search_to_depth_3_equals_plain_minimax),
        cmocka_unit_test(wins_and_losses_of_kings_are_found_at_their_exact_distance),
        cmocka_unit_test(published_shots_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
