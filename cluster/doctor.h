/* What can be wrong with a machine or a run before anybody notices: findings, each with its cure.
 */
#ifndef DAMA_DOCTOR_H
#define DAMA_DOCTOR_H

#include <sched.h>
#include <stdbool.h>

#include "cluster/same_program.h"

enum { DAMA_FINDINGS_MAX = 20, DAMA_CHECK_NAME_SIZE = 16, DAMA_CURE_SIZE = 1024 };

/* One check: what was found, and the command that mends it ("" when nothing is wrong). Without
   pointers: findings travel between ranks. */
struct dama_finding {
    char name[DAMA_CHECK_NAME_SIZE]; /* "binding" */
    bool is_wrong;
    char text[256];
    char cure[DAMA_CURE_SIZE];
};
struct dama_findings {
    int count;
    struct dama_finding at[DAMA_FINDINGS_MAX];
};

/* A check that is fine, and one that is not. printf's formats. */
void dama_finding_good(struct dama_findings *findings, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void dama_finding_bad(struct dama_findings *findings, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The command that mends the last finding, which is bad. A cure that does not fit is left out with
   a word about it: half a command is not to be pasted. */
void dama_finding_cure(struct dama_findings *findings, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "sudo " unless this process is root's: in front of a cure that only root can give. */
const char *dama_doctor_sudo(void);

/* The ranks of the job on one machine, and the cores that they may use together. */
struct dama_neighbours {
    int ranks, cores;
};
/* The cores of this process: binding, quota, OpenMP and Slurm threads. */
void dama_doctor_cores(struct dama_findings *findings, const struct dama_neighbours *neighbours);
/* What is installed and allowed here: HDF5, the launcher, open files. */
void dama_doctor_machine(struct dama_findings *findings);
/* A folder where runs lie or will lie: writing, locks, free space and files. */
void dama_doctor_folder(struct dama_findings *findings, const char *folder);
/* A run: half-written files, its engine, damaged headers, its status, a process that ended without
   a word. Says so when the folder has no run yet. */
void dama_doctor_run(struct dama_findings *findings, const char *run);

/* Who found something: every rank of a job. Starts as one rank that is this process. */
struct dama_rank_report {
    char host[64];
    cpu_set_t cores;
    char program[DAMA_PROGRAM_TEXT_SIZE]; /* equal on all ranks, or every run is refused */
    struct dama_findings findings;
};
void dama_rank_report_init(struct dama_rank_report *report);
/* Of the machine that the report is from. */
struct dama_neighbours dama_rank_report_neighbours(const struct dama_rank_report *report,
                                                   const struct dama_rank_report *reports,
                                                   int ranks);

/* Prints the findings of all ranks and returns how many are wrong, -1 when memory is out. What
   several ranks found alike is one finding that names them. A check named "versions" is added when
   there are several ranks. */
int dama_doctor_print_text(const struct dama_rank_report *reports, int ranks);
int dama_doctor_print_json(const struct dama_rank_report *reports, int ranks);

#endif
