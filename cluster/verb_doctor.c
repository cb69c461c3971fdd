/* `doctor`: looks for what makes runs slow or fail, on every rank, and says how to mend it. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cluster/cluster_verbs.h"
#include "cluster/comm.h"
#include "cluster/doctor.h"
#include "engine/cli/common_options.h"
#include "engine/cli/temporary.h"

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* The folder, or of one that a run is still to make the nearest above it that is there. */
static void find_folder(const char *run, char out[PATH_MAX])
{
    snprintf(out, PATH_MAX, "%s", run);
    while (!is_folder(out)) {
        char *slash = strrchr(out, '/');
        if (!slash) {
            snprintf(out, PATH_MAX, ".");
        } else {
            slash[slash == out] = 0;
        }
    }
}

/* Collective: a file that rank 0 makes is there for every rank, or they write into different
   folders of one name. */
static void check_shared(struct dama_rank_report *mine, const char *folder)
{
    char path[PATH_MAX] = "";
    if (dama_comm_rank() == 0 && dama_temporary_name(folder, "doctor", "", path, sizeof path)) {
        int file = mkstemp(path);
        path[0] = file >= 0 ? path[0] : 0;
        if (file >= 0) {
            close(file);
        }
    }
    dama_comm_broadcast(path, sizeof path);
    bool is_seen = !*path || access(path, F_OK) == 0;
    /* Orders: the file goes when all have looked. */
    dama_comm_agree(DAMA_OK, NULL);
    if (dama_comm_rank() == 0 && *path) {
        unlink(path);
    }
    if (is_seen) {
        dama_finding_good(&mine->findings, "shared", "every rank sees the same folder");
        return;
    }
    dama_finding_bad(&mine->findings, "shared", "%.120s is another folder than on rank 0", folder);
    dama_finding_cure(&mine->findings, "ssh %s sudo mount -a", mine->host);
}

/* Collective: all ranks look, then all know. reports: one for each rank. What lies in the run rank
   0 looks at alone. */
static void look(const char *run, struct dama_rank_report *mine, struct dama_rank_report *reports)
{
    char folder[PATH_MAX];
    dama_rank_report_init(mine);
    dama_comm_all_gather(mine, sizeof *mine, reports);
    find_folder(run ? run : ".", folder);
    const struct dama_neighbours neighbours =
        dama_rank_report_neighbours(mine, reports, dama_comm_size());
    dama_doctor_cores(&mine->findings, &neighbours);
    dama_doctor_machine(&mine->findings);
    dama_doctor_folder(&mine->findings, folder);
    if (dama_comm_size() > 1) {
        check_shared(mine, folder);
    }
    if (dama_comm_rank() == 0 && run && is_folder(run)) {
        dama_doctor_run(&mine->findings, run);
    } else if (dama_comm_rank() == 0 && run) {
        dama_finding_good(&mine->findings, "run", "%s is not there yet", run);
    }
    dama_comm_all_gather(mine, sizeof *mine, reports);
}

static const char details[] =
    "Cores, threads, HDF5, mpirun, open files; of RUN (else of the present folder) writing, locks "
    "and disk, and whether all ranks see the same; of a run half-written files, damaged headers, "
    "its engine and state. A RUN that is "
    "not there yet is looked for where it would be made. Under mpirun or srun every rank looks, "
    "and what is wrong names its ranks and hosts; start it as the run is started. Exit 1 when "
    "something is wrong.";

int dama_verb_doctor(int argc, char **argv)
{
    bool as_json = false;
    const struct dama_option options[] = {
        dama_option_json(&as_json, "the findings as JSON"),
        {.name = NULL},
    };
    const struct dama_usage usage = {
        .verb = "doctor",
        .arguments = "[RUN]",
        .summary = "Looks for what makes runs slow or fail, and says how to mend it.",
        .details = details,
        .options = options,
        .least = 0,
        .most = 1,
    };
    struct dama_texts runs = {0};
    struct dama_error err = {0};
    dama_options_parse(&usage, argc, argv, &runs);
    if (runs.count > 0 && access(runs.at[0], F_OK) == 0 && !is_folder(runs.at[0])) {
        dama_fail(&err, DAMA_INVALID, "%s: expected a folder, found something else", runs.at[0]);
        return dama_verb_fail(&err);
    }
    int ranks = dama_comm_size();
    struct dama_rank_report *mine = malloc(sizeof *mine);
    struct dama_rank_report *reports = calloc((size_t)ranks, sizeof *reports);
    bool has_memory = mine && reports;
    enum dama_status status = dama_comm_agree(has_memory ? DAMA_OK : DAMA_MEMORY, &err);
    int wrong = -1;
    if (status == DAMA_OK) {
        look(runs.count > 0 ? runs.at[0] : NULL, mine, reports);
        wrong = as_json ? dama_doctor_print_json(reports, ranks)
                        : dama_doctor_print_text(reports, ranks);
    }
    free(mine);
    free(reports);
    if (wrong < 0) {
        dama_fail(&err, DAMA_MEMORY, "no memory for the findings of %d ranks", ranks);
        return dama_verb_fail(&err);
    }
    return wrong ? DAMA_EXIT_FAILED : DAMA_EXIT_DONE;
}
