/* The twins of a weight table, and the hashes that a table carries. */
#include "engine/cli/weights_twin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/cli/options.h"

static struct dama_weights sample(void)
{
    struct dama_weights weights;
    dama_weights_hand_set(dama_rules_find("russian-free"), &weights);
    weights.w[0][DAMA_FEATURE_turn] = INT16_MIN;
    weights.w[1][DAMA_FEATURE_turn] = INT16_MAX;
    weights.slope_ppm = UINT32_MAX;
    weights.lineage = (struct dama_lineage){.run = "quoted \"name\" \\ caf\xc3\xa9",
                                            .generation = 4000000000,
                                            .games = 12,
                                            .positions = 34};
    memset(weights.lineage.parent, 0xab, DAMA_HASH_SIZE);
    return weights;
}

static char *text_of(void (*write)(FILE *, const struct dama_weights *),
                     const struct dama_weights *weights)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    write(out, weights);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void json_reads_back_to_the_same_bytes(void **state)
{
    (void)state;
    struct dama_weights weights = sample(), back;
    struct dama_error err = {0};
    char *text = text_of(dama_weights_write_json, &weights);
    if (dama_weights_read_json(text, strlen(text), &back, &err)) {
        fail_msg("%s", err.text);
    }
    unsigned char first[DAMA_WEIGHTS_MAX_BYTES], second[DAMA_WEIGHTS_MAX_BYTES];
    size_t size = dama_weights_encode(&weights, first);
    assert_int_equal(dama_weights_encode(&back, second), size);
    assert_memory_equal(first, second, size);
    char *again = text_of(dama_weights_write_json, &back);
    assert_string_equal(again, text);
    free(again);
    free(text);
}

/* A change to the JSON of the sample, the status it must lead to, and a part of what is said. */
static const struct wrong {
    const char *old, *new;
    enum dama_status status;
    const char *says;
} wrongs[] = {
    {"{\n  \"format\"", "[\n  \"format\"", DAMA_INVALID, "line 2"},
    {"dama weights", "other", DAMA_INVALID, "format: expected 'dama weights', found 'other'"},
    {"\"version\": 1", "\"version\": 2", DAMA_VERSION, "version: expected 1, found 2"},
    {"\"unit\": 100", "\"unit\": 1000", DAMA_INVALID, "unit: expected 100, found 1000"},
    {"  \"unit\": 100,\n", "", DAMA_INVALID, "unit"},
    {"  \"unit\": 100,\n", "  \"unit\": 100, \"more\": 1,\n", DAMA_INVALID, "more"},
    {"  \"unit\": 100,\n", "  \"unit\": 100, \"unit\": 100,\n", DAMA_INVALID, "duplicate"},
    {"\"slope_ppm\": 4294967295", "\"slope_ppm\": 4294967296", DAMA_INVALID, "slope_ppm"},
    {"\"games\": 12", "\"games\": -12", DAMA_INVALID, "games"},
    {"\"games\": 12", "\"games\": 1.5", DAMA_INVALID, "integer"},
    {"abababab", "ABABABAB", DAMA_INVALID, "parent: expected 64 lower-case hex digits"},
    {"\"features_hash\": \"", "\"features_hash\": \"0", DAMA_INVALID, "features_hash"},
    {"\"first_king\"", "\"last_king\"", DAMA_INVALID, "first_king"},
    {"\"first\": [100]", "\"first\": [99]", DAMA_INVALID, "man: expected 100"},
    {"\"first\": [100]", "\"first\": [100, 1]", DAMA_INVALID, "man first: expected an array of 1"},
    {"32767", "32768", DAMA_INVALID, "turn last [0]: expected an integer of -32768..32767"},
    {"32767", "\"32767\"", DAMA_INVALID, "turn last [0]"},
    {"  }\n}\n", "  }\n} x\n", DAMA_INVALID, "end of file"},
    {"russian-free", "a name that is far too long for the field that should hold it", DAMA_INVALID,
     "variant: expected at most 47 bytes"},
};

static char *changed(const char *text, const struct wrong *wrong)
{
    const char *at = strstr(text, wrong->old);
    assert_non_null(at);
    size_t size = strlen(text) - strlen(wrong->old) + strlen(wrong->new) + 1;
    char *out = malloc(size);
    assert_non_null(out);
    snprintf(out, size, "%.*s%s%s", (int)(at - text), text, wrong->new, at + strlen(wrong->old));
    return out;
}

static void wrong_json_is_refused_by_name(void **state)
{
    (void)state;
    struct dama_weights weights = sample(), out, before;
    char *text = text_of(dama_weights_write_json, &weights);
    memset(&out, 0x5a, sizeof out);
    memcpy(&before, &out, sizeof before);
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        struct dama_error err = {0};
        char *bad = changed(text, &wrongs[i]);
        assert_int_equal(dama_weights_read_json(bad, strlen(bad), &out, &err), wrongs[i].status);
        if (!strstr(err.text, wrongs[i].says)) {
            fail_msg("expected '%s', found '%s'", wrongs[i].says, err.text);
        }
        assert_memory_equal(&out, &before, sizeof out);
        free(bad);
    }
    free(text);
}

static void every_cut_of_the_json_is_refused(void **state)
{
    (void)state;
    struct dama_weights weights = sample(), out;
    char *text = text_of(dama_weights_write_json, &weights);
    size_t whole = strlen(text) - 1; /* the last byte is a line end */
    for (size_t size = 0; size < whole; size++) {
        struct dama_error err = {0};
        assert_int_equal(dama_weights_read_json(text, size, &out, &err), DAMA_INVALID);
    }
    free(text);
}

static void c_header_holds_the_bytes_of_the_table(void **state)
{
    (void)state;
    struct dama_weights weights = sample();
    unsigned char bytes[DAMA_WEIGHTS_MAX_BYTES];
    size_t size = dama_weights_encode(&weights, bytes);
    char *text = text_of(dama_weights_write_c, &weights);
    assert_non_null(strstr(text, "#ifndef DAMA_TABLE_RUSSIAN_FREE_H\n"));
    const char *at = strstr(text, "static const unsigned char dama_table_russian_free[");
    assert_non_null(at);
    at = strchr(at, '{');
    for (size_t i = 0; i < size; i++) {
        at = strstr(at, "0x");
        assert_non_null(at);
        assert_int_equal(strtol(at, NULL, 16), bytes[i]);
        at += 2;
    }
    assert_null(strstr(at, "0x"));
    free(text);
}

static void hashes_of_the_build_are_those_of_the_texts(void **state)
{
    (void)state;
    char text[8192];
    unsigned char hash[DAMA_HASH_SIZE];
    size_t length = dama_features_format(text, sizeof text);
    assert_true(length < sizeof text);
    dama_sha256(text, length, hash);
    assert_memory_equal(hash, dama_features_hash, sizeof hash);
    for (int i = 0; i < DAMA_BUILTIN_COUNT; i++) {
        const struct dama_rules *rules = dama_rules_builtin(i);
        length = dama_rules_format(rules, text, sizeof text);
        assert_true(length < sizeof text);
        dama_sha256(text, length, hash);
        assert_memory_equal(hash, dama_rules_hash(rules), sizeof hash);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_reads_back_to_the_same_bytes),
        cmocka_unit_test(wrong_json_is_refused_by_name),
        cmocka_unit_test(every_cut_of_the_json_is_refused),
        cmocka_unit_test(c_header_holds_the_bytes_of_the_table),
        cmocka_unit_test(hashes_of_the_build_are_those_of_the_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
