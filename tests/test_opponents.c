/* Matches against engines that crash, hang, answer late, illegally or not at all: each fault is
   named and counted, the match goes on, and nothing is left behind. */
#include "engine/cli/temporary.h"
#include "eval/match.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Waiting for what must happen: long, for a machine that is busy with other things. */
enum { PATH_SIZE = 64, TEXT_SIZE = 512, NAP_US = 10000, NAPS_MAX = 6000 };

struct fixture {
    struct dama_ruleset ruleset;
    struct dama_weights weights;
    struct dama_engine_spec spec;
    char text[TEXT_SIZE];
    char file[PATH_SIZE]; /* does not exist */
    struct dama_match_setup setup;
};

static void set_up(struct fixture *f, const char *mode, bool is_once)
{
    struct dama_error err = {0};
    *f = (struct fixture){0};
    assert_int_equal(dama_ruleset_builtin("international", &f->ruleset, &err), DAMA_OK);
    dama_weights_material(&f->ruleset.rules, &f->weights);
    assert_true(dama_temporary_name("/tmp", "dama-opponent", "", f->file, sizeof f->file));
    int file = mkstemp(f->file);
    assert_true(file >= 0);
    close(file);
    unlink(f->file);
    snprintf(f->text, sizeof f->text, "hub:%s %s %s", FAKE_ENGINE, mode, is_once ? f->file : "");
    assert_int_equal(dama_engine_spec_parse(f->text, NULL, &f->spec, &err), DAMA_OK);
    f->setup = (struct dama_match_setup){
        .ruleset = &f->ruleset,
        .players = {{.name = "material", .weights = &f->weights, .nodes = 10},
                    {.name = "fake", .engine = &f->spec, .nodes = 10}},
        .draws = DAMA_DRAWS_FEDERATION,
        .pairs = 2,
        .seed = 4,
        .table_kb = 64,
        .random_plies = 4,
        .max_plies = 30,
        .threads = 1,
        .patience_ms = 60000,
    };
}

static struct dama_match_result run(const struct fixture *f)
{
    struct dama_match_result result;
    struct dama_error err = {0};
    if (dama_match_run(&f->setup, &result, &err) != DAMA_OK) {
        fail_msg("%s", err.text);
    }
    unlink(f->file);
    return result;
}

/* The engine does it in every game: each is lost. Everything else of the counts is zero. */
static void check_all_lost(const char *mode, enum dama_fault fault)
{
    struct fixture f;
    uint64_t expected[2][DAMA_FAULT_COUNT] = {{0}};
    set_up(&f, mode, false);
    struct dama_match_result result = run(&f);
    expected[1][fault] = 4;
    assert_memory_equal(result.faults, expected, sizeof expected);
    assert_int_equal(result.wdl.wins, 4);
    assert_int_equal(result.wdl.draws + result.wdl.losses, 0);
    assert_int_equal(result.terminations[DAMA_END_FORFEITED], 4);
}

static void a_good_engine_has_no_faults(void **state)
{
    (void)state;
    struct fixture f;
    const uint64_t none[2][DAMA_FAULT_COUNT] = {{0}};
    set_up(&f, "good", false);
    struct dama_match_result result = run(&f);
    assert_memory_equal(result.faults, none, sizeof none);
    assert_int_equal(result.games, 4);
    assert_int_equal(result.terminations[DAMA_END_FORFEITED], 0);
}

static void every_fault_is_a_lost_game_with_its_name(void **state)
{
    (void)state;
    check_all_lost("crash", DAMA_FAULT_CRASH);
    check_all_lost("exit", DAMA_FAULT_CRASH);
    check_all_lost("illegal", DAMA_FAULT_ILLEGAL);
    check_all_lost("garbage", DAMA_FAULT_PROTOCOL);
    check_all_lost("nothing", DAMA_FAULT_PROTOCOL);
    check_all_lost("error", DAMA_FAULT_PROTOCOL);
    check_all_lost("long", DAMA_FAULT_PROTOCOL);
}

/* One game is lost; the engine that was started again plays the others to their end. */
static void check_one_lost(struct fixture *f, enum dama_fault fault)
{
    uint64_t expected[2][DAMA_FAULT_COUNT] = {{0}};
    struct dama_match_result result = run(f);
    expected[1][fault] = 1;
    assert_memory_equal(result.faults, expected, sizeof expected);
    assert_int_equal(result.terminations[DAMA_END_FORFEITED], 1);
    assert_int_equal(result.games, 4);
}

static void the_match_goes_on_after_a_crash(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f, "crash", true);
    check_one_lost(&f, DAMA_FAULT_CRASH);
}

static void an_engine_that_hangs_or_floods_is_killed_and_started_again(void **state)
{
    (void)state;
    static const char *const modes[] = {"hang", "flood"};
    for (size_t i = 0; i < 2; i++) {
        struct fixture f;
        set_up(&f, modes[i], true);
        f.setup.patience_ms = 4000;
        check_one_lost(&f, DAMA_FAULT_HANG);
    }
}

static void a_late_move_loses_on_time_and_the_engine_stays(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f, "late", true);
    f.setup.players[1].nodes = 0;
    f.setup.players[1].time_ms = 400;
    f.setup.margin_ms = 3000;
    check_one_lost(&f, DAMA_FAULT_TIME);
}

/* One move of four seconds is more than the clock has at the third move. */
static void an_empty_clock_loses_on_time(void **state)
{
    (void)state;
    struct fixture f;
    uint64_t expected[2][DAMA_FAULT_COUNT] = {{0}};
    set_up(&f, "late", true);
    f.setup.players[1].nodes = 0;
    f.setup.players[1].clock_ms = 3500;
    f.setup.players[1].inc_ms = 100;
    f.setup.margin_ms = 1;
    struct dama_match_result result = run(&f);
    /* A machine that is busy may be late once more. */
    expected[1][DAMA_FAULT_TIME] = result.faults[1][DAMA_FAULT_TIME];
    assert_memory_equal(result.faults, expected, sizeof expected);
    assert_in_range(expected[1][DAMA_FAULT_TIME], 1, 4);
    assert_int_equal(result.terminations[DAMA_END_FORFEITED], expected[1][DAMA_FAULT_TIME]);
}

static void check_refused(struct fixture *f, const char *reason)
{
    struct dama_match_result result;
    struct dama_error err = {0};
    char expected[2 * TEXT_SIZE];
    assert_true(dama_match_run(&f->setup, &result, &err) != DAMA_OK);
    snprintf(expected, sizeof expected, reason, f->text);
    assert_string_equal(err.text, expected);
}

static void an_engine_that_cannot_start_ends_the_match_by_name(void **state)
{
    (void)state;
    struct fixture f;
    struct dama_error err = {0};
    set_up(&f, "mute", false);
    f.setup.patience_ms = 100;
    check_refused(&f, "%s: expected an engine that speaks Hub, found no answer");
    set_up(&f, "good", false);
    assert_int_equal(dama_engine_spec_parse("hub:/nowhere/engine", NULL, &f.spec, &err), DAMA_OK);
    check_refused(&f, "/nowhere/engine: cannot be started: No such file or directory");
    set_up(&f, "good", false);
    assert_int_equal(dama_ruleset_builtin("russian", &f.ruleset, &err), DAMA_OK);
    f.setup.draws = DAMA_DRAWS_SITE;
    check_refused(&f, "%s: expected an engine that plays russian, found one that does not declare "
                      "it (;variant=NAME overrides)");
}

/* The numbers of the engine and its child, when they are in the file. */
static bool read_numbers(const char *path, long numbers[2])
{
    FILE *file = fopen(path, "r");
    bool is_there = file && fscanf(file, "%ld %ld\n", &numbers[0], &numbers[1]) == 2;
    if (file) {
        fclose(file);
    }
    return is_there;
}

static void wait_until_gone(const long numbers[2])
{
    for (int naps = 0; naps < NAPS_MAX; naps++) {
        if (kill((pid_t)numbers[0], 0) != 0 && kill((pid_t)numbers[1], 0) != 0) {
            return;
        }
        usleep(NAP_US);
    }
    fail_msg("processes %ld and %ld are still there", numbers[0], numbers[1]);
}

static void nothing_is_left_of_an_engine_that_was_killed(void **state)
{
    (void)state;
    struct fixture f;
    long numbers[2] = {0};
    struct dama_match_result result;
    struct dama_error err = {0};
    set_up(&f, "child", true);
    f.setup.pairs = 1;
    f.setup.patience_ms = 4000;
    assert_int_equal(dama_match_run(&f.setup, &result, &err), DAMA_OK);
    assert_int_equal(result.faults[1][DAMA_FAULT_HANG], 2);
    assert_true(read_numbers(f.file, numbers));
    unlink(f.file);
    wait_until_gone(numbers);
}

/* What the program does when it is started by the test below: a match with a child in FILE. */
static int play_until_killed(const char *file)
{
    struct fixture f;
    struct dama_match_result result;
    struct dama_error err = {0};
    set_up(&f, "child", true);
    snprintf(f.text, sizeof f.text, "hub:%s child %s", FAKE_ENGINE, file);
    if (dama_engine_spec_parse(f.text, NULL, &f.spec, &err) == DAMA_OK) {
        dama_match_run(&f.setup, &result, &err);
    }
    return 1;
}

static void no_engine_outlives_a_match_that_is_killed(void **state)
{
    (void)state;
    struct fixture f;
    long numbers[2] = {0};
    set_up(&f, "child", true);
    pid_t match = fork();
    if (match == 0) {
        execl("/proc/self/exe", "test_opponents", "play", f.file, NULL);
        _exit(1);
    }
    for (int naps = 0; naps < NAPS_MAX && !read_numbers(f.file, numbers); naps++) {
        usleep(NAP_US);
    }
    assert_true(numbers[1] > 0);
    assert_int_equal(kill((pid_t)numbers[1], 0), 0);
    kill(match, SIGKILL);
    assert_int_equal(waitpid(match, NULL, 0), match);
    unlink(f.file);
    wait_until_gone(numbers);
}

static void parameters_and_words_are_read(void **state)
{
    (void)state;
    struct dama_engine_spec spec;
    struct dama_error err = {0};
    assert_int_equal(
        dama_engine_spec_parse("hub:./my engine 'two words' hub;book=false;dir=/x y;n=", NULL,
                               &spec, &err),
        DAMA_OK);
    const char *const words[] = {"./my", "engine", "two words", "hub"};
    for (int i = 0; i < 4; i++) {
        assert_string_equal(spec.argv[i], words[i]);
    }
    assert_null(spec.argv[4]);
    assert_string_equal(spec.folder, "/x y");
    assert_int_equal(spec.param_count, 2);
    assert_string_equal(spec.params[0].name, "book");
    assert_string_equal(spec.params[0].value, "false");
    assert_string_equal(spec.params[1].value, "");
    assert_int_equal(dama_engine_spec_parse("engine:/a b/dama", "r.conf", &spec, &err), DAMA_OK);
    assert_string_equal(spec.argv[0], "/a b/dama");
    assert_string_equal(spec.argv[1], "hub");
    assert_string_equal(spec.argv[2], "--rules");
    assert_string_equal(spec.argv[3], "r.conf");
    assert_int_equal(dama_engine_spec_parse("hub:;a=b", NULL, &spec, &err), DAMA_USAGE);
    assert_string_equal(err.text, "hub:;a=b: expected a program behind the colon");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest fast[] = {
        cmocka_unit_test(a_good_engine_has_no_faults),
        cmocka_unit_test(every_fault_is_a_lost_game_with_its_name),
        cmocka_unit_test(the_match_goes_on_after_a_crash),
        cmocka_unit_test(an_engine_that_cannot_start_ends_the_match_by_name),
        cmocka_unit_test(no_engine_outlives_a_match_that_is_killed),
        cmocka_unit_test(parameters_and_words_are_read),
    };
    const struct CMUnitTest slow[] = {
        cmocka_unit_test(an_engine_that_hangs_or_floods_is_killed_and_started_again),
        cmocka_unit_test(a_late_move_loses_on_time_and_the_engine_stays),
        cmocka_unit_test(an_empty_clock_loses_on_time),
        cmocka_unit_test(nothing_is_left_of_an_engine_that_was_killed),
    };
    if (argc > 2 && !strcmp(argv[1], "play")) {
        return play_until_killed(argv[2]);
    }
    bool is_slow = argc > 1 && !strcmp(argv[1], "slow");
    return is_slow ? cmocka_run_group_tests(slow, NULL, NULL)
                   : cmocka_run_group_tests(fast, NULL, NULL);
}
