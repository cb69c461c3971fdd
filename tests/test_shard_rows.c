/* What a shard says must be possible: rows, games and results that are not are refused. */
#include "cluster/shard.h"

#include <stdio.h>
#include <string.h>

#include "shard_fixture.h"
#include "support.h"

struct row_case {
    void (*spoil)(struct dama_row *row);
    const char *reason;
};

static void white_man_on_crowning_row(struct dama_row *row)
{
    row->white_men |= 8;
}
static void black_man_on_crowning_row(struct dama_row *row)
{
    row->black_men |= UINT64_C(1) << 28;
}
static void two_pieces_on_a_square(struct dama_row *row)
{
    row->white_kings |= UINT64_C(1) << 31;
}
static void man_and_king_on_a_square(struct dama_row *row)
{
    row->white_men = 0x0000ff00;
    row->white_kings = 0x00000100;
    row->black_men = 0;
    row->black_kings = UINT64_C(1) << 31;
}
static void thirteen_pieces(struct dama_row *row)
{
    row->white_men = 0x0001fff0;
    row->white_kings = 0;
    row->black_men = 0;
}
static void side_two(struct dama_row *row)
{
    row->side_to_move = 2;
}
static void wrong_side(struct dama_row *row)
{
    struct dama_row turned = *row;
    turned.side_to_move = 0;
    turned.result = (int8_t)-row->result;
    turned.from = 1; /* White's king */
    turned.captured = 0;
    *row = turned;
}
static void label_two(struct dama_row *row)
{
    row->result = 2;
}
static void label_of_the_other_side(struct dama_row *row)
{
    row->result = 1;
}
static void from_nowhere(struct dama_row *row)
{
    row->from = 0;
    row->to = 2;
}
static void to_nowhere(struct dama_row *row)
{
    row->from = 32;
    row->to = 33;
}
static void from_an_empty_square(struct dama_row *row)
{
    row->from = 3;
    row->to = 2;
}
static void to_a_piece(struct dama_row *row)
{
    row->from = 32;
    row->to = 1;
}
static void captures_an_empty_square(struct dama_row *row)
{
    row->captured = 4;
    row->flags = DAMA_ROW_CAPTURE;
}
static void capture_without_its_flag(struct dama_row *row)
{
    row->from = 32;
    row->to = 3;
    row->captured = 1;
    row->flags = 0;
}
static void other_game(struct dama_row *row)
{
    row->game = 0;
}
static void ply_again(struct dama_row *row)
{
    row->ply = 0;
}
static void ply_beyond_the_game(struct dama_row *row)
{
    row->ply = 2;
}

static const struct row_case row_cases[] = {
    {white_man_on_crowning_row, "square 4: a man on its crowning row"},
    {black_man_on_crowning_row, "square 29: a man on its crowning row"},
    {two_pieces_on_a_square, "square 32: holds two pieces"},
    {man_and_king_on_a_square, "square 9: holds two pieces"},
    {thirteen_pieces, "expected at most 12 pieces a side, found 13"},
    {side_two, "side_to_move: expected 0 or 1, found 2"},
    {wrong_side, "side_to_move: expected 1 by the ply, found 0"},
    {label_two, "result: expected -1, 0 or 1, found 2"},
    {label_of_the_other_side, "result: expected 0 by its game, found 1"},
    {from_nowhere, "move 0-2: expected squares of 1..32"},
    {to_nowhere, "move 32-33: expected squares of 1..32"},
    {from_an_empty_square, "move 3-2: no piece of the side to move on 3"},
    {to_a_piece, "move 32-1: square 1 is occupied"},
    {captures_an_empty_square, "square 3: captured, but no opponent stands there"},
    {capture_without_its_flag, "move 32-3: flags 0 do not fit"},
    {other_game, "game: expected 1, found 0"},
    {ply_again, "ply: expected more than 0, found 0"},
    {ply_beyond_the_game, "ply: expected less than 2 by its game, found 2"},
};

/* Row 2: the second ply of game 1, which is drawn; Black is to move. */
static void impossible_rows_are_refused(void **state)
{
    struct shard_fixture *f = *state;
    for (size_t i = 0; i < sizeof row_cases / sizeof row_cases[0]; i++) {
        sample_shard(&f->shard, 8, SAMPLE_BLOCK, 3);
        assert_int_equal(f->shard.row[2].side_to_move, 1);
        row_cases[i].spoil(&f->shard.row[2]);
        shard_save(f, 8);
        assert_int_not_equal(shard_load(f, NULL), DAMA_OK);
        char expected[128];
        snprintf(expected, sizeof expected, "row 2: %s", row_cases[i].reason);
        assert_string_equal(shard_reason(f), expected);
    }
}

/* A set of 10x10 has room for squares beyond 50; on 8x8 the file's type has none. */
static void square_beyond_the_board_is_refused(void **state)
{
    struct shard_fixture *f = *state;
    sample_shard(&f->shard, 10, SAMPLE_BLOCK, 3);
    f->shard.row[2].white_kings |= UINT64_C(1) << 50;
    shard_save(f, 10);
    assert_int_equal(shard_load(f, NULL), DAMA_ILLEGAL);
    assert_string_equal(shard_reason(f), "row 2: square 51: is not on the board");
}

static void games_out_of_order_are_refused(void **state)
{
    struct shard_fixture *f = *state;
    sample_shard(&f->shard, 8, SAMPLE_BLOCK, 3);
    f->shard.game[2].id = 99;
    shard_save(f, 8);
    assert_int_equal(shard_load(f, NULL), DAMA_CORRUPT);
    assert_string_equal(shard_reason(f), "game 2: id: expected 23, found 99");
}

static void rows_between_games_are_refused(void **state)
{
    struct shard_fixture *f = *state;
    sample_shard(&f->shard, 8, SAMPLE_BLOCK, 3);
    f->shard.game[1].first_row = 2;
    shard_save(f, 8);
    assert_int_equal(shard_load(f, NULL), DAMA_CORRUPT);
    assert_string_equal(shard_reason(f),
                        "game 1: rows: expected them from 1 on, at most 5, found 2 from 2 on");
    sample_shard(&f->shard, 8, SAMPLE_BLOCK, 3);
    f->shard.games = 2;
    shard_save(f, 8);
    assert_int_equal(shard_load(f, NULL), DAMA_CORRUPT);
    assert_string_equal(shard_reason(f), "row 3: belongs to no game");
}

/* C037: a game at its ply cap is drawn and says so. */
static void c037_result_that_does_not_fit_the_end_is_refused(void **state)
{
    struct shard_fixture *f = *state;
    sample_shard(&f->shard, 8, SAMPLE_BLOCK, 3);
    f->shard.game[0].termination = DAMA_END_PLY_CAP;
    shard_save(f, 8);
    assert_int_equal(shard_load(f, NULL), DAMA_CORRUPT);
    assert_string_equal(shard_reason(f), "game 0: result 1 does not fit its end, ply cap");
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, shard_setup, shard_teardown)
    const struct CMUnitTest tests[] = {
        CASE(impossible_rows_are_refused),
        CASE(square_beyond_the_board_is_refused),
        CASE(games_out_of_order_are_refused),
        CASE(rows_between_games_are_refused),
        CASE(c037_result_that_does_not_fit_the_end_is_refused),
    };
#undef CASE
    return cmocka_run_group_tests(tests, NULL, NULL);
}
