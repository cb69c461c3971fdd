/* Checks of what is installed and allowed here: the library, the launcher, open files. */
#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cluster/comm.h"
#include "cluster/doctor.h"
#include "cluster/shard.h"
#include "cluster/shell_text.h"

/* Enough for the sockets of rank 0 with some hundred ranks, and shards one at a time. */
enum { FILES_LEAST = 1024, LINE_SIZE = 512, VERSION_SIZE = 128 };

/* The file of the library that this process has loaded; false when nobody can say. */
static bool find_library(char out[PATH_MAX])
{
    void *function = dlsym(RTLD_DEFAULT, "H5get_libversion");
    Dl_info info;
    bool found = function && dladdr(function, &info) && info.dli_fname;
    snprintf(out, PATH_MAX, "%s", found ? info.dli_fname : "");
    return found;
}

/* A module or an environment puts another library in front; without one, the build is the wrong
 * one. */
static void cure_hdf5(struct dama_findings *findings)
{
    char library[PATH_MAX];
    const char *variables[] = {"LD_PRELOAD", "LD_LIBRARY_PATH"};
    bool is_known = find_library(library);
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *value = getenv(variables[i]);
        if (value && is_known && (i == 0 || strstr(value, dirname(library)))) {
            dama_finding_cure(findings, "unset %s", variables[i]);
            return;
        }
    }
    dama_finding_cure(findings,
                      "%sapt-get install --reinstall libhdf5-dev && cmake --fresh --preset release "
                      "&& cmake --build --preset release # or first: module load a serial hdf5",
                      dama_doctor_sudo());
}

static void check_hdf5(struct dama_findings *findings)
{
    struct dama_error err = {0};
    if (dama_shard_library_check(&err) == DAMA_OK) {
        dama_finding_good(findings, "hdf5", "HDF5 %s, serial, with deflate",
                          dama_shard_library_version());
    } else {
        dama_finding_bad(findings, "hdf5", "%s", err.text);
        cure_hdf5(findings);
    }
}

/* The number behind the last blank or v of the first line that a command prints: "4.1.4". */
static bool read_version(const char *command, char line[LINE_SIZE], char version[VERSION_SIZE])
{
    FILE *pipe = popen(command, "r");
    bool has_line = pipe && fgets(line, LINE_SIZE, pipe);
    if (pipe) {
        pclose(pipe);
    }
    const char *digit = has_line ? strpbrk(line, "0123456789") : NULL;
    if (digit) {
        snprintf(version, VERSION_SIZE, "%.*s", (int)strspn(digit, "0123456789."), digit);
    }
    return digit != NULL;
}

/* The path of a program of PATH. */
static bool find_program(const char *name, char out[PATH_MAX])
{
    const char *path = getenv("PATH");
    char *folders = strdup(path ? path : "");
    bool found = false;
    char *rest = NULL;
    for (char *folder = folders ? strtok_r(folders, ":", &rest) : NULL; folder && !found;
         folder = strtok_r(NULL, ":", &rest)) {
        found = snprintf(out, PATH_MAX, "%s/%s", folder, name) < PATH_MAX && access(out, X_OK) == 0;
    }
    free(folders);
    return found;
}

/* Systems with several MPIs keep each one's mpirun under a longer name. */
static void cure_launcher(struct dama_findings *findings, bool is_open)
{
    char program[PATH_MAX];
    char word[PATH_MAX];
    if (find_program(is_open ? "mpirun.openmpi" : "mpirun.mpich", program) &&
        dama_shell_word(program, word, sizeof word)) {
        dama_finding_cure(findings,
                          "mkdir -p ~/.local/bin && ln -sf %s ~/.local/bin/mpirun && "
                          "export PATH=~/.local/bin:$PATH",
                          word);
    } else {
        dama_finding_cure(findings, "module load %s", is_open ? "openmpi" : "mpich");
    }
}

/* Another MPI's mpirun starts processes that do not see each other. */
static void check_launcher(struct dama_findings *findings)
{
    char line[LINE_SIZE] = "";
    char found[VERSION_SIZE] = "";
    const char *built = dama_comm_version();
    bool is_open = strncmp(built, "Open MPI", 8) == 0;
    const char *number = strpbrk(built, "0123456789");
    if (!read_version("mpirun --version 2>/dev/null | grep -i -m 1 version; "
                      "mpirun --version 2>/dev/null | grep -m 1 'Open MPI'",
                      line, found)) {
        dama_finding_good(findings, "launcher", "no mpirun in PATH: one process, or srun");
        return;
    }
    bool is_same = (strstr(line, "Open MPI") != NULL) == is_open && number &&
                   strncmp(number, found, strlen(found)) == 0;
    line[strcspn(line, "\n")] = 0;
    if (is_same) {
        dama_finding_good(findings, "launcher", "mpirun is that of %s", built);
    } else {
        dama_finding_bad(findings, "launcher", "dama is built with %s, mpirun says '%.80s'", built,
                         line);
        cure_launcher(findings, is_open);
    }
}

static void check_files(struct dama_findings *findings)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= FILES_LEAST) {
        dama_finding_good(findings, "files", "enough open files are allowed");
        return;
    }
    dama_finding_bad(findings, "files", "at most %llu open files, expected %d",
                     (unsigned long long)limit.rlim_cur, FILES_LEAST);
    /* Above the hard limit only root may go. */
    if (limit.rlim_max >= FILES_LEAST) {
        dama_finding_cure(findings, "ulimit -n %d", FILES_LEAST);
    } else {
        dama_finding_cure(findings, "%sprlimit --pid $$ --nofile=%d:%d", dama_doctor_sudo(),
                          FILES_LEAST, FILES_LEAST);
    }
}

void dama_doctor_machine(struct dama_findings *findings)
{
    check_hdf5(findings);
    check_launcher(findings);
    check_files(findings);
}
