/* Tests of whole-file reading and writing, and of hashes. */
#include "engine/cli/temporary.h"
#include "engine/cli/options.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* A folder of its own for each test, entered; removed with the files a, b and a.part. */
static int enter_folder(void **state)
{
    static char folder[64];
    assert_true(dama_temporary_name("/tmp", "dama-file", "", folder, sizeof folder));
    *state = mkdtemp(folder);
    return *state && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    unlink("a");
    unlink("b");
    rmdir("a.part");
    return chdir("/") == 0 && rmdir(*state) == 0 ? 0 : -1;
}

static int count_files(void)
{
    DIR *folder = opendir(".");
    assert_non_null(folder);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        count += entry->d_name[0] != '.';
    }
    closedir(folder);
    return count;
}

static void what_is_written_is_read_back(void **state)
{
    (void)state;
    enum { SIZE = 100000 };
    static unsigned char bytes[SIZE];
    for (int i = 0; i < SIZE; i++) {
        bytes[i] = (unsigned char)(i * 7 + i / 256);
    }
    struct dama_error err = {0};
    assert_int_equal(dama_file_write("a", bytes, SIZE, &err), DAMA_OK);
    unsigned char *read = NULL;
    size_t size = 0;
    assert_int_equal(dama_file_read("a", SIZE, &read, &size, &err), DAMA_OK);
    assert_int_equal(size, SIZE);
    assert_memory_equal(read, bytes, SIZE);
    assert_int_equal(count_files(), 1);
    free(read);
}

static void writing_replaces_the_whole_file(void **state)
{
    (void)state;
    struct dama_error err = {0};
    assert_int_equal(dama_file_write("a", "a longer text", 13, &err), DAMA_OK);
    assert_int_equal(dama_file_write("a", "new", 3, &err), DAMA_OK);
    unsigned char *read = NULL;
    size_t size = 0;
    assert_int_equal(dama_file_read("a", 3, &read, &size, &err), DAMA_OK);
    assert_int_equal(size, 3);
    assert_memory_equal(read, "new", 3);
    free(read);
}

static void an_empty_file_is_read_as_no_bytes(void **state)
{
    (void)state;
    struct dama_error err = {0};
    assert_int_equal(dama_file_write("a", "", 0, &err), DAMA_OK);
    unsigned char *read = NULL;
    size_t size = 1;
    assert_int_equal(dama_file_read("a", 0, &read, &size, &err), DAMA_OK);
    assert_int_equal(size, 0);
    free(read);
}

static void a_file_over_the_limit_is_refused(void **state)
{
    (void)state;
    struct dama_error err = {0};
    assert_int_equal(dama_file_write("a", "12345", 5, &err), DAMA_OK);
    unsigned char *read = NULL;
    size_t size = 7;
    assert_int_equal(dama_file_read("a", 4, &read, &size, &err), DAMA_INVALID);
    assert_string_equal(err.text, "a: expected at most 4 bytes, found more");
    assert_null(read);
    assert_int_equal(size, 7);
}

static void a_failed_write_leaves_the_old_file(void **state)
{
    (void)state;
    struct dama_error err = {0};
    assert_int_equal(dama_file_write("a", "old", 3, &err), DAMA_OK);
    assert_int_equal(mkdir("a.part", 0777), 0);
    assert_int_equal(dama_file_write("a", "new", 3, &err), DAMA_IO);
    assert_string_equal(err.text, "a.part: cannot open: Is a directory");
    unsigned char *read = NULL;
    size_t size = 0;
    struct dama_error none = {0};
    assert_int_equal(dama_file_read("a", 3, &read, &size, &none), DAMA_OK);
    assert_memory_equal(read, "old", 3);
    free(read);
}

static void what_is_no_file_is_not_replaced(void **state)
{
    (void)state;
    struct dama_error err = {0};
    struct stat info;
    assert_int_equal(mkfifo("a", 0666), 0);
    assert_int_equal(dama_file_write("a", "new", 3, &err), DAMA_IO);
    assert_string_equal(err.text, "a: expected a file to replace, found a device or pipe");
    assert_int_equal(stat("a", &info), 0);
    assert_true(S_ISFIFO(info.st_mode));
    err = (struct dama_error){0};
    assert_int_equal(dama_file_write(".", "new", 3, &err), DAMA_IO);
    assert_string_equal(err.text, ".: expected a file to replace, found a folder");
    assert_int_equal(count_files(), 1);
}

static void a_long_path_hides_no_reason(void **state)
{
    (void)state;
    char path[4000];
    struct dama_error err = {0};
    for (size_t i = 0; i < sizeof path; i++) {
        path[i] = i % 100 ? 'x' : '/';
    }
    path[sizeof path - 1] = 0;
    assert_int_equal(dama_file_write(path, "", 0, &err), DAMA_IO);
    assert_memory_equal(err.text, path, 100);
    const char *end = "xxx.part: cannot open: No such file or directory";
    assert_string_equal(err.text + strlen(err.text) - strlen(end), end);
    dama_error_prefix(&err, "rank 1");
    assert_memory_equal(err.text, "rank 1: /xxx", strlen("rank 1: /xxx"));
    assert_string_equal(err.text + strlen(err.text) - strlen(end), end);
}

static void a_missing_folder_is_named(void **state)
{
    (void)state;
    struct dama_error err = {0};
    assert_int_equal(dama_file_write("no/a", "x", 1, &err), DAMA_IO);
    assert_string_equal(err.text, "no/a.part: cannot open: No such file or directory");
}

/* FIPS 180-4's examples. */
static void sha256_gives_the_published_digests(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *hex;
    } cases[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned char hash[DAMA_HASH_SIZE];
        char hex[2 * DAMA_HASH_SIZE + 1];
        dama_sha256(cases[i].text, strlen(cases[i].text), hash);
        dama_hash_hex(hash, hex);
        assert_string_equal(hex, cases[i].hex);
    }
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(what_is_written_is_read_back),
        IN_FOLDER(writing_replaces_the_whole_file),
        IN_FOLDER(an_empty_file_is_read_as_no_bytes),
        IN_FOLDER(a_file_over_the_limit_is_refused),
        IN_FOLDER(a_failed_write_leaves_the_old_file),
        IN_FOLDER(what_is_no_file_is_not_replaced),
        IN_FOLDER(a_long_path_hides_no_reason),
        IN_FOLDER(a_missing_folder_is_named),
        cmocka_unit_test(sha256_gives_the_published_digests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
