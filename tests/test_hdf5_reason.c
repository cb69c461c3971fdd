/* What HDF5 says of a failure: damage may be left out when asked for, a lack of memory may not. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>

#include "cluster/shard_file.h"

static enum dama_status status_of(const char *text, struct dama_error *err)
{
    struct dama_hdf5_reason reason;
    snprintf(reason.text, sizeof reason.text, "%s", text);
    return dama_hdf5_fail(err, "a.h5", "read", &reason);
}

static void a_lack_of_memory_is_no_damage(void **state)
{
    (void)state;
    struct dama_error err = {0}, other = {0};
    assert_int_equal(status_of("memory allocation failed for deflate uncompression", &err),
                     DAMA_MEMORY);
    assert_string_equal(
        err.text, "a.h5: HDF5 cannot read: memory allocation failed for deflate uncompression");
    assert_int_equal(status_of("", &other), DAMA_MEMORY);
    assert_string_equal(other.text, "a.h5: HDF5 cannot read: out of memory");
}

static void other_failures_are_damage(void **state)
{
    (void)state;
    struct dama_error err = {0};
    assert_int_equal(status_of("unable to open object header", &err), DAMA_CORRUPT);
    assert_string_equal(err.text, "a.h5: HDF5 cannot read: unable to open object header");
}

/* As on a full disk: the library's words for a file have several lines. */
static void a_file_that_cannot_be_made_is_named_in_one_line(void **state)
{
    (void)state;
    struct dama_error err = {0};
    struct dama_hdf5_reason reason;
    dama_hdf5_begin(&reason);
    hid_t file = H5Fcreate("/nowhere/a.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    dama_hdf5_end();
    assert_true(file < 0);
    assert_int_equal(dama_hdf5_fail(&err, "a.h5", "create", &reason), DAMA_CORRUPT);
    assert_string_equal(err.text,
                        "a.h5: HDF5 cannot create: unable to open file: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lack_of_memory_is_no_damage),
        cmocka_unit_test(other_failures_are_damage),
        cmocka_unit_test(a_file_that_cannot_be_made_is_named_in_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
