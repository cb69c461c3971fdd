/* Openings of matches: ballots, shipped lists, files, the order in which they are handed out. */
#include "eval/opening_set.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/fen.h"
#include "eval/ballot.h"
#include "eval/opening_find.h"
#include "engine/cli/temporary.h"
#include "eval/opening_window.h"

enum { SEED = 5, PATH_SIZE = 64 };

static struct dama_ruleset ruleset_of(const char *variant)
{
    struct dama_ruleset ruleset;
    struct dama_error err = {0};
    assert_int_equal(dama_ruleset_builtin(variant, &ruleset, &err), DAMA_OK);
    return ruleset;
}

static struct dama_game *new_game(const struct dama_ruleset *ruleset)
{
    struct dama_game *game =
        dama_game_new(&ruleset->rules, dama_draw_rules_default(&ruleset->rules), NULL);
    assert_non_null(game);
    return game;
}

static struct dama_opening_set *set_of(const struct dama_ruleset *ruleset, const char *source)
{
    struct dama_error err = {0};
    const struct dama_opening_request request = {.source = source, .random_plies = 5};
    struct dama_opening_set *set = dama_opening_set_new(ruleset, &request, &err);
    if (!set) {
        fail_msg("%s: %s", source, err.text);
    }
    return set;
}

/* The error of a source that cannot be used. */
static struct dama_error refusal_of(const struct dama_ruleset *ruleset, const char *source,
                                    int file_plies)
{
    struct dama_error err = {0};
    const struct dama_opening_request request = {.source = source, .file_plies = file_plies};
    assert_null(dama_opening_set_new(ruleset, &request, &err));
    return err;
}

static void write_file(const char *text, const char *ending, char path[PATH_SIZE])
{
    assert_true(dama_temporary_name("/tmp", "dama-openings", ending, path, PATH_SIZE));
    int file = mkstemps(path, (int)strlen(ending));
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
}

/* 2,500 is the count of the ballot's own description (ballot.h). */
static void ballots_are_2500_positions(void **state)
{
    (void)state;
    static const char *const variants[] = {"american", "italian", "russian-free"};
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        struct dama_ruleset ruleset = ruleset_of(variants[i]);
        struct dama_game *game = new_game(&ruleset);
        struct dama_opening_list list = {0};
        struct dama_error err = {0};
        assert_int_equal(dama_ballot_list(game, &list, &err), DAMA_OK);
        assert_int_equal(list.count, 2500);
        for (uint32_t b = 0; b < list.count; b++) {
            dama_opening_list_play(&list, b, game);
            const struct dama_position *position = dama_game_position(game);
            assert_int_equal(dama_bits_count(position->pieces[DAMA_WHITE]), 11);
            assert_int_equal(dama_bits_count(position->pieces[DAMA_BLACK]), 11);
            assert_int_equal(game->ply, 2);
        }
        dama_opening_list_free(&list);
        dama_game_free(game);
    }
}

static void ballots_are_refused_on_other_boards(void **state)
{
    (void)state;
    struct dama_ruleset ruleset = ruleset_of("international");
    struct dama_game *game = new_game(&ruleset);
    struct dama_opening_list list = {0};
    struct dama_error err = {0};
    assert_int_equal(dama_ballot_list(game, &list, &err), DAMA_UNSUPPORTED);
    assert_string_equal(err.text,
                        "ballots: expected 8x8 with twelve men a side, found 10x10 with 20");
    dama_opening_list_free(&list);
    dama_game_free(game);
}

/* The two-move restriction has 47 playable starts of 49 (Encyclopaedia Britannica, "two-move
   restriction"); 9-14 21-17 and 10-14 21-17 lose a man. */
static void american_two_move_starts_are_those_of_the_restriction(void **state)
{
    (void)state;
    static const char *const lost[] = {
        "B:W17,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,11,12,14",
        "B:W17,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,11,12,14"};
    struct dama_ruleset ruleset = ruleset_of("american");
    struct dama_game *game = new_game(&ruleset);
    struct dama_opening_set *set = set_of(&ruleset, "two-move");
    assert_int_equal(dama_opening_set_size(set), 47);
    for (uint64_t i = 0; i < 47; i++) {
        char fen[DAMA_FEN_SIZE];
        dama_opening_set_play(set, SEED, i, game);
        dama_fen_format(&ruleset.rules, DAMA_SQUARES_OFFICIAL, dama_game_position(game), fen);
        assert_string_not_equal(fen, lost[0]);
        assert_string_not_equal(fen, lost[1]);
        assert_int_equal(game->ply, 2);
    }
    dama_opening_set_free(set);
    dama_game_free(game);
}

static void every_variant_has_its_lists_and_its_window(void **state)
{
    (void)state;
    static const char *const sources[] = {"two-move", "three-move", "ballots"};
    static const int plies[] = {2, 3, 2};
    for (int v = 0; v < DAMA_BUILTIN_COUNT; v++) {
        struct dama_ruleset ruleset = ruleset_of(dama_rules_builtin(v)->name);
        bool has_ballots =
            !strcmp(ruleset.rules.name, "american") || !strcmp(ruleset.rules.name, "italian");
        dama_opening_set_free(set_of(&ruleset, "biased"));
        for (int s = 0; s < 3; s++) {
            if (s == 2 && !has_ballots) {
                assert_int_equal(refusal_of(&ruleset, sources[s], 0).status, DAMA_UNSUPPORTED);
                continue;
            }
            struct dama_opening_set *set = set_of(&ruleset, sources[s]);
            assert_in_range(dama_opening_set_size(set), 40, 2500);
            assert_int_equal(dama_opening_set_plies(set), plies[s]);
            dama_opening_set_free(set);
        }
    }
}

static void no_opening_comes_again_before_all_have_come(void **state)
{
    (void)state;
    struct dama_ruleset ruleset = ruleset_of("russian");
    struct dama_game *game = new_game(&ruleset);
    struct dama_opening_set *set = set_of(&ruleset, "two-move");
    uint64_t size = dama_opening_set_size(set), same_place = 0, same_seed = 0;
    uint64_t *first = calloc(size, sizeof *first);
    for (uint64_t round = 0; round < 3; round++) {
        int *uses = calloc(size, sizeof *uses);
        for (uint64_t n = 0; n < size; n++) {
            uint64_t index = dama_opening_set_choose(set, NULL, SEED, round * size + n, game);
            assert_true(index < size);
            assert_int_equal(uses[index]++, 0);
            same_place += round > 0 && index == first[n];
            first[n] = round == 0 ? index : first[n];
            same_seed += dama_opening_set_choose(set, NULL, SEED + 1, n, game) == first[n];
        }
        free(uses);
    }
    /* Rounds and seeds have orders of their own. */
    assert_true(same_place < size && same_seed < size);
    free(first);
    dama_opening_set_free(set);
    dama_game_free(game);
}

static void a_fen_file_gives_its_positions(void **state)
{
    (void)state;
    static const char text[] =
        "# two positions\n\nW:W31:BK5\r\nB:W21,22,23,24,25,26,27,28,29,30,31:B1,"
        "2,3,4,5,6,7,8,10,11,12\t-\t-9 -32\nW:W31:BK5\n";
    struct dama_ruleset ruleset = ruleset_of("american");
    struct dama_game *game = new_game(&ruleset);
    char path[PATH_SIZE];
    write_file(text, ".fen", path);
    struct dama_opening_set *set = set_of(&ruleset, path);
    assert_int_equal(dama_opening_set_size(set), 2); /* the third is the first again */
    struct dama_position expected;
    struct dama_error err = {0};
    assert_int_equal(
        dama_fen_parse(&ruleset.rules, DAMA_SQUARES_OFFICIAL, "W:W31:BK5", &expected, &err),
        DAMA_OK);
    dama_opening_set_play(set, SEED, 0, game);
    assert_true(dama_position_equal(dama_game_position(game), &expected));
    assert_true(dama_position_equal(dama_opening_set_start(set, 0), &expected));
    assert_int_equal(game->ply, 0);
    dama_opening_set_free(set);
    dama_game_free(game);
    unlink(path);
}

static void a_pdn_file_gives_its_first_plies(void **state)
{
    (void)state;
    static const char text[] = "1. 11-15 23-19 2. 8-11 22-17 *\n1. 9-14 22-18 2. 11-15 18x11 *\n";
    struct dama_ruleset ruleset = ruleset_of("american");
    struct dama_game *game = new_game(&ruleset);
    char path[PATH_SIZE];
    write_file(text, ".PDN", path);
    struct dama_error err = {0};
    struct dama_opening_request request = {.source = path, .file_plies = 3};
    struct dama_opening_set *set = dama_opening_set_new(&ruleset, &request, &err);
    assert_non_null(set);
    assert_int_equal(dama_opening_set_size(set), 2);
    dama_opening_set_play(set, SEED, 0, game);
    assert_int_equal(game->ply, 3);
    dama_opening_set_free(set);
    set = set_of(&ruleset, path);
    assert_int_equal(dama_opening_set_plies(set), 4);
    dama_opening_set_free(set);
    dama_game_free(game);
    unlink(path);
}

static void bad_lines_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *line, *error;
    } cases[] = {
        {"W:W31:BK5\t+x", "expected a score or -, found '+x'"},
        {"W:W31:BK5\t-\t11-15",
         "expected moves that lead to the FEN, they lead to another position"},
        {"W:W31:BK5\t-\t-15", "expected a square with a piece behind -, found '-15'"},
        {"W:W31:BK5\t-\t11-15\tx", "expected FEN, score and moves, found more tabs"},
        {"B:W31:B", "expected a position where the game goes on, found no legal move"},
    };
    struct dama_ruleset ruleset = ruleset_of("american");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[PATH_SIZE], text[256], where[PATH_SIZE + 8];
        snprintf(text, sizeof text, "# comment\n%s\n", cases[i].line);
        write_file(text, "", path);
        snprintf(where, sizeof where, "%s:2: ", path);
        struct dama_error err = refusal_of(&ruleset, path, 0);
        assert_int_equal(strncmp(err.text, where, strlen(where)), 0);
        assert_string_equal(err.text + strlen(where), cases[i].error);
        unlink(path);
    }
}

static void sources_that_are_none_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"biased:9-5", "biased:5", "biased:-5-9", "biased:5-9x"};
    struct dama_ruleset ruleset = ruleset_of("american");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char expected[160];
        snprintf(expected, sizeof expected,
                 "--openings: expected biased:LOW-HIGH with 0 <= LOW <= HIGH <= 20000, found '%s'",
                 wrong[i]);
        assert_string_equal(refusal_of(&ruleset, wrong[i], 0).text, expected);
    }
    assert_int_equal(refusal_of(&ruleset, "/nowhere/list.fen", 0).status, DAMA_IO);
}

static void biased_openings_have_a_score_in_the_window(void **state)
{
    (void)state;
    struct dama_ruleset ruleset = ruleset_of("american");
    struct dama_game *game = new_game(&ruleset);
    struct dama_weights weights;
    struct dama_error err = {0};
    dama_weights_hand_set(&ruleset.rules, &weights);
    struct dama_searcher *judge = dama_searcher_new(&ruleset.rules, &weights, 64, &err);
    struct dama_searcher *fresh = dama_searcher_new(&ruleset.rules, &weights, 64, &err);
    assert_true(judge && fresh);
    struct dama_opening_set *set = set_of(&ruleset, "biased:60-140");
    int inside = 0;
    for (uint64_t n = 0; n < 30; n++) {
        uint64_t index = dama_opening_set_choose(set, judge, SEED, n, game);
        struct dama_search_limits limits = {.depth = 5};
        struct dama_search_result result;
        dama_searcher_clear(fresh);
        dama_searcher_search(fresh, game, &limits, &result);
        inside += abs(result.score) >= 50 && abs(result.score) <= 150;
        struct dama_position chosen = *dama_game_position(game);
        dama_opening_set_play(set, SEED, index, game);
        assert_true(dama_position_equal(dama_game_position(game), &chosen));
    }
    /* By a search of another depth most are; of level openings few would be. */
    assert_in_range(inside, 24, 30);
    dama_opening_set_free(set);
    dama_searcher_free(judge);
    dama_searcher_free(fresh);
    dama_game_free(game);
}

static void find(const struct dama_ruleset *ruleset, int window, int threads,
                 struct dama_opening_list *list, uint32_t *found)
{
    struct dama_weights weights;
    struct dama_error err = {0};
    dama_weights_hand_set(&ruleset->rules, &weights);
    const struct dama_opening_search search = {.ruleset = ruleset,
                                               .weights = &weights,
                                               .plies = 2,
                                               .nodes = 2000,
                                               .window = window,
                                               .threads = threads};
    assert_int_equal(dama_opening_find(&search, list, found, &err), DAMA_OK);
}

static void a_list_is_the_same_for_any_threads_and_reads_back(void **state)
{
    (void)state;
    struct dama_ruleset ruleset = ruleset_of("czech"); /* algebraic squares */
    struct dama_game *game = new_game(&ruleset);
    struct dama_opening_list one = {0}, three = {0}, all = {0}, again = {0};
    uint32_t found = 0;
    find(&ruleset, 60, 1, &one, &found);
    find(&ruleset, 60, 3, &three, &found);
    find(&ruleset, DAMA_SCORE_EVAL_MAX, 2, &all, &found);
    assert_int_equal(all.count, 49); /* seven moves each, none the same position */
    assert_int_equal(found, 49);
    assert_in_range(one.count, 40, 48);
    assert_int_equal(one.count, three.count);
    for (uint32_t i = 0; i < one.count; i++) {
        char a[DAMA_OPENING_LINE_SIZE], b[DAMA_OPENING_LINE_SIZE];
        struct dama_error err = {0};
        dama_opening_list_format(&one, i, game, a);
        dama_opening_list_format(&three, i, game, b);
        assert_string_equal(a, b);
        const struct dama_opening_text text = {"line", a, strlen(a)};
        assert_int_equal(dama_opening_list_read(&again, &text, game, &err), DAMA_OK);
        dama_opening_list_format(&again, i, game, b);
        assert_string_equal(a, b);
    }
    dama_opening_list_free(&one);
    dama_opening_list_free(&three);
    dama_opening_list_free(&all);
    dama_opening_list_free(&again);
    dama_game_free(game);
}

static void equal_openings_have_one_hash(void **state)
{
    (void)state;
    static const char *const texts[] = {"W:W31:BK5\n", "# other file\nW:W31:BK5\n", "W:W30:BK5\n"};
    struct dama_ruleset ruleset = ruleset_of("american");
    unsigned char hashes[3][DAMA_HASH_SIZE];
    for (int i = 0; i < 3; i++) {
        char path[PATH_SIZE];
        write_file(texts[i], "", path);
        struct dama_opening_set *set = set_of(&ruleset, path);
        dama_opening_set_hash(set, hashes[i]);
        dama_opening_set_free(set);
        unlink(path);
    }
    assert_memory_equal(hashes[0], hashes[1], DAMA_HASH_SIZE);
    assert_memory_not_equal(hashes[0], hashes[2], DAMA_HASH_SIZE);
}

static void a_pair_is_decisive_when_it_does_not_end_level(void **state)
{
    (void)state;
    const struct dama_pairs pairs = {{10, 20, 40, 20, 10}};
    struct dama_window_share share = dama_window_decisive(&pairs);
    assert_true(share.share > 0.5999 && share.share < 0.6001);
    assert_true(share.error > 0.0489 && share.error < 0.0490); /* sqrt(0.6 * 0.4 / 100) */
    struct dama_window_trial trials[3] = {{0}};
    trials[0].result.pairs = pairs;
    trials[1].result.pairs = (struct dama_pairs){{0, 70, 30, 0, 0}};
    trials[2].result.pairs = (struct dama_pairs){{70, 0, 30, 0, 0}};
    assert_int_equal(dama_window_best(trials, 3), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ballots_are_2500_positions),
        cmocka_unit_test(ballots_are_refused_on_other_boards),
        cmocka_unit_test(american_two_move_starts_are_those_of_the_restriction),
        cmocka_unit_test(every_variant_has_its_lists_and_its_window),
        cmocka_unit_test(no_opening_comes_again_before_all_have_come),
        cmocka_unit_test(a_fen_file_gives_its_positions),
        cmocka_unit_test(a_pdn_file_gives_its_first_plies),
        cmocka_unit_test(bad_lines_are_named),
        cmocka_unit_test(sources_that_are_none_are_refused),
        cmocka_unit_test(biased_openings_have_a_score_in_the_window),
        cmocka_unit_test(a_list_is_the_same_for_any_threads_and_reads_back),
        cmocka_unit_test(equal_openings_have_one_hash),
        cmocka_unit_test(a_pair_is_decisive_when_it_does_not_end_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
