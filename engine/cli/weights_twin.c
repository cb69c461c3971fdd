/* Writes and reads the twins of a weight table. */
#include "engine/cli/weights_twin.h"

#include <ctype.h>
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "engine/cli/json.h"
#include "engine/cli/options.h"

static const char format_name[] = "dama weights";
static const char *const phase_names[DAMA_PHASES] = {"first", "last"};
enum { HEX_SIZE = 2 * DAMA_HASH_SIZE + 1, BYTES_A_LINE = 16 };

static void write_hash(FILE *out, const char *key, const unsigned char hash[DAMA_HASH_SIZE])
{
    char hex[HEX_SIZE];
    dama_hash_hex(hash, hex);
    fprintf(out, "\"%s\": \"%s\"", key, hex);
}

static void write_group(FILE *out, const struct dama_weights *weights,
                        const struct dama_feature *feature)
{
    fprintf(out, "    \"%s\": {", feature->name);
    for (int phase = 0; phase < DAMA_PHASES; phase++) {
        fprintf(out, "%s\"%s\": [", phase ? ", " : "", phase_names[phase]);
        for (int i = 0; i < feature->count; i++) {
            fprintf(out, "%s%d", i ? ", " : "", weights->w[phase][feature->offset + i]);
        }
        fputs("]", out);
    }
    fputs("}", out);
}

void dama_weights_write_json(FILE *out, const struct dama_weights *weights)
{
    const struct dama_lineage *lineage = &weights->lineage;
    fprintf(out, "{\n  \"format\": \"%s\",\n  \"version\": %d,\n  \"variant\": ", format_name,
            DAMA_WEIGHTS_VERSION);
    dama_json_string(out, weights->variant);
    fputs(",\n  ", out);
    write_hash(out, "rules_hash", weights->rules_hash);
    fputs(",\n  ", out);
    write_hash(out, "features_hash", dama_features_hash);
    fprintf(out, ",\n  \"unit\": %d,\n  \"slope_ppm\": %" PRIu32 ",\n", DAMA_WEIGHTS_UNIT,
            weights->slope_ppm);
    fputs("  \"lineage\": {\"run\": ", out);
    dama_json_string(out, lineage->run);
    fprintf(out,
            ", \"generation\": %" PRIu32 ", \"games\": %" PRIu64 ", \"positions\": %" PRIu64 ",\n",
            lineage->generation, lineage->games, lineage->positions);
    fputs("    ", out);
    write_hash(out, "parent", lineage->parent);
    fputs("},\n  \"weights\": {\n", out);
    for (int i = 0; i < dama_features_count; i++) {
        write_group(out, weights, &dama_features[i]);
        fputs(i + 1 < dama_features_count ? ",\n" : "\n", out);
    }
    fputs("  }\n}\n", out);
}

/* The variant's name as an identifier. */
static void write_identifier(FILE *out, const char *name, bool is_upper)
{
    for (const char *at = name; *at; at++) {
        unsigned char c = (unsigned char)*at;
        fputc(!isalnum(c) ? '_' : is_upper ? toupper(c) : c, out);
    }
}

void dama_weights_write_c(FILE *out, const struct dama_weights *weights)
{
    unsigned char bytes[DAMA_WEIGHTS_MAX_BYTES];
    size_t size = dama_weights_encode(weights, bytes);
    fprintf(out,
            "/* The weight table of %s, for dama_weights_decode; its weights in hundredths of\n"
            "   a man, first phase and last:\n\n",
            weights->variant);
    for (int i = 0; i < DAMA_FEATURE_COUNT; i++) {
        char name[DAMA_FEATURE_NAME_SIZE];
        dama_feature_name(i, name, sizeof name);
        fprintf(out, "     %-20s %6d %6d\n", name, weights->w[0][i], weights->w[1][i]);
    }
    fputs("*/\n#ifndef DAMA_TABLE_", out);
    write_identifier(out, weights->variant, true);
    fputs("_H\n#define DAMA_TABLE_", out);
    write_identifier(out, weights->variant, true);
    fputs("_H\n\nstatic const unsigned char dama_table_", out);
    write_identifier(out, weights->variant, false);
    fprintf(out, "[%zu] = {", size);
    for (size_t i = 0; i < size; i++) {
        fprintf(out, "%s0x%02x,", i % BYTES_A_LINE ? " " : "\n    ", bytes[i]);
    }
    fputs("\n};\n\n#endif\n", out);
}

static enum dama_status read_hash(const char *key, const char *hex, unsigned char *out,
                                  struct dama_error *err)
{
    return dama_hash_parse(hex, out)
               ? DAMA_OK
               : dama_fail(err, DAMA_INVALID, "%s: expected 64 lower-case hex digits, found '%s'",
                           key, hex);
}

static enum dama_status read_name(const char *key, const char *text, char *out, size_t size,
                                  struct dama_error *err)
{
    if (strlen(text) >= size) {
        return dama_fail(err, DAMA_INVALID, "%s: expected at most %d bytes, found '%s'", key,
                         (int)size - 1, text);
    }
    memcpy(out, text, strlen(text));
    return DAMA_OK;
}

static enum dama_status read_phase(const json_t *values, const struct dama_feature *feature,
                                   int phase, struct dama_weights *out, struct dama_error *err)
{
    if (json_array_size(values) != (size_t)feature->count) {
        return dama_fail(err, DAMA_INVALID, "weights %s %s: expected an array of %d, found %d",
                         feature->name, phase_names[phase], feature->count,
                         (int)json_array_size(values));
    }
    for (int i = 0; i < feature->count; i++) {
        const json_t *item = json_array_get(values, (size_t)i);
        json_int_t value = json_integer_value(item);
        if (!json_is_integer(item) || value < INT16_MIN || value > INT16_MAX) {
            return dama_fail(err, DAMA_INVALID,
                             "weights %s %s [%d]: expected an integer of -32768..32767",
                             feature->name, phase_names[phase], i);
        }
        out->w[phase][feature->offset + i] = (int16_t)value;
    }
    return DAMA_OK;
}

static enum dama_status read_weights(const json_t *groups, struct dama_weights *out,
                                     struct dama_error *err)
{
    if (json_object_size(groups) != (size_t)dama_features_count) {
        return dama_fail(err, DAMA_MISMATCH, "weights: expected %d groups, found %d",
                         dama_features_count, (int)json_object_size(groups));
    }
    for (int i = 0; i < dama_features_count; i++) {
        const json_t *group = json_object_get(groups, dama_features[i].name);
        if (json_object_size(group) != DAMA_PHASES) {
            return dama_fail(err, DAMA_INVALID, "weights: expected %s with first and last",
                             dama_features[i].name);
        }
        for (int phase = 0; phase < DAMA_PHASES; phase++) {
            DAMA_TRY(read_phase(json_object_get(group, phase_names[phase]), &dama_features[i],
                                phase, out, err));
        }
    }
    return DAMA_OK;
}

/* The scalar values of the object, as jansson unpacks them. */
struct header {
    const char *format, *variant, *rules_hash, *features_hash, *run, *parent;
    json_int_t version, unit, slope_ppm, generation, games, positions;
    json_t *weights;
};

static enum dama_status unpack(json_t *root, struct header *header, struct dama_error *err)
{
    json_error_t why;
    if (json_unpack_ex(
            root, &why, JSON_STRICT,
            "{s:s, s:I, s:s, s:s, s:s, s:I, s:I, s:{s:s, s:I, s:I, s:I, s:s}, s:o}", "format",
            &header->format, "version", &header->version, "variant", &header->variant, "rules_hash",
            &header->rules_hash, "features_hash", &header->features_hash, "unit", &header->unit,
            "slope_ppm", &header->slope_ppm, "lineage", "run", &header->run, "generation",
            &header->generation, "games", &header->games, "positions", &header->positions, "parent",
            &header->parent, "weights", &header->weights) != 0) {
        return dama_fail(err, DAMA_INVALID, "JSON weight table: %s", why.text);
    }
    if (strcmp(header->format, format_name) != 0) {
        return dama_fail(err, DAMA_INVALID, "format: expected '%s', found '%s'", format_name,
                         header->format);
    }
    if (header->version != DAMA_WEIGHTS_VERSION) {
        return dama_fail(err, DAMA_VERSION, "version: expected %d, found %ld", DAMA_WEIGHTS_VERSION,
                         (long long)header->version);
    }
    if (header->unit != DAMA_WEIGHTS_UNIT) {
        return dama_fail(err, DAMA_INVALID, "unit: expected %d, found %ld", DAMA_WEIGHTS_UNIT,
                         (long long)header->unit);
    }
    if (header->slope_ppm < 0 || header->slope_ppm > UINT32_MAX || header->generation < 0 ||
        header->generation > UINT32_MAX || header->games < 0 || header->positions < 0) {
        return dama_fail(err, DAMA_INVALID,
                         "slope_ppm, generation, games, positions: expected no negative number, "
                         "the first two below 2^32");
    }
    return DAMA_OK;
}

static enum dama_status read_object(json_t *root, struct dama_weights *out, struct dama_error *err)
{
    struct header header;
    unsigned char features_hash[DAMA_HASH_SIZE];
    DAMA_TRY(unpack(root, &header, err));
    DAMA_TRY(read_hash("features_hash", header.features_hash, features_hash, err));
    if (memcmp(features_hash, dama_features_hash, DAMA_HASH_SIZE) != 0) {
        char expected[HEX_SIZE];
        dama_hash_hex(dama_features_hash, expected);
        return dama_fail(err, DAMA_MISMATCH, "features_hash: expected %s, found %s", expected,
                         header.features_hash);
    }
    DAMA_TRY(read_hash("rules_hash", header.rules_hash, out->rules_hash, err));
    DAMA_TRY(read_hash("parent", header.parent, out->lineage.parent, err));
    DAMA_TRY(read_name("variant", header.variant, out->variant, sizeof out->variant, err));
    DAMA_TRY(read_name("run", header.run, out->lineage.run, sizeof out->lineage.run, err));
    out->slope_ppm = (uint32_t)header.slope_ppm;
    out->lineage.generation = (uint32_t)header.generation;
    out->lineage.games = (uint64_t)header.games;
    out->lineage.positions = (uint64_t)header.positions;
    DAMA_TRY(read_weights(header.weights, out, err));
    if (out->w[0][DAMA_FEATURE_man] != DAMA_WEIGHTS_UNIT) {
        return dama_fail(err, DAMA_INVALID, "weights man: expected %d in the first phase, found %d",
                         DAMA_WEIGHTS_UNIT, out->w[0][DAMA_FEATURE_man]);
    }
    return DAMA_OK;
}

enum dama_status dama_weights_read_json(const char *text, size_t size, struct dama_weights *out,
                                        struct dama_error *err)
{
    json_error_t why;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why);
    if (!root) {
        return dama_fail(err, DAMA_INVALID, "line %d, column %d: %s", why.line, why.column,
                         why.text);
    }
    struct dama_weights weights = {0};
    enum dama_status status = read_object(root, &weights, err);
    json_decref(root);
    if (status == DAMA_OK) {
        *out = weights;
    }
    return status;
}
