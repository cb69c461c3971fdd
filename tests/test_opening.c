/* Openings: enumeration, the permutation over it, continuations, and the choice by a shallow
 * search. */
#include "engine/opening.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SEED = 7 };

struct positions {
    struct dama_position *at;
    size_t count;
};

static int compare(const void *left, const void *right)
{
    const struct dama_position *a = left;
    const struct dama_position *b = right;
    for (int side = 0; side < 2; side++) {
        if (a->pieces[side] != b->pieces[side]) {
            return a->pieces[side] < b->pieces[side] ? -1 : 1;
        }
    }
    return a->kings < b->kings ? -1 : a->kings > b->kings;
}

/* Sorts and leaves each position once. */
static void make_unique(struct positions *positions)
{
    qsort(positions->at, positions->count, sizeof *positions->at, compare);
    size_t kept = 0;
    for (size_t i = 0; i < positions->count; i++) {
        if (!kept || compare(&positions->at[kept - 1], &positions->at[i]) != 0) {
            positions->at[kept++] = positions->at[i];
        }
    }
    positions->count = kept;
}

/* Every line of play to this depth, doubles included. */
static void walk(const struct dama_rules *rules, const struct dama_position *position, int depth,
                 struct positions *out)
{
    const struct dama_kernel *kernel = dama_kernel_runtime();
    if (depth == 0) {
        if (kernel->has_move(rules, position)) {
            out->at[out->count++] = *position;
        }
        return;
    }
    struct dama_move_list list;
    kernel->generate(rules, position, &list);
    for (int i = 0; i < list.count; i++) {
        struct dama_position after = kernel->make(rules, position, list.moves[i]);
        walk(rules, &after, depth - 1, out);
    }
}

static struct positions reached_by_walking(const struct dama_rules *rules, int depth)
{
    struct dama_position start = dama_position_start(rules);
    size_t lines = dama_kernel_runtime()->perft_count(rules, &start, depth);
    struct positions all = {.at = malloc(lines * sizeof *all.at)};
    walk(rules, &start, depth, &all);
    make_unique(&all);
    return all;
}

static struct positions reached_by_book(const struct dama_rules *rules,
                                        const struct dama_opening_book *book)
{
    uint64_t size = dama_opening_book_size(book);
    struct dama_game *game = dama_game_new(rules, dama_draw_rules_default(rules), NULL);
    struct positions all = {.at = malloc(size * sizeof *all.at)};
    for (uint64_t i = 0; i < size; i++) {
        dama_opening_play(book, SEED, i, game);
        all.at[all.count++] = *dama_game_position(game);
    }
    dama_game_free(game);
    make_unique(&all);
    return all;
}

static void every_position_of_a_ply_is_one_opening(void **state)
{
    (void)state;
    enum { PLIES = 4 };
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        const struct dama_rules *rules = dama_rules_builtin(i);
        struct dama_opening_book *book = dama_opening_book_new(rules, PLIES, NULL);
        struct positions expected = reached_by_walking(rules, PLIES);
        struct positions found = reached_by_book(rules, book);
        assert_int_equal(dama_opening_book_size(book), expected.count);
        assert_int_equal(dama_opening_book_enumerated(book), PLIES);
        assert_int_equal(found.count, expected.count);
        assert_memory_equal(found.at, expected.at, found.count * sizeof *found.at);
        free(expected.at);
        free(found.at);
        dama_opening_book_free(book);
    }
}

static void no_plies_is_the_start_position_alone(void **state)
{
    (void)state;
    const struct dama_rules *rules = dama_rules_find("international");
    struct dama_opening_book *book = dama_opening_book_new(rules, 0, NULL);
    struct dama_game *game = dama_game_new(rules, DAMA_DRAWS_FEDERATION, NULL);
    assert_int_equal(dama_opening_book_size(book), 1);
    assert_int_equal(dama_opening_play(book, SEED, 0, game), 0);
    dama_game_free(game);
    dama_opening_book_free(book);
}

static void a_wrong_number_of_plies_is_refused(void **state)
{
    (void)state;
    struct dama_error err = {0};
    assert_null(dama_opening_book_new(dama_rules_builtin(0), -1, &err));
    assert_string_equal(err.text, "openings: expected 0 to 100 plies, found -1");
    assert_null(dama_opening_book_new(dama_rules_builtin(0), 101, NULL));
}

/* A seed orders openings its own way; a continuation is a function of (seed, index). */
static void openings_depend_on_seed_and_index_alone(void **state)
{
    (void)state;
    const struct dama_rules *rules = dama_rules_find("russian");
    struct dama_opening_book *book = dama_opening_book_new(rules, 12, NULL);
    struct dama_game *one = dama_game_new(rules, DAMA_DRAWS_SITE, NULL);
    struct dama_game *two = dama_game_new(rules, DAMA_DRAWS_SITE, NULL);
    int same = 0;
    for (uint64_t i = 0; i < 100; i++) {
        uint64_t index = i * 1000003 % dama_opening_book_size(book);
        assert_int_equal(dama_opening_play(book, SEED, index, one), 12);
        dama_opening_play(book, SEED + 1, index, two);
        same += dama_position_equal(dama_game_position(one), dama_game_position(two));
        dama_opening_play(book, SEED, index, two);
        assert_memory_equal(one->plies, two->plies, 12 * sizeof *one->plies);
    }
    assert_true(same < 5);
    dama_game_free(one);
    dama_game_free(two);
    dama_opening_book_free(book);
}

/* Ten plies of American: more than are enumerated. The first openings have as many bases. */
static void first_openings_of_a_book_are_distinct_positions(void **state)
{
    (void)state;
    enum { OPENINGS = 3000 };
    const struct dama_rules *rules = dama_rules_find("american");
    struct dama_opening_book *book = dama_opening_book_new(rules, 10, NULL);
    assert_in_range(dama_opening_book_enumerated(book), 6, 9);
    struct dama_game *game = dama_game_new(rules, DAMA_DRAWS_SITE, NULL);
    struct positions bases = {.at = malloc(OPENINGS * sizeof *bases.at)};
    struct positions ends = {.at = malloc(OPENINGS * sizeof *ends.at)};
    for (uint64_t i = 0; i < OPENINGS; i++) {
        assert_int_equal(dama_opening_play(book, SEED, i, game), 10);
        bases.at[bases.count++] = game->plies[dama_opening_book_enumerated(book)].position;
        ends.at[ends.count++] = *dama_game_position(game);
    }
    make_unique(&bases);
    make_unique(&ends);
    assert_int_equal(bases.count, OPENINGS);
    assert_in_range(ends.count, OPENINGS * 99 / 100, OPENINGS);
    free(bases.at);
    free(ends.at);
    dama_game_free(game);
    dama_opening_book_free(book);
}

struct choice_test {
    const struct dama_rules *rules;
    struct dama_opening_book *book;
    struct dama_searcher *searcher;
    struct dama_game *game;
};

static struct choice_test choice_setup(const char *name, int plies)
{
    struct choice_test t = {.rules = dama_rules_find(name)};
    struct dama_weights weights;
    struct dama_error err = {0};
    dama_weights_material(t.rules, &weights);
    t.book = dama_opening_book_new(t.rules, plies, &err);
    t.searcher = dama_searcher_new(t.rules, &weights, 64, &err);
    t.game = dama_game_new(t.rules, dama_draw_rules_default(t.rules), NULL);
    assert_true(t.book && t.searcher && t.game);
    return t;
}

static void choice_teardown(struct choice_test *t)
{
    dama_game_free(t->game);
    dama_searcher_free(t->searcher);
    dama_opening_book_free(t->book);
}

static uint64_t choose(struct choice_test *t, uint64_t number, int window)
{
    const struct dama_opening_wish wish = {.seed = SEED, .number = number, .high = window};
    return dama_opening_choose(t->book, t->searcher, &wish, t->game);
}

static void without_a_window_the_first_index_is_taken(void **state)
{
    (void)state;
    struct choice_test t = choice_setup("czech", 8);
    for (uint64_t number = 0; number < 20; number++) {
        assert_int_equal(choose(&t, number, 0), 16 * number);
        assert_int_equal(t.game->ply, 8);
    }
    choice_teardown(&t);
}

/* Twelve random plies often lose a man; the window refuses some of those, and the choice is played.
 */
static void a_window_passes_over_lopsided_openings(void **state)
{
    (void)state;
    struct choice_test t = choice_setup("italian", 12);
    int passed_over = 0;
    for (uint64_t number = 0; number < 40; number++) {
        uint64_t index = choose(&t, number, 50);
        assert_in_range(index, 16 * number, 16 * number + 15);
        passed_over += index != 16 * number;
        struct dama_position chosen = *dama_game_position(t.game);
        dama_opening_play(t.book, SEED, index, t.game);
        assert_true(dama_position_equal(&chosen, dama_game_position(t.game)));
    }
    assert_in_range(passed_over, 5, 40);
    choice_teardown(&t);
}

/* After two plies nobody is a man behind, so that all are as far from the wish. */
static void of_equally_near_openings_the_first_is_taken(void **state)
{
    (void)state;
    struct choice_test t = choice_setup("international", 2);
    const struct dama_opening_wish wish = {.seed = SEED, .low = 100, .high = 200};
    assert_int_equal(dama_opening_choose(t.book, t.searcher, &wish, t.game), 0);
    choice_teardown(&t);
}

static void a_choice_does_not_depend_on_what_was_searched_before(void **state)
{
    (void)state;
    struct choice_test t = choice_setup("brazilian", 12);
    uint64_t first[10];
    for (uint64_t number = 0; number < 10; number++) {
        first[number] = choose(&t, number, 30);
    }
    for (uint64_t number = 10; number-- > 0;) {
        assert_int_equal(choose(&t, number, 30), first[number]);
    }
    choice_teardown(&t);
}

static void numbers_beyond_a_small_book_start_over(void **state)
{
    (void)state;
    struct choice_test t = choice_setup("american", 1);
    assert_int_equal(dama_opening_book_size(t.book), 7);
    assert_int_equal(choose(&t, 1, 0), 16 % 7);
    choice_teardown(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_position_of_a_ply_is_one_opening),
        cmocka_unit_test(no_plies_is_the_start_position_alone),
        cmocka_unit_test(a_wrong_number_of_plies_is_refused),
        cmocka_unit_test(openings_depend_on_seed_and_index_alone),
        cmocka_unit_test(first_openings_of_a_book_are_distinct_positions),
        cmocka_unit_test(without_a_window_the_first_index_is_taken),
        cmocka_unit_test(a_window_passes_over_lopsided_openings),
        cmocka_unit_test(of_equally_near_openings_the_first_is_taken),
        cmocka_unit_test(a_choice_does_not_depend_on_what_was_searched_before),
        cmocka_unit_test(numbers_beyond_a_small_book_start_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
