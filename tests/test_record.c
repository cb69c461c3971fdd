/* A recorded game is a pure function of its number; its labels are the winner seen by the side to
 * move. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "selfplay/record.h"
#include "selfplay/verify.h"

struct fixture {
    struct dama_ruleset ruleset;
    struct dama_weights weights;
    struct dama_run_config config;
    struct dama_recorder recorder;
    struct dama_error err;
};

static void init(struct fixture *f, const char *variant)
{
    *f = (struct fixture){0};
    assert_int_equal(dama_ruleset_builtin(variant, &f->ruleset, &f->err), DAMA_OK);
    dama_weights_material(&f->ruleset.rules, &f->weights);
    dama_run_config_default(&f->config);
    assert_int_equal(dama_run_config_set(&f->config, "nodes=40", &f->err), DAMA_OK);
    assert_int_equal(dama_run_config_set(&f->config, "table_kb=16", &f->err), DAMA_OK);
    assert_int_equal(dama_run_config_set(&f->config, "random_plies=6", &f->err), DAMA_OK);
    f->recorder = (struct dama_recorder){
        .ruleset = &f->ruleset,
        .weights = &f->weights,
        .config = &f->config,
        .book = dama_opening_book_new(&f->ruleset.rules, 6, &f->err),
    };
    assert_non_null(f->recorder.book);
}

static void done(struct fixture *f)
{
    dama_opening_book_free((struct dama_opening_book *)f->recorder.book);
}

static void record(struct fixture *f, struct dama_record_player *player, uint64_t number,
                   struct dama_shard *out)
{
    assert_int_equal(dama_record_game(player, number, NULL, NULL, out, &f->err), DAMA_OK);
    assert_int_equal(out->games, 1);
    assert_true(out->rows > 0);
}

static void a_game_does_not_depend_on_the_games_before(void **state)
{
    (void)state;
    struct fixture f;
    init(&f, "russian");
    struct dama_record_player *used = dama_record_player_new(&f.recorder, &f.err);
    struct dama_shard after = {0}, alone = {0};
    for (uint64_t number = 0; number <= 7; number++) {
        record(&f, used, number, &after);
    }
    struct dama_record_player *fresh = dama_record_player_new(&f.recorder, &f.err);
    record(&f, fresh, 7, &alone);
    assert_int_equal(after.rows, alone.rows);
    /* Of all columns; the structs have padding. */
    unsigned char hashes[2][DAMA_HASH_SIZE];
    dama_shard_content_hash(&after, hashes[0]);
    dama_shard_content_hash(&alone, hashes[1]);
    assert_memory_equal(hashes[0], hashes[1], DAMA_HASH_SIZE);
    dama_record_player_free(used);
    dama_record_player_free(fresh);
    dama_shard_free(&after);
    dama_shard_free(&alone);
    done(&f);
}

static void c051_seeds_and_numbers_share_no_games(void **state)
{
    (void)state;
    enum { GAMES = 12, SEEDS = 2 };
    struct dama_record_identity seen[GAMES * SEEDS];
    int count = 0;
    struct dama_shard shard = {0};
    for (int seed = 1; seed <= SEEDS; seed++) {
        struct fixture f;
        init(&f, "american");
        f.config.seed = seed;
        struct dama_record_player *player = dama_record_player_new(&f.recorder, &f.err);
        for (uint64_t number = 0; number < GAMES; number++) {
            record(&f, player, number, &shard);
            seen[count] = dama_record_identify(shard.row, shard.rows);
            for (int i = 0; i < count; i++) {
                assert_true(seen[i].game != seen[count].game);
            }
            count++;
        }
        dama_record_player_free(player);
        done(&f);
    }
    dama_shard_free(&shard);
}

static void paired_games_share_their_opening(void **state)
{
    (void)state;
    struct fixture f;
    init(&f, "american");
    assert_int_equal(dama_run_config_set(&f.config, "paired=true", &f.err), DAMA_OK);
    struct dama_record_player *player = dama_record_player_new(&f.recorder, &f.err);
    struct dama_shard shard = {0};
    uint64_t openings[8];
    for (uint64_t number = 0; number < 8; number++) {
        record(&f, player, number, &shard);
        openings[number] = shard.game[0].opening;
        assert_int_equal(openings[number] == openings[number & ~UINT64_C(1)], true);
        assert_int_equal(number >= 2 && openings[number] == openings[number - 2], false);
    }
    dama_record_player_free(player);
    dama_shard_free(&shard);
    done(&f);
}

static void c052_labels_are_the_winner_for_the_side_to_move(void **state)
{
    (void)state;
    struct fixture f;
    init(&f, "italian");
    struct dama_record_player *player = dama_record_player_new(&f.recorder, &f.err);
    struct dama_shard shard = {0};
    int decided = 0;
    for (uint64_t number = 0; number < 100; number++) {
        record(&f, player, number, &shard);
        int white = dama_record_player_result(player).result;
        decided += white != 0;
        for (size_t i = 0; i < shard.rows; i++) {
            const struct dama_row *row = &shard.row[i];
            struct dama_position position = dama_row_position(8, row);
            assert_int_equal(row->result, position.side == DAMA_WHITE ? white : -white);
            /* Swapped colours on the turned board are the same features. */
            struct dama_position mirror = dama_position_mirror(&f.ruleset.rules, &position);
            assert_int_equal(f.ruleset.kernel->evaluate(&f.ruleset.rules, &position, &f.weights),
                             f.ruleset.kernel->evaluate(&f.ruleset.rules, &mirror, &f.weights));
        }
    }
    assert_true(decided > 10);
    dama_record_player_free(player);
    dama_shard_free(&shard);
    done(&f);
}

static void c037_a_game_at_the_ply_cap_says_so(void **state)
{
    (void)state;
    struct fixture f;
    init(&f, "brazilian");
    f.config.max_plies = 12;
    struct dama_record_player *player = dama_record_player_new(&f.recorder, &f.err);
    struct dama_shard shard = {0};
    record(&f, player, 0, &shard);
    assert_int_equal(shard.game[0].plies, 12);
    assert_int_equal(shard.game[0].result, 0);
    assert_int_equal(shard.game[0].termination, DAMA_END_PLY_CAP);
    dama_record_player_free(player);
    dama_shard_free(&shard);
    done(&f);
}

static bool always(void *context)
{
    (void)context;
    return true;
}

static void a_stop_ends_the_game_being_played(void **state)
{
    (void)state;
    struct fixture f;
    init(&f, "czech");
    f.config.nodes = 100000;
    struct dama_record_player *player = dama_record_player_new(&f.recorder, &f.err);
    struct dama_shard shard = {0};
    assert_int_equal(dama_record_game(player, 0, always, NULL, &shard, &f.err), DAMA_STOPPED);
    dama_record_player_free(player);
    dama_shard_free(&shard);
    done(&f);
}

/* A stored run in memory, for the checks of verify. */
static void make_run(const struct fixture *f, struct dama_stored_run *run)
{
    *run =
        (struct dama_stored_run){.ruleset = f->ruleset, .weights = f->weights, .config = f->config};
}

static void verify_finds_any_altered_row(void **state)
{
    (void)state;
    struct fixture f;
    init(&f, "spanish");
    static struct dama_stored_run run;
    make_run(&f, &run);
    struct dama_record_player *player = dama_record_player_new(&f.recorder, &f.err);
    struct dama_shard shard = {0};
    record(&f, player, 3, &shard);
    assert_int_equal(dama_verify_shard(&run, &shard, &f.err), DAMA_OK);
    assert_int_equal(dama_verify_replay(player, &shard, 0, &f.err), DAMA_OK);
    for (size_t i = 0; i < shard.rows; i++) {
        struct dama_row good = shard.row[i];
        shard.row[i].to = (uint8_t)(good.to % 32 + 1);
        /* Behind the last move there is no row: another legal one is found by playing again. */
        if (i + 1 < shard.rows) {
            assert_int_equal(dama_verify_shard(&run, &shard, &(struct dama_error){0}),
                             DAMA_CORRUPT);
        }
        assert_int_equal(dama_verify_replay(player, &shard, 0, &(struct dama_error){0}),
                         DAMA_CORRUPT);
        shard.row[i] = good;
        shard.row[i].result = (int8_t)(good.result == 1 ? 0 : good.result + 1);
        assert_int_equal(dama_verify_shard(&run, &shard, &(struct dama_error){0}), DAMA_CORRUPT);
        shard.row[i] = good;
        shard.row[i].flags ^= DAMA_ROW_CAPTURE;
        assert_int_equal(dama_verify_shard(&run, &shard, &(struct dama_error){0}), DAMA_CORRUPT);
        shard.row[i] = good;
        /* A score follows from the search alone: only playing again finds it. */
        shard.row[i].score = (int16_t)(good.score + 1);
        assert_int_equal(dama_verify_replay(player, &shard, 0, &(struct dama_error){0}),
                         DAMA_CORRUPT);
        shard.row[i] = good;
    }
    shard.game[0].termination = DAMA_END_RESIGNED;
    assert_int_equal(dama_verify_shard(&run, &shard, &(struct dama_error){0}), DAMA_CORRUPT);
    dama_record_player_free(player);
    dama_shard_free(&shard);
    done(&f);
}

/* White man 9 can only capture 6 and crown on 2. Stored is a capture by 8 of 6 and, on the rim, 1:
   in the word of a move, 1 among the captured turns 8 into 9. */
static void a_capture_on_the_rim_is_no_move(void **state)
{
    (void)state;
    struct fixture f;
    init(&f, "american");
    static struct dama_stored_run run;
    make_run(&f, &run);
    run.source = DAMA_SOURCE_IMPORT;
    struct dama_row row = {.white_men = 1 << 8 | 1 << 7, .black_men = 1 << 5 | 1};
    row.from = 9;
    row.to = 2;
    row.captured = 1 << 5;
    row.flags = DAMA_ROW_CAPTURE | DAMA_ROW_ONLY_MOVE;
    struct dama_game_row game = {.rows = 1, .plies = 1, .termination = DAMA_END_ADJUDICATED};
    struct dama_shard shard = {.rows = 1, .games = 1, .row = &row, .game = &game};
    assert_int_equal(dama_verify_shard(&run, &shard, &f.err), DAMA_OK);
    row.from = 8;
    row.captured = 1 << 5 | 1;
    assert_int_equal(dama_verify_shard(&run, &shard, &f.err), DAMA_CORRUPT);
    assert_string_equal(f.err.text, "row 0 (game 0, ply 0): the move is not legal");
    f.err = (struct dama_error){0};
    done(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_does_not_depend_on_the_games_before),
        cmocka_unit_test(c051_seeds_and_numbers_share_no_games),
        cmocka_unit_test(paired_games_share_their_opening),
        cmocka_unit_test(c052_labels_are_the_winner_for_the_side_to_move),
        cmocka_unit_test(c037_a_game_at_the_ply_cap_says_so),
        cmocka_unit_test(a_stop_ends_the_game_being_played),
        cmocka_unit_test(verify_finds_any_altered_row),
        cmocka_unit_test(a_capture_on_the_rim_is_no_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
