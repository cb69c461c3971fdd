/* Matches on one rank: pairs, threads, the sequential test, and the games as PDN. */
#include "eval/match.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/pdn.h"
#include "engine/cli/temporary.h"
#include "eval/tally.h"

enum { PATH_SIZE = 64, OPENING_PLIES = 6 };

/* A short match: hand-set table against material, few nodes, low ply cap. */
struct fixture {
    struct dama_ruleset ruleset;
    struct dama_weights weights[2];
    struct dama_match_setup setup;
};

static void set_up(struct fixture *f, const char *variant)
{
    struct dama_error err = {0};
    *f = (struct fixture){0};
    assert_int_equal(dama_ruleset_builtin(variant, &f->ruleset, &err), DAMA_OK);
    dama_weights_hand_set(&f->ruleset.rules, &f->weights[0]);
    dama_weights_material(&f->ruleset.rules, &f->weights[1]);
    f->setup = (struct dama_match_setup){
        .ruleset = &f->ruleset,
        .players = {{.name = "hand-set", .weights = &f->weights[0], .nodes = 60},
                    {.name = "material", .weights = &f->weights[1], .nodes = 60}},
        .draws = dama_draw_rules_default(&f->ruleset.rules),
        .pairs = 8,
        .seed = 11,
        .table_kb = 64,
        .random_plies = OPENING_PLIES,
        .opening_window = 100,
        .max_plies = 60,
        .threads = 1,
    };
}

/* Everything but the seconds. */
static struct dama_match_result run(const struct fixture *f)
{
    struct dama_match_result result;
    memset(&result, 0, sizeof result);
    struct dama_error err = {0};
    if (dama_match_run(&f->setup, &result, &err) != DAMA_OK) {
        fail_msg("%s", err.text);
    }
    result.seconds = 0;
    return result;
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_in_range(fread(text, 1, (1 << 20) - 1, file), 1, (1 << 20) - 2);
    fclose(file);
    return text;
}

static void make_path(char path[PATH_SIZE])
{
    assert_true(dama_temporary_name("/tmp", "dama-match", "", path, PATH_SIZE));
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
}

static bool tags_equal(const struct dama_pdn_game *a, const char *tag_a,
                       const struct dama_pdn_game *b, const char *tag_b)
{
    const struct dama_pdn_text *x = dama_pdn_tag(a, tag_a);
    const struct dama_pdn_text *y = dama_pdn_tag(b, tag_b);
    assert_true(x && y);
    return x->length == y->length && !memcmp(x->at, y->at, x->length);
}

/* Both games of a pair: one opening move by move, players swapped, moves legal. */
static void check_pair(const struct dama_rules *rules, const struct dama_pdn_game games[2])
{
    struct dama_pdn_replay replays[2] = {{0}, {0}};
    struct dama_error err = {0};
    assert_true(tags_equal(&games[0], "White", &games[1], "Black"));
    assert_true(tags_equal(&games[0], "Black", &games[1], "White"));
    assert_true(tags_equal(&games[0], "Opening", &games[1], "Opening"));
    for (int g = 0; g < 2; g++) {
        if (dama_pdn_replay(&games[g], rules, DAMA_SQUARES_OFFICIAL, &replays[g], &err)) {
            fail_msg("%s", err.text);
        }
        assert_true(replays[g].count > OPENING_PLIES);
    }
    for (int ply = 0; ply < OPENING_PLIES; ply++) {
        assert_true(replays[0].plies[ply].move == replays[1].plies[ply].move);
    }
    dama_pdn_replay_free(&replays[0]);
    dama_pdn_replay_free(&replays[1]);
}

static void c058_every_opening_is_played_twice_with_colours_swapped(void **state)
{
    (void)state;
    char path[PATH_SIZE];
    struct fixture f;
    set_up(&f, "italian");
    make_path(path);
    f.setup.pairs = 10;
    f.setup.pdn = path;
    run(&f);
    char *text = read_text(path);
    struct dama_pdn_reader reader = dama_pdn_open(path, text, strlen(text));
    struct dama_pdn_game games[2] = {{0}, {0}};
    char openings[10][16];
    for (int pair = 0; pair < 10; pair++) {
        assert_true(dama_pdn_next(&reader, &games[0]) && dama_pdn_next(&reader, &games[1]));
        check_pair(&f.ruleset.rules, games);
        dama_pdn_unescape(*dama_pdn_tag(&games[0], "Opening"), openings[pair], 16);
        for (int other = 0; other < pair; other++) {
            assert_string_not_equal(openings[pair], openings[other]);
        }
    }
    assert_false(dama_pdn_next(&reader, &games[0]));
    dama_pdn_game_free(&games[0]);
    dama_pdn_game_free(&games[1]);
    free(text);
    unlink(path);
}

static void threads_do_not_change_a_result_or_a_byte_of_the_games(void **state)
{
    (void)state;
    static const int threads[] = {1, 3};
    struct dama_match_result results[2];
    char *texts[2];
    for (int i = 0; i < 2; i++) {
        char path[PATH_SIZE];
        struct fixture f;
        set_up(&f, "international");
        make_path(path);
        f.setup.threads = threads[i];
        f.setup.pdn = path;
        results[i] = run(&f);
        texts[i] = read_text(path);
        unlink(path);
    }
    assert_memory_equal(&results[0], &results[1], sizeof results[0]);
    assert_string_equal(texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
}

/* Two players of one table play the same game with either colour: each pair is one point. */
static void equal_players_score_one_point_in_every_pair(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f, "russian");
    f.setup.players[1] = f.setup.players[0];
    struct dama_match_result r = run(&f);
    assert_int_equal(r.pairs.count[2], 8);
    assert_int_equal(r.wdl.wins, r.wdl.losses);
    assert_int_equal(r.games, 16);
    assert_in_range(r.distinct_games, 1, 8);
}

static void swapping_the_players_swaps_the_result(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f, "brazilian");
    struct dama_match_result one = run(&f);
    struct dama_match_player a = f.setup.players[0];
    f.setup.players[0] = f.setup.players[1];
    f.setup.players[1] = a;
    struct dama_match_result two = run(&f);
    assert_true(one.wdl.wins + one.wdl.losses > 0);
    assert_int_equal(one.wdl.wins, two.wdl.losses);
    assert_int_equal(one.wdl.draws, two.wdl.draws);
    assert_int_equal(one.wdl.losses, two.wdl.wins);
    for (int kind = 0; kind < DAMA_PAIR_KINDS; kind++) {
        assert_int_equal(one.pairs.count[kind], two.pairs.count[DAMA_PAIR_KINDS - 1 - kind]);
    }
    assert_int_equal(one.distinct_games, two.distinct_games);
}

/* The test decides at a pair; a match of just as many pairs without it counts the same, and one
   pair fewer is not decided. */
static void the_test_stops_at_the_first_pair_that_decides(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f, "american");
    const struct dama_sprt sprt = {
        .model = DAMA_MODEL_LOGISTIC, .elo0 = 0, .elo1 = 300, .alpha = 0.1, .beta = 0.1};
    f.setup.pairs = 200;
    f.setup.players[0].nodes = 400;
    f.setup.players[1].nodes = 4;
    f.setup.max_plies = 120;
    f.setup.sprt = &sprt;
    f.setup.threads = 2;
    struct dama_match_result stopped = run(&f);
    int64_t played = (int64_t)dama_pairs_total(&stopped.pairs);
    assert_in_range(played, 2, 199);
    assert_int_equal(stopped.sprt, DAMA_SPRT_H1);
    assert_true(stopped.llr >= dama_sprt_upper(&sprt));
    f.setup.pairs = played - 1;
    struct dama_match_result before = run(&f);
    assert_int_equal(before.sprt, DAMA_SPRT_RUNNING);
    f.setup.pairs = played;
    f.setup.sprt = NULL;
    struct dama_match_result plain = run(&f);
    assert_memory_equal(&plain.pairs, &stopped.pairs, sizeof plain.pairs);
    assert_memory_equal(&plain.wdl, &stopped.wdl, sizeof plain.wdl);
    assert_memory_equal(&plain.terminations, &stopped.terminations, sizeof plain.terminations);
}

static void a_match_that_makes_no_sense_is_refused(void **state)
{
    (void)state;
    struct fixture f;
    struct dama_match_result result;
    struct dama_error none = {0}, timed = {0}, site = {0};
    set_up(&f, "international");
    f.setup.players[1].nodes = 0;
    assert_int_equal(dama_match_run(&f.setup, &result, &none), DAMA_INVALID);
    assert_string_equal(none.text, "material: expected a limit of nodes, depth or time");
    f.setup.players[1].level = dama_level_find(&f.ruleset.rules, "easy");
    f.setup.players[1].time_ms = 5;
    assert_int_equal(dama_match_run(&f.setup, &result, &timed), DAMA_INVALID);
    assert_string_equal(timed.text, "material: a level is limited by nodes or depth, found a time");
    f.setup.players[1].time_ms = 0;
    f.setup.draws = DAMA_DRAWS_SITE;
    assert_int_equal(dama_match_run(&f.setup, &result, &site), DAMA_UNSUPPORTED);
}

static void a_pdn_file_that_cannot_be_written_is_named(void **state)
{
    (void)state;
    struct fixture f;
    struct dama_match_result result;
    struct dama_error err = {0};
    set_up(&f, "american");
    f.setup.pdn = "/nowhere/games.pdn";
    assert_int_equal(dama_match_run(&f.setup, &result, &err), DAMA_IO);
    assert_string_equal(err.text,
                        "/nowhere/games.pdn: cannot be written: No such file or directory");
}

static void levels_play_by_the_limits_of_the_match(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f, "czech");
    f.setup.pairs = 3;
    for (int i = 0; i < 2; i++) {
        f.setup.players[i].level = dama_level_find(&f.ruleset.rules, i ? "medium" : "easy");
        f.setup.players[i].nodes = 50;
    }
    struct dama_match_result one = run(&f);
    struct dama_match_result two = run(&f);
    assert_int_equal(one.games, 6);
    assert_memory_equal(&one, &two, sizeof one);
}

static void partners_play_by_their_own_limits(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f, "czech");
    f.setup.pairs = 3;
    f.setup.players[0].level = dama_level_find(&f.ruleset.rules, "beginner");
    f.setup.players[0].nodes = 1;
    struct dama_match_result one = run(&f);
    f.setup.players[0].nodes = 5000;
    f.setup.players[0].depth = 6;
    struct dama_match_result two = run(&f);
    assert_int_equal(one.games, 6);
    assert_memory_equal(&one, &two, sizeof one);
}

static void pairs_of_one_player_with_itself_are_twins(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f, "russian");
    f.setup.pairs = 4;
    struct dama_match_result different = run(&f);
    assert_in_range(different.twin_pairs, 0, 3);
    f.setup.players[1] = f.setup.players[0];
    struct dama_match_result same = run(&f);
    assert_int_equal(same.twin_pairs, 4);
    assert_int_equal(same.pairs.count[2], 4);
}

/* A made-up pair: results of A, and a hash. */
static void add_pair(struct dama_tally *tally, int64_t pair, int first, int second, uint64_t hash)
{
    struct dama_pair_record record = {0};
    /* A moves first in game 0 with Black (American), in game 1 it has White. */
    record.games[0] = (struct dama_pair_game){.hash = hash, .plies = 10, .result = (int8_t)-first};
    record.games[1] =
        (struct dama_pair_game){.hash = hash + 1, .plies = 20, .result = (int8_t)second};
    struct dama_error err = {0};
    assert_int_equal(dama_tally_add(tally, pair, &record, &err), DAMA_OK);
}

static void pairs_that_arrive_in_any_order_are_counted_in_order(void **state)
{
    (void)state;
    struct fixture f;
    struct dama_error err = {0};
    struct dama_match_result result;
    set_up(&f, "american");
    f.setup.pairs = 4;
    struct dama_tally *tally = dama_tally_new(&f.setup, &err);
    add_pair(tally, 3, 1, 1, 400);
    add_pair(tally, 1, -1, 0, 200);
    assert_int_equal(dama_tally_result(tally)->games, 0);
    add_pair(tally, 0, 1, 0, 100);
    assert_int_equal(dama_tally_result(tally)->games, 4);
    add_pair(tally, 2, -1, -1, 100);
    assert_int_equal(dama_tally_finish(tally, &result, &err), DAMA_OK);
    dama_tally_free(tally);
    const struct dama_pairs expected = {{1, 1, 0, 1, 1}};
    assert_memory_equal(&result.pairs, &expected, sizeof expected);
    assert_int_equal(result.wdl.wins, 3);
    assert_int_equal(result.wdl.draws, 2);
    assert_int_equal(result.wdl.losses, 3);
    assert_int_equal(result.plies, 120);
    assert_int_equal(result.distinct_games, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c058_every_opening_is_played_twice_with_colours_swapped),
        cmocka_unit_test(threads_do_not_change_a_result_or_a_byte_of_the_games),
        cmocka_unit_test(equal_players_score_one_point_in_every_pair),
        cmocka_unit_test(swapping_the_players_swaps_the_result),
        cmocka_unit_test(the_test_stops_at_the_first_pair_that_decides),
        cmocka_unit_test(a_match_that_makes_no_sense_is_refused),
        cmocka_unit_test(a_pdn_file_that_cannot_be_written_is_named),
        cmocka_unit_test(levels_play_by_the_limits_of_the_match),
        cmocka_unit_test(partners_play_by_their_own_limits),
        cmocka_unit_test(pairs_of_one_player_with_itself_are_twins),
        cmocka_unit_test(pairs_that_arrive_in_any_order_are_counted_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
