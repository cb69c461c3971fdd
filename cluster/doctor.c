/* The list of findings. */
#include "cluster/doctor.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

static struct dama_finding *add(struct dama_findings *findings, const char *name)
{
    assert(findings->count < DAMA_FINDINGS_MAX);
    struct dama_finding *finding = &findings->at[findings->count++];
    *finding = (struct dama_finding){.name = name};
    return finding;
}

void dama_finding_good(struct dama_findings *findings, const char *name, const char *format, ...)
{
    struct dama_finding *finding = add(findings, name);
    va_list args;
    va_start(args, format);
    vsnprintf(finding->text, sizeof finding->text, format, args);
    va_end(args);
}

void dama_finding_bad(struct dama_findings *findings, const char *name, const char *cure,
                      const char *format, ...)
{
    struct dama_finding *finding = add(findings, name);
    finding->is_wrong = true;
    snprintf(finding->cure, sizeof finding->cure, "%s", cure);
    va_list args;
    va_start(args, format);
    vsnprintf(finding->text, sizeof finding->text, format, args);
    va_end(args);
}
