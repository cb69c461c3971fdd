/* The survey of data before a fit: known counts, and recounts of random games by whole positions.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/data_survey.h"
#include "tuner_games.h"

static struct dama_position lone_man(int bit)
{
    return (struct dama_position){.pieces = {UINT64_C(1) << bit, UINT64_C(1) << 40}};
}

static void a_position_counts_once_a_game(void **state)
{
    (void)state;
    /* Position, game, twice the outcome: 1 is met in two games with different results, 2 in two
       games with the same, 3 twice in one game, 4 once. */
    static const struct {
        int bit;
        uint32_t game;
        uint8_t twice_outcome;
    } met[] = {{1, 0, 2}, {2, 0, 1}, {1, 1, 0}, {3, 1, 0}, {3, 1, 0}, {2, 2, 1}, {4, 2, 2}};
    struct dama_occurrences all = {.limit = 100};
    for (size_t i = 0; i < sizeof met / sizeof met[0]; i++) {
        struct dama_position position = lone_man(met[i].bit);
        dama_occurrences_add(&all, &position, met[i].game, met[i].twice_outcome);
    }
    struct dama_label_noise noise;
    dama_occurrences_measure(&all, &noise);
    assert_int_equal(noise.sampled, 1);
    assert_int_equal(noise.distinct, 4);
    assert_int_equal(noise.repeated, 2);
    assert_int_equal(noise.repeated_rows, 4);
    assert_int_equal(noise.conflicting, 1);
    assert_int_equal(noise.conflicting_rows, 2);
    /* A win and a loss cost ln 2 each, and so do two draws. */
    assert_true(fabs(noise.floor - log(2)) < 1e-12);
    dama_occurrences_free(&all);
}

static void the_side_to_move_is_part_of_a_position(void **state)
{
    (void)state;
    struct dama_occurrences all = {.limit = 100};
    struct dama_position position = lone_man(5);
    dama_occurrences_add(&all, &position, 0, 2);
    position.side = DAMA_BLACK;
    dama_occurrences_add(&all, &position, 0, 0);
    struct dama_label_noise noise;
    dama_occurrences_measure(&all, &noise);
    assert_int_equal(noise.distinct, 2);
    assert_int_equal(noise.repeated, 0);
    assert_true(noise.floor == 0);
    dama_occurrences_free(&all);
}

/* Twice each, from two games; the second with another result for every fourth. */
static void add_many(struct dama_occurrences *all, uint32_t positions)
{
    for (uint32_t game = 0; game < 2; game++) {
        for (uint32_t i = 0; i < positions; i++) {
            struct dama_position position = {.pieces = {i + 1, UINT64_C(1) << 40}};
            dama_occurrences_add(all, &position, game, (uint8_t)(game && i % 4 == 0 ? 2 : 1));
        }
    }
}

static void a_sample_keeps_all_of_a_position_or_nothing(void **state)
{
    (void)state;
    enum { POSITIONS = 40000, LIMIT = 10000 };
    struct dama_occurrences all = {.limit = LIMIT};
    add_many(&all, POSITIONS);
    struct dama_label_noise noise;
    dama_occurrences_measure(&all, &noise);
    assert_true(noise.sampled == 8 || noise.sampled == 16);
    uint64_t expected = 0;
    for (uint32_t i = 0; i < POSITIONS; i++) {
        struct dama_position position = {.pieces = {i + 1, UINT64_C(1) << 40}};
        expected += dama_position_hash(&position) % noise.sampled == 0;
    }
    assert_int_equal(noise.distinct, expected * noise.sampled);
    assert_int_equal(noise.repeated, noise.distinct);
    assert_int_equal(noise.repeated_rows, 2 * noise.distinct);
    /* Four standard errors of a sample this large are 6 % and 12 %. */
    assert_true(fabs((double)noise.distinct / POSITIONS - 1) < 0.06);
    assert_true(fabs((double)noise.conflicting / (POSITIONS / 4) - 1) < 0.12);
    dama_occurrences_free(&all);
}

/* Samples of three features: 1 is twice 0, 2 stands alone; phases 8 and 4 of 24. */
static void collinear_and_silent_columns_are_named(void **state)
{
    (void)state;
    uint32_t first[] = {0, 3, 6, 8};
    uint8_t phase[] = {8, 8, 24};
    uint8_t feature[] = {0, 1, 2, 0, 1, 2, 0, 1};
    int16_t value[] = {1, 2, 1, -2, -4, 3, 1, 2};
    struct dama_samples samples = {.rows = 3,
                                   .entries = 8,
                                   .first = first,
                                   .phase = phase,
                                   .feature = feature,
                                   .value = value};
    struct dama_moments *moments = calloc(1, sizeof *moments);
    assert_non_null(moments);
    moments->phase_max = 24;
    dama_moments_add(moments, &samples);
    assert_int_equal(moments->rows, 3);
    assert_int_equal(moments->support[0], 3);
    assert_int_equal(moments->support[DAMA_FEATURE_COUNT], 2); /* not with all pieces there */
    assert_int_equal(moments->support[3], 0);
    assert_true(fabs(dama_moments_correlation(moments, 0, 1) - 1) < 1e-12);
    /* Weighted by the phase: columns (8, -16, 24) and (8, 24, 0). */
    double expected = (8.0 * 8 - 16 * 24) / sqrt((64.0 + 256 + 576) * (64.0 + 576));
    assert_true(fabs(dama_moments_correlation(moments, 0, 2) - expected) < 1e-12);
    assert_true(dama_moments_correlation(moments, 0, 3) == 0);
    struct dama_collinearity found;
    assert_int_equal(dama_moments_collinearity(moments, &found, NULL), DAMA_OK);
    assert_int_equal(found.columns, 6);
    assert_int_equal(found.dependence[0].parameter, 1);
    assert_int_equal(found.dependence[0].maker[0], 0);
    /* Three rows carry at most three columns. */
    assert_int_equal(found.columns - found.dependent, 3);
    free(moments);
}

/* All rows of a run of random games in memory. */
struct fixture {
    struct dama_ruleset ruleset;
    char folder[64];
    struct dama_shard shard;
    struct dama_survey survey;
};

static struct fixture *fixture_new(const char *variant, struct dama_sample_filter filter)
{
    enum { SHARDS = 3, GAMES = 30, PLIES_MAX = 90 };
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    assert_int_equal(dama_ruleset_builtin(variant, &f->ruleset, NULL), DAMA_OK);
    make_folder(f->folder);
    for (int block = 0; block < SHARDS; block++) {
        struct dama_shard part = {.block = (uint64_t)block};
        random_games(&part, &f->ruleset, (uint64_t)block * GAMES, GAMES, PLIES_MAX);
        part.block = (uint64_t)block;
        save_shard(f->folder, &f->ruleset, block, &part);
        dama_shard_free(&part);
    }
    random_games(&f->shard, &f->ruleset, 0, SHARDS * GAMES, PLIES_MAX);
    const char *folders[] = {f->folder};
    const struct dama_survey_setup setup = {
        .folders = folders, .folder_count = 1, .filter = filter};
    struct dama_error err = {0};
    if (dama_survey_run(&setup, &f->survey, &err) != DAMA_OK) {
        fail_msg("%s", err.text);
    }
    return f;
}

static void fixture_free(struct fixture *f)
{
    remove_folder(f->folder);
    dama_shard_free(&f->shard);
    free(f);
}

/* The rows that pass when the filter is empty: not random, no capture, not of a capped game. */
static bool passes(const struct fixture *f, const struct dama_row *row)
{
    return !(row->flags & (DAMA_ROW_RANDOM | DAMA_ROW_CAPTURE)) &&
           f->shard.game[row->game].termination != DAMA_END_PLY_CAP;
}

static int compare_rows(const void *a, const void *b)
{
    const struct dama_row *left = a, *right = b;
    const uint64_t words[2][5] = {{left->white_men, left->white_kings, left->black_men,
                                   left->black_kings, left->side_to_move},
                                  {right->white_men, right->white_kings, right->black_men,
                                   right->black_kings, right->side_to_move}};
    return memcmp(words[0], words[1], sizeof words[0]);
}

static void counts_are_those_of_whole_positions(void **state)
{
    (void)state;
    struct fixture *f = fixture_new("russian", (struct dama_sample_filter){.holdout = 0.3});
    struct dama_row *row = calloc(f->shard.rows, sizeof *row);
    assert_non_null(row);
    size_t rows = 0;
    uint64_t results[DAMA_SURVEY_PIECES][3] = {{0}};
    for (size_t r = 0; r < f->shard.rows; r++) {
        const struct dama_row *at = &f->shard.row[r];
        if (passes(f, at)) {
            int pieces = __builtin_popcountll(at->white_men | at->white_kings | at->black_men |
                                              at->black_kings);
            results[pieces][at->result + 1]++;
            row[rows++] = *at;
        }
    }
    qsort(row, rows, sizeof *row, compare_rows);
    uint64_t distinct = 0;
    for (size_t r = 0; r < rows; r++) {
        distinct += r == 0 || compare_rows(&row[r - 1], &row[r]) != 0;
    }
    assert_true(distinct > 500 && distinct < rows);
    assert_int_equal(f->survey.noise.distinct, distinct);
    assert_int_equal(f->survey.moments.rows, rows);
    assert_int_equal(
        f->survey.counts.fate[DAMA_FATE_TRAIN] + f->survey.counts.fate[DAMA_FATE_HELD_OUT], rows);
    assert_true(f->survey.counts.fate[DAMA_FATE_HELD_OUT] > 0);
    assert_memory_equal(f->survey.results, results, sizeof results);
    free(row);
    fixture_free(f);
}

static void features_of_the_large_board_are_silent_on_the_small(void **state)
{
    (void)state;
    struct fixture *f = fixture_new("american", (struct dama_sample_filter){0});
    for (int p = 0; p < DAMA_PARAMETERS; p++) {
        int feature = p % DAMA_FEATURE_COUNT;
        bool is_absent = feature == DAMA_FEATURE_advance + 5 ||
                         feature == DAMA_FEATURE_advance + 6 ||
                         feature == DAMA_FEATURE_centre + 1 || feature == DAMA_FEATURE_king_shields;
        assert_int_equal(f->survey.moments.support[p] == 0, is_absent);
    }
    assert_int_equal(f->survey.collinearity.columns, DAMA_PARAMETERS - 8);
    fixture_free(f);
}

static void a_damaged_shard_is_named(void **state)
{
    (void)state;
    struct dama_ruleset ruleset;
    char folder[64], path[128];
    assert_int_equal(dama_ruleset_builtin("american", &ruleset, NULL), DAMA_OK);
    make_folder(folder);
    save_random_run(folder, &ruleset, 2, 3);
    shard_path(folder, &ruleset, 0, path);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 3000, SEEK_SET), 0);
    assert_int_equal(fwrite("damage", 1, 6, file), 6);
    assert_int_equal(fclose(file), 0);
    const char *folders[] = {folder};
    const struct dama_survey_setup setup = {.folders = folders, .folder_count = 1};
    struct dama_survey *survey = calloc(1, sizeof *survey);
    struct dama_error err = {0};
    assert_non_null(survey);
    assert_int_equal(dama_survey_run(&setup, survey, &err), DAMA_CORRUPT);
    assert_non_null(strstr(err.text, "american-000000.h5"));
    free(survey);
    remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_position_counts_once_a_game),
        cmocka_unit_test(the_side_to_move_is_part_of_a_position),
        cmocka_unit_test(a_sample_keeps_all_of_a_position_or_nothing),
        cmocka_unit_test(collinear_and_silent_columns_are_named),
        cmocka_unit_test(counts_are_those_of_whole_positions),
        cmocka_unit_test(features_of_the_large_board_are_silent_on_the_small),
        cmocka_unit_test(a_damaged_shard_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
