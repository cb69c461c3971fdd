/* Kernels against one another: specialised and run-time agree, the mirrored position has the
   mirrored moves, two plies count as many leaves as their lists have. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

/* Positions of each built-in; `test_kernels N` of the slow set takes more. */
static int positions_each = 2000;

static void assert_distinct(const struct dama_rules *rules, struct dama_move_list *list)
{
    sort_moves(list);
    for (int i = 1; i < list->count; i++) {
        if (list->moves[i] == list->moves[i - 1]) {
            fail_msg("%s: a move is listed twice", rules->name);
        }
    }
}

static void assert_consistent(const struct dama_rules *rules, const struct dama_kernel *kernel,
                              const struct dama_position *position, struct dama_move_list *list)
{
    struct dama_move_list captures;
    kernel->captures(rules, position, &captures);
    assert_int_equal(kernel->has_capture(rules, position), captures.count > 0);
    assert_int_equal(kernel->has_move(rules, position), list->count > 0);
    assert_int_equal(kernel->perft_count(rules, position, 1), list->count);
    int count = 0;
    for (int i = 0; i < list->count; i++) {
        struct dama_position after = kernel->make(rules, position, list->moves[i]);
        count += dama_move_is_capture(list->moves[i]);
        struct dama_error err = {0};
        if (dama_position_check(rules, &after, &err) != DAMA_OK) {
            fail_msg("%s: %s", rules->name, err.text);
        }
        uint64_t pieces = position->pieces[0] | position->pieces[1];
        uint64_t left = after.pieces[0] | after.pieces[1];
        assert_int_equal(dama_bits_count(left),
                         dama_bits_count(pieces) -
                             dama_bits_count(dama_move_captured(list->moves[i])));
    }
    assert_int_equal(captures.count, count);
}

/* Lists in the kernel's own order, which is part of the contract. */
static void assert_kernels_agree(const struct dama_rules *rules,
                                 const struct dama_position *position)
{
    const struct dama_kernel *a = dama_kernel_find(rules);
    const struct dama_kernel *b = dama_kernel_runtime();
    assert_ptr_not_equal(a, b);
    struct dama_move_list moves_a;
    struct dama_move_list moves_b;
    a->generate(rules, position, &moves_a);
    b->generate(rules, position, &moves_b);
    assert_int_equal(moves_a.is_cut, moves_b.is_cut);
    assert_int_equal(moves_a.count, moves_b.count);
    assert_memory_equal(moves_a.moves, moves_b.moves,
                        (size_t)moves_a.count * sizeof moves_a.moves[0]);
    for (int i = 0; i < moves_a.count; i++) {
        struct dama_position after_a = a->make(rules, position, moves_a.moves[i]);
        struct dama_position after_b = b->make(rules, position, moves_b.moves[i]);
        assert_true(dama_position_equal(&after_a, &after_b));
    }
    if (!moves_a.is_cut) {
        assert_consistent(rules, a, position, &moves_a);
        assert_consistent(rules, b, position, &moves_b);
        assert_distinct(rules, &moves_a);
    }
}

static int turn_bit(const struct dama_rules *rules, int bit)
{
    return dama_bits_first(dama_bits_turn(rules->board_size, UINT64_C(1) << bit));
}

static void assert_mirror_agrees(const struct dama_rules *rules,
                                 const struct dama_position *position)
{
    const struct dama_kernel *kernel = dama_kernel_find(rules);
    struct dama_position mirror = dama_position_mirror(rules, position);
    struct dama_move_list moves;
    struct dama_move_list mirrored;
    kernel->generate(rules, position, &moves);
    kernel->generate(rules, &mirror, &mirrored);
    if (moves.is_cut) {
        return;
    }
    for (int i = 0; i < moves.count; i++) {
        dama_move move = moves.moves[i];
        moves.moves[i] = dama_move_make(
            turn_bit(rules, dama_move_from(move)), turn_bit(rules, dama_move_to(move)),
            dama_bits_turn(rules->board_size, dama_move_captured(move)), dama_move_crowns(move));
    }
    assert_same_moves(&moves, &mirrored, rules->name);
}

/* perft_list at depth 2; false when a list on the way is cut. */
static bool list_two_plies(const struct dama_rules *rules, const struct dama_position *position,
                           uint64_t *leaves)
{
    const struct dama_kernel *kernel = dama_kernel_find(rules);
    struct dama_move_list moves;
    kernel->generate(rules, position, &moves);
    bool is_cut = moves.is_cut;
    *leaves = 0;
    for (int i = 0; i < moves.count; i++) {
        struct dama_position after = kernel->make(rules, position, moves.moves[i]);
        struct dama_move_list replies;
        kernel->generate(rules, &after, &replies);
        is_cut |= replies.is_cut;
        *leaves += (uint64_t)replies.count;
    }
    return !is_cut;
}

static void assert_two_plies_are_counted(const struct dama_rules *rules,
                                         const struct dama_position *position)
{
    struct dama_position men = *position;
    men.pieces[DAMA_WHITE] &= ~men.kings;
    men.pieces[DAMA_BLACK] &= ~men.kings;
    men.kings = 0;
    const struct dama_position *const both[] = {position, &men};
    for (int i = 0; i < 2; i++) {
        uint64_t leaves;
        if (list_two_plies(rules, both[i], &leaves)) {
            assert_int_equal(dama_kernel_find(rules)->perft_count(rules, both[i], 2), leaves);
            assert_int_equal(dama_kernel_runtime()->perft_count(rules, both[i], 2), leaves);
        }
    }
}

static void on_random_positions(void (*check)(const struct dama_rules *rules,
                                              const struct dama_position *position))
{
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        const struct dama_rules *rules = dama_rules_builtin(i);
        struct dama_rng rng = dama_rng_make(1, DAMA_RNG_TEST, (uint64_t)i);
        for (int n = 0; n < positions_each; n++) {
            struct dama_position position = random_position(rules, &rng);
            check(rules, &position);
        }
    }
}

static void specialised_kernel_equals_the_runtime_one(void **state)
{
    (void)state;
    on_random_positions(assert_kernels_agree);
}

static void mirrored_position_has_the_mirrored_moves(void **state)
{
    (void)state;
    on_random_positions(assert_mirror_agrees);
}

static void two_plies_count_as_many_leaves_as_their_lists(void **state)
{
    (void)state;
    on_random_positions(assert_two_plies_are_counted);
}

/* Random positions hardly have a capture that lands where a man stepped away and forks after that:
   once it took the man that stepped, or at once. */
static void captures_into_a_square_just_left_are_counted(void **state)
{
    (void)state;
    static const char *const fens[] = {"W:W10,11,17,22:B13", "W:W15,17,22,25,26:B13"};
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        const struct dama_rules *rules = dama_rules_builtin(i);
        for (int n = 0; n < 2 && rules->board_size == 8; n++) {
            struct dama_position position = grid_position(rules, fens[n]);
            assert_two_plies_are_counted(rules, &position);
        }
    }
}

static void too_many_moves_cut_the_list_and_are_refused(void **state)
{
    (void)state;
    /* No game has such rules: kings that stop anywhere and pass over what they captured find
       thousands of ways through a crowded board. */
    struct dama_rules rules = *dama_rules_find("international");
    rules.most_pieces = false;
    rules.captured_leave_at_once = true;
    struct dama_position position =
        grid_position(&rules, "W:WK1,K10,K15,K25,K45,K46:BK3,K9,K11,K12,K13,K14,K16,K20,K23,K30,"
                              "K31,K32,K33,K34,K41,K42,K43,K44");
    struct {
        struct dama_move_list list;
        uint64_t guard[8];
    } guarded = {.guard = {1, 2, 3, 4, 5, 6, 7, 8}};
    dama_kernel_runtime()->generate(&rules, &position, &guarded.list);
    assert_true(guarded.list.is_cut);
    assert_true(guarded.list.count <= DAMA_MOVES_MAX);
    for (uint64_t i = 0; i < 8; i++) {
        assert_int_equal(guarded.guard[i], i + 1);
    }
    struct dama_error err = {0};
    assert_int_equal(dama_position_check_moves(&rules, &position, &err), DAMA_UNSUPPORTED);
    struct dama_position start = dama_position_start(&rules);
    assert_int_equal(dama_position_check_moves(&rules, &start, &err), DAMA_OK);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        positions_each = atoi(argv[1]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(specialised_kernel_equals_the_runtime_one),
        cmocka_unit_test(mirrored_position_has_the_mirrored_moves),
        cmocka_unit_test(two_plies_count_as_many_leaves_as_their_lists),
        cmocka_unit_test(captures_into_a_square_just_left_are_counted),
        cmocka_unit_test(too_many_moves_cut_the_list_and_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
