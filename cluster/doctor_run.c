/* Checks of the run in a folder: leftovers, damage, versions, an end without a word. */
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cluster/doctor.h"
#include "cluster/log.h"
#include "cluster/run_folder.h"
#include "cluster/run_shards.h"
#include "cluster/shell_text.h"
#include "engine/signature.h"
#include "selfplay/request.h"

static enum dama_status count_file(void *context, const char *path, struct dama_error *err)
{
    int *count = context;
    (void)path;
    (void)err;
    ++*count;
    return DAMA_OK;
}

static enum dama_status count_bad(void *context, const char *path, struct dama_error *err)
{
    struct dama_shard_header header;
    return dama_shard_peek(path, &header, NULL) == DAMA_OK ? DAMA_OK
                                                           : count_file(context, path, err);
}

/* The run's own command replaces what is damaged and plays what is missing. */
static void cure_by_own_command(struct dama_findings *findings, const char *run)
{
    char command[DAMA_CURE_SIZE];
    if (dama_log_command(run, command, sizeof command)) {
        dama_finding_cure(findings, "%s", command);
    } else {
        dama_finding_cure(findings, "the command that began the run, again");
    }
}

/* What a run in progress writes just now is not left over. */
static void check_leftovers(struct dama_findings *findings, const char *run, bool is_running)
{
    int parts = 0;
    char word[PATH_MAX];
    dama_shell_word(run, word, sizeof word);
    dama_run_files(run, ".part", count_file, &parts, NULL);
    dama_run_shards(run, ".part", count_file, &parts, NULL);
    if (parts > 0 && !is_running) {
        dama_finding_bad(findings, "leftovers", "%d files of a killed run, half written", parts);
        dama_finding_cure(findings, "dama clean %s --yes", word);
    } else {
        dama_finding_good(findings, "leftovers", "no files half written");
    }
}

static void check_shards(struct dama_findings *findings, const char *run)
{
    int bad = 0;
    dama_run_shards(run, ".h5", count_bad, &bad, NULL);
    if (bad > 0) {
        dama_finding_bad(findings, "shards",
                         "%d shards whose header is damaged (dama verify names them)", bad);
        cure_by_own_command(findings, run);
    } else {
        dama_finding_good(findings, "shards", "every shard has a good header");
    }
}

static void check_engine(struct dama_findings *findings, const char *run)
{
    char request[DAMA_REQUEST_SIZE];
    char engine[DAMA_REQUEST_VALUE_SIZE];
    char ours[16];
    struct dama_error err = {0};
    if (dama_request_read(run, request, &err) != DAMA_OK) {
        dama_finding_bad(findings, "engine", "%s", err.text);
        cure_by_own_command(findings, run);
        return;
    }
    dama_request_value(request, "engine", engine, sizeof engine);
    snprintf(ours, sizeof ours, "%08x", DAMA_ENGINE_SIGNATURE);
    if (strcmp(engine, ours) != 0) {
        dama_finding_bad(findings, "engine",
                         "the run was begun by engine %.16s, this is %s: go on with that one, or "
                         "begin anew in another --out",
                         engine, ours);
        dama_finding_cure(findings,
                          "git checkout $(git log -1 --format=%%h --grep='^Bench: %.16s') && "
                          "cmake --build --preset release",
                          engine);
    } else {
        dama_finding_good(findings, "engine", "the run is of this engine, %s", ours);
    }
}

/* A kill leaves the state "running" behind; a full disk, or a crash of the machine, half a file. */
static void check_state(struct dama_findings *findings, const char *run, bool is_running)
{
    char path[PATH_MAX];
    char word[PATH_MAX];
    json_error_t why;
    snprintf(path, sizeof path, "%s/status.json", run);
    json_t *status = json_load_file(path, 0, &why);
    const char *state = json_string_value(json_object_get(status, "state"));
    if (!state && access(path, F_OK) == 0) {
        dama_finding_bad(findings, "state", "%.120s cannot be read: %.80s", path,
                         status ? "it has no state" : why.text);
        dama_shell_word(path, word, sizeof word);
        dama_finding_cure(findings, "rm %s", word);
    } else if (state && !is_running && strcmp(state, "running") == 0) {
        dama_finding_bad(findings, "state",
                         "the run was killed: nothing works on it, yet its state is running");
        cure_by_own_command(findings, run);
    } else {
        dama_finding_good(findings, "state", "%s", is_running ? "running" : state ? state : "new");
    }
    json_decref(status);
}

void dama_doctor_run(struct dama_findings *findings, const char *run)
{
    int shards = 0;
    char path[PATH_MAX];
    bool is_running = dama_run_is_locked(run);
    snprintf(path, sizeof path, "%s/run.conf", run);
    dama_run_shards(run, ".h5", count_file, &shards, NULL);
    if (shards == 0 && access(path, F_OK) != 0 && !is_running) {
        dama_finding_good(findings, "run", "none here yet");
        return;
    }
    check_leftovers(findings, run, is_running);
    check_shards(findings, run);
    check_engine(findings, run);
    check_state(findings, run, is_running);
}
