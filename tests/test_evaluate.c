/* The evaluation's properties on random positions of all 13 variants. */
#include "engine/evaluate.h"

#include <stdlib.h>
#include <string.h>

#include "engine/body/layout.h"
#include "support.h"

enum { POSITIONS = 1200, RANK_POSITIONS = 600 };

static struct dama_rng rng_of(int variant)
{
    return dama_rng_make(20, DAMA_RNG_TEST, (uint64_t)variant);
}

/* Weights of -most..most times step; of step phase_max, the division has no remainder. */
static struct dama_weights random_weights(struct dama_rng *rng, int most, int step)
{
    struct dama_weights weights = {0};
    for (int phase = 0; phase < DAMA_PHASES; phase++) {
        for (int i = 0; i < DAMA_FEATURE_COUNT; i++) {
            int value = (int)dama_rng_below(rng, (uint32_t)(2 * most + 1)) - most;
            weights.w[phase][i] = (int16_t)(value * step);
        }
    }
    return weights;
}

typedef void (*check)(const struct dama_rules *rules, struct dama_rng *rng,
                      const struct dama_position *position);

static void on_random_positions(check check_one)
{
    for (int variant = 0; variant < DAMA_BUILTIN_COUNT; variant++) {
        struct dama_rng rng = rng_of(variant);
        const struct dama_rules *rules = dama_rules_builtin(variant);
        for (int i = 0; i < POSITIONS; i++) {
            struct dama_position position = random_position(rules, &rng);
            check_one(rules, &rng, &position);
        }
    }
}

static void check_sum(const struct dama_rules *rules, struct dama_rng *rng,
                      const struct dama_position *position)
{
    const struct dama_kernel *kernel = dama_kernel_find(rules);
    int phase_max = 2 * dama_rules_men(rules);
    struct dama_trace trace;
    kernel->trace(rules, position, &trace);
    struct dama_weights weights = random_weights(rng, 2, phase_max);
    int64_t sum = dama_trace_sum(&trace, &weights);
    assert_int_equal(sum % phase_max, 0);
    assert_int_equal(kernel->evaluate(rules, position, &weights), sum / phase_max);
}

static void score_is_trace_times_weights_before_the_division(void **state)
{
    (void)state;
    on_random_positions(check_sum);
}

static void check_rounding(const struct dama_rules *rules, struct dama_rng *rng,
                           const struct dama_position *position)
{
    const struct dama_kernel *kernel = dama_kernel_find(rules);
    struct dama_trace trace;
    kernel->trace(rules, position, &trace);
    struct dama_weights weights = random_weights(rng, INT16_MAX, 1);
    long expected = (long)(dama_trace_sum(&trace, &weights) / trace.phase_max);
    if (labs(expected) > DAMA_SCORE_EVAL_MAX) {
        expected = expected < 0 ? -DAMA_SCORE_EVAL_MAX : DAMA_SCORE_EVAL_MAX;
    }
    assert_int_equal(kernel->evaluate(rules, position, &weights), expected);
}

static void score_is_rounded_towards_zero_and_limited(void **state)
{
    (void)state;
    assert_int_equal(dama_score_of_sum(59, 24), 2);
    assert_int_equal(dama_score_of_sum(-59, 24), -2);
    assert_int_equal(dama_score_of_sum(24 * 20001, 24), DAMA_SCORE_EVAL_MAX);
    assert_int_equal(dama_score_of_sum(24 * -20001, 24), -DAMA_SCORE_EVAL_MAX);
    on_random_positions(check_rounding);
}

static void check_mirror(const struct dama_rules *rules, struct dama_rng *rng,
                         const struct dama_position *position)
{
    const struct dama_kernel *kernel = dama_kernel_find(rules);
    struct dama_position mirror = dama_position_mirror(rules, position);
    struct dama_trace trace, mirrored;
    kernel->trace(rules, position, &trace);
    kernel->trace(rules, &mirror, &mirrored);
    assert_memory_equal(&trace, &mirrored, sizeof trace);
    struct dama_weights weights = random_weights(rng, 100, 1);
    assert_int_equal(kernel->evaluate(rules, position, &weights),
                     kernel->evaluate(rules, &mirror, &weights));
}

static void mirrored_position_has_the_same_score_and_trace(void **state)
{
    (void)state;
    on_random_positions(check_mirror);
}

static void check_kernels(const struct dama_rules *rules, struct dama_rng *rng,
                          const struct dama_position *position)
{
    const struct dama_kernel *kernel = dama_kernel_find(rules);
    const struct dama_kernel *runtime = dama_kernel_runtime();
    assert_ptr_not_equal(kernel, runtime);
    struct dama_trace trace, expected;
    kernel->trace(rules, position, &trace);
    runtime->trace(rules, position, &expected);
    assert_memory_equal(&trace, &expected, sizeof trace);
    struct dama_weights weights = random_weights(rng, 100, 1);
    assert_int_equal(kernel->evaluate(rules, position, &weights),
                     runtime->evaluate(rules, position, &weights));
}

static void specialised_kernel_agrees_with_the_run_time_one(void **state)
{
    (void)state;
    on_random_positions(check_kernels);
}

/* A random position with men added on both back rows, where random men are rare. */
static struct dama_position with_back_rows(const struct dama_rules *rules, struct dama_rng *rng)
{
    struct dama_position position = random_position(rules, rng);
    for (int side = DAMA_WHITE; side <= DAMA_BLACK; side++) {
        uint64_t row =
            dama_board_row(rules->board_size, side == DAMA_WHITE ? rules->board_size - 1 : 0);
        uint64_t men = row & dama_rng_next64(rng) & ~(position.pieces[0] | position.pieces[1]);
        position.pieces[side] |= men;
    }
    return position;
}

/* features.h lists what a board or a rule set has not. */
static bool is_silent(const struct dama_rules *rules, int index)
{
    if (index == DAMA_FEATURE_centre + 1 || index == DAMA_FEATURE_advance + 5 ||
        index == DAMA_FEATURE_advance + 6) {
        return rules->board_size == 8;
    }
    return index == DAMA_FEATURE_king_shields && rules->man_captures_king;
}

static void every_feature_speaks_but_those_documented(void **state)
{
    (void)state;
    for (int variant = 0; variant < DAMA_BUILTIN_COUNT; variant++) {
        struct dama_rng rng = rng_of(variant);
        const struct dama_rules *rules = dama_rules_builtin(variant);
        int seen[DAMA_FEATURE_COUNT] = {0};
        for (int i = 0; i < POSITIONS; i++) {
            struct dama_position position = with_back_rows(rules, &rng);
            struct dama_trace trace;
            dama_kernel_find(rules)->trace(rules, &position, &trace);
            for (int k = 0; k < DAMA_FEATURE_COUNT; k++) {
                seen[k] += trace.value[k] != 0;
            }
        }
        for (int k = 0; k < DAMA_FEATURE_COUNT; k++) {
            char name[DAMA_FEATURE_NAME_SIZE];
            dama_feature_name(k, name, sizeof name);
            if ((seen[k] == 0) != is_silent(rules, k)) {
                fail_msg("%s: %s is not zero in %d positions", rules->name, name, seen[k]);
            }
        }
    }
}

enum { PRIME = 2147483647, COLUMNS = DAMA_PHASES * DAMA_FEATURE_COUNT };

static int64_t inverse(int64_t value)
{
    int64_t result = 1;
    for (int64_t power = PRIME - 2; power; power >>= 1) {
        if (power & 1) {
            result = result * value % PRIME;
        }
        value = value * value % PRIME;
    }
    return result;
}

/* Rank modulo a prime: at most the true rank, so full is full. */
static int rank_of(int64_t (*rows)[COLUMNS], int count)
{
    int rank = 0;
    for (int column = 0; column < COLUMNS; column++) {
        int pivot = rank;
        while (pivot < count && rows[pivot][column] == 0) {
            pivot++;
        }
        if (pivot == count) {
            continue;
        }
        int64_t held[COLUMNS];
        memcpy(held, rows[pivot], sizeof held);
        memcpy(rows[pivot], rows[rank], sizeof held);
        memcpy(rows[rank], held, sizeof held);
        int64_t scale = inverse(held[column]);
        for (int row = rank + 1; row < count; row++) {
            int64_t factor = rows[row][column] * scale % PRIME;
            for (int k = column; factor && k < COLUMNS; k++) {
                rows[row][k] = (rows[row][k] + (PRIME - factor) * held[k]) % PRIME;
            }
        }
        rank++;
    }
    return rank;
}

/* Both phases' columns of the least-squares problem that a fit solves. */
static void trace_into(const struct dama_rules *rules, const struct dama_position *position,
                       int64_t row[COLUMNS])
{
    struct dama_trace trace;
    dama_kernel_find(rules)->trace(rules, position, &trace);
    for (int k = 0; k < DAMA_FEATURE_COUNT; k++) {
        row[k] = ((int64_t)trace.value[k] * trace.phase + PRIME) % PRIME;
        row[DAMA_FEATURE_COUNT + k] =
            ((int64_t)trace.value[k] * (trace.phase_max - trace.phase) + PRIME) % PRIME;
    }
}

static void no_weight_is_a_combination_of_others(void **state)
{
    (void)state;
    int64_t(*rows)[COLUMNS] = calloc(RANK_POSITIONS, sizeof *rows);
    assert_non_null(rows);
    for (int variant = 0; variant < DAMA_BASE_COUNT; variant++) {
        struct dama_rng rng = rng_of(variant);
        const struct dama_rules *rules = dama_rules_builtin(variant);
        for (int i = 0; i < RANK_POSITIONS; i++) {
            struct dama_position position = with_back_rows(rules, &rng);
            trace_into(rules, &position, rows[i]);
        }
        int expected = 0;
        for (int k = 0; k < DAMA_FEATURE_COUNT; k++) {
            expected += is_silent(rules, k) ? 0 : DAMA_PHASES;
        }
        assert_int_equal(rank_of(rows, RANK_POSITIONS), expected);
    }
    free(rows);
}

/* The squares of a board that a test of row and column names. */
typedef bool (*region)(int size, int row, int column);

static uint64_t squares_where(int size, region is_inside)
{
    uint64_t bits = 0;
    for (int square = 1; square <= size * size / 2; square++) {
        if (is_inside(size, dama_square_row(size, square), dama_square_column(size, square))) {
            bits |= UINT64_C(1) << dama_square_bit(size, square);
        }
    }
    return bits;
}

static bool is_any(int size, int row, int column)
{
    return row < size && column < size;
}
static bool is_left(int size, int row, int column)
{
    (void)row;
    return column < size / 2;
}
static bool is_odd_row(int size, int row, int column)
{
    (void)size, (void)column;
    return row % 2 == 1;
}
static bool is_within(int size, int margin, int row, int column)
{
    return row >= margin && row < size - margin && column >= margin && column < size - margin;
}
static bool is_centre(int size, int row, int column)
{
    return is_within(size, size / 2 - 2, row, column);
}
static bool is_around(int size, int row, int column)
{
    return size == 10 && is_within(size, 2, row, column) && !is_centre(size, row, column);
}
static bool is_side(int size, int row, int column)
{
    (void)row;
    return column == 0 || column == size - 1;
}
static bool is_long_diagonal(int size, int row, int column)
{
    return row + column == size - 1;
}
static bool is_end(int size, int row, int column)
{
    return is_long_diagonal(size, row, column) && (row == 0 || column == 0);
}
static bool is_double_corner(int size, int row, int column)
{
    return row + column == 1 || row + column == 2 * size - 3;
}
static bool is_rim(int size, int row, int column)
{
    return !is_within(size, 1, row, column) && !is_end(size, row, column) &&
           !is_double_corner(size, row, column);
}

static void regions_are_the_squares_that_their_names_say(void **state)
{
    (void)state;
    for (int size = 8; size <= 10; size += 2) {
        const struct layout *layout = layout_of(size);
        assert_int_equal(layout->all, squares_where(size, is_any));
        assert_int_equal(layout->left, squares_where(size, is_left));
        assert_int_equal(layout->odd_rows, squares_where(size, is_odd_row));
        assert_int_equal(layout->centre, squares_where(size, is_centre));
        assert_int_equal(layout->around, squares_where(size, is_around));
        assert_int_equal(layout->sides, squares_where(size, is_side));
        assert_int_equal(layout->rim, squares_where(size, is_rim));
        assert_int_equal(layout->ends, squares_where(size, is_end));
        assert_int_equal(layout->double_corners, squares_where(size, is_double_corner));
        assert_int_equal(layout->long_diagonal, squares_where(size, is_long_diagonal));
    }
}

static void start_position_is_level_but_for_the_move(void **state)
{
    (void)state;
    for (int variant = 0; variant < DAMA_BUILTIN_COUNT; variant++) {
        const struct dama_rules *rules = dama_rules_builtin(variant);
        struct dama_position start = dama_position_start(rules);
        struct dama_trace trace, expected = {0};
        dama_kernel_find(rules)->trace(rules, &start, &trace);
        expected.phase = expected.phase_max = 2 * dama_rules_men(rules);
        expected.value[DAMA_FEATURE_turn] = 1;
        /* Three or four rows of each side: 12 men, or 20, stand on odd rows. */
        expected.value[DAMA_FEATURE_the_move] = -1;
        assert_memory_equal(&trace, &expected, sizeof trace);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(score_is_trace_times_weights_before_the_division),
        cmocka_unit_test(score_is_rounded_towards_zero_and_limited),
        cmocka_unit_test(mirrored_position_has_the_same_score_and_trace),
        cmocka_unit_test(specialised_kernel_agrees_with_the_run_time_one),
        cmocka_unit_test(every_feature_speaks_but_those_documented),
        cmocka_unit_test(no_weight_is_a_combination_of_others),
        cmocka_unit_test(regions_are_the_squares_that_their_names_say),
        cmocka_unit_test(start_position_is_level_but_for_the_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
