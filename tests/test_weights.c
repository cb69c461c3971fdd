/* The weight table: bytes, every check of the decoder, the tables that need no training, the
   shipped ones. */
#include "engine/weights.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "engine/rng.h"
#include "engine/tables/tables.h"

/* Where fields of format 1 lie. */
enum {
    VERSION_AT = 8,
    SIZE_AT = 12,
    VARIANT_AT = 16,
    FEATURES_AT = 96,
    COUNT_AT = 132,
    MAN_AT = 144
};

struct sample {
    const struct dama_rules *rules;
    struct dama_weights weights;
    unsigned char bytes[DAMA_WEIGHTS_MAX_BYTES];
    size_t size;
};

/* A table of American draughts with every field filled. */
static struct sample sample(void)
{
    struct sample s = {.rules = dama_rules_find("american")};
    struct dama_rng rng = dama_rng_make(7, DAMA_RNG_TEST, 0);
    dama_weights_hand_set(s.rules, &s.weights);
    for (int phase = 0; phase < DAMA_PHASES; phase++) {
        for (int i = 1; i < DAMA_FEATURE_COUNT; i++) {
            s.weights.w[phase][i] = (int16_t)dama_rng_next32(&rng);
        }
    }
    s.weights.slope_ppm = 123456;
    s.weights.lineage = (struct dama_lineage){
        .run = "run \"7\"", .generation = 3, .games = UINT64_C(1) << 40, .positions = 987654321};
    for (int i = 0; i < DAMA_HASH_SIZE; i++) {
        s.weights.lineage.parent[i] = (unsigned char)(200 + i);
    }
    s.size = dama_weights_encode(&s.weights, s.bytes);
    return s;
}

/* Makes the CRC true again after a change. */
static void seal(struct sample *s)
{
    uint32_t crc = dama_crc32(0, s->bytes, s->size - 4);
    for (int i = 0; i < 4; i++) {
        s->bytes[s->size - 4 + (size_t)i] = (unsigned char)(crc >> 8 * i);
    }
}

/* Decodes and, on failure, proves that the table in place is untouched and the cause is told. */
static enum dama_status decode(const struct dama_rules *rules, const unsigned char *bytes,
                               size_t size)
{
    struct dama_weights active, before;
    struct dama_error err = {0};
    memset(&active, 0x5a, sizeof active);
    memcpy(&before, &active, sizeof before);
    enum dama_status status =
        dama_weights_decode(rules, dama_rules_hash(rules), bytes, size, &active, &err);
    assert_int_equal(err.status, status);
    if (status != DAMA_OK) {
        assert_memory_equal(&active, &before, sizeof active);
        assert_true(strlen(err.text) > 10);
    }
    return status;
}

/* Every field equal: the bytes hold them all, and no padding. */
static void assert_same_table(const struct dama_weights *a, const struct dama_weights *b)
{
    unsigned char first[DAMA_WEIGHTS_MAX_BYTES], second[DAMA_WEIGHTS_MAX_BYTES];
    size_t size = dama_weights_encode(a, first);
    assert_int_equal(dama_weights_encode(b, second), size);
    assert_memory_equal(first, second, size);
}

static void crc_has_the_published_check_value(void **state)
{
    (void)state;
    assert_int_equal(dama_crc32(0, "123456789", 9), 0xcbf43926);
    assert_int_equal(dama_crc32(dama_crc32(0, "1234", 4), "56789", 5), 0xcbf43926);
    assert_int_equal(dama_crc32(0, "", 0), 0);
}

static void decoded_table_is_the_encoded_one(void **state)
{
    (void)state;
    struct sample s = sample();
    struct dama_weights decoded;
    struct dama_error err = {0};
    assert_int_equal(
        dama_weights_decode(s.rules, dama_rules_hash(s.rules), s.bytes, s.size, &decoded, &err),
        DAMA_OK);
    assert_same_table(&decoded, &s.weights);
}

static void numbers_are_little_endian_at_their_places(void **state)
{
    (void)state;
    struct sample s = sample();
    static const unsigned char front[] = "DAMATAB\0\1\0\0\0";
    assert_memory_equal(s.bytes, front, 12);
    assert_int_equal(s.bytes[SIZE_AT] | s.bytes[SIZE_AT + 1] << 8, s.size);
    assert_string_equal((const char *)s.bytes + VARIANT_AT, "american");
    assert_memory_equal(s.bytes + FEATURES_AT, dama_features_hash, DAMA_HASH_SIZE);
    assert_int_equal(s.bytes[COUNT_AT], DAMA_FEATURE_COUNT);
    assert_int_equal(s.bytes[MAN_AT] | s.bytes[MAN_AT + 1] << 8, 100);
    uint16_t king = (uint16_t)s.weights.w[0][DAMA_FEATURE_king];
    assert_int_equal(s.bytes[MAN_AT + 2] | s.bytes[MAN_AT + 3] << 8, king);
}

static void c048_empty_table_is_invalid(void **state)
{
    (void)state;
    struct sample s = sample();
    assert_int_equal(decode(s.rules, s.bytes, 0), DAMA_INVALID);
}

static void c048_missing_end_is_truncated(void **state)
{
    (void)state;
    struct sample s = sample();
    for (size_t size = 1; size < s.size; size++) {
        assert_int_equal(decode(s.rules, s.bytes, size), DAMA_TRUNCATED);
    }
}

static void c048_any_flipped_bit_is_corrupt(void **state)
{
    (void)state;
    struct sample s = sample();
    for (size_t bit = 0; bit < 8 * s.size; bit++) {
        s.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        assert_int_equal(decode(s.rules, s.bytes, s.size), DAMA_CORRUPT);
        s.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    assert_int_equal(decode(s.rules, s.bytes, s.size), DAMA_OK);
}

static void c048_other_variant_is_a_mismatch(void **state)
{
    (void)state;
    struct sample s = sample();
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        const struct dama_rules *rules = dama_rules_builtin(i);
        enum dama_status expected = rules == s.rules ? DAMA_OK : DAMA_MISMATCH;
        assert_int_equal(decode(rules, s.bytes, s.size), expected);
    }
}

static void c048_newer_format_is_another_version(void **state)
{
    (void)state;
    struct sample s = sample();
    s.bytes[VERSION_AT] = DAMA_WEIGHTS_VERSION + 1;
    seal(&s);
    assert_int_equal(decode(s.rules, s.bytes, s.size), DAMA_VERSION);
}

static void trailing_byte_is_corrupt(void **state)
{
    (void)state;
    struct sample s = sample();
    s.bytes[s.size] = 0;
    assert_int_equal(decode(s.rules, s.bytes, s.size + 1), DAMA_CORRUPT);
    s.size += 1;
    seal(&s);
    assert_int_equal(decode(s.rules, s.bytes, s.size), DAMA_CORRUPT);
}

static void same_name_with_other_rules_is_a_mismatch(void **state)
{
    (void)state;
    struct sample s = sample();
    struct dama_weights out;
    struct dama_error err = {0};
    const unsigned char *other = dama_rules_hash(dama_rules_find("italian"));
    assert_int_equal(dama_weights_decode(s.rules, other, s.bytes, s.size, &out, &err),
                     DAMA_MISMATCH);
    assert_non_null(strstr(err.text, "expected rules hash"));
}

static void other_feature_layout_is_a_mismatch(void **state)
{
    (void)state;
    struct sample s = sample();
    s.bytes[FEATURES_AT] ^= 1;
    seal(&s);
    assert_int_equal(decode(s.rules, s.bytes, s.size), DAMA_MISMATCH);
    s = sample();
    s.bytes[COUNT_AT] += 1;
    seal(&s);
    assert_int_equal(decode(s.rules, s.bytes, s.size), DAMA_MISMATCH);
}

static void table_of_zeros_is_invalid(void **state)
{
    (void)state;
    struct sample s = sample();
    memset(s.bytes + MAN_AT, 0, 2 * sizeof s.weights.w[0]);
    seal(&s);
    assert_int_equal(decode(s.rules, s.bytes, s.size), DAMA_INVALID);
}

static void name_without_end_is_invalid(void **state)
{
    (void)state;
    struct sample s = sample();
    memset(s.bytes + VARIANT_AT, 'a', DAMA_NAME_SIZE);
    seal(&s);
    char variant[DAMA_NAME_SIZE];
    struct dama_error err = {0};
    assert_int_equal(decode(s.rules, s.bytes, s.size), DAMA_INVALID);
    assert_int_equal(dama_weights_peek(s.bytes, s.size, variant, &err), DAMA_INVALID);
}

/* A message that quotes it would have two lines. */
static void name_with_a_line_feed_is_invalid(void **state)
{
    (void)state;
    struct sample s = sample();
    s.bytes[VARIANT_AT + 3] = '\n';
    seal(&s);
    char variant[DAMA_NAME_SIZE];
    struct dama_error err = {0};
    assert_int_equal(decode(s.rules, s.bytes, s.size), DAMA_INVALID);
    assert_int_equal(dama_weights_peek(s.bytes, s.size, variant, &err), DAMA_INVALID);
    assert_null(strchr(err.text, '\n'));
}

static void peek_tells_the_variant_of_a_whole_table(void **state)
{
    (void)state;
    struct sample s = sample();
    char variant[DAMA_NAME_SIZE];
    struct dama_error err = {0};
    assert_int_equal(dama_weights_peek(s.bytes, s.size, variant, &err), DAMA_OK);
    assert_string_equal(variant, "american");
    assert_int_equal(dama_weights_peek(s.bytes, s.size - 1, variant, &err), DAMA_TRUNCATED);
}

static void material_table_is_man_and_king_alone(void **state)
{
    (void)state;
    for (int variant = 0; variant < DAMA_BUILTIN_COUNT; variant++) {
        const struct dama_rules *rules = dama_rules_builtin(variant);
        struct dama_weights weights, expected = {0};
        dama_weights_material(rules, &weights);
        strcpy(expected.variant, rules->name);
        memcpy(expected.rules_hash, dama_rules_hash(rules), DAMA_HASH_SIZE);
        for (int phase = 0; phase < DAMA_PHASES; phase++) {
            expected.w[phase][DAMA_FEATURE_man] = 100;
            expected.w[phase][DAMA_FEATURE_king] = (int16_t)rules->king_value;
        }
        assert_same_table(&weights, &expected);
    }
}

static void hand_set_table_reads_back_for_every_variant(void **state)
{
    (void)state;
    for (int variant = 0; variant < DAMA_BUILTIN_COUNT; variant++) {
        const struct dama_rules *rules = dama_rules_builtin(variant);
        struct dama_weights weights, decoded;
        unsigned char bytes[DAMA_WEIGHTS_MAX_BYTES];
        struct dama_error err = {0};
        dama_weights_hand_set(rules, &weights);
        size_t size = dama_weights_encode(&weights, bytes);
        assert_int_equal(
            dama_weights_decode(rules, dama_rules_hash(rules), bytes, size, &decoded, &err),
            DAMA_OK);
        assert_same_table(&decoded, &weights);
    }
}

static void rules_of_a_file_leave_the_hash_to_their_reader(void **state)
{
    (void)state;
    static const unsigned char none[DAMA_HASH_SIZE];
    struct dama_rules rules = *dama_rules_find("american");
    rules.king_value = 999;
    assert_null(dama_rules_hash(&rules));
    struct dama_weights weights;
    dama_weights_material(&rules, &weights);
    assert_memory_equal(weights.rules_hash, none, sizeof none);
    assert_int_equal(weights.w[1][DAMA_FEATURE_king], 999);
}

static void shipped_tables_are_of_their_own_variant(void **state)
{
    (void)state;
    size_t size = 1;
    assert_null(dama_tables_find("chess", &size));
    assert_int_equal(size, 0);
    for (int variant = 0; variant < DAMA_BUILTIN_COUNT; variant++) {
        const struct dama_rules *rules = dama_rules_builtin(variant);
        const unsigned char *bytes = dama_tables_find(rules->name, &size);
        assert_non_null(bytes);
        struct dama_weights weights;
        struct dama_error err = {0};
        if (dama_weights_decode(rules, dama_rules_hash(rules), bytes, size, &weights, &err)) {
            fail_msg("%s: %s", rules->name, err.text);
        }
        assert_true(weights.lineage.games > 0);
        assert_true(weights.lineage.positions > 0);
        assert_true(weights.slope_ppm > 0);
        assert_true(strlen(weights.lineage.run) > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crc_has_the_published_check_value),
        cmocka_unit_test(decoded_table_is_the_encoded_one),
        cmocka_unit_test(numbers_are_little_endian_at_their_places),
        cmocka_unit_test(c048_empty_table_is_invalid),
        cmocka_unit_test(c048_missing_end_is_truncated),
        cmocka_unit_test(c048_any_flipped_bit_is_corrupt),
        cmocka_unit_test(c048_other_variant_is_a_mismatch),
        cmocka_unit_test(c048_newer_format_is_another_version),
        cmocka_unit_test(trailing_byte_is_corrupt),
        cmocka_unit_test(same_name_with_other_rules_is_a_mismatch),
        cmocka_unit_test(other_feature_layout_is_a_mismatch),
        cmocka_unit_test(table_of_zeros_is_invalid),
        cmocka_unit_test(name_without_end_is_invalid),
        cmocka_unit_test(name_with_a_line_feed_is_invalid),
        cmocka_unit_test(peek_tells_the_variant_of_a_whole_table),
        cmocka_unit_test(material_table_is_man_and_king_alone),
        cmocka_unit_test(hand_set_table_reads_back_for_every_variant),
        cmocka_unit_test(rules_of_a_file_leave_the_hash_to_their_reader),
        cmocka_unit_test(shipped_tables_are_of_their_own_variant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
