/* Run keys: defaults, files, --set, refusals with file, line and range, canonical text. */
#include "cluster/run_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/cli/temporary.h"
#include "support.h"

enum { TEXT_SIZE = 4096 };

static const char default_request[] = "seed = 1\n"
                                      "block_games = 64\n"
                                      "nodes = 2000\n"
                                      "depth = 0\n"
                                      "table_kb = 1024\n"
                                      "max_plies = 300\n"
                                      "draw_rules = default\n"
                                      "random_plies = 10\n"
                                      "opening_window = 100\n"
                                      "resign_score = 0\n"
                                      "resign_plies = 6\n"
                                      "draw_score = 0\n"
                                      "draw_plies = 0\n"
                                      "draw_from = 80\n"
                                      "paired = false\n";

static void request_is_the_keys_that_change_a_game(void **state)
{
    (void)state;
    struct dama_run_config config;
    dama_run_config_default(&config);
    char text[TEXT_SIZE];
    size_t length = dama_run_config_format(&config, DAMA_BINDS_GAMES, text, sizeof text);
    assert_string_equal(text, default_request);
    assert_int_equal(length, strlen(default_request));
}

static void text_that_does_not_fit_is_counted(void **state)
{
    (void)state;
    struct dama_run_config config;
    dama_run_config_default(&config);
    char text[9];
    size_t length = dama_run_config_format(&config, DAMA_BINDS_GAMES, text, sizeof text);
    assert_string_equal(text, "seed = 1");
    assert_int_equal(length, strlen(default_request));
}

static void set_and_format_agree_for_every_key(void **state)
{
    (void)state;
    struct dama_run_config config;
    struct dama_run_config again;
    dama_run_config_default(&config);
    static const char *const sets[] = {
        "seed=9223372036854775807", "ridge=0.1",   "holdout=1e-7",    "promote_elo0=-2.5",
        "draw_rules=federation",    "paired=true", "schedule=static", "games=1000000000",
        "variant=czech-free"};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        assert_int_equal(dama_run_config_set(&config, sets[i], NULL), DAMA_OK);
    }
    char text[TEXT_SIZE];
    assert_in_range(dama_run_config_format(&config, DAMA_BINDS_NOTHING, text, sizeof text), 1,
                    TEXT_SIZE - 1);
    assert_non_null(strstr(text, "\nridge = 0.1\n"));
    assert_non_null(strstr(text, "\nholdout = 1e-07\n"));
    memset(&again, 0, sizeof again);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char assignment[128];
        char key[64];
        char value[64];
        assert_int_equal(sscanf(line, "%63s = %63s", key, value), 2);
        snprintf(assignment, sizeof assignment, "%s=%s", key, value);
        assert_int_equal(dama_run_config_set(&again, assignment, NULL), DAMA_OK);
    }
    assert_memory_equal(&config, &again, sizeof config);
}

static void wrong_values_are_refused_with_their_range(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        enum dama_status status;
        const char *text;
    } cases[] = {
        {"games", DAMA_USAGE, "--set: expected key=value, found 'games'"},
        {"=3", DAMA_USAGE, "--set: expected key=value, found '=3'"},
        {"game=3", DAMA_USAGE,
         "--set: unknown key 'game', the nearest is games (dama check --keys lists them)"},
        {"games=0", DAMA_INVALID, "--set: games: expected an integer of 1..1000000000, found '0'"},
        {"games=12x", DAMA_INVALID,
         "--set: games: expected an integer of 1..1000000000, found '12x'"},
        {"games=", DAMA_INVALID, "--set: games: expected an integer of 1..1000000000, found ''"},
        {"depth=-1", DAMA_INVALID, "--set: depth: expected an integer of 0..100, found '-1'"},
        {"seed=9223372036854775808", DAMA_INVALID,
         "--set: seed: expected an integer of 0..9223372036854775807, found "
         "'9223372036854775808'"},
        {"holdout=nan", DAMA_INVALID, "--set: holdout: expected a number of 0..0.9, found 'nan'"},
        {"holdout=1", DAMA_INVALID, "--set: holdout: expected a number of 0..0.9, found '1'"},
        {"ridge=1 ", DAMA_INVALID, "--set: ridge: expected a number of 0..1e09, found '1 '"},
        {"paired=yes", DAMA_INVALID, "--set: paired: expected one of false true, found 'yes'"},
        {"paired=false true", DAMA_INVALID,
         "--set: paired: expected one of false true, found 'false true'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct dama_run_config config;
        struct dama_run_config before;
        struct dama_error err = {0};
        dama_run_config_default(&config);
        before = config;
        assert_int_equal(dama_run_config_set(&config, cases[i].set, &err), cases[i].status);
        assert_string_equal(err.text, cases[i].text);
        assert_memory_equal(&config, &before, sizeof config);
    }
}

/* Loads `text` as a file; returns the error's text behind the file's name. */
static enum dama_status load_text(const char *text, struct dama_run_config *config,
                                  struct dama_error *err)
{
    char path[64];
    assert_true(dama_temporary_name("/tmp", "dama-run", "", path, sizeof path));
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    enum dama_status status = dama_run_config_load(config, path, err);
    unlink(path);
    if (status != DAMA_OK) {
        assert_memory_equal(err->text, path, strlen(path));
        memmove(err->text, err->text + strlen(path), strlen(err->text) - strlen(path) + 1);
    }
    return status;
}

/* A number of many digits is written with an exponent, whose plus no unquoted value may have. */
static void printed_run_is_a_run_file(void **state)
{
    (void)state;
    struct dama_run_config config;
    struct dama_run_config again;
    struct dama_error err = {0};
    char text[2][TEXT_SIZE];
    dama_run_config_default(&config);
    assert_int_equal(dama_run_config_set(&config, "ridge=12345678", &err), DAMA_OK);
    dama_run_config_format(&config, DAMA_BINDS_NOTHING, text[0], TEXT_SIZE);
    dama_run_config_default(&again);
    assert_int_equal(load_text(text[0], &again, &err), DAMA_OK);
    dama_run_config_format(&again, DAMA_BINDS_NOTHING, text[1], TEXT_SIZE);
    assert_string_equal(text[0], text[1]);
    assert_int_equal(dama_run_config_set(&config, "ridge=1e7", &err), DAMA_OK);
    dama_run_config_format(&config, DAMA_BINDS_NOTHING, text[0], TEXT_SIZE);
    dama_run_config_default(&again);
    assert_int_equal(load_text(text[0], &again, &err), DAMA_OK);
    assert_true(again.ridge == 1e7);
}

static void file_sets_its_keys_and_leaves_the_others(void **state)
{
    (void)state;
    struct dama_run_config config;
    struct dama_run_config expected;
    dama_run_config_default(&config);
    expected = config;
    expected.games = 10;
    expected.ridge = 0.25;
    strcpy(expected.draw_rules, "federation");
    assert_int_equal(load_text("# a comment\ngames = 10\nridge = 0.25 # another\n"
                               "draw_rules = federation\n",
                               &config, NULL),
                     DAMA_OK);
    assert_memory_equal(&config, &expected, sizeof config);
}

static void wrong_files_are_refused_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        const char *text;
    } cases[] = {
        {"games = 10\n\ngame = 3\n", ":3: unknown key 'game', the nearest is 'games'"},
        {"games = 10\nnodes = 5\ngames = 11\n", ":3: 'games' is written twice"},
        {"seed = 2\ngames = 0\n", ":2: games: expected an integer of 1..1000000000, found '0'"},
        {"variant = czech\nrules = 6415\nfeatures = c5f2\nengine = 81b1ff8c\nseed = 1\n",
         ": expected a run file, found the request that a run or match keeps of its games (dama "
         "check --keys lists the keys of a run file)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct dama_run_config config;
        struct dama_run_config before;
        struct dama_error err = {0};
        dama_run_config_default(&config);
        before = config;
        assert_int_equal(load_text(cases[i].file, &config, &err), DAMA_INVALID);
        assert_string_equal(err.text, cases[i].text);
        assert_memory_equal(&config, &before, sizeof config);
    }
}

static void combinations_without_sense_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *sets[3];
        const char *text;
    } cases[] = {
        {{"nodes=0", "depth=0"}, "nodes and depth are both 0: a search needs one limit at least"},
        {{"max_plies=10"}, "random_plies: expected less than max_plies 10, found 10"},
        {{"draw_plies=5", "draw_from=300"},
         "draw_from: expected less than max_plies 300, found 300"},
        {{"tune_skip_plies=9", "tune_max_ply=9"},
         "tune_max_ply: expected more than tune_skip_plies 9, found 9"},
        {{"promote_elo0=10"}, "promote_elo0: expected less than promote_elo1 10, found 10"},
    };
    const struct dama_rules *rules = dama_rules_find("american");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct dama_run_config config;
        struct dama_error err = {0};
        dama_run_config_default(&config);
        assert_int_equal(dama_run_config_check(&config, rules, NULL), DAMA_OK);
        for (int s = 0; cases[i].sets[s]; s++) {
            assert_int_equal(dama_run_config_set(&config, cases[i].sets[s], NULL), DAMA_OK);
        }
        assert_int_equal(dama_run_config_check(&config, rules, &err), DAMA_INVALID);
        assert_string_equal(err.text, cases[i].text);
    }
}

static void draw_rules_follow_the_variant(void **state)
{
    (void)state;
    const struct dama_rules *american = dama_rules_find("american");
    const struct dama_rules *international = dama_rules_find("international");
    struct dama_run_config config;
    dama_run_config_default(&config);
    assert_int_equal(dama_run_config_draws(&config, american), DAMA_DRAWS_SITE);
    assert_int_equal(dama_run_config_draws(&config, international), DAMA_DRAWS_FEDERATION);
    assert_int_equal(dama_run_config_check(&config, international, NULL), DAMA_OK);
    strcpy(config.draw_rules, "federation");
    assert_int_equal(dama_run_config_draws(&config, american), DAMA_DRAWS_FEDERATION);
    strcpy(config.draw_rules, "site");
    assert_int_equal(dama_run_config_check(&config, american, NULL), DAMA_OK);
    assert_int_not_equal(dama_run_config_check(&config, international, NULL), DAMA_OK);
}

static void shipped_run_files_are_valid(void **state)
{
    (void)state;
    static const char *const names[] = {"default", "quickstart", "cluster"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[512];
        struct dama_run_config config;
        struct dama_run_config initial;
        struct dama_error err = {0};
        snprintf(path, sizeof path, "%s/configs/runs/%s.conf", DAMA_SOURCE_DIR, names[i]);
        dama_run_config_default(&initial);
        config = initial;
        dama_run_config_load(&config, path, &err);
        assert_string_equal(err.text, "");
        assert_int_equal(dama_run_config_check(&config, dama_rules_find("international"), &err),
                         DAMA_OK);
        if (i == 0) {
            /* default.conf writes every default out. */
            assert_memory_equal(&config, &initial, sizeof config);
        }
    }
}

static void set_goes_over_the_file_and_the_file_over_the_defaults(void **state)
{
    (void)state;
    char path[64];
    assert_true(dama_temporary_name("/tmp", "dama-run", "", path, sizeof path));
    static const char text[] = "games = 5\nseed = 6\n";
    int file = mkstemp(path);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    const struct dama_texts sets = {.count = 2, .at = {"seed=7", "seed=8"}};
    struct dama_run_config config, expected;
    dama_run_config_default(&expected);
    expected.games = 5;
    expected.seed = 8;
    assert_int_equal(dama_run_config_read(&config, path, &sets, NULL), DAMA_OK);
    assert_memory_equal(&config, &expected, sizeof config);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(request_is_the_keys_that_change_a_game),
        cmocka_unit_test(text_that_does_not_fit_is_counted),
        cmocka_unit_test(set_and_format_agree_for_every_key),
        cmocka_unit_test(printed_run_is_a_run_file),
        cmocka_unit_test(wrong_values_are_refused_with_their_range),
        cmocka_unit_test(file_sets_its_keys_and_leaves_the_others),
        cmocka_unit_test(wrong_files_are_refused_with_their_line),
        cmocka_unit_test(combinations_without_sense_are_named),
        cmocka_unit_test(draw_rules_follow_the_variant),
        cmocka_unit_test(shipped_run_files_are_valid),
        cmocka_unit_test(set_goes_over_the_file_and_the_file_over_the_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
