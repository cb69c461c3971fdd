/* `clean`: removes the files that a killed run left half written. */
#include "cluster/cluster_verbs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cluster/run_folder.h"
#include "cluster/run_shards.h"
#include "engine/cli/options.h"

static enum dama_status remove_file(void *context, const char *path, struct dama_error *err)
{
    int *removed = context;
    if (unlink(path) != 0) {
        return dama_fail(err, DAMA_IO, "%s: cannot remove: %s", path, strerror(errno));
    }
    ++*removed;
    return DAMA_OK;
}

static enum dama_status clean(const char *run, int *removed, struct dama_error *err)
{
    struct stat info;
    /* Locking would make the folder. */
    if (stat(run, &info) != 0 || !S_ISDIR(info.st_mode)) {
        return dama_fail(err, DAMA_INVALID, "%s: expected a run's folder, found none", run);
    }
    DAMA_TRY(dama_run_lock(run, err));
    enum dama_status status = dama_run_shards(run, ".part", remove_file, removed, err);
    dama_run_unlock();
    return status;
}

int dama_verb_clean(int argc, char **argv)
{
    const struct dama_usage usage = {
        .verb = "clean",
        .arguments = "RUN",
        .summary = "Removes what a killed run left half written beside its shards (*.part).",
        .details = "Nothing that counts is touched, and a run in progress is refused.",
        .least = 1,
        .most = 1,
    };
    struct dama_texts runs = {0};
    dama_options_parse(&usage, argc, argv, &runs);
    struct dama_error err = {0};
    int removed = 0;
    if (clean(runs.at[0], &removed, &err) != DAMA_OK) {
        return dama_verb_fail(&err);
    }
    printf("removed %d files\n", removed);
    return DAMA_EXIT_DONE;
}
