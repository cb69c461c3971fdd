/* Shards: what is written comes back, the same rows give the same bytes, nothing wrong is read. */
#include "cluster/shard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <signal.h>
#include <unistd.h>

#include "engine/cli/options.h"
#include "shard_sample.h"
#include "support.h"

enum { SAMPLE_GAMES = 20, BLOCK = 7 };

struct fixture {
    char folder[64];
    char path[128];
    struct dama_shard shard;
    struct dama_shard read;
    struct dama_error err;
};

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    snprintf(f->folder, sizeof f->folder, "/tmp/dama-shard-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->path, sizeof f->path, "%s/american-000007.h5", f->folder);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    unlink(f->path);
    assert_int_equal(rmdir(f->folder), 0); /* nothing else is left behind */
    dama_shard_free(&f->shard);
    dama_shard_free(&f->read);
    free(f);
    return 0;
}

static void save(struct fixture *f, int board_size)
{
    struct dama_shard_origin origin = sample_origin(board_size);
    struct dama_error err = {0};
    assert_int_equal(dama_shard_save(f->path, &f->shard, &origin, NULL, &err), DAMA_OK);
}

/* The error's text without the file's name in front. */
static const char *reason(const struct fixture *f)
{
    size_t length = strlen(f->path);
    assert_memory_equal(f->err.text, f->path, length);
    return f->err.text + length + 2;
}

static enum dama_status load(struct fixture *f, const struct dama_shard_origin *expected)
{
    f->err = (struct dama_error){0};
    enum dama_status status = dama_shard_load(f->path, expected, &f->read, NULL, &f->err);
    assert_int_equal(status, f->err.status);
    if (status != DAMA_OK) {
        assert_int_equal(f->read.rows, 0);
        assert_int_equal(f->read.games, 0);
    }
    return status;
}

static unsigned char *read_bytes(const struct fixture *f, size_t *size)
{
    unsigned char *bytes = NULL;
    assert_int_equal(dama_file_read(f->path, 1 << 24, &bytes, size, NULL), DAMA_OK);
    return bytes;
}

static void write_bytes(const struct fixture *f, const unsigned char *bytes, size_t size)
{
    FILE *file = fopen(f->path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void assert_same(const struct dama_shard *a, const struct dama_shard *b)
{
    assert_int_equal(a->block, b->block);
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->games, b->games);
    for (size_t i = 0; i < a->rows; i++) {
        const struct dama_row *x = &a->row[i];
        const struct dama_row *y = &b->row[i];
        assert_true(x->white_men == y->white_men && x->white_kings == y->white_kings &&
                    x->black_men == y->black_men && x->black_kings == y->black_kings &&
                    x->captured == y->captured && x->game == y->game && x->score == y->score &&
                    x->ply == y->ply && x->side_to_move == y->side_to_move && x->from == y->from &&
                    x->to == y->to && x->flags == y->flags && x->result == y->result);
    }
    for (size_t i = 0; i < a->games; i++) {
        const struct dama_game_row *x = &a->game[i];
        const struct dama_game_row *y = &b->game[i];
        assert_true(x->id == y->id && x->first_row == y->first_row && x->rows == y->rows &&
                    x->plies == y->plies && x->result == y->result &&
                    x->termination == y->termination && x->opening == y->opening &&
                    x->seed == y->seed);
    }
    unsigned char hash[2][DAMA_HASH_SIZE];
    dama_shard_content_hash(a, hash[0]);
    dama_shard_content_hash(b, hash[1]);
    assert_memory_equal(hash[0], hash[1], DAMA_HASH_SIZE);
}

static void assert_round_trip(struct fixture *f, int board_size, int games)
{
    struct dama_shard_origin origin = sample_origin(board_size);
    struct dama_shard_header written = {0};
    struct dama_shard_header peeked = {0};
    struct dama_shard_header loaded = {0};
    sample_shard(&f->shard, board_size, BLOCK, games);
    assert_int_equal(dama_shard_save(f->path, &f->shard, &origin, &written, &f->err), DAMA_OK);
    assert_int_equal(dama_shard_peek(f->path, &peeked, &f->err), DAMA_OK);
    assert_int_equal(dama_shard_load(f->path, &origin, &f->read, &loaded, &f->err), DAMA_OK);
    assert_same(&f->shard, &f->read);
    assert_memory_equal(&written, &peeked, sizeof written);
    assert_memory_equal(&written, &loaded, sizeof written);
    const struct dama_shard_facts *facts = &f->read.facts;
    assert_string_equal(facts->variant, origin.variant);
    assert_string_equal(facts->request, origin.request);
    assert_int_equal(facts->board_size, board_size);
    assert_int_equal(facts->men, board_size == 8 ? 12 : 20);
    assert_int_equal(facts->engine_signature, origin.engine_signature);
    assert_memory_equal(facts->rules_hash, origin.rules_hash, DAMA_HASH_SIZE);
    assert_memory_equal(facts->weights_hash, origin.weights_hash, DAMA_HASH_SIZE);
    assert_memory_equal(facts->features_hash, origin.features_hash, DAMA_HASH_SIZE);
}

static void shard_of_8x8_comes_back(void **state)
{
    assert_round_trip(*state, 8, SAMPLE_GAMES);
}

static void shard_of_10x10_comes_back(void **state)
{
    assert_round_trip(*state, 10, SAMPLE_GAMES);
}

static void shard_without_rows_comes_back(void **state)
{
    assert_round_trip(*state, 8, 0);
}

static void shard_of_more_than_a_chunk_comes_back(void **state)
{
    assert_round_trip(*state, 8, 12000); /* 78,000 rows */
}

static void same_rows_give_same_bytes(void **state)
{
    struct fixture *f = *state;
    unsigned char *bytes[2];
    size_t size[2];
    for (int i = 0; i < 2; i++) {
        if (i == 1) {
            dama_shard_free(&f->shard); /* other memory */
        }
        sample_shard(&f->shard, 10, BLOCK, SAMPLE_GAMES);
        save(f, 10);
        bytes[i] = read_bytes(f, &size[i]);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    free(bytes[0]);
    free(bytes[1]);
}

static void header_block_is_as_documented(void **state)
{
    struct fixture *f = *state;
    sample_shard(&f->shard, 8, BLOCK, SAMPLE_GAMES);
    save(f, 8);
    size_t size;
    unsigned char *bytes = read_bytes(f, &size);
    unsigned char expected[DAMA_SHARD_HEADER_BYTES] = "DamaShrd\1\0\0\0\7";
    expected[20] = SAMPLE_GAMES;
    expected[28] = (unsigned char)f->shard.rows;
    assert_in_range(f->shard.rows, 1, 255);
    dama_sha256(bytes + 512, size - 512, expected + 36);
    uint32_t crc = dama_crc32(0, expected, 508);
    for (int i = 0; i < 4; i++) {
        expected[508 + i] = (unsigned char)(crc >> 8 * i);
    }
    assert_memory_equal(bytes, expected, sizeof expected);
    assert_memory_equal(bytes + 512, "\211HDF\r\n\032\n", 8);
    free(bytes);
}

static void content_hash_changes_with_every_row(void **state)
{
    struct fixture *f = *state;
    sample_shard(&f->shard, 8, BLOCK, SAMPLE_GAMES);
    unsigned char before[DAMA_HASH_SIZE];
    unsigned char after[DAMA_HASH_SIZE];
    for (size_t r = 0; r < f->shard.rows; r++) {
        dama_shard_content_hash(&f->shard, before);
        f->shard.row[r].score ^= 1;
        dama_shard_content_hash(&f->shard, after);
        assert_memory_not_equal(before, after, DAMA_HASH_SIZE);
    }
}

/* C054: a cut shard is refused by name, wherever it is cut. */
static void c054_every_cut_is_refused(void **state)
{
    struct fixture *f = *state;
    sample_shard(&f->shard, 8, BLOCK, SAMPLE_GAMES);
    save(f, 8);
    size_t size;
    unsigned char *bytes = read_bytes(f, &size);
    for (size_t cut = 0; cut < size; cut += cut < 600 || cut + 600 > size ? 1 : 97) {
        write_bytes(f, bytes, cut);
        enum dama_status status = load(f, NULL);
        assert_int_equal(status, cut <= 512 ? DAMA_TRUNCATED : DAMA_CORRUPT);
        assert_non_null(reason(f));
        struct dama_error err = {0};
        struct dama_shard_header header;
        assert_int_equal(dama_shard_peek(f->path, &header, &err) != DAMA_OK, cut < 512);
    }
    write_bytes(f, bytes, size);
    assert_int_equal(load(f, NULL), DAMA_OK);
    free(bytes);
}

static void every_flipped_bit_is_refused(void **state)
{
    struct fixture *f = *state;
    sample_shard(&f->shard, 8, BLOCK, 3);
    save(f, 8);
    size_t size;
    unsigned char *bytes = read_bytes(f, &size);
    /* Every bit of the header, then a step that is prime to 8 through the rest. */
    for (size_t bit = 0; bit < size * 8; bit += bit < 512 * 8 ? 1 : 211) {
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        write_bytes(f, bytes, size);
        assert_int_not_equal(load(f, NULL), DAMA_OK);
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    write_bytes(f, bytes, size);
    assert_int_equal(load(f, NULL), DAMA_OK);
    free(bytes);
}

static void other_file_behind_a_true_hash_is_refused(void **state)
{
    struct fixture *f = *state;
    sample_shard(&f->shard, 8, BLOCK, 3);
    save(f, 8);
    size_t size;
    unsigned char *bytes = read_bytes(f, &size);
    memset(bytes + 512, 0x5a, size - 512);
    dama_sha256(bytes + 512, size - 512, bytes + 36);
    uint32_t crc = dama_crc32(0, bytes, 508);
    for (int i = 0; i < 4; i++) {
        bytes[508 + i] = (unsigned char)(crc >> 8 * i);
    }
    write_bytes(f, bytes, size);
    free(bytes);
    assert_int_equal(load(f, NULL), DAMA_CORRUPT);
    assert_string_equal(reason(f), "HDF5 cannot open the file: file signature not found");
}

static void newer_format_is_refused(void **state)
{
    struct fixture *f = *state;
    sample_shard(&f->shard, 8, BLOCK, 3);
    save(f, 8);
    size_t size;
    unsigned char *bytes = read_bytes(f, &size);
    bytes[8] = 2;
    uint32_t crc = dama_crc32(0, bytes, 508);
    for (int i = 0; i < 4; i++) {
        bytes[508 + i] = (unsigned char)(crc >> 8 * i);
    }
    write_bytes(f, bytes, size);
    free(bytes);
    assert_int_equal(load(f, NULL), DAMA_VERSION);
    assert_string_equal(reason(f), "expected shard format 1, found 2");
}

static void other_origin_is_refused_with_values(void **state)
{
    struct fixture *f = *state;
    sample_shard(&f->shard, 8, BLOCK, 3);
    save(f, 8);
    struct dama_shard_origin expected = {.variant = "russian"};
    assert_int_equal(load(f, &expected), DAMA_MISMATCH);
    assert_string_equal(reason(f), "expected variant russian, found american");
    expected = (struct dama_shard_origin){.request = "seed = 1\nnodes = 3000\n"};
    assert_int_equal(load(f, &expected), DAMA_MISMATCH);
    assert_string_equal(reason(f),
                        "request differs: expected 'nodes = 3000', found 'nodes = 2000'");
    expected = (struct dama_shard_origin){.request = "seed = 1\n"};
    assert_int_equal(load(f, &expected), DAMA_MISMATCH);
    assert_string_equal(reason(f), "request differs: expected '', found 'nodes = 2000'");
    expected = (struct dama_shard_origin){.board_size = 10};
    assert_int_equal(load(f, &expected), DAMA_MISMATCH);
    assert_string_equal(reason(f), "expected board size 10, found 8");
    expected = (struct dama_shard_origin){.board_size = 8, .men = 8};
    assert_int_equal(load(f, &expected), DAMA_MISMATCH);
    assert_string_equal(reason(f), "expected 8 men a side, found 12");
    expected = (struct dama_shard_origin){.engine_signature = 0xabc};
    assert_int_equal(load(f, &expected), DAMA_MISMATCH);
    assert_string_equal(reason(f), "expected engine signature abc, found badcafe");
}

static void other_hash_is_refused_with_values(void **state)
{
    struct fixture *f = *state;
    sample_shard(&f->shard, 8, BLOCK, 3);
    save(f, 8);
    struct dama_shard_origin expected = {.weights_hash = {0x12}};
    assert_int_equal(load(f, &expected), DAMA_MISMATCH);
    assert_string_equal(
        reason(f),
        "expected weights hash 1200000000000000000000000000000000000000000000000000000000000000, "
        "found a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5");
}

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
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof row_cases / sizeof row_cases[0]; i++) {
        sample_shard(&f->shard, 8, BLOCK, 3);
        assert_int_equal(f->shard.row[2].side_to_move, 1);
        row_cases[i].spoil(&f->shard.row[2]);
        save(f, 8);
        assert_int_not_equal(load(f, NULL), DAMA_OK);
        char expected[128];
        snprintf(expected, sizeof expected, "row 2: %s", row_cases[i].reason);
        assert_string_equal(reason(f), expected);
    }
}

/* A set of 10x10 has room for squares beyond 50; on 8x8 the file's type has none. */
static void square_beyond_the_board_is_refused(void **state)
{
    struct fixture *f = *state;
    sample_shard(&f->shard, 10, BLOCK, 3);
    f->shard.row[2].white_kings |= UINT64_C(1) << 50;
    save(f, 10);
    assert_int_equal(load(f, NULL), DAMA_ILLEGAL);
    assert_string_equal(reason(f), "row 2: square 51: is not on the board");
}

static void games_out_of_order_are_refused(void **state)
{
    struct fixture *f = *state;
    sample_shard(&f->shard, 8, BLOCK, 3);
    f->shard.game[2].id = 99;
    save(f, 8);
    assert_int_equal(load(f, NULL), DAMA_CORRUPT);
    assert_string_equal(reason(f), "game 2: id: expected 23, found 99");
}

static void rows_between_games_are_refused(void **state)
{
    struct fixture *f = *state;
    sample_shard(&f->shard, 8, BLOCK, 3);
    f->shard.game[1].first_row = 2;
    save(f, 8);
    assert_int_equal(load(f, NULL), DAMA_CORRUPT);
    assert_string_equal(reason(f),
                        "game 1: rows: expected them from 1 on, at most 5, found 2 from 2 on");
    sample_shard(&f->shard, 8, BLOCK, 3);
    f->shard.games = 2;
    save(f, 8);
    assert_int_equal(load(f, NULL), DAMA_CORRUPT);
    assert_string_equal(reason(f), "row 3: belongs to no game");
}

/* C037: a game at its ply cap is drawn and says so. */
static void c037_result_that_does_not_fit_the_end_is_refused(void **state)
{
    struct fixture *f = *state;
    sample_shard(&f->shard, 8, BLOCK, 3);
    f->shard.game[0].termination = DAMA_END_PLY_CAP;
    save(f, 8);
    assert_int_equal(load(f, NULL), DAMA_CORRUPT);
    assert_string_equal(reason(f), "game 0: result 1 does not fit its end, ply cap");
}

static void rows_become_positions_and_back(void **state)
{
    struct fixture *f = *state;
    for (int board_size = 8; board_size <= 10; board_size += 2) {
        sample_shard(&f->shard, board_size, BLOCK, SAMPLE_GAMES);
        for (size_t r = 0; r < f->shard.rows; r++) {
            const struct dama_row *row = &f->shard.row[r];
            struct dama_position position = dama_row_position(board_size, row);
            struct dama_row again = *row;
            again.white_men = again.white_kings = again.black_men = again.black_kings = 0;
            again.side_to_move = 0;
            dama_row_set_position(board_size, &again, &position);
            assert_memory_equal(&again, row, sizeof again);
            int bit = dama_square_bit(board_size, row->from);
            assert_true(position.pieces[row->side_to_move] >> bit & 1);
        }
    }
    write_bytes(f, NULL, 0);
}

static void full_disk_is_told_and_leaves_nothing(void **state)
{
    struct fixture *f = *state;
    sample_shard(&f->shard, 8, BLOCK, SAMPLE_GAMES);
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    struct rlimit small = {.rlim_cur = 4096, .rlim_max = before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    struct dama_shard_origin origin = sample_origin(8);
    enum dama_status status = dama_shard_save(f->path, &f->shard, &origin, NULL, &f->err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, DAMA_IO);
    assert_non_null(strstr(f->err.text, "File too large"));
    assert_int_equal(access(f->path, F_OK), -1);
}

static void merged_file_is_not_left_when_it_is_not_kept(void **state)
{
    struct fixture *f = *state;
    sample_shard(&f->shard, 8, 0, SAMPLE_GAMES);
    struct dama_shard_origin origin = sample_origin(8);
    struct dama_shard_merge *merge = dama_shard_merge_new(f->path, &origin, &f->err);
    assert_non_null(merge);
    assert_int_equal(dama_shard_merge_add(merge, &f->shard, &f->err), DAMA_OK);
    assert_int_equal(dama_shard_merge_end(merge, false, &f->err), DAMA_OK);
    assert_int_equal(access(f->path, F_OK), -1);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(shard_of_8x8_comes_back),
        CASE(shard_of_10x10_comes_back),
        CASE(shard_without_rows_comes_back),
        CASE(shard_of_more_than_a_chunk_comes_back),
        CASE(same_rows_give_same_bytes),
        CASE(header_block_is_as_documented),
        CASE(content_hash_changes_with_every_row),
        CASE(c054_every_cut_is_refused),
        CASE(every_flipped_bit_is_refused),
        CASE(other_file_behind_a_true_hash_is_refused),
        CASE(newer_format_is_refused),
        CASE(other_origin_is_refused_with_values),
        CASE(other_hash_is_refused_with_values),
        CASE(impossible_rows_are_refused),
        CASE(square_beyond_the_board_is_refused),
        CASE(games_out_of_order_are_refused),
        CASE(rows_between_games_are_refused),
        CASE(c037_result_that_does_not_fit_the_end_is_refused),
        CASE(rows_become_positions_and_back),
        CASE(full_disk_is_told_and_leaves_nothing),
        CASE(merged_file_is_not_left_when_it_is_not_kept),
    };
#undef CASE
    return cmocka_run_group_tests(tests, NULL, NULL);
}
