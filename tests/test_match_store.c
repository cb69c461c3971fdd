/* A match that is stopped and goes on: finished pairs are kept, others are played, and another
   match is refused. */
#include "eval/match_store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/cli/temporary.h"
#include "cluster/run_folder.h"

enum { PATH_SIZE = 96, TEXT_SIZE = 1 << 20, PAIRS = 6 };

struct fixture {
    struct dama_ruleset ruleset;
    struct dama_weights weights[2];
    char folder[PATH_SIZE];
    char pairs[PATH_SIZE + 16];
    struct dama_match_setup setup;
};

static void set_up(struct fixture *f)
{
    struct dama_error err = {0};
    *f = (struct fixture){0};
    assert_int_equal(dama_ruleset_builtin("brazilian", &f->ruleset, &err), DAMA_OK);
    dama_weights_hand_set(&f->ruleset.rules, &f->weights[0]);
    dama_weights_material(&f->ruleset.rules, &f->weights[1]);
    assert_true(dama_temporary_name("/tmp", "dama-store", "", f->folder, sizeof f->folder));
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->pairs, sizeof f->pairs, "%s/pairs.jsonl", f->folder);
    f->setup = (struct dama_match_setup){
        .ruleset = &f->ruleset,
        .players = {{.name = "hand-set", .weights = &f->weights[0], .nodes = 60},
                    {.name = "material", .weights = &f->weights[1], .nodes = 60}},
        .draws = dama_draw_rules_default(&f->ruleset.rules),
        .pairs = PAIRS,
        .seed = 3,
        .table_kb = 64,
        .random_plies = 3,
        .max_plies = 60,
        .threads = 1,
        .is_quiet = true,
    };
}

static void tear_down(const struct fixture *f)
{
    static const char *const names[] = {"match.conf", "pairs.jsonl", "lock"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[PATH_SIZE + 16];
        snprintf(path, sizeof path, "%s/%s", f->folder, names[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(f->folder), 0);
}

/* Everything but the seconds. */
static struct dama_match_result run(const struct fixture *f)
{
    struct dama_match_result result;
    memset(&result, 0, sizeof result);
    struct dama_error err = {0};
    enum dama_status status = dama_match_run(&f->setup, &result, &err);
    dama_run_unlock();
    if (status != DAMA_OK) {
        fail_msg("%s", err.text);
    }
    result.seconds = 0;
    return result;
}

static void check_refused(const struct fixture *f, const char *text)
{
    struct dama_match_result result;
    struct dama_error err = {0};
    assert_true(dama_match_run(&f->setup, &result, &err) != DAMA_OK);
    dama_run_unlock();
    assert_string_equal(err.text, text);
}

static char *read_text(const char *path)
{
    char *text = calloc(1, TEXT_SIZE);
    FILE *file = fopen(path, "rb");
    assert_true(text && file);
    assert_in_range(fread(text, 1, TEXT_SIZE - 1, file), 1, TEXT_SIZE - 2);
    fclose(file);
    return text;
}

static void write_text(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* Where line `number` begins. */
static size_t line_start(const char *text, int number)
{
    const char *at = text;
    for (; number > 0; number--) {
        at = strchr(at, '\n') + 1;
    }
    return (size_t)(at - text);
}

/* The file is cut behind each of its lines, and in the middle of each: the same result, and in the
   end the same lines. */
static void a_match_goes_on_from_any_line(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    struct dama_match_result plain = run(&f);
    f.setup.out = f.folder;
    struct dama_match_result kept = run(&f);
    assert_memory_equal(&kept, &plain, sizeof plain);
    char *whole = read_text(f.pairs);
    for (int line = 0; line < PAIRS; line++) {
        for (int is_torn = 0; is_torn < 2; is_torn++) {
            size_t length = line_start(whole, line) + (is_torn ? 40 : 0);
            write_text(f.pairs, whole, length);
            struct dama_match_result resumed = run(&f);
            assert_memory_equal(&resumed, &plain, sizeof plain);
            char *again = read_text(f.pairs);
            assert_string_equal(again, whole);
            free(again);
        }
    }
    free(whole);
    tear_down(&f);
}

/* All pairs are there: nothing is played, which a player that cannot play proves. */
static void stored_pairs_are_not_played_again(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    f.setup.out = f.folder;
    struct dama_match_result first = run(&f);
    char *before = read_text(f.pairs);
    struct dama_match_result second = run(&f);
    char *after = read_text(f.pairs);
    assert_memory_equal(&first, &second, sizeof first);
    assert_string_equal(before, after);
    /* More pairs go on behind these. */
    f.setup.pairs = PAIRS + 2;
    struct dama_match_result grown = run(&f);
    f.setup.out = NULL;
    struct dama_match_result plain = run(&f);
    assert_memory_equal(&grown, &plain, sizeof plain);
    /* Those that a shorter match does not ask for are passed over. */
    f.setup.out = f.folder;
    f.setup.pairs = PAIRS;
    struct dama_match_result shorter = run(&f);
    assert_memory_equal(&shorter, &first, sizeof first);
    char *longer = read_text(f.pairs);
    assert_memory_equal(longer, before, strlen(before));
    free(before);
    free(after);
    free(longer);
    tear_down(&f);
}

/* The moves are all there; only what they lead to is told wrongly. */
static void a_result_that_the_moves_do_not_give_is_refused(void **state)
{
    (void)state;
    static const char *const changes[][2] = {
        {"\"result\":1", "\"result\":0"},
        {"\"end\":\"no legal move\"", "\"end\":\"forfeited\""},
        {"\"fault\":\"no fault\"", "\"fault\":\"crashed\""},
    };
    struct fixture f;
    char text[2 * PATH_SIZE + 64];
    set_up(&f);
    f.setup.max_plies = 200;
    f.setup.out = f.folder;
    run(&f);
    char *whole = read_text(f.pairs);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char *at = strstr(whole, changes[i][0]);
        assert_non_null(at);
        size_t before = (size_t)(at - whole);
        char *changed = calloc(1, TEXT_SIZE);
        assert_non_null(changed);
        int length = snprintf(changed, TEXT_SIZE, "%.*s%s%s", (int)before, whole, changes[i][1],
                              at + strlen(changes[i][0]));
        write_text(f.pairs, changed, (size_t)length);
        int line = 1;
        for (const char *c = whole; c < at; c++) {
            line += *c == '\n';
        }
        snprintf(text, sizeof text, "%s:%d: expected a pair of this match", f.pairs, line);
        check_refused(&f, text);
        free(changed);
    }
    free(whole);
    tear_down(&f);
}

static void another_match_is_refused_by_key_and_values(void **state)
{
    (void)state;
    struct fixture f;
    char text[2 * PATH_SIZE + 128];
    const struct dama_sprt sprt = {.elo1 = 5, .alpha = 0.05, .beta = 0.05};
    set_up(&f);
    f.setup.out = f.folder;
    run(&f);
    f.setup.seed = 4;
    snprintf(text, sizeof text, "%s/match.conf: another match: seed is 3, asked for is 4",
             f.folder);
    check_refused(&f, text);
    f.setup.seed = 3;
    f.setup.players[1].nodes = 61;
    snprintf(text, sizeof text, "%s/match.conf: another match: b_nodes is 60, asked for is 61",
             f.folder);
    check_refused(&f, text);
    f.setup.players[1].nodes = 60;
    f.setup.sprt = &sprt;
    snprintf(text, sizeof text,
             "%s/match.conf: another match: sprt is none, asked for is normalised elo0 0 elo1 5 "
             "alpha 0.05 beta 0.05",
             f.folder);
    check_refused(&f, text);
    f.setup.sprt = NULL;
    f.setup.players[0].weights = &f.weights[1];
    struct dama_match_result result;
    struct dama_error err = {0};
    assert_int_equal(dama_match_run(&f.setup, &result, &err), DAMA_MISMATCH);
    dama_run_unlock();
    assert_non_null(strstr(err.text, "a_table is "));
    tear_down(&f);
}

static void damaged_lines_are_named(void **state)
{
    (void)state;
    struct fixture f;
    char text[2 * PATH_SIZE + 64];
    set_up(&f);
    f.setup.out = f.folder;
    run(&f);
    char *whole = read_text(f.pairs);
    char *damaged = strdup(whole);
    assert_non_null(damaged);
    char *move = strstr(damaged + line_start(damaged, 1), "\"moves\":\"") + strlen("\"moves\":\"");
    move[0] = move[0] == '9' ? '8' : '9';
    write_text(f.pairs, damaged, strlen(damaged));
    snprintf(text, sizeof text, "%s:2: expected a pair of this match", f.pairs);
    check_refused(&f, text);
    size_t first = line_start(whole, 1);
    memcpy(damaged, whole, first);
    memcpy(damaged + first, whole, first);
    write_text(f.pairs, damaged, 2 * first);
    snprintf(text, sizeof text, "%s:2: pair 0 is there twice", f.pairs);
    check_refused(&f, text);
    free(damaged);
    free(whole);
    tear_down(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_match_goes_on_from_any_line),
        cmocka_unit_test(stored_pairs_are_not_played_again),
        cmocka_unit_test(a_result_that_the_moves_do_not_give_is_refused),
        cmocka_unit_test(another_match_is_refused_by_key_and_values),
        cmocka_unit_test(damaged_lines_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
