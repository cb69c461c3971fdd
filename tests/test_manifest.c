/* The manifest of a run: what is added is found and read back, and nothing else is. */
#include "engine/cli/temporary.h"
#include "selfplay/manifest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { GAMES = 2 };
static char path[64];

/* A result of so many games whose every count tells the block and `version`. */
static struct dama_block_result *result_of(int64_t block, uint64_t version)
{
    struct dama_block_result *result = calloc(1, dama_block_result_size(GAMES));
    assert_non_null(result);
    result->block = block;
    result->games = GAMES;
    result->rows = 100 * (uint64_t)block + version;
    result->plies = result->rows + 1;
    result->bytes = result->rows + 2;
    for (uint64_t i = 0; i < 3; i++) {
        result->results[i] = result->rows + 3 + i;
    }
    for (uint64_t i = 0; i < DAMA_END_ONGOING; i++) {
        result->ends[i] = result->rows + 6 + i;
    }
    memset(result->sha256, (int)(16 * block) + (int)version, sizeof result->sha256);
    for (uint64_t i = 0; i < GAMES; i++) {
        result->identity[i] = (struct dama_record_identity){.opening = UINT64_MAX - i,
                                                            .game = result->rows << 32 | i};
    }
    return result;
}

static void add(struct dama_manifest *manifest, int64_t block, uint64_t version)
{
    struct dama_block_result *result = result_of(block, version);
    assert_int_equal(dama_manifest_add(manifest, result, NULL), DAMA_OK);
    free(result);
}

static void check_found(const struct dama_manifest *manifest, int64_t block, uint64_t version)
{
    const struct dama_block_result *found = dama_manifest_find(manifest, block);
    struct dama_block_result *expected = result_of(block, version);
    assert_non_null(found);
    assert_memory_equal(found, expected, dama_block_result_size(GAMES));
    free(expected);
}

/* Blocks 3 and 5 of this version, and no other. */
static void check_all(const struct dama_manifest *manifest, uint64_t version_of_3)
{
    assert_int_equal(manifest->count, 2);
    check_found(manifest, 3, version_of_3);
    check_found(manifest, 5, 1);
    for (int64_t block = 0; block <= 6; block++) {
        if (block != 3 && block != 5) {
            assert_null(dama_manifest_find(manifest, block));
        }
    }
}

static int make_path(void **state)
{
    (void)state;
    assert_true(dama_temporary_name("/tmp", "dama-manifest", "", path, sizeof path));
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_path(void **state)
{
    (void)state;
    return unlink(path);
}

static void only_blocks_that_were_added_are_found_in_any_order(void **state)
{
    (void)state;
    struct dama_manifest manifest;
    unlink(path);
    assert_int_equal(dama_manifest_open(&manifest, path, NULL), DAMA_OK);
    assert_int_equal(manifest.count, 0);
    assert_null(dama_manifest_find(&manifest, 0));
    add(&manifest, 5, 1);
    add(&manifest, 3, 1);
    check_all(&manifest, 1);
    dama_manifest_close(&manifest);
}

static void a_later_line_of_a_block_stands_and_is_read_back(void **state)
{
    (void)state;
    struct dama_manifest manifest;
    assert_int_equal(dama_manifest_open(&manifest, path, NULL), DAMA_OK);
    check_all(&manifest, 1);
    add(&manifest, 3, 2);
    check_all(&manifest, 2);
    dama_manifest_close(&manifest);
    assert_int_equal(dama_manifest_open(&manifest, path, NULL), DAMA_OK);
    check_all(&manifest, 2);
    dama_manifest_close(&manifest);
}

static void a_line_that_was_cut_is_left_out(void **state)
{
    (void)state;
    struct dama_manifest manifest;
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    fputs("{\"block\":4,\"games\":2,", file);
    fclose(file);
    assert_int_equal(dama_manifest_open(&manifest, path, NULL), DAMA_OK);
    check_all(&manifest, 2);
    dama_manifest_close(&manifest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_blocks_that_were_added_are_found_in_any_order),
        cmocka_unit_test(a_later_line_of_a_block_stands_and_is_read_back),
        cmocka_unit_test(a_line_that_was_cut_is_left_out),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
