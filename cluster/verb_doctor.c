/* `doctor`: looks for what makes runs slow or fail, and says how to mend it. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cluster/cluster_verbs.h"
#include "cluster/doctor.h"
#include "engine/cli/options.h"

static void print_text(const struct dama_findings *findings, int wrong)
{
    for (int i = 0; i < findings->count; i++) {
        const struct dama_finding *finding = &findings->at[i];
        printf("%-10s %-6s %s\n", finding->name, finding->is_wrong ? "WRONG" : "good",
               finding->text);
        if (finding->is_wrong) {
            printf("%-17s mend it by: %s\n", "", finding->cure);
        }
    }
    printf(wrong ? "%d of %d checks are wrong\n" : "%d of %d checks are wrong: all is well\n",
           wrong, findings->count);
}

static bool print_json(const struct dama_findings *findings, int wrong)
{
    json_t *list = json_array();
    for (int i = 0; i < findings->count; i++) {
        const struct dama_finding *finding = &findings->at[i];
        json_array_append_new(list, json_pack("{s:s,s:b,s:s+,s:s+}", "check", finding->name,
                                              "wrong", finding->is_wrong, "found", finding->text,
                                              "", "mend", finding->cure, ""));
    }
    json_t *all = json_pack("{s:i,s:o}", "wrong", wrong, "checks", list);
    char *text = json_dumps(all, JSON_COMPACT);
    if (text) {
        puts(text);
    }
    free(text);
    json_decref(all);
    return text != NULL;
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

int dama_verb_doctor(int argc, char **argv)
{
    bool as_json = false;
    const struct dama_option options[] = {
        {.name = "json",
         .kind = DAMA_OPTION_FLAG,
         .target = &as_json,
         .help = "the findings as JSON"},
        {.name = NULL},
    };
    const struct dama_usage usage = {
        .verb = "doctor",
        .arguments = "[RUN]",
        .summary = "Looks for what makes runs slow or fail, and says how to mend it.",
        .details = "Cores, threads, HDF5, mpirun, open files; of RUN (else of the present folder) "
                   "writing, locks and disk; of a run half-written files, damaged headers, its "
                   "engine and state. Under mpirun or srun it looks at the first process. Exit 1 "
                   "when something is wrong.",
        .options = options,
        .least = 0,
        .most = 1,
    };
    struct dama_texts runs = {0};
    dama_options_parse(&usage, argc, argv, &runs);
    const char *run = runs.count > 0 ? runs.at[0] : NULL;
    if (run && !is_folder(run)) {
        struct dama_error err = {0};
        dama_fail(&err, DAMA_INVALID, "%s: expected a run's folder, found none", run);
        return dama_verb_fail(&err);
    }
    struct dama_findings findings = {0};
    dama_doctor_machine(&findings);
    dama_doctor_folder(&findings, run ? run : ".");
    if (run) {
        dama_doctor_run(&findings, run);
    }
    int wrong = 0;
    for (int i = 0; i < findings.count; i++) {
        wrong += findings.at[i].is_wrong;
    }
    if (as_json) {
        if (!print_json(&findings, wrong)) {
            return DAMA_EXIT_FAILED;
        }
    } else {
        print_text(&findings, wrong);
    }
    return wrong ? DAMA_EXIT_FAILED : DAMA_EXIT_DONE;
}
