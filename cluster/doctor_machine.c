/* Checks of this process and machine: cores, threads, libraries, open files. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cluster/comm.h"
#include "cluster/doctor.h"
#include "cluster/shard.h"

/* Enough for the sockets of rank 0 with some hundred ranks, and shards one at a time. */
enum { FILES_LEAST = 1024, LINE_SIZE = 512, VERSION_SIZE = 128 };

static int online_cores(void)
{
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

static void check_binding(struct dama_findings *findings)
{
    cpu_set_t set;
    int online = online_cores();
    int allowed = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : online;
    if (allowed < online) {
        dama_finding_bad(findings, "binding",
                         "mpirun --bind-to none ... (srun --cpu-bind=none ..., or no taskset)",
                         "this process may use %d of %d cores", allowed, online);
    } else {
        dama_finding_good(findings, "binding", "all %d cores may be used", online);
    }
}

/* A container's share of time is seen by no core count. */
static void check_quota(struct dama_findings *findings)
{
    FILE *file = fopen("/sys/fs/cgroup/cpu.max", "r");
    double quota = 0;
    double period = 0;
    bool has_quota = file && fscanf(file, "%lf %lf", &quota, &period) == 2 && period > 0;
    if (file) {
        fclose(file);
    }
    if (has_quota && quota / period < online_cores() - 0.5) {
        dama_finding_bad(findings, "quota", "docker run --cpus=N (or the job's --cpus-per-task)",
                         "the container has the time of %.1f cores, the machine has %d",
                         quota / period, online_cores());
    } else {
        dama_finding_good(findings, "quota", "no limit on the time of cores");
    }
}

/* A positive number of the environment, or 0. */
static int environment_number(const char *name)
{
    const char *text = getenv(name);
    return text ? atoi(text) : 0;
}

static void check_threads(struct dama_findings *findings)
{
    int limit = environment_number("OMP_THREAD_LIMIT");
    int slurm = environment_number("SLURM_CPUS_PER_TASK");
    int online = online_cores();
    char cure[64];
    /* One thread more than play: it shares and stores the blocks. */
    if (limit > 0 && limit < online + 1) {
        dama_finding_bad(findings, "threads", "unset OMP_THREAD_LIMIT",
                         "OMP_THREAD_LIMIT=%d, %d playing threads need %d", limit, online,
                         online + 1);
    } else if (slurm == 1 && online > 1 && environment_number("SLURM_NTASKS_PER_NODE") < online) {
        snprintf(cure, sizeof cure, "sbatch --cpus-per-task=%d ...", online);
        dama_finding_bad(findings, "threads", cure, "Slurm gives a task 1 core, the machine has %d",
                         online);
    } else {
        dama_finding_good(findings, "threads", "%d playing threads", dama_comm_threads(0));
    }
}

static void check_hdf5(struct dama_findings *findings)
{
    struct dama_error err = {0};
    if (dama_shard_library_check(&err) == DAMA_OK) {
        dama_finding_good(findings, "hdf5", "HDF5 %s, serial, with deflate",
                          dama_shard_library_version());
    } else {
        dama_finding_bad(findings, "hdf5",
                         "apt-get install libhdf5-dev (or module load a serial hdf5), then cmake "
                         "--fresh and build again",
                         "%s", err.text);
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
        dama_finding_bad(findings, "launcher",
                         is_open ? "mpirun.openmpi ... (or put Open MPI's bin first in PATH)"
                                 : "mpirun.mpich ... (or put MPICH's bin first in PATH)",
                         "dama is built with %s, mpirun says '%.80s'", built, line);
    }
}

static void check_files(struct dama_findings *findings)
{
    struct rlimit limit;
    char cure[64];
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < FILES_LEAST) {
        snprintf(cure, sizeof cure, "ulimit -n %d", FILES_LEAST);
        dama_finding_bad(findings, "files", cure, "at most %llu open files, expected %d",
                         (unsigned long long)limit.rlim_cur, FILES_LEAST);
    } else {
        dama_finding_good(findings, "files", "enough open files are allowed");
    }
}

void dama_doctor_machine(struct dama_findings *findings)
{
    check_binding(findings);
    check_quota(findings);
    check_threads(findings);
    check_hdf5(findings);
    check_launcher(findings);
    check_files(findings);
}
