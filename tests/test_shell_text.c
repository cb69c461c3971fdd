/* Words and commands to paste: a shell reads them as they were. */
#include "cluster/shell_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const texts[] = {
    "plain/path-1.h5",
    "",
    "a b",
    "it's",
    "$HOME",
    "`id`",
    "a\\b",
    "\"",
    "'",
    "''",
    "*",
    "~",
    "a\nb",
    "#a",
    "!1",
    "caf\xc3\xa9", /* a letter of two bytes, and of one that is no text by itself */
    "caf\xe9 \xff",
};

static void plain_words_stay_as_they_are(void **state)
{
    (void)state;
    char word[64];
    assert_true(dama_shell_word("runs/american-000.h5", word, sizeof word));
    assert_string_equal(word, "runs/american-000.h5");
}

/* The oracle is the shell itself. */
static void a_shell_reads_every_word_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char word[64], command[128], found[64] = "";
        assert_true(dama_shell_word(texts[i], word, sizeof word));
        snprintf(command, sizeof command, "printf %%s. %s", word);
        FILE *shell = popen(command, "r");
        assert_non_null(shell);
        size_t length = fread(found, 1, sizeof found - 1, shell);
        assert_int_equal(pclose(shell), 0);
        assert_int_equal(length, strlen(texts[i]) + 1);
        assert_memory_equal(found, texts[i], length - 1);
    }
}

static void a_word_is_text_even_of_bytes_that_are_none(void **state)
{
    (void)state;
    char word[64];
    assert_true(dama_shell_word("caf\xe9", word, sizeof word));
    assert_string_equal(word, "'caf'\"$(printf '\\351')\"''");
    assert_true(dama_shell_word("caf\xc3\xa9", word, sizeof word));
    assert_string_equal(word, "'caf\xc3\xa9'");
}

static void half_a_word_is_no_word(void **state)
{
    (void)state;
    char word[16];
    /* Each text with its quotes and its end needs this much. */
    static const struct {
        const char *text;
        size_t size;
    } cases[] = {{"abc", 4}, {"a b", 6}, {"it's", 10}, {"", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(dama_shell_word(cases[i].text, word, cases[i].size));
        assert_false(dama_shell_word(cases[i].text, word, cases[i].size - 1));
        assert_string_equal(word, "");
    }
}

static void own_command_goes_to_its_folder_first(void **state)
{
    (void)state;
    char command[4096], one[4096];
    char folder[1024];
    assert_non_null(getcwd(folder, sizeof folder));
    assert_true(dama_shell_own_command("", one, sizeof one));
    assert_true(dama_shell_own_command("srun -n 3", command, sizeof command));
    char expected[4096];
    snprintf(expected, sizeof expected, "cd %s && ", folder);
    assert_memory_equal(one, expected, strlen(expected));
    assert_non_null(strstr(one, "test_shell_text"));
    const char *rest = one + strlen(expected);
    snprintf(expected, sizeof expected, "cd %s && srun -n 3 %s", folder, rest);
    assert_string_equal(command, expected);
    assert_false(dama_shell_own_command("", one, 8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_words_stay_as_they_are),
        cmocka_unit_test(a_shell_reads_every_word_back),
        cmocka_unit_test(a_word_is_text_even_of_bytes_that_are_none),
        cmocka_unit_test(half_a_word_is_no_word),
        cmocka_unit_test(own_command_goes_to_its_folder_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
