/* Tests of the option tables: what they read, and the one line and status of every usage error. */
#include "engine/cli/options.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/cli/suggest.h"

enum { ARGUMENTS_MAX = 72, OUTPUT_SIZE = 4096 };

struct values {
    bool flag;
    int64_t depth;
    int64_t seed;
    double ridge, step;
    const char *variant;
    struct dama_texts sets;
};

struct outcome {
    int status;
    char out[OUTPUT_SIZE];
    char err[OUTPUT_SIZE];
};

/* Splits at blanks and parses as the verb `try`; FILE... takes one to three. */
static void parse(const char *line, struct values *values, struct dama_texts *files)
{
    static char words[OUTPUT_SIZE];
    snprintf(words, sizeof words, "%s", line);
    char *argv[ARGUMENTS_MAX + 1] = {"try"};
    int argc = 1;
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    const struct dama_option options[] = {
        {"flag", DAMA_OPTION_FLAG, &values->flag, NULL, "a flag", 0, 0},
        {"depth", DAMA_OPTION_INT, &values->depth, "N", "plies", -3, 60},
        {"seed", DAMA_OPTION_INT, &values->seed, "N", "any number", 0, 0},
        {"ridge", DAMA_OPTION_NUMBER, &values->ridge, "X", "a number", 0, 0},
        {"step", DAMA_OPTION_POSITIVE, &values->step, "X", "above 0", 0, 0},
        {"variant", DAMA_OPTION_TEXT, &values->variant, "V", "rules", 0, 0},
        {"set", DAMA_OPTION_TEXTS, &values->sets, "K=V", "keys", 0, 0},
        {0},
    };
    const struct dama_usage usage = {.verb = "try",
                                     .arguments = "FILE...",
                                     .summary = "Tries.",
                                     .details = "More of it.",
                                     .options = options,
                                     .least = 1,
                                     .most = 3};
    dama_options_parse(&usage, argc, argv, files);
}

static void read_back(int file, char out[OUTPUT_SIZE])
{
    size_t length = 0;
    ssize_t got;
    while ((got = read(file, out + length, OUTPUT_SIZE - 1 - length)) > 0) {
        length += (size_t)got;
    }
    out[length] = '\0';
    close(file);
}

/* What a process would print and how it would end; status 99 stands for a parse that succeeds. */
static struct outcome run(const char *line)
{
    enum { PARSED = 99 };
    int out[2], err[2];
    assert_int_equal(pipe(out), 0);
    assert_int_equal(pipe(err), 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(out[1], STDOUT_FILENO);
        dup2(err[1], STDERR_FILENO);
        program_invocation_short_name = "dama";
        struct values values = {0};
        struct dama_texts files;
        parse(line, &values, &files);
        _exit(PARSED);
    }
    close(out[1]);
    close(err[1]);
    struct outcome outcome = {0};
    read_back(out[0], outcome.out);
    read_back(err[0], outcome.err);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    outcome.status = WEXITSTATUS(status);
    return outcome;
}

static void every_kind_of_option_is_read(void **state)
{
    (void)state;
    struct values values = {.depth = 7};
    struct dama_texts files;
    parse(
        "a --flag --depth=-3 --seed 9223372036854775807 b --ridge 1e-7 --step 0.5 --variant czech "
        "--set a=1 --set b=2",
        &values, &files);
    assert_true(values.flag);
    assert_int_equal(values.depth, -3);
    assert_true(values.seed == INT64_MAX);
    assert_true(values.ridge == 1e-7);
    assert_true(values.step == 0.5);
    assert_string_equal(values.variant, "czech");
    assert_int_equal(values.sets.count, 2);
    assert_string_equal(values.sets.at[0], "a=1");
    assert_string_equal(values.sets.at[1], "b=2");
    assert_int_equal(files.count, 2);
    assert_string_equal(files.at[0], "a");
    assert_string_equal(files.at[1], "b");
}

static void options_that_are_absent_keep_their_defaults(void **state)
{
    (void)state;
    struct values values = {.depth = 7, .ridge = 0.5, .variant = "russian"};
    struct dama_texts files;
    parse("--seed -4 a", &values, &files);
    assert_false(values.flag);
    assert_int_equal(values.depth, 7);
    assert_int_equal(values.seed, -4);
    assert_true(values.ridge == 0.5);
    assert_string_equal(values.variant, "russian");
    assert_int_equal(values.sets.count, 0);
}

static void a_name_may_be_cut_and_the_last_text_wins(void **state)
{
    (void)state;
    struct values values = {0};
    struct dama_texts files;
    parse("--var italian --variant czech -- --flag", &values, &files);
    assert_string_equal(values.variant, "czech");
    assert_int_equal(files.count, 1);
    assert_string_equal(files.at[0], "--flag");
}

static void every_usage_error_is_one_line_and_status_2(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        const char *text;
    } cases[] = {
        {"a --depth 61", "--depth: expected -3 to 60, found 61"},
        {"a --depth 99999999999999999999",
         "--depth: expected -3 to 60, found 99999999999999999999"},
        {"a --seed 9223372036854775808",
         "--seed: expected -9223372036854775808 to 9223372036854775807, found 9223372036854775808"},
        {"a --depth 4x", "--depth: expected a whole number, found '4x'"},
        {"a --depth=", "--depth: expected a whole number, found ''"},
        {"a --depth +4", "--depth: expected a whole number, found '+4'"},
        {"a --depth -", "--depth: expected a whole number, found '-'"},
        {"a --depth 0x10", "--depth: expected a whole number, found '0x10'"},
        {"a --ridge nan", "--ridge: expected a number, found 'nan'"},
        {"a --ridge 1e999", "--ridge: expected a number, found '1e999'"},
        {"a --ridge 1,5", "--ridge: expected a number, found '1,5'"},
        {"a --step 0", "--step: expected a number above 0, found 0"},
        {"a --step -0.5", "--step: expected a number above 0, found -0.5"},
        {"a --step nan", "--step: expected a number, found 'nan'"},
        {"a --depht 4", "unknown option '--depht'"},
        {"a --depht=4", "unknown option '--depht'"},
        {"a -d", "unknown option '-d'"},
        {"a --flag=1", "--flag takes no value"},
        {"a --depth", "--depth needs a value N"},
        {"a --se 4", "'--se' may be several options"},
        {"", "expected FILE..."},
        {"a b c d", "unexpected argument 'd'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct outcome outcome = run(cases[i].line);
        char expected[OUTPUT_SIZE];
        snprintf(expected, sizeof expected, "dama: %s (see dama try --help)\n", cases[i].text);
        assert_string_equal(outcome.err, expected);
        assert_string_equal(outcome.out, "");
        assert_int_equal(outcome.status, 2);
    }
}

static void help_goes_to_stdout_and_is_success(void **state)
{
    (void)state;
    struct outcome outcome = run("--help --depth nonsense");
    assert_string_equal(outcome.err, "");
    assert_int_equal(outcome.status, 0);
    assert_string_equal(outcome.out, "Usage: dama try [OPTION...] FILE...\n"
                                     "Tries.\n"
                                     "\n"
                                     "      --depth=N              plies\n"
                                     "      --flag                 a flag\n"
                                     "      --ridge=X              a number\n"
                                     "      --seed=N               any number\n"
                                     "      --set=K=V              keys\n"
                                     "      --step=X               above 0\n"
                                     "      --variant=V            rules\n"
                                     "      --help                 this text\n"
                                     "\n"
                                     "More of it.\n");
}

static void the_nearest_word_is_suggested_unless_it_is_far(void **state)
{
    (void)state;
    static const char *const words[] = {"perft", "moves", "play", "pdn"};
    static const struct {
        const char *word;
        const char *best;
    } cases[] = {{"perf", "perft"}, {"prefT", NULL}, {"move", "moves"},
                 {"paly", "play"},  {"pd", "pdn"},   {"selfplay", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct dama_suggestion suggestion = {.word = cases[i].word};
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
            dama_suggest(&suggestion, words[k]);
        }
        if (!cases[i].best) {
            assert_null(suggestion.best);
        } else {
            assert_non_null(suggestion.best);
            assert_string_equal(suggestion.best, cases[i].best);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_option_is_read),
        cmocka_unit_test(options_that_are_absent_keep_their_defaults),
        cmocka_unit_test(a_name_may_be_cut_and_the_last_text_wins),
        cmocka_unit_test(every_usage_error_is_one_line_and_status_2),
        cmocka_unit_test(help_goes_to_stdout_and_is_success),
        cmocka_unit_test(the_nearest_word_is_suggested_unless_it_is_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
