/* The whole of `dama tune` on shards of random games: what it refuses, keeps and writes. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tuner/tune.h"
#include "tuner_games.h"

/* A run of random games in a folder of its own, and a setup that reads it. */
struct fixture {
    char folder[64];
    const char *folders[2];
    struct dama_ruleset ruleset;
    struct dama_tune_setup setup;
    struct dama_tune_result result;
    struct dama_error err;
};

static void init(struct fixture *f, int shards, int games)
{
    memset(f, 0, sizeof *f);
    make_folder(f->folder);
    assert_int_equal(dama_ruleset_builtin("american", &f->ruleset, NULL), DAMA_OK);
    save_random_run(f->folder, &f->ruleset, shards, games);
    dama_tune_defaults(&f->setup);
    f->folders[0] = f->folder;
    f->setup.folders = f->folders;
    f->setup.folder_count = 1;
    f->setup.run = "random";
}

static void done(struct fixture *f)
{
    dama_tune_free(&f->result);
    remove_folder(f->folder);
}

static void expect_ok(struct fixture *f)
{
    if (dama_tune_run(&f->setup, &f->result, &f->err) != DAMA_OK) {
        fail_msg("%s", f->err.text);
    }
}

static void expect_failure(struct fixture *f, enum dama_status status, const char *part)
{
    assert_int_equal(dama_tune_run(&f->setup, &f->result, &f->err), status);
    if (!strstr(f->err.text, part)) {
        fail_msg("expected '%s' in: %s", part, f->err.text);
    }
}

/* What is stored is read again: a folder's name may be no text. */
static void a_folders_name_makes_no_table_unreadable(void **state)
{
    (void)state;
    struct fixture f;
    init(&f, 3, 40);
    f.setup.run = "new\nline\x7f//";
    expect_ok(&f);
    const struct dama_weights *table = &f.result.fit.table;
    unsigned char bytes[DAMA_WEIGHTS_MAX_BYTES];
    struct dama_weights again;
    assert_string_equal(table->lineage.run, "new?line?");
    assert_int_equal(dama_weights_decode(&f.ruleset.rules, f.ruleset.hash, bytes,
                                         dama_weights_encode(table, bytes), &again, &f.err),
                     DAMA_OK);
    done(&f);
}

static void a_fit_gives_a_table_of_the_games_variant(void **state)
{
    (void)state;
    struct fixture f;
    init(&f, 3, 40);
    f.setup.generation = 4;
    expect_ok(&f);
    const struct dama_weights *table = &f.result.fit.table;
    assert_string_equal(table->variant, "american");
    assert_memory_equal(table->rules_hash, f.ruleset.hash, DAMA_HASH_SIZE);
    assert_string_equal(table->lineage.run, "random");
    assert_int_equal(table->lineage.generation, 4);
    assert_int_equal(table->lineage.positions, f.result.counts.fate[DAMA_FATE_TRAIN]);
    assert_int_equal(table->lineage.games,
                     f.result.counts.games_train + f.result.counts.games_held);
    assert_int_equal(table->w[0][DAMA_FEATURE_man], 100);
    assert_true(f.result.fit.train.fitted < f.result.fit.train.parent);
    assert_true(f.result.fit.train.parent < f.result.fit.train.constant);
    assert_true(fabs(f.result.fit.train.rounded - f.result.fit.train.fitted) < 1e-4);
    done(&f);
}

static void a_saved_table_reads_back(void **state)
{
    (void)state;
    struct fixture f;
    char path[96], json[96];
    init(&f, 2, 40);
    expect_ok(&f);
    snprintf(path, sizeof path, "%s/new.dama", f.folder);
    snprintf(json, sizeof json, "%s/new.tune.json", f.folder);
    assert_int_equal(dama_tune_save(&f.result, path, &f.err), DAMA_OK);
    struct dama_weights read;
    assert_int_equal(dama_weights_load(path, &f.ruleset, &read, &f.err), DAMA_OK);
    assert_memory_equal(read.w, f.result.fit.table.w, sizeof read.w);
    assert_int_equal(read.slope_ppm, f.result.fit.table.slope_ppm);
    assert_int_equal(access(json, R_OK), 0);
    /* Another table in the folder leaves that account alone; a generation's has the short name. */
    static const char *const names[][2] = {{"weights.dama", "tune.json"},
                                           {"other", "other.tune.json"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", f.folder, names[i][0]);
        snprintf(json, sizeof json, "%s/%s", f.folder, names[i][1]);
        assert_int_not_equal(access(json, R_OK), 0);
        assert_int_equal(dama_tune_save(&f.result, path, &f.err), DAMA_OK);
        assert_int_equal(access(json, R_OK), 0);
    }
    done(&f);
}

static void threads_do_not_change_a_bit(void **state)
{
    (void)state;
    struct fixture f;
    init(&f, 12, 60);
    expect_ok(&f);
    struct dama_fit one = f.result.fit;
    for (int threads = 2; threads <= 5; threads += 3) {
        struct dama_tune_result other;
        f.setup.threads = threads;
        assert_int_equal(dama_tune_run(&f.setup, &other, &f.err), DAMA_OK);
        assert_memory_equal(other.fit.columns, one.columns, sizeof one.columns);
        assert_memory_equal(other.fit.error, one.error, sizeof one.error);
        assert_memory_equal(&other.fit.held, &one.held, sizeof one.held);
        assert_memory_equal(&other.counts, &f.result.counts, sizeof other.counts);
        dama_tune_free(&other);
    }
    done(&f);
}

/* Group king alone: all else as in the parent, though the unit's worth in logits moves. */
static void only_moves_the_groups_it_names(void **state)
{
    (void)state;
    struct fixture f;
    init(&f, 3, 40);
    struct dama_weights parent;
    dama_weights_hand_set(&f.ruleset.rules, &parent);
    f.setup.parent = &parent;
    f.setup.only = "king";
    expect_ok(&f);
    struct dama_weights table = f.result.fit.table;
    assert_int_equal(f.result.fit.model.columns, 3);
    assert_int_not_equal(table.w[1][DAMA_FEATURE_king], parent.w[1][DAMA_FEATURE_king]);
    for (int phase = 0; phase < DAMA_PHASES; phase++) {
        table.w[phase][DAMA_FEATURE_king] = parent.w[phase][DAMA_FEATURE_king];
    }
    assert_memory_equal(table.w, parent.w, sizeof parent.w);
    done(&f);
}

static void frozen_and_silent_weights_keep_the_parents_value(void **state)
{
    (void)state;
    struct fixture f;
    init(&f, 3, 40);
    struct dama_weights parent;
    dama_weights_hand_set(&f.ruleset.rules, &parent);
    /* American rules have no king shields: silent. */
    parent.w[0][DAMA_FEATURE_king_shields] = 77;
    f.setup.parent = &parent;
    f.setup.freeze = "back_row,centre";
    expect_ok(&f);
    const struct dama_fit *fit = &f.result.fit;
    assert_int_equal(fit->table.w[0][DAMA_FEATURE_king_shields], 77);
    assert_int_equal(fit->model.state[DAMA_FEATURE_king_shields], DAMA_WEIGHT_SILENT);
    for (int p = DAMA_FEATURE_back_row; p <= DAMA_FEATURE_back_row_last; p++) {
        assert_int_equal(fit->model.state[p], DAMA_WEIGHT_FROZEN);
        assert_int_equal(fit->table.w[0][p], parent.w[0][p]);
        assert_int_equal(fit->table.w[1][p], parent.w[1][p]);
    }
    assert_int_equal(fit->model.state[DAMA_FEATURE_king], DAMA_WEIGHT_FITTED);
    done(&f);
}

static void a_strong_ridge_keeps_the_parent(void **state)
{
    (void)state;
    struct fixture f;
    init(&f, 3, 40);
    struct dama_weights parent;
    dama_weights_hand_set(&f.ruleset.rules, &parent);
    f.setup.parent = &parent;
    f.setup.ridge = 1e9;
    expect_ok(&f);
    assert_memory_equal(f.result.fit.table.w, parent.w, sizeof parent.w);
    done(&f);
}

static void an_unknown_group_lists_the_groups(void **state)
{
    (void)state;
    struct fixture f;
    init(&f, 1, 2);
    f.setup.freeze = "king,crowns";
    expect_failure(&f, DAMA_USAGE, "no feature group 'crowns': there are man king first_king");
    assert_non_null(strstr(f.err.text, " the_move en_prise turn"));
    done(&f);
}

/* Fewer rows than weights, and no ridge. */
static void a_singular_fit_names_the_features(void **state)
{
    (void)state;
    struct fixture f;
    init(&f, 1, 8);
    f.setup.ridge = 0;
    f.setup.filter.rows_per_game = 4;
    f.setup.filter.holdout = 0;
    expect_failure(&f, DAMA_NUMERIC, "the data cannot tell these apart: ");
    done(&f);
}

static void c057_a_step_1000_times_too_long_is_an_error(void **state)
{
    (void)state;
    struct fixture f;
    init(&f, 2, 40);
    f.setup.step = 1000;
    expect_failure(&f, DAMA_NUMERIC, "a step of 1000 times Newton's: expected the loss to fall");
    done(&f);
}

static void c054_a_damaged_shard_is_named_or_left_out(void **state)
{
    (void)state;
    enum { SHARDS = 50, DAMAGED = 17, CUT = 700 };
    struct fixture f;
    char path[128];
    init(&f, SHARDS, 3);
    shard_path(f.folder, &f.ruleset, DAMAGED, path);
    assert_int_equal(truncate(path, CUT), 0);
    expect_failure(&f, DAMA_CORRUPT, "american-000017.h5: ");
    dama_tune_free(&f.result);
    f.err = (struct dama_error){0};
    f.setup.skip_damaged = true;
    expect_ok(&f);
    assert_int_equal(f.result.counts.damaged, 1);
    assert_int_equal(f.result.counts.shards, SHARDS - 1);
    assert_int_equal(f.result.counts.games, (SHARDS - 1) * 3);
    done(&f);
}

static void shards_of_two_variants_are_refused(void **state)
{
    (void)state;
    struct fixture f, other;
    init(&f, 1, 10);
    init(&other, 1, 1);
    assert_int_equal(dama_ruleset_builtin("italian", &other.ruleset, NULL), DAMA_OK);
    save_random_run(other.folder, &other.ruleset, 1, 10);
    f.folders[1] = other.folder;
    f.setup.folder_count = 2;
    f.setup.skip_damaged = true;
    expect_failure(&f, DAMA_MISMATCH, "american");
    assert_non_null(strstr(f.err.text, "italian"));
    done(&other);
    done(&f);
}

static void the_same_games_twice_are_refused(void **state)
{
    (void)state;
    struct fixture f;
    init(&f, 2, 10);
    f.folders[1] = f.folder;
    f.setup.folder_count = 2;
    expect_failure(&f, DAMA_INVALID, "would count twice");
    done(&f);
}

static void a_folder_without_shards_is_refused(void **state)
{
    (void)state;
    struct fixture f;
    char empty[64];
    init(&f, 1, 10);
    make_folder(empty);
    f.folders[0] = empty;
    expect_failure(&f, DAMA_INVALID, "expected shards/*.h5 below it, found none");
    remove_folder(empty);
    done(&f);
}

static void the_table_that_played_is_the_parent(void **state)
{
    (void)state;
    struct fixture f;
    char path[96];
    init(&f, 2, 20);
    struct dama_weights player;
    dama_weights_hand_set(&f.ruleset.rules, &player);
    snprintf(path, sizeof path, "%s/player.dama", f.folder);
    assert_int_equal(dama_weights_save(path, &player, NULL), DAMA_OK);
    /* The shards name no table (zeros), so this one did not play them. */
    expect_failure(&f, DAMA_MISMATCH, "expected the table that played, 00000000, found ");
    done(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folders_name_makes_no_table_unreadable),
        cmocka_unit_test(a_fit_gives_a_table_of_the_games_variant),
        cmocka_unit_test(a_saved_table_reads_back),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(only_moves_the_groups_it_names),
        cmocka_unit_test(frozen_and_silent_weights_keep_the_parents_value),
        cmocka_unit_test(a_strong_ridge_keeps_the_parent),
        cmocka_unit_test(an_unknown_group_lists_the_groups),
        cmocka_unit_test(a_singular_fit_names_the_features),
        cmocka_unit_test(c057_a_step_1000_times_too_long_is_an_error),
        cmocka_unit_test(c054_a_damaged_shard_is_named_or_left_out),
        cmocka_unit_test(shards_of_two_variants_are_refused),
        cmocka_unit_test(the_same_games_twice_are_refused),
        cmocka_unit_test(a_folder_without_shards_is_refused),
        cmocka_unit_test(the_table_that_played_is_the_parent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
