/* Shards: what is written comes back, the same rows give the same bytes, nothing wrong is read. */
#include "cluster/shard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <signal.h>
#include <unistd.h>

#include "engine/cli/options.h"
#include "shard_fixture.h"
#include "support.h"

static unsigned char *read_bytes(const struct shard_fixture *f, size_t *size)
{
    unsigned char *bytes = NULL;
    assert_int_equal(dama_file_read(f->path, 1 << 24, &bytes, size, NULL), DAMA_OK);
    return bytes;
}

static void write_bytes(const struct shard_fixture *f, const unsigned char *bytes, size_t size)
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

static void assert_round_trip(struct shard_fixture *f, int board_size, int games)
{
    struct dama_shard_origin origin = sample_origin(board_size);
    struct dama_shard_header written = {0};
    struct dama_shard_header peeked = {0};
    struct dama_shard_header loaded = {0};
    sample_shard(&f->shard, board_size, SAMPLE_BLOCK, games);
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
    struct shard_fixture *f = *state;
    unsigned char *bytes[2];
    size_t size[2];
    for (int i = 0; i < 2; i++) {
        if (i == 1) {
            dama_shard_free(&f->shard); /* other memory */
        }
        sample_shard(&f->shard, 10, SAMPLE_BLOCK, SAMPLE_GAMES);
        shard_save(f, 10);
        bytes[i] = read_bytes(f, &size[i]);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    free(bytes[0]);
    free(bytes[1]);
}

static void header_block_is_as_documented(void **state)
{
    struct shard_fixture *f = *state;
    sample_shard(&f->shard, 8, SAMPLE_BLOCK, SAMPLE_GAMES);
    shard_save(f, 8);
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
    struct shard_fixture *f = *state;
    sample_shard(&f->shard, 8, SAMPLE_BLOCK, SAMPLE_GAMES);
    unsigned char before[DAMA_HASH_SIZE];
    unsigned char after[DAMA_HASH_SIZE];
    for (size_t r = 0; r < f->shard.rows; r++) {
        dama_shard_content_hash(&f->shard, before);
        f->shard.row[r].score ^= 1;
        dama_shard_content_hash(&f->shard, after);
        assert_memory_not_equal(before, after, DAMA_HASH_SIZE);
    }
}

/* By the table of types in selfplay/README.md. */
static void column_bytes_are_those_of_the_types(void **state)
{
    (void)state;
    enum { SETS = 5, REST = 1 + 2 + 1 + 1 + 1 + 2 + 4 + 1, GAME = 8 + 8 + 4 + 2 + 1 + 1 + 8 + 8 };
    assert_int_equal(dama_shard_column_bytes(8, 1, 0), 4 * SETS + REST);
    assert_int_equal(dama_shard_column_bytes(10, 1, 0), 8 * SETS + REST);
    assert_int_equal(dama_shard_column_bytes(8, 1000, 3), 1000 * (4 * SETS + REST) + 3 * GAME);
}

/* C054: a cut shard is refused by name, wherever it is cut. */
static void c054_every_cut_is_refused(void **state)
{
    struct shard_fixture *f = *state;
    sample_shard(&f->shard, 8, SAMPLE_BLOCK, SAMPLE_GAMES);
    shard_save(f, 8);
    size_t size;
    unsigned char *bytes = read_bytes(f, &size);
    for (size_t cut = 0; cut < size; cut += cut < 600 || cut + 600 > size ? 1 : 97) {
        write_bytes(f, bytes, cut);
        enum dama_status status = shard_load(f, NULL);
        assert_int_equal(status, cut <= 512 ? DAMA_TRUNCATED : DAMA_CORRUPT);
        assert_non_null(shard_reason(f));
        struct dama_error err = {0};
        struct dama_shard_header header;
        assert_int_equal(dama_shard_peek(f->path, &header, &err) != DAMA_OK, cut < 512);
    }
    write_bytes(f, bytes, size);
    assert_int_equal(shard_load(f, NULL), DAMA_OK);
    free(bytes);
}

static void every_flipped_bit_is_refused(void **state)
{
    struct shard_fixture *f = *state;
    sample_shard(&f->shard, 8, SAMPLE_BLOCK, 3);
    shard_save(f, 8);
    size_t size;
    unsigned char *bytes = read_bytes(f, &size);
    /* Every bit of the header, then a step that is prime to 8 through the rest. */
    for (size_t bit = 0; bit < size * 8; bit += bit < 512 * 8 ? 1 : 211) {
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        write_bytes(f, bytes, size);
        assert_int_not_equal(shard_load(f, NULL), DAMA_OK);
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    write_bytes(f, bytes, size);
    assert_int_equal(shard_load(f, NULL), DAMA_OK);
    free(bytes);
}

static void other_file_behind_a_true_hash_is_refused(void **state)
{
    struct shard_fixture *f = *state;
    sample_shard(&f->shard, 8, SAMPLE_BLOCK, 3);
    shard_save(f, 8);
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
    assert_int_equal(shard_load(f, NULL), DAMA_CORRUPT);
    assert_string_equal(shard_reason(f), "HDF5 cannot open the file: file signature not found");
}

static void newer_format_is_refused(void **state)
{
    struct shard_fixture *f = *state;
    sample_shard(&f->shard, 8, SAMPLE_BLOCK, 3);
    shard_save(f, 8);
    size_t size;
    unsigned char *bytes = read_bytes(f, &size);
    bytes[8] = 2;
    uint32_t crc = dama_crc32(0, bytes, 508);
    for (int i = 0; i < 4; i++) {
        bytes[508 + i] = (unsigned char)(crc >> 8 * i);
    }
    write_bytes(f, bytes, size);
    free(bytes);
    assert_int_equal(shard_load(f, NULL), DAMA_VERSION);
    assert_string_equal(shard_reason(f), "expected shard format 1, found 2");
}

static void other_origin_is_refused_with_values(void **state)
{
    struct shard_fixture *f = *state;
    sample_shard(&f->shard, 8, SAMPLE_BLOCK, 3);
    shard_save(f, 8);
    struct dama_shard_origin expected = {.variant = "russian"};
    assert_int_equal(shard_load(f, &expected), DAMA_MISMATCH);
    assert_string_equal(shard_reason(f), "expected variant russian, found american");
    expected = (struct dama_shard_origin){.request = "seed = 1\nnodes = 3000\n"};
    assert_int_equal(shard_load(f, &expected), DAMA_MISMATCH);
    assert_string_equal(shard_reason(f),
                        "request differs: expected 'nodes = 3000', found 'nodes = 2000'");
    expected = (struct dama_shard_origin){.request = "seed = 1\n"};
    assert_int_equal(shard_load(f, &expected), DAMA_MISMATCH);
    assert_string_equal(shard_reason(f), "request differs: expected '', found 'nodes = 2000'");
    expected = (struct dama_shard_origin){.board_size = 10};
    assert_int_equal(shard_load(f, &expected), DAMA_MISMATCH);
    assert_string_equal(shard_reason(f), "expected board size 10, found 8");
    expected = (struct dama_shard_origin){.board_size = 8, .men = 8};
    assert_int_equal(shard_load(f, &expected), DAMA_MISMATCH);
    assert_string_equal(shard_reason(f), "expected 8 men a side, found 12");
    expected = (struct dama_shard_origin){.engine_signature = 0xabc};
    assert_int_equal(shard_load(f, &expected), DAMA_MISMATCH);
    assert_string_equal(shard_reason(f), "expected engine signature 00000abc, found 0badcafe");
}

static void other_hash_is_refused_with_values(void **state)
{
    struct shard_fixture *f = *state;
    sample_shard(&f->shard, 8, SAMPLE_BLOCK, 3);
    shard_save(f, 8);
    struct dama_shard_origin expected = {.weights_hash = {0x12}};
    assert_int_equal(shard_load(f, &expected), DAMA_MISMATCH);
    assert_string_equal(
        shard_reason(f),
        "expected weights hash 1200000000000000000000000000000000000000000000000000000000000000, "
        "found a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5");
}

static void rows_become_positions_and_back(void **state)
{
    struct shard_fixture *f = *state;
    for (int board_size = 8; board_size <= 10; board_size += 2) {
        sample_shard(&f->shard, board_size, SAMPLE_BLOCK, SAMPLE_GAMES);
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
    write_bytes(f, (const unsigned char *)"", 0);
}

static void full_disk_is_told_and_leaves_nothing(void **state)
{
    struct shard_fixture *f = *state;
    sample_shard(&f->shard, 8, SAMPLE_BLOCK, SAMPLE_GAMES);
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
    struct shard_fixture *f = *state;
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
#define CASE(name) cmocka_unit_test_setup_teardown(name, shard_setup, shard_teardown)
    const struct CMUnitTest tests[] = {
        CASE(shard_of_8x8_comes_back),
        CASE(shard_of_10x10_comes_back),
        CASE(shard_without_rows_comes_back),
        CASE(shard_of_more_than_a_chunk_comes_back),
        CASE(same_rows_give_same_bytes),
        CASE(header_block_is_as_documented),
        CASE(content_hash_changes_with_every_row),
        CASE(column_bytes_are_those_of_the_types),
        CASE(c054_every_cut_is_refused),
        CASE(every_flipped_bit_is_refused),
        CASE(other_file_behind_a_true_hash_is_refused),
        CASE(newer_format_is_refused),
        CASE(other_origin_is_refused_with_values),
        CASE(other_hash_is_refused_with_values),
        CASE(rows_become_positions_and_back),
        CASE(full_disk_is_told_and_leaves_nothing),
        CASE(merged_file_is_not_left_when_it_is_not_kept),
    };
#undef CASE
    return cmocka_run_group_tests(tests, NULL, NULL);
}
