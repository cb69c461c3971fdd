/* Boards and positions: bits, turn, start, mirror, hash key and the refusal of impossible ones. */
#include "support.h"

#include <string.h>

static void squares_and_bits_convert_both_ways(void **state)
{
    (void)state;
    for (int size = 8; size <= 10; size += 2) {
        uint64_t all = 0;
        for (int square = 1; square <= size * size / 2; square++) {
            int bit = dama_square_bit(size, square);
            assert_int_equal(dama_bit_square(size, bit), square);
            assert_false(all >> bit & 1);
            all |= UINT64_C(1) << bit;
            assert_int_equal(dama_bits_to_grid(size, UINT64_C(1) << bit), UINT64_C(1)
                                                                              << (square - 1));
            assert_int_equal(dama_bits_from_grid(size, UINT64_C(1) << (square - 1)), UINT64_C(1)
                                                                                         << bit);
        }
        assert_int_equal(all, dama_board_all(size));
        assert_false(all & 1);
    }
}

/* Rows and columns by hand: the step of one bit is the neighbour on the diagonal, and off the board
   it is a ghost. */
static void steps_are_diagonal_neighbours(void **state)
{
    (void)state;
    for (int size = 8; size <= 10; size += 2) {
        for (int square = 1; square <= size * size / 2; square++) {
            int row = dama_square_row(size, square);
            int column = dama_square_column(size, square);
            uint64_t bit = UINT64_C(1) << dama_square_bit(size, square);
            uint64_t left = bit << dama_step_left(size) & dama_board_all(size);
            uint64_t right = bit << dama_step_right(size) & dama_board_all(size);
            assert_int_equal(left != 0, row + 1 < size && column > 0);
            assert_int_equal(right != 0, row + 1 < size && column + 1 < size);
            if (left) {
                int to = dama_bit_square(size, dama_bits_first(left));
                assert_int_equal(dama_square_row(size, to), row + 1);
                assert_int_equal(dama_square_column(size, to), column - 1);
            }
            if (right) {
                int to = dama_bit_square(size, dama_bits_first(right));
                assert_int_equal(dama_square_row(size, to), row + 1);
                assert_int_equal(dama_square_column(size, to), column + 1);
            }
        }
    }
}

static void turn_maps_square_n_to_the_last_minus_n(void **state)
{
    (void)state;
    for (int size = 8; size <= 10; size += 2) {
        int squares = size * size / 2;
        for (int square = 1; square <= squares; square++) {
            uint64_t turned = dama_bits_turn(size, UINT64_C(1) << dama_square_bit(size, square));
            assert_int_equal(turned, UINT64_C(1) << dama_square_bit(size, squares + 1 - square));
        }
        assert_int_equal(dama_bits_turn(size, dama_board_all(size)), dama_board_all(size));
    }
}

static void start_positions_are_those_of_the_rules(void **state)
{
    (void)state;
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        const struct dama_rules *rules = dama_rules_builtin(i);
        struct dama_position start = dama_position_start(rules);
        struct dama_position expected = rules->board_size == 8
                                            ? grid_position(rules, "W:W21-32:B1-12")
                                            : grid_position(rules, "W:W31-50:B1-20");
        bool is_american = strncmp(rules->name, "american", 8) == 0;
        expected.side = is_american ? DAMA_BLACK : DAMA_WHITE;
        assert_true(dama_position_equal(&start, &expected));
    }
}

static void mirror_swaps_colours_and_turns_the_board(void **state)
{
    (void)state;
    const struct dama_rules *rules = dama_rules_find("russian");
    struct dama_position position = grid_position(rules, "W:WK1,21,30:B9,K32");
    struct dama_position expected = grid_position(rules, "B:WK1,24:BK32,12,3");
    struct dama_position mirror = dama_position_mirror(rules, &position);
    assert_true(dama_position_equal(&mirror, &expected));
    struct dama_position back = dama_position_mirror(rules, &mirror);
    assert_true(dama_position_equal(&back, &position));
}

static void each_part_of_a_position_changes_the_key(void **state)
{
    (void)state;
    const struct dama_rules *rules = dama_rules_find("international");
    struct dama_position start = dama_position_start(rules);
    uint64_t keys[3 * 64 + 2];
    int count = 0;
    keys[count++] = dama_position_hash(&start);
    struct dama_position other = start;
    other.side ^= 1;
    keys[count++] = dama_position_hash(&other);
    for (int square = 1; square <= 50; square++) {
        uint64_t bit = UINT64_C(1) << dama_square_bit(10, square);
        for (int part = 0; part < 3; part++) {
            other = start;
            if (part < 2) {
                other.pieces[part] ^= bit;
            } else {
                other.kings ^= bit;
            }
            keys[count++] = dama_position_hash(&other);
        }
    }
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) {
            assert_true(keys[i] != keys[j]);
        }
    }
}

static void refuse(const struct dama_rules *rules, struct dama_position position,
                   const char *expected)
{
    struct dama_error err = {0};
    assert_int_equal(dama_position_check(rules, &position, &err), DAMA_INVALID);
    assert_string_equal(err.text, expected);
}

static void impossible_positions_are_refused_with_the_square(void **state)
{
    (void)state;
    const struct dama_rules *rules = dama_rules_find("czech");
    struct dama_position good = grid_position(rules, "W:W21,K1:B9,K32");
    struct dama_error err = {0};
    assert_int_equal(dama_position_check(rules, &good, &err), DAMA_OK);
    assert_string_equal(err.text, "");
    struct dama_position bad = good;
    bad.pieces[DAMA_WHITE] |= UINT64_C(1) << dama_square_bit(8, 9);
    refuse(rules, bad, "square 9 holds pieces of both sides");
    bad = good;
    bad.pieces[DAMA_WHITE] |= UINT64_C(1) << dama_square_bit(8, 3);
    refuse(rules, bad, "square 3 has a man on its crowning row");
    bad = good;
    bad.pieces[DAMA_BLACK] |= UINT64_C(1) << dama_square_bit(8, 30);
    refuse(rules, bad, "square 30 has a man on its crowning row");
    bad = good;
    bad.kings |= UINT64_C(1) << dama_square_bit(8, 20);
    refuse(rules, bad, "square 20 has a king that belongs to no side");
    bad = good;
    bad.pieces[DAMA_BLACK] |= UINT64_C(1) << 9;
    refuse(rules, bad, "bit 9 is no square of the 8x8 board");
    bad = good;
    bad.side = 2;
    refuse(rules, bad, "side to move: expected 0 or 1, found 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares_and_bits_convert_both_ways),
        cmocka_unit_test(steps_are_diagonal_neighbours),
        cmocka_unit_test(turn_maps_square_n_to_the_last_minus_n),
        cmocka_unit_test(start_positions_are_those_of_the_rules),
        cmocka_unit_test(mirror_swaps_colours_and_turns_the_board),
        cmocka_unit_test(each_part_of_a_position_changes_the_key),
        cmocka_unit_test(impossible_positions_are_refused_with_the_square),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
