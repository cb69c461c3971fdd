/* Imported games: what real files give, why games are left out, and what verification makes of
   them. */
#include "selfplay/import.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cluster/run_shards.h"
#include "engine/fen.h"
#include "selfplay/find_game.h"
#include "selfplay/rescore.h"
#include "engine/cli/temporary.h"
#include "selfplay/verify.h"

enum { PATH_SIZE = 256, COMMAND_SIZE = 512 };

static char folder[PATH_SIZE];

static int make_folder(void **state)
{
    (void)state;
    assert_true(dama_temporary_name("/tmp", "dama-import", "", folder, sizeof folder));
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[COMMAND_SIZE];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

/* Imports one file of tests/data/pdn into FOLDER/name. */
static struct dama_import_report import_file(const char *variant, const char *name)
{
    char path[PATH_SIZE], run[2 * PATH_SIZE];
    struct dama_ruleset ruleset;
    struct dama_run_config config;
    struct dama_error err = {0};
    struct dama_import_report report;
    snprintf(path, sizeof path, DAMA_TEST_DATA "/pdn/%s.pdn", name);
    snprintf(run, sizeof run, "%s/%s", folder, name);
    struct dama_import_file file = {.path = path};
    assert_int_equal(dama_file_read(path, 1 << 24, &file.bytes, &file.size, &err), DAMA_OK);
    assert_int_equal(dama_ruleset_builtin(variant, &ruleset, &err), DAMA_OK);
    dama_run_config_default(&config);
    const struct dama_import_setup setup = {.ruleset = &ruleset,
                                            .is_given = true,
                                            .config = &config,
                                            .file_count = 1,
                                            .files = &file,
                                            .run = run};
    if (dama_import_run(&setup, &report, &err) != DAMA_OK) {
        fail_msg("%s: %s", name, err.text);
    }
    free(file.bytes);
    return report;
}

/* What all shards of a run hold. */
struct totals {
    const struct dama_stored_run *run;
    uint64_t games, rows, white, black, drawn;
};

static enum dama_status count_shard(void *context, const char *path, struct dama_error *err)
{
    struct totals *totals = context;
    struct dama_shard shard = {0};
    DAMA_TRY(dama_shard_load(path, &totals->run->origin, &shard, NULL, err));
    assert_int_equal(dama_verify_shard(totals->run, &shard, err), DAMA_OK);
    totals->games += shard.games;
    totals->rows += shard.rows;
    for (size_t g = 0; g < shard.games; g++) {
        assert_int_equal(shard.game[g].id, totals->games - shard.games + g);
        totals->white += shard.game[g].result == 1;
        totals->black += shard.game[g].result == -1;
        totals->drawn += shard.game[g].result == 0;
    }
    for (size_t r = 0; r < shard.rows; r++) {
        int of_white = shard.row[r].side_to_move == DAMA_WHITE ? 1 : -1;
        assert_int_equal(shard.row[r].score, DAMA_SCORE_NONE);
        assert_int_equal(shard.row[r].result, of_white * shard.game[shard.row[r].game].result);
    }
    dama_shard_free(&shard);
    return DAMA_OK;
}

/* The first and the last game of each shard, and none behind the last of all. */
static void check_games_are_found(const char *run, uint64_t games)
{
    enum { BLOCK_GAMES = 64 };
    struct dama_error err = {0};
    for (uint64_t number = 0; number <= games; number++) {
        bool is_at_end = number % BLOCK_GAMES == 0 || number % BLOCK_GAMES == BLOCK_GAMES - 1;
        if (!is_at_end && number + 1 < games) {
            continue;
        }
        struct dama_found_game found = {0};
        enum dama_status status = dama_find_game(run, number, &found, &err);
        assert_int_equal(status, number < games ? DAMA_OK : DAMA_INVALID);
        if (status == DAMA_OK) {
            assert_int_equal(found.shard.game[found.index].id, number);
        }
        dama_shard_free(&found.shard);
    }
}

/* Counts of tests/data/pdn/expected.tsv, which were found without this program. In the first game
   of international-40 (115 plies) the tag says 0-1 and the end of the moves 1-0. */
static void real_files_give_their_games_plies_and_results(void **state)
{
    (void)state;
    static const struct {
        const char *variant, *name;
        uint64_t read, games, rows, white, black, drawn;
    } files[] = {
        {"american", "american-games", 299, 299, 15052, 35, 26, 238},
        {"italian", "italian-championship", 27, 27, 1752, 6, 9, 12},
        {"international", "international-40", 45, 44, 4804 - 115, 8, 15, 21},
        {"international", "international-schildpad", 34, 34, 3014, 18, 15, 1},
        {"russian", "russian-championship", 153, 153, 8730, 22, 20, 111},
    };
    struct dama_stored_run *run = malloc(sizeof *run);
    assert_non_null(run);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct dama_import_report report = import_file(files[i].variant, files[i].name);
        char path[2 * PATH_SIZE];
        struct dama_error err = {0};
        struct totals totals = {.run = run};
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        assert_int_equal(dama_stored_run_open(path, run, &err), DAMA_OK);
        assert_int_equal(run->source, DAMA_SOURCE_IMPORT);
        if (dama_folder_shards(path, count_shard, &totals, &err) != DAMA_OK) {
            fail_msg("%s: %s", files[i].name, err.text);
        }
        assert_int_equal(report.games, files[i].read);
        assert_int_equal(report.reasons[DAMA_IMPORT_TAKEN], files[i].games);
        assert_int_equal(report.rows, files[i].rows);
        assert_int_equal(totals.games, files[i].games);
        assert_int_equal(totals.rows, files[i].rows);
        assert_int_equal(totals.white, files[i].white);
        assert_int_equal(totals.black, files[i].black);
        assert_int_equal(totals.drawn, files[i].drawn);
        check_games_are_found(path, files[i].games);
    }
    free(run);
}

/* Reads one game of American draughts into a shard. */
static enum dama_import_reason import_text(const char *text, struct dama_shard *out,
                                           struct dama_error *err)
{
    struct dama_pdn_reader reader = dama_pdn_open("text", text, strlen(text));
    struct dama_pdn_game pdn = {0};
    const struct dama_rules *rules = dama_rules_find("american");
    struct dama_importer importer = {
        .rules = rules,
        .file = 1,
        .game = dama_game_new(rules, dama_draw_rules_default(rules), NULL),
    };
    assert_true(dama_pdn_next(&reader, &pdn));
    enum dama_import_reason reason = dama_import_game(&importer, &pdn, out, err);
    dama_pdn_game_free(&pdn);
    dama_pdn_replay_free(&importer.replay);
    dama_game_free(importer.game);
    return reason;
}

#define MEN_13 "[FEN \"B:W20,21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12\"]"

static void a_game_is_known_by_its_file_and_number(void **state)
{
    (void)state;
    struct dama_shard shard = {0};
    struct dama_error err = {0};
    assert_int_equal(import_text("1. 11-15 23-19 1-0", &shard, &err), DAMA_IMPORT_TAKEN);
    assert_int_equal(shard.games, 1);
    assert_true(shard.game[0].opening == (UINT64_C(1) << 32 | 1));
    dama_shard_free(&shard);
}

static void games_that_are_no_data_are_left_out_by_reason(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum dama_import_reason reason;
        const char *error;
    } games[] = {
        {"1. 11-15 23-19 *", DAMA_IMPORT_NO_RESULT, "text:1: game 1: no result"},
        {"1. 11-15 23-19", DAMA_IMPORT_NO_RESULT, "text:1: game 1: no result"},
        {"[Result \"4-6\"]\n1. 11-15 *", DAMA_IMPORT_NO_RESULT, "text:1: game 1: no result"},
        {"[Result \"1-0\"]\n1. 11-15 23-19 0-1", DAMA_IMPORT_CONTRADICTION,
         "text:1: game 1: results that contradict each other or the position"},
        {"[FEN \"B:WK18:B22\"]\n1. 22-25 18-22 2. 25-29 22-25 3. 29x22 1-0", DAMA_IMPORT_TAKEN, ""},
        {"[FEN \"B:WK18:B22\"]\n1. 22-25 18-22 2. 25-29 22-25 3. 29x22 0-1",
         DAMA_IMPORT_CONTRADICTION,
         "text:1: game 1: results that contradict each other or the position"},
        {MEN_13 "\n1. 11-15 1-0", DAMA_IMPORT_SET_UP,
         "text:1: game 1: an impossible set-up: more pieces than the start, or too many moves"},
        {MEN_13 " 1-0", DAMA_IMPORT_SET_UP,
         "text:1: game 1: an impossible set-up: more pieces than the start, or too many moves"},
        {"[Event \"x\"] 1-0", DAMA_IMPORT_NO_MOVES, "text:1: game 1: no moves"},
        {"[GameType \"25\"]\n1. c3-d4 1-0", DAMA_IMPORT_OTHER_GAME,
         "text:1: game 1: another kind of game, or none named"},
        {"[GameType \"21\"]\n1. 11-15 1-0", DAMA_IMPORT_TAKEN, ""},
        {"1. 11-15 /FEN \"W:WK18:B22\"/ 1-0", DAMA_IMPORT_SET_UP_AGAIN,
         "text:1: game 1: another set-up in the middle"},
        {"1. 11-15 /FEN \"W:WK18:B22\"/ 18x25 1-0", DAMA_IMPORT_SET_UP_AGAIN,
         "text:1: game 1: another set-up in the middle"},
    };
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        struct dama_shard shard = {0};
        struct dama_error err = {0};
        enum dama_import_reason reason = import_text(games[i].text, &shard, &err);
        if (reason != games[i].reason || strcmp(err.text, games[i].error)) {
            fail_msg("'%s': %s, '%s'", games[i].text, dama_import_reason_text(reason), err.text);
        }
        assert_int_equal(shard.games, reason == DAMA_IMPORT_TAKEN);
        assert_int_equal(shard.rows > 0, reason == DAMA_IMPORT_TAKEN);
        dama_shard_free(&shard);
    }
}

static void an_illegal_move_is_named_with_its_place(void **state)
{
    (void)state;
    struct dama_shard shard = {0};
    struct dama_error err = {0};
    assert_int_equal(import_text("1. 11-15\n23-10 1-0", &shard, &err), DAMA_IMPORT_DAMAGED);
    static const char begin[] = "text:2: game 1, ply 2: found 23-10, expected one of";
    assert_int_equal(strncmp(err.text, begin, sizeof begin - 1), 0);
    dama_shard_free(&shard);
}

static void a_game_may_start_from_a_set_up(void **state)
{
    (void)state;
    struct dama_shard shard = {0};
    struct dama_error err = {0};
    struct dama_position expected;
    const struct dama_rules *rules = dama_rules_find("american");
    assert_int_equal(dama_fen_parse(rules, DAMA_SQUARES_OFFICIAL, "W:W31:BK5", &expected, &err),
                     DAMA_OK);
    assert_int_equal(import_text("[FEN \"W:W31:BK5\"]\n1. 31-26 5-9 1/2-1/2", &shard, &err),
                     DAMA_IMPORT_TAKEN);
    assert_int_equal(shard.rows, 2);
    struct dama_position start = dama_row_position(8, &shard.row[0]);
    assert_true(dama_position_equal(&start, &expected));
    assert_int_equal(shard.game[0].termination, DAMA_END_ADJUDICATED);
    dama_shard_free(&shard);
}

/* Loads the one shard of FOLDER/run. */
static void load(const struct dama_stored_run *run, const char *name, struct dama_shard *out)
{
    char path[2 * PATH_SIZE];
    struct dama_error err = {0};
    snprintf(path, sizeof path, "%s/%s/shards/italian-000000.h5", folder, name);
    if (dama_shard_load(path, &run->origin, out, NULL, &err) != DAMA_OK) {
        fail_msg("%s", err.text);
    }
}

static void changed_rows_of_an_imported_game_are_refused(void **state)
{
    (void)state;
    struct dama_stored_run *run = malloc(sizeof *run);
    struct dama_shard shard = {0};
    struct dama_error err = {0};
    char path[2 * PATH_SIZE];
    snprintf(path, sizeof path, "%s/italian-championship", folder);
    import_file("italian", "italian-championship");
    assert_int_equal(dama_stored_run_open(path, run, &err), DAMA_OK);
    load(run, "italian-championship", &shard);
    assert_int_equal(dama_verify_shard(run, &shard, &err), DAMA_OK);
    struct dama_row kept = shard.row[5];
    shard.row[5].black_men ^= 1; /* a piece more or less */
    assert_int_equal(dama_verify_shard(run, &shard, &err), DAMA_CORRUPT);
    shard.row[5] = kept;
    shard.row[5].ply++;
    err = (struct dama_error){0};
    assert_int_equal(dama_verify_shard(run, &shard, &err), DAMA_CORRUPT);
    assert_string_equal(err.text,
                        "row 5 (game 0, ply 5): the ply does not follow from the rows before");
    shard.row[5] = kept;
    shard.game[0].termination = DAMA_END_NO_MOVE;
    err = (struct dama_error){0};
    assert_int_equal(dama_verify_shard(run, &shard, &err), DAMA_CORRUPT);
    err = (struct dama_error){0};
    assert_int_equal(dama_stored_run_check_engine(run, &err), DAMA_UNSUPPORTED);
    assert_string_equal(err.text, "imported games: no engine can play them again");
    dama_shard_free(&shard);
    free(run);
}

static void another_file_into_the_same_run_is_refused(void **state)
{
    (void)state;
    char text[] = "1. 21-17 1-0";
    char run[2 * PATH_SIZE];
    struct dama_ruleset ruleset;
    struct dama_run_config config;
    struct dama_error err = {0};
    struct dama_import_report report;
    import_file("italian", "italian-championship");
    import_file("italian", "italian-championship"); /* the same again is no error */
    snprintf(run, sizeof run, "%s/italian-championship", folder);
    assert_int_equal(dama_ruleset_builtin("italian", &ruleset, &err), DAMA_OK);
    dama_run_config_default(&config);
    struct dama_import_file file = {"italian-championship.pdn", (unsigned char *)text,
                                    strlen(text)};
    const struct dama_import_setup setup = {&ruleset, true, DAMA_SQUARES_OFFICIAL, &config, 1,
                                            &file,    run};
    assert_int_equal(dama_import_run(&setup, &report, &err), DAMA_MISMATCH);
    assert_non_null(strstr(err.text, "import_file_1"));
}

/* Scores are replaced, nothing else is; the first score of a game is that of a plain search. */
static void new_scores_change_nothing_else(void **state)
{
    (void)state;
    struct dama_stored_run *run = malloc(sizeof *run), *scored = malloc(sizeof *scored);
    struct dama_shard before = {0}, after = {0};
    struct dama_error err = {0};
    struct dama_rescore_summary summary;
    char from[2 * PATH_SIZE], to[2 * PATH_SIZE];
    snprintf(from, sizeof from, "%s/italian-championship", folder);
    snprintf(to, sizeof to, "%s/scored", folder);
    import_file("italian", "italian-championship");
    const struct dama_rescore_setup setup = {
        .run = from, .out = to, .depth = 3, .table_kb = 64, .threads = 2};
    if (dama_rescore_run(&setup, &summary, &err) != DAMA_OK) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(summary.rows, 1752);
    assert_int_equal(summary.searched, 1);
    assert_int_equal(dama_stored_run_open(from, run, &err), DAMA_OK);
    assert_int_equal(dama_stored_run_open(to, scored, &err), DAMA_OK);
    assert_true(scored->is_rescored);
    load(run, "italian-championship", &before);
    load(scored, "scored", &after);
    assert_int_equal(dama_verify_shard(scored, &after, &err), DAMA_OK);
    assert_int_equal(before.games, after.games);
    assert_memory_equal(before.game, after.game, before.games * sizeof *before.game);
    struct dama_searcher *searcher =
        dama_searcher_new(&run->ruleset.rules, &run->weights, 64, &err);
    struct dama_game *game =
        dama_game_new(&run->ruleset.rules, dama_draw_rules_default(&run->ruleset.rules), NULL);
    assert_true(searcher && game);
    size_t scores = 0;
    for (size_t r = 0; r < before.rows; r++) {
        struct dama_row row = after.row[r];
        bool is_only = row.flags & DAMA_ROW_ONLY_MOVE;
        assert_int_equal(row.score == DAMA_SCORE_NONE, is_only);
        scores += !is_only;
        if (row.ply == 0) {
            const struct dama_search_limits limits = {.depth = 3};
            struct dama_search_result result;
            struct dama_position start = dama_row_position(8, &row);
            dama_game_reset(game, &start);
            dama_searcher_clear(searcher);
            dama_searcher_search(searcher, game, &limits, &result);
            assert_int_equal(row.score, result.score);
        }
        row.score = before.row[r].score;
        assert_memory_equal(&row, &before.row[r], sizeof row);
    }
    assert_in_range(scores, 1000, 1751);
    dama_searcher_free(searcher);
    dama_game_free(game);
    dama_shard_free(&before);
    dama_shard_free(&after);
    free(run);
    free(scored);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_files_give_their_games_plies_and_results),
        cmocka_unit_test(a_game_is_known_by_its_file_and_number),
        cmocka_unit_test(games_that_are_no_data_are_left_out_by_reason),
        cmocka_unit_test(an_illegal_move_is_named_with_its_place),
        cmocka_unit_test(a_game_may_start_from_a_set_up),
        cmocka_unit_test(changed_rows_of_an_imported_game_are_refused),
        cmocka_unit_test(another_file_into_the_same_run_is_refused),
        cmocka_unit_test(new_scores_change_nothing_else),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
