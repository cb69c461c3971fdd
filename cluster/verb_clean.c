/* `clean`: frees what a run needs no more, after saying what that is. */
#include "cluster/cluster_verbs.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cluster/run_folder.h"
#include "cluster/run_generations.h"
#include "cluster/run_shards.h"
#include "engine/cli/common_options.h"
#include "selfplay/request.h"

/* Files of one kind. */
struct heap {
    uint64_t files, bytes;
};

struct clean {
    const char *run;
    int64_t window; /* of the training; 0: no training */
    bool frees;     /* else only counts */
    bool is_quiet;  /* prints the sum alone */
    struct heap parts, spent, matches;
    struct heap generation; /* the one being counted */
};

static enum dama_status take_file(const struct clean *clean, const char *path, struct heap *heap,
                                  struct dama_error *err)
{
    struct stat info;
    if (stat(path, &info) != 0 || (clean->frees && unlink(path) != 0)) {
        return dama_fail(err, DAMA_IO, "%s: cannot remove: %s", path, strerror(errno));
    }
    heap->files++;
    heap->bytes += (uint64_t)info.st_size;
    return DAMA_OK;
}

static enum dama_status take_part(void *context, const char *path, struct dama_error *err)
{
    struct clean *clean = context;
    return take_file(clean, path, &clean->parts, err);
}

static enum dama_status take_shard(void *context, const char *path, struct dama_error *err)
{
    struct clean *clean = context;
    return take_file(clean, path, &clean->generation, err);
}

static void tell(const struct clean *clean, const char *what, const struct heap *heap,
                 const char *why)
{
    if (heap->files && !clean->is_quiet) {
        printf("%s: %llu files, %.1f MB: %s\n", what, (unsigned long long)heap->files,
               (double)heap->bytes / 1e6, why);
    }
}

/* The pairs of a match whose result is stored beside them. A folder with files of others stays. */
static enum dama_status take_match(struct clean *clean, const char *folder, const char *kind,
                                   struct dama_error *err)
{
    static const char *const names[] = {"match.conf", "pairs.jsonl"};
    char result[PATH_MAX], pairs[PATH_MAX], path[PATH_MAX];
    if (snprintf(result, sizeof result, "%s/%s.json", folder, kind) >= PATH_MAX) {
        return dama_fail(err, DAMA_UNSUPPORTED, "%s: the path is too long", folder);
    }
    json_t *json = json_load_file(result, 0, NULL);
    const char *hash = json_string_value(json_object_get(json, "a_sha256"));
    bool is_there = hash &&
                    snprintf(pairs, sizeof pairs, "%s/%s-%.8s", folder, kind, hash) < PATH_MAX &&
                    access(pairs, F_OK) == 0;
    json_decref(json);
    for (size_t i = 0; is_there && i < sizeof names / sizeof names[0]; i++) {
        if (snprintf(path, sizeof path, "%s/%s", pairs, names[i]) < PATH_MAX &&
            access(path, F_OK) == 0) {
            DAMA_TRY(take_file(clean, path, &clean->matches, err));
        }
    }
    if (is_there && clean->frees && snprintf(path, sizeof path, "%s/lock", pairs) < PATH_MAX) {
        unlink(path);
        rmdir(pairs);
    }
    return DAMA_OK;
}

static enum dama_status take_matches(struct clean *clean, struct dama_error *err)
{
    char folder[PATH_MAX];
    int count = dama_run_generations(clean->run).begun;
    DAMA_TRY(take_match(clean, clean->run, "final", err));
    for (int g = 0; g < count; g++) {
        snprintf(folder, sizeof folder, "%s/gen-%03d", clean->run, g);
        DAMA_TRY(take_match(clean, folder, "match", err));
    }
    tell(clean, "pairs of matches", &clean->matches, "their results are stored");
    return DAMA_OK;
}

/* The games of one generation after the other, as long as no later fit needs them. */
static enum dama_status take_spent(struct clean *clean, struct dama_error *err)
{
    for (int g = 0; clean->window && dama_run_games_are_spent(clean->run, g, clean->window); g++) {
        char folder[PATH_MAX];
        char what[32];
        clean->generation = (struct heap){0};
        snprintf(folder, sizeof folder, "%s/gen-%03d", clean->run, g);
        snprintf(what, sizeof what, "games of gen-%03d", g);
        DAMA_TRY(dama_run_shards(folder, ".h5", take_shard, clean, err));
        tell(clean, what, &clean->generation, "every fit that uses them is done");
        clean->spent.files += clean->generation.files;
        clean->spent.bytes += clean->generation.bytes;
    }
    return DAMA_OK;
}

static enum dama_status walk(struct clean *clean, struct dama_error *err)
{
    char request[DAMA_REQUEST_SIZE];
    char window[DAMA_REQUEST_VALUE_SIZE] = "";
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/run.conf", clean->run);
    if (access(path, F_OK) == 0) {
        DAMA_TRY(dama_request_read(clean->run, request, err));
        dama_request_value(request, "window", window, sizeof window);
        clean->window = strtoll(window, NULL, 10);
    }
    DAMA_TRY(dama_run_files(clean->run, ".part", take_part, clean, err));
    DAMA_TRY(dama_run_shards(clean->run, ".part", take_part, clean, err));
    tell(clean, "half written", &clean->parts, "a killed run left them");
    DAMA_TRY(take_matches(clean, err));
    return take_spent(clean, err);
}

static enum dama_status run_clean(struct clean *clean, struct dama_error *err)
{
    /* Locking would make the folder, and half-written files have names that other programs give as
       well. */
    if (!dama_folder_is_run(clean->run)) {
        return dama_fail(err, DAMA_INVALID,
                         "%s: expected the folder of a run, a match or a ladder, found none",
                         clean->run);
    }
    if (!clean->frees) {
        /* Who may only read the run may ask what it would free. */
        return dama_run_is_locked(clean->run)
                   ? dama_fail(err, DAMA_BUSY, "%s: a process works on this run", clean->run)
                   : walk(clean, err);
    }
    DAMA_TRY(dama_run_lock(clean->run, err));
    enum dama_status status = walk(clean, err);
    dama_run_unlock();
    return status;
}

static void print_sum(const struct clean *clean, bool as_json)
{
    unsigned long long files = clean->parts.files + clean->matches.files + clean->spent.files;
    double bytes = (double)(clean->parts.bytes + clean->matches.bytes + clean->spent.bytes);
    if (as_json) {
        printf("{\"files\":%llu,\"bytes\":%.0f,\"half_written\":%llu,\"matches\":%llu,"
               "\"spent\":%llu,\"freed\":%s}\n",
               files, bytes, (unsigned long long)clean->parts.files,
               (unsigned long long)clean->matches.files, (unsigned long long)clean->spent.files,
               clean->frees ? "true" : "false");
    } else if (files == 0) {
        printf("nothing to free\n");
    } else if (clean->frees) {
        printf("freed %llu files, %.1f MB\n", files, bytes / 1e6);
    } else {
        printf("--yes frees these %llu files, %.1f MB\n", files, bytes / 1e6);
    }
}

int dama_verb_clean(int argc, char **argv)
{
    struct clean clean = {0};
    bool as_json = false;
    const struct dama_option options[] = {
        {.name = "yes",
         .kind = DAMA_OPTION_FLAG,
         .target = &clean.frees,
         .help = "free it; without this option it is only told"},
        dama_option_json(&as_json, "the sum as JSON"),
        {.name = NULL},
    };
    const struct dama_usage usage = {
        .verb = "clean",
        .arguments = "RUN",
        .summary = "Tells, and with --yes frees, what the later stages of a run need no more.",
        .details = "That is what a killed run left half written (*.part), and of a training the "
                   "shards of generations whose games no later fit uses (the key window) and the "
                   "pairs of matches whose result is stored. Tables, fits, results and the "
                   "manifest stay, and so do the shards of a self-play run. A run in progress is "
                   "refused.",
        .options = options,
        .least = 1,
        .most = 1,
    };
    struct dama_texts runs = {0};
    dama_options_parse(&usage, argc, argv, &runs);
    clean.run = runs.at[0];
    clean.is_quiet = as_json;
    struct dama_error err = {0};
    if (run_clean(&clean, &err) != DAMA_OK) {
        return dama_verb_fail(&err);
    }
    print_sum(&clean, as_json);
    return DAMA_EXIT_DONE;
}
