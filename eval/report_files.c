/* Reads what a run left beside its shards. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "eval/report_facts.h"

enum { REQUEST_MAX = 1 << 16, TABLE_MAX = 1 << 18 };

static bool make_path(char out[DAMA_REPORT_PATH_SIZE], const char *folder, const char *name)
{
    return (size_t)snprintf(out, DAMA_REPORT_PATH_SIZE, "%s/%s", folder, name) <
           DAMA_REPORT_PATH_SIZE;
}

static bool has_file(const char *folder, const char *name)
{
    char path[DAMA_REPORT_PATH_SIZE];
    return make_path(path, folder, name) && access(path, F_OK) == 0;
}

/* NULL, and no error, when there is no such file. */
static enum dama_status read_json(json_t **out, const char *folder, const char *name,
                                  struct dama_error *err)
{
    char path[DAMA_REPORT_PATH_SIZE];
    *out = NULL;
    if (!has_file(folder, name)) {
        return DAMA_OK;
    }
    make_path(path, folder, name);
    json_error_t why;
    *out = json_load_file(path, 0, &why);
    return *out
               ? DAMA_OK
               : dama_fail(err, DAMA_CORRUPT, "%s:%d: expected JSON: %s", path, why.line, why.text);
}

static int is_generation(const struct dirent *entry)
{
    const char *name = entry->d_name;
    return strncmp(name, "gen-", 4) == 0 && name[4] &&
           strspn(name + 4, "0123456789") == strlen(name + 4);
}

static enum dama_status add_generation(struct dama_report_facts *facts, const char *folder,
                                       const char *name, struct dama_error *err)
{
    struct dama_report_generation *g = &facts->generation[facts->count++];
    snprintf(g->name, sizeof g->name, "%s", name);
    snprintf(g->folder, sizeof g->folder, "%s", folder);
    DAMA_TRY(read_json(&g->tune, folder, "tune.json", err));
    return read_json(&g->match, folder, "match.json", err);
}

/* The folder's own name, also when it is given as "." or with a slash at its end. */
static void set_name(struct dama_report_facts *facts, const char *run)
{
    char *path = realpath(run, NULL);
    const char *slash = path ? strrchr(path, '/') : NULL;
    snprintf(facts->name, sizeof facts->name, "%s", slash && slash[1] ? slash + 1 : run);
    free(path);
}

static enum dama_status list_generations(struct dama_report_facts *facts, const char *run,
                                         struct dama_error *err)
{
    struct dirent **entries = NULL;
    int count = scandir(run, &entries, is_generation, alphasort);
    facts->is_training = count > 0;
    facts->generation = calloc(count > 0 ? (size_t)count : 1, sizeof *facts->generation);
    enum dama_status status = DAMA_OK;
    if (!facts->generation) {
        status = dama_fail(err, DAMA_MEMORY, "no memory for a report");
    } else if (count <= 0 && has_file(run, "shards")) {
        status = add_generation(facts, run, facts->name, err);
    } else if (count <= 0) {
        status =
            dama_fail(err, DAMA_INVALID,
                      "%s: expected the folder of a run (shards/ or gen-000/), found none", run);
    }
    for (int i = 0; i < count; i++) {
        char path[DAMA_REPORT_PATH_SIZE];
        if (status == DAMA_OK && make_path(path, run, entries[i]->d_name) &&
            has_file(path, "shards")) {
            status = add_generation(facts, path, entries[i]->d_name, err);
        }
        free(entries[i]);
    }
    free(entries);
    if (status == DAMA_OK && facts->count == 0) {
        status =
            dama_fail(err, DAMA_INVALID, "%s: expected shards in its generations, found none", run);
    }
    return status;
}

static enum dama_status read_request(char **out, const char *run, struct dama_error *err)
{
    char path[DAMA_REPORT_PATH_SIZE];
    unsigned char *text = NULL;
    size_t size = 0;
    if (!make_path(path, run, "run.conf")) {
        return dama_fail(err, DAMA_UNSUPPORTED, "%s: the path is too long", run);
    }
    DAMA_TRY(dama_file_read(path, REQUEST_MAX, &text, &size, err));
    *out = strndup((const char *)text, size);
    free(text);
    return *out ? DAMA_OK : dama_fail(err, DAMA_MEMORY, "%s: no memory", path);
}

/* The rules of the games: rules.conf of the newest folder, else the built-in of the request. */
static enum dama_status read_rules(struct dama_report_facts *facts, struct dama_error *err)
{
    const char *folder = facts->generation[facts->count - 1].folder;
    char path[DAMA_REPORT_PATH_SIZE];
    if (has_file(folder, "rules.conf")) {
        make_path(path, folder, "rules.conf");
        return dama_rules_file_load(path, &facts->ruleset, err);
    }
    char variant[DAMA_NAME_SIZE] = "";
    const char *line = strstr(facts->request, "variant = ");
    if (line) {
        size_t length = strcspn(line += strlen("variant = "), "\n");
        snprintf(variant, sizeof variant, "%.*s", (int)length, line);
    }
    return dama_ruleset_builtin(variant, &facts->ruleset, err);
}

static enum dama_status hash_file(const char *path, char out[2 * DAMA_HASH_SIZE + 1],
                                  struct dama_error *err)
{
    unsigned char *bytes = NULL, hash[DAMA_HASH_SIZE];
    size_t size = 0;
    DAMA_TRY(dama_file_read(path, TABLE_MAX, &bytes, &size, err));
    dama_sha256(bytes, size, hash);
    dama_hash_hex(hash, out);
    free(bytes);
    return DAMA_OK;
}

static enum dama_status read_player(struct dama_report_facts *facts,
                                    struct dama_report_generation *g, struct dama_error *err)
{
    char path[DAMA_REPORT_PATH_SIZE];
    struct dama_weights player;
    if (!has_file(g->folder, "player.dama")) {
        return DAMA_OK;
    }
    make_path(path, g->folder, "player.dama");
    DAMA_TRY(dama_weights_load(path, &facts->ruleset, &player, err));
    g->player_slope_ppm = player.slope_ppm;
    return hash_file(path, g->player_hash, err);
}

/* The newest promoted generation, else the newest with a table, else -1. */
static int choose_shown(const struct dama_report_facts *facts)
{
    int newest = -1;
    for (int i = facts->count - 1; i >= 0; i--) {
        const struct dama_report_generation *g = &facts->generation[i];
        bool has_table = g->tune && has_file(g->folder, "weights.dama");
        if (has_table && json_is_true(json_object_get(g->match, "promoted"))) {
            return i;
        }
        newest = has_table && newest < 0 ? i : newest;
    }
    return newest;
}

static enum dama_status read_weights(struct dama_report_facts *facts, struct dama_error *err)
{
    char path[DAMA_REPORT_PATH_SIZE];
    facts->shown = choose_shown(facts);
    int from = facts->shown >= 0 ? facts->shown : facts->count - 1;
    const char *folder = facts->generation[from].folder;
    const char *name = facts->shown >= 0 ? "weights.dama" : "player.dama";
    /* Imported games have a player's table for form's sake only. */
    facts->has_weights = has_file(folder, name) && (facts->shown >= 0 || !facts->is_import);
    if (!facts->has_weights) {
        return DAMA_OK;
    }
    make_path(path, folder, name);
    DAMA_TRY(dama_weights_load(path, &facts->ruleset, &facts->weights, err));
    return hash_file(path, facts->weights_hash, err);
}

enum dama_status dama_report_read_files(struct dama_report_facts *out, const char *run,
                                        struct dama_error *err)
{
    set_name(out, run);
    DAMA_TRY(list_generations(out, run, err));
    DAMA_TRY(read_request(&out->request, run, err));
    out->is_import =
        strstr(out->request, "\nsource = import\n") && !strstr(out->request, "\nrescore_nodes = ");
    DAMA_TRY(read_json(&out->final, run, "final.json", err));
    DAMA_TRY(read_rules(out, err));
    for (int i = 0; i < out->count; i++) {
        DAMA_TRY(read_request(&out->generation[i].request, out->generation[i].folder, err));
        DAMA_TRY(out->is_import ? DAMA_OK : read_player(out, &out->generation[i], err));
    }
    return read_weights(out, err);
}

enum dama_status dama_report_gather(struct dama_report_facts *out, const char *run,
                                    struct dama_error *err)
{
    *out = (struct dama_report_facts){0};
    DAMA_TRY(dama_report_read_files(out, run, err));
    DAMA_TRY(dama_report_read_shards(out, err));
    return dama_report_read_log(out, run, err);
}

void dama_report_free(struct dama_report_facts *facts)
{
    for (int i = 0; i < facts->count; i++) {
        json_decref(facts->generation[i].tune);
        json_decref(facts->generation[i].match);
        free(facts->generation[i].request);
    }
    free(facts->generation);
    free(facts->request);
    free(facts->rank);
    json_decref(facts->final);
    *facts = (struct dama_report_facts){0};
}
