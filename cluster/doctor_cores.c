/* Checks of the cores that this process may use: binding, quota, threads. */
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cluster/comm.h"
#include "cluster/doctor.h"

enum { PATH_SIZE = 1024 };

/* A control of the groups that this process is in, in either version of them. */
struct control {
    const char *controller; /* version 1: the folder of the hierarchy */
    const char *file_1, *file_2;
};

static int online_cores(void)
{
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

static int allowed_cores(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : online_cores();
}

/* A positive number of the environment, or 0. */
static int environment_number(const char *name)
{
    const char *text = getenv(name);
    return text ? atoi(text) : 0;
}

/* The group of this process in the hierarchy of the controller, or in that of version 2 (""). */
static bool find_group(const char *controller, char out[PATH_SIZE])
{
    FILE *file = fopen("/proc/self/cgroup", "re");
    char line[PATH_SIZE];
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file)) {
        char names[PATH_SIZE] = "";
        char *path = strchr(line, '/');
        line[strcspn(line, "\n")] = 0;
        if (path && (sscanf(line, "%*d:%1000[^:]:", names) == 1 || !*controller)) {
            bool is_named = false;
            for (char *name = strtok(names, ","); name; name = strtok(NULL, ",")) {
                is_named = is_named || strcmp(name, controller) == 0;
            }
            found = is_named || (!*controller && strncmp(line, "0::", 3) == 0);
            snprintf(out, PATH_SIZE, "%s", path);
        }
    }
    if (file) {
        fclose(file);
    }
    return found;
}

/* Calls `read` for the control file of the process's group and of all above it. A container sees
   its own group as the root, whatever the path says. */
static void visit_groups(const struct control *control,
                         void (*read)(FILE *file, const char *folder, void *context), void *context)
{
    for (int version = 1; version <= 2; version++) {
        char group[PATH_SIZE];
        const char *controller = version == 1 ? control->controller : "";
        bool is_below = find_group(controller, group);
        while (is_below) {
            char folder[2 * PATH_SIZE];
            char path[3 * PATH_SIZE];
            char *slash = strrchr(group, '/');
            snprintf(folder, sizeof folder, "/sys/fs/cgroup%s%s%s", *controller ? "/" : "",
                     controller, strcmp(group, "/") ? group : "");
            snprintf(path, sizeof path, "%s/%s", folder,
                     version == 1 ? control->file_1 : control->file_2);
            FILE *file = fopen(path, "re");
            if (file) {
                read(file, folder, context);
                fclose(file);
            }
            is_below = slash && slash[slash == group] != 0;
            if (is_below) {
                slash[slash == group] = 0;
            }
        }
    }
}

/* "0-3,8" is five. */
static void count_cores(FILE *file, const char *folder, void *context)
{
    int *least = context;
    int low, high, count = 0;
    char sign = ',';
    (void)folder;
    while (sign == ',' && fscanf(file, "%d", &low) == 1) {
        high = low;
        if (fscanf(file, "%c", &sign) == 1 && sign == '-' && fscanf(file, "%d", &high) == 1) {
            sign = (char)fgetc(file);
        }
        count += high - low + 1;
    }
    *least = count > 0 && count < *least ? count : *least;
}

/* The cores that the job or container has here: binding can give no more of them. */
static int granted_cores(void)
{
    static const struct control control = {"cpuset", "cpuset.effective_cpus",
                                           "cpuset.cpus.effective"};
    int granted = online_cores();
    int slurm = environment_number("SLURM_CPUS_ON_NODE");
    visit_groups(&control, count_cores, &granted);
    return slurm > 0 && slurm < granted ? slurm : granted;
}

/* What lets every process of the next start use all cores, by who has bound this one. */
static void cure_binding(struct dama_findings *findings)
{
    bool is_open = strncmp(dama_comm_version(), "Open MPI", 8) == 0;
    if (getenv("OMPI_COMM_WORLD_RANK")) {
        dama_finding_cure(findings, "export OMPI_MCA_hwloc_base_binding_policy=none "
                                    "PRTE_MCA_hwloc_default_binding_policy=none");
    } else if (getenv("SLURM_PROCID") && getenv("SLURM_CPU_BIND")) {
        dama_finding_cure(findings, "export SLURM_CPU_BIND=none");
    } else if (getenv("PMI_RANK") && !is_open) {
        dama_finding_cure(findings, "mpirun -bind-to none ...");
    } else {
        dama_finding_cure(findings, "taskset -cp 0-%d $$", online_cores() - 1);
    }
}

/* Ranks that are bound to their share leave no core idle together. */
static void check_binding(struct dama_findings *findings, const struct dama_neighbours *neighbours)
{
    int allowed = allowed_cores();
    int granted = granted_cores();
    if (neighbours->cores < granted && neighbours->ranks == 1) {
        dama_finding_bad(findings, "binding", "this process may use %d of %d cores", allowed,
                         granted);
        cure_binding(findings);
    } else if (neighbours->cores < granted) {
        dama_finding_bad(findings, "binding", "%d ranks here may together use %d of %d cores",
                         neighbours->ranks, neighbours->cores, granted);
        cure_binding(findings);
    } else if (allowed < granted) {
        dama_finding_good(findings, "binding", "%d of %d cores, all used by %d ranks", allowed,
                          granted, neighbours->ranks);
    } else {
        dama_finding_good(findings, "binding", "all %d cores may be used", allowed);
    }
}

/* The least time, in cores, that a group and those above it have; and which one. */
struct quota {
    double cores;
    bool is_old; /* version 1 of the groups */
    char folder[PATH_SIZE];
};

static void read_quota(FILE *file, const char *folder, void *context)
{
    struct quota *least = context;
    double quota = 0;
    double period = 0;
    int found = fscanf(file, "%lf %lf", &quota, &period);
    bool is_old = found == 1;
    if (is_old) {
        char path[2 * PATH_SIZE];
        snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
        FILE *second = fopen(path, "re");
        found += second && fscanf(second, "%lf", &period) == 1;
        if (second) {
            fclose(second);
        }
    }
    if (found == 2 && quota > 0 && period > 0 && quota / period < least->cores) {
        least->cores = quota / period;
        least->is_old = is_old;
        snprintf(least->folder, sizeof least->folder, "%s", folder);
    }
}

/* A share of the time is seen by no core count. Only who has given it can give more. */
static void check_quota(struct dama_findings *findings)
{
    static const struct control control = {"cpu", "cpu.cfs_quota_us", "cpu.max"};
    int cores = granted_cores();
    struct quota quota = {.cores = cores};
    visit_groups(&control, read_quota, &quota);
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    if (quota.cores >= cores - 0.5) {
        dama_finding_good(findings, "quota", "no limit on the time of cores");
        return;
    }
    dama_finding_bad(findings, "quota", "the time of %.1f cores is given, the machine has %d",
                     quota.cores, cores);
    /* The group that a container sees as the root is its whole container's. */
    bool is_root =
        strcmp(quota.folder, quota.is_old ? "/sys/fs/cgroup/cpu" : "/sys/fs/cgroup") == 0;
    if (is_root && access("/.dockerenv", F_OK) == 0) {
        dama_finding_cure(findings, "docker update --cpus=%d %s", cores, host);
    } else {
        dama_finding_cure(findings, "echo %s | %stee %s/%s", quota.is_old ? "-1" : "max",
                          dama_doctor_sudo(), quota.folder,
                          quota.is_old ? "cpu.cfs_quota_us" : "cpu.max");
    }
}

static void check_threads(struct dama_findings *findings, const struct dama_neighbours *neighbours)
{
    int limit = environment_number("OMP_THREAD_LIMIT");
    int slurm = environment_number("SLURM_CPUS_PER_TASK");
    int granted = granted_cores();
    int fair = granted / neighbours->ranks > 1 ? granted / neighbours->ranks : 1;
    int online = online_cores();
    /* One thread more than play: it shares and stores the blocks. */
    if (limit > 0 && limit < fair + 1) {
        dama_finding_bad(findings, "threads", "OMP_THREAD_LIMIT=%d, %d playing threads need %d",
                         limit, fair, fair + 1);
        dama_finding_cure(findings, "unset OMP_THREAD_LIMIT");
    } else if (slurm == 1 && online > 1 && environment_number("SLURM_NTASKS_PER_NODE") < online) {
        dama_finding_bad(findings, "threads", "Slurm gives a task 1 core, the machine has %d",
                         online);
        dama_finding_cure(findings, "sbatch --ntasks-per-node=1 --cpus-per-task=%d ...", online);
    } else {
        int allowed = allowed_cores();
        dama_finding_good(findings, "threads", "%d playing threads",
                          allowed < online ? allowed : dama_comm_threads(0));
    }
}

void dama_doctor_cores(struct dama_findings *findings, const struct dama_neighbours *neighbours)
{
    check_binding(findings, neighbours);
    check_quota(findings);
    check_threads(findings, neighbours);
}
