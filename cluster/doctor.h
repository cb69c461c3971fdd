/* What can be wrong with a machine or a run before anybody notices: findings, each with its cure.
 */
#ifndef DAMA_DOCTOR_H
#define DAMA_DOCTOR_H

#include <stdbool.h>

enum { DAMA_FINDINGS_MAX = 32 };

/* One check: what was found, and the command that mends it ("" when nothing is wrong). */
struct dama_finding {
    const char *name; /* "binding" */
    bool is_wrong;
    char text[256];
    char cure[256];
};
struct dama_findings {
    int count;
    struct dama_finding at[DAMA_FINDINGS_MAX];
};

/* A check that is fine, and one that is not. printf's formats. */
void dama_finding_good(struct dama_findings *findings, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The cure is the text of `cure` as it stands. */
void dama_finding_bad(struct dama_findings *findings, const char *name, const char *cure,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));

/* This process and machine: binding, quota of cores, OpenMP and Slurm threads, HDF5, the launcher,
   open files. */
void dama_doctor_machine(struct dama_findings *findings);
/* A folder where runs lie or will lie: writing, locks, free space and files. */
void dama_doctor_folder(struct dama_findings *findings, const char *folder);
/* A run: half-written files, its engine, damaged headers, a process that ended without a word. */
void dama_doctor_run(struct dama_findings *findings, const char *run);

#endif
