/* `weights`: shows, verifies, compares and exports weight tables. */
#include "engine/cli/verbs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cli/common_options.h"
#include "engine/cli/verb.h"
#include "engine/cli/weights_source.h"
#include "engine/cli/weights_twin.h"

enum { NAME_WIDTH = 20, SHORT_HASH_DIGITS = 8, PATH_SIZE = 4096 };

/* What the user asks of a sub-verb. */
struct request {
    struct dama_common common;
    bool json;
    const char *format;
    const char *folder;
    struct dama_texts files;
};

static const char words_help[] =
    "A FILE is a weight table or its JSON twin. The words material, hand-set and shipped stand for "
    "the tables of --variant V or --rules FILE; beside a FILE diff needs neither.";

/* Parses the options common to all sub-verbs, and those of its own (ended by a NULL name; NULL for
   none). */
static void parse(struct dama_usage usage, const struct dama_option *own, struct request *request,
                  int argc, char **argv)
{
    struct dama_option options[5] = {
        {"variant", DAMA_OPTION_TEXT, &request->common.variant, "V",
         "a built-in rule set; without it the one that a table names", 0, 0},
        dama_option_rules(&request->common),
    };
    for (int i = 0; own && own[i].name; i++) {
        options[2 + i] = own[i];
    }
    usage.arguments = usage.most == 2 ? "FILE FILE" : "FILE...";
    usage.details = words_help;
    usage.options = options;
    dama_options_parse(&usage, argc, argv, &request->files);
}

static void print_head(const struct dama_weights_source *table)
{
    static const unsigned char none[DAMA_HASH_SIZE];
    const struct dama_lineage *lineage = &table->weights.lineage;
    char hex[2 * DAMA_HASH_SIZE + 1];
    printf("variant   %s\n", table->weights.variant);
    printf("sha256    %s\n", table->hash);
    dama_hash_hex(table->weights.rules_hash, hex);
    printf("rules     %s\n", hex);
    dama_hash_hex(dama_features_hash, hex);
    printf("features  %s\n", hex);
    printf("size      %zu bytes, %d weights in %d phases\n", table->size, DAMA_FEATURE_COUNT,
           DAMA_PHASES);
    if (lineage->games == 0) {
        puts("lineage   fitted to no games");
        return;
    }
    printf("slope     %" PRIu32 " millionths of a logit per hundredth of a man\n",
           table->weights.slope_ppm);
    printf("lineage   run %s, generation %" PRIu32 ", %" PRIu64 " games, %" PRIu64 " positions\n",
           lineage->run, lineage->generation, lineage->games, lineage->positions);
    dama_hash_hex(lineage->parent, hex);
    printf("parent    %s\n",
           memcmp(lineage->parent, none, sizeof none) ? hex : "the material-only table");
}

static void print_weights(const struct dama_weights *weights)
{
    printf("\n%-*s %6s %6s  hundredths of a man on a full and on an empty board\n", NAME_WIDTH,
           "weight", "first", "last");
    for (int group = 0; group < dama_features_count; group++) {
        const struct dama_feature *feature = &dama_features[group];
        bool is_one = feature->count == 1;
        if (!is_one) {
            printf("%-*s %6s %6s  %s\n", NAME_WIDTH, feature->name, "", "", feature->meaning);
        }
        for (int i = feature->offset; i < feature->offset + feature->count; i++) {
            char name[DAMA_FEATURE_NAME_SIZE];
            dama_feature_name(i, name, sizeof name);
            printf("%-*s %6d %6d%s%s\n", NAME_WIDTH, name, weights->w[0][i], weights->w[1][i],
                   is_one ? "  " : "", is_one ? feature->meaning : "");
        }
    }
}

static int run_show(int argc, char **argv)
{
    struct request request = {.json = false};
    const struct dama_option own[] = {dama_option_json(&request.json, "print the JSON twin"), {0}};
    parse((struct dama_usage){.verb = "weights show",
                              .summary = "Prints a table: where it comes from, and every weight.",
                              .least = 1,
                              .most = DAMA_TEXTS_MAX},
          own, &request, argc, argv);
    for (int i = 0; i < request.files.count; i++) {
        struct dama_weights_source table;
        struct dama_error err = {0};
        if (dama_weights_source_load(&request.common, request.files.at[i], &table, &err)) {
            return dama_verb_fail(&err);
        }
        if (request.json) {
            dama_weights_write_json(stdout, &table.weights);
            continue;
        }
        print_head(&table);
        print_weights(&table.weights);
    }
    return DAMA_EXIT_DONE;
}

static int run_verify(int argc, char **argv)
{
    struct request request = {.json = false};
    parse((struct dama_usage){.verb = "weights verify",
                              .summary = "Checks tables: a line for each, exit 1 if one is bad.",
                              .least = 1,
                              .most = DAMA_TEXTS_MAX},
          NULL, &request, argc, argv);
    int status = DAMA_EXIT_DONE;
    for (int i = 0; i < request.files.count; i++) {
        struct dama_weights_source table;
        struct dama_error err = {0};
        if (dama_weights_source_load(&request.common, request.files.at[i], &table, &err)) {
            status = dama_verb_fail(&err);
            continue;
        }
        printf("%s\tok\t%s\t%s\n", request.files.at[i], table.weights.variant, table.hash);
    }
    return status;
}

static bool is_different(const struct dama_weights *a, const struct dama_weights *b, int index)
{
    return a->w[0][index] != b->w[0][index] || a->w[1][index] != b->w[1][index];
}

static bool are_equal(const struct dama_weights *a, const struct dama_weights *b)
{
    return memcmp(a->w, b->w, sizeof a->w) == 0;
}

static void print_differences(const struct dama_weights *a, const struct dama_weights *b)
{
    if (are_equal(a, b)) {
        puts("no weight differs");
        return;
    }
    printf("%-*s %14s  %14s\n", NAME_WIDTH, "weight", "first", "last");
    for (int i = 0; i < DAMA_FEATURE_COUNT; i++) {
        if (is_different(a, b, i)) {
            char name[DAMA_FEATURE_NAME_SIZE];
            dama_feature_name(i, name, sizeof name);
            printf("%-*s %6d  %6d  %6d  %6d\n", NAME_WIDTH, name, a->w[0][i], b->w[0][i],
                   a->w[1][i], b->w[1][i]);
        }
    }
}

static void print_differences_json(const struct dama_weights *a, const struct dama_weights *b)
{
    const char *separator = "";
    fputs("{", stdout);
    for (int i = 0; i < DAMA_FEATURE_COUNT; i++) {
        if (is_different(a, b, i)) {
            char name[DAMA_FEATURE_NAME_SIZE];
            dama_feature_name(i, name, sizeof name);
            printf("%s\"%s\": {\"first\": [%d, %d], \"last\": [%d, %d]}", separator, name,
                   a->w[0][i], b->w[0][i], a->w[1][i], b->w[1][i]);
            separator = ", ";
        }
    }
    puts("}");
}

static bool is_file(const char *source)
{
    return !dama_weights_source_is_word(source);
}

/* A word beside a file, without --variant and --rules, is of the variant that the file names. */
static enum dama_status load_two(struct request *request, struct dama_weights_source tables[2],
                                 struct dama_error *err)
{
    const char *const *sources = request->files.at;
    int first = !is_file(sources[0]) && is_file(sources[1]);
    DAMA_TRY(dama_weights_source_load(&request->common, sources[first], &tables[first], err));
    struct dama_common common = request->common;
    if (is_file(sources[first]) && !is_file(sources[!first]) && !common.rules_file) {
        common.variant = tables[first].weights.variant;
    }
    return dama_weights_source_load(&common, sources[!first], &tables[!first], err);
}

static int run_diff(int argc, char **argv)
{
    struct request request = {.json = false};
    const struct dama_option own[] = {
        dama_option_json(&request.json, "a JSON object of both values by name"), {0}};
    parse((struct dama_usage){.verb = "weights diff",
                              .summary = "Prints the weights that differ between two tables.",
                              .least = 2,
                              .most = 2},
          own, &request, argc, argv);
    struct dama_weights_source tables[2];
    struct dama_error err = {0};
    if (load_two(&request, tables, &err) != DAMA_OK) {
        return dama_verb_fail(&err);
    }
    const struct dama_weights *a = &tables[0].weights;
    const struct dama_weights *b = &tables[1].weights;
    if (strcmp(a->variant, b->variant) != 0) {
        fprintf(stderr, "dama: the tables are of different variants: %s and %s\n", a->variant,
                b->variant);
    }
    if (request.json) {
        print_differences_json(a, b);
    } else {
        print_differences(a, b);
    }
    return DAMA_EXIT_DONE;
}

/* The forms of export, and the endings of their files. */
enum form { FORM_TABLE, FORM_JSON, FORM_C, FORMS };
static const char *const form_names[FORMS] = {"table", "json", "c"};
static const char *const form_endings[FORMS] = {"dama", "json", "h"};

static enum dama_status format_table(const struct dama_weights_source *table, enum form form,
                                     char **text, size_t *size, struct dama_error *err)
{
    FILE *out = open_memstream(text, size);
    if (!out) {
        return dama_fail(err, DAMA_MEMORY, "out of memory");
    }
    if (form == FORM_TABLE) {
        fwrite(table->bytes, 1, table->size, out);
    } else if (form == FORM_JSON) {
        dama_weights_write_json(out, &table->weights);
    } else {
        dama_weights_write_c(out, &table->weights);
    }
    return fclose(out) == 0 ? DAMA_OK : dama_fail(err, DAMA_MEMORY, "out of memory");
}

/* The name carries what the file holds, so that a new table never hides behind a cached old one. */
static enum dama_status export_table(const struct dama_weights_source *table, enum form form,
                                     const char *folder, struct dama_error *err)
{
    char *text = NULL;
    size_t size = 0;
    unsigned char hash[DAMA_HASH_SIZE];
    char hex[2 * DAMA_HASH_SIZE + 1], path[PATH_SIZE];
    enum dama_status status = format_table(table, form, &text, &size, err);
    if (status == DAMA_OK) {
        dama_sha256(text, size, hash);
        dama_hash_hex(hash, hex);
        int length = snprintf(path, sizeof path, "%s/%s-%.*s.%s", folder, table->weights.variant,
                              SHORT_HASH_DIGITS, hex, form_endings[form]);
        status = length >= PATH_SIZE
                     ? dama_fail(err, DAMA_INVALID, "--out: expected a shorter path")
                     : dama_file_write(path, text, size, err);
    }
    free(text);
    if (status == DAMA_OK) {
        puts(path);
    }
    return status;
}

static int run_export(int argc, char **argv)
{
    struct request request = {.format = "table", .folder = "."};
    const struct dama_option own[] = {
        {"format", DAMA_OPTION_TEXT, &request.format, "json|c|table", "form; default table", 0, 0},
        {"out", DAMA_OPTION_TEXT, &request.folder, "DIR", "folder; default the present one", 0, 0},
        {0}};
    parse((struct dama_usage){.verb = "weights export",
                              .summary =
                                  "Writes VARIANT-HASH.dama, .json or .h for each table, HASH "
                                  "being of that file, and prints the names.",
                              .least = 1,
                              .most = DAMA_TEXTS_MAX},
          own, &request, argc, argv);
    int form = 0;
    while (form < FORMS && strcmp(request.format, form_names[form]) != 0) {
        form++;
    }
    struct dama_error err = {0};
    if (form == FORMS) {
        dama_fail(&err, DAMA_USAGE, "--format: expected json, c or table, found '%s'",
                  request.format);
        return dama_verb_fail(&err);
    }
    for (int i = 0; i < request.files.count; i++) {
        struct dama_weights_source table;
        if (dama_weights_source_load(&request.common, request.files.at[i], &table, &err) ||
            export_table(&table, form, request.folder, &err)) {
            return dama_verb_fail(&err);
        }
    }
    return DAMA_EXIT_DONE;
}

int dama_verb_weights(int argc, char **argv)
{
    static const struct dama_verb verbs[] = {
        {"show", "where a table comes from, and every weight", run_show, false},
        {"verify", "check tables", run_verify, false},
        {"diff", "what two tables do not share", run_diff, false},
        {"export", "write a table in another form", run_export, false},
        {0},
    };
    return dama_sub_verbs_run("weights", verbs, argc, argv);
}
