/* The list of findings. */
#include "cluster/doctor.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct dama_finding *add(struct dama_findings *findings, const char *name, bool is_wrong)
{
    assert(findings->count < DAMA_FINDINGS_MAX);
    struct dama_finding *finding = &findings->at[findings->count++];
    memset(finding, 0, sizeof *finding);
    snprintf(finding->name, sizeof finding->name, "%s", name);
    finding->is_wrong = is_wrong;
    return finding;
}

void dama_finding_good(struct dama_findings *findings, const char *name, const char *format, ...)
{
    struct dama_finding *finding = add(findings, name, false);
    va_list args;
    va_start(args, format);
    vsnprintf(finding->text, sizeof finding->text, format, args);
    va_end(args);
}

void dama_finding_bad(struct dama_findings *findings, const char *name, const char *format, ...)
{
    struct dama_finding *finding = add(findings, name, true);
    va_list args;
    va_start(args, format);
    vsnprintf(finding->text, sizeof finding->text, format, args);
    va_end(args);
}

void dama_finding_cure(struct dama_findings *findings, const char *format, ...)
{
    assert(findings->count > 0);
    struct dama_finding *finding = &findings->at[findings->count - 1];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(finding->cure, sizeof finding->cure, format, args);
    va_end(args);
    if (length >= (int)sizeof finding->cure) {
        snprintf(finding->cure, sizeof finding->cure, "shorter paths: this command is too long");
    }
}

const char *dama_doctor_sudo(void)
{
    return geteuid() == 0 ? "" : "sudo ";
}

void dama_rank_report_init(struct dama_rank_report *report)
{
    memset(report, 0, sizeof *report);
    gethostname(report->host, sizeof report->host - 1);
    sched_getaffinity(0, sizeof report->cores, &report->cores);
    dama_program_describe(report->program);
}

struct dama_neighbours dama_rank_report_neighbours(const struct dama_rank_report *report,
                                                   const struct dama_rank_report *reports,
                                                   int ranks)
{
    struct dama_neighbours neighbours = {0};
    cpu_set_t together;
    CPU_ZERO(&together);
    for (int i = 0; i < ranks; i++) {
        if (strcmp(reports[i].host, report->host) == 0) {
            neighbours.ranks++;
            CPU_OR(&together, &together, &reports[i].cores);
        }
    }
    neighbours.cores = CPU_COUNT(&together);
    return neighbours;
}
