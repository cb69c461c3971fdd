# What the job scripts share: find dama, run it on the job's tasks, put the job back when its time is short. Sourced.
#
# Environment, all of it optional:
#   DAMA=PATH          the program; else the `dama` of PATH
#   DAMA_MODULES=LIST  environment modules to load first, as in "gcc openmpi hdf5"
#   DAMA_MPIRUN=TEXT   the launcher; default "mpirun --bind-to none", which works inside every sbatch. "srun --mpi=pmix"
#                      where the site has it
# shellcheck shell=bash
set -euo pipefail

say() {
    echo "$(date '+%F %T') job ${SLURM_JOB_ID:-}: $*" >&2
}

# A batch script has the function `module` only when its shell or sbatch brought it; else the site's own file defines it.
load_modules() {
    local file
    for file in "${LMOD_PKG:-/usr/share/lmod/lmod}/init/bash" "${MODULESHOME:-/usr/share/modules}/init/bash" \
        /etc/profile.d/lmod.sh /etc/profile.d/modules.sh; do
        ! declare -F module >/dev/null || break
        # shellcheck disable=SC1090
        [ ! -f "$file" ] || . "$file"
    done
    declare -F module >/dev/null || {
        say "expected the command module for DAMA_MODULES='$*', found none: submit from a shell that has it"
        exit 2
    }
    module load "$@" || {
        say "cannot load the modules '$*': module avail lists those that are here"
        exit 2
    }
}

if [ -n "${DAMA_MODULES:-}" ]; then
    # What sites write is not made for these.
    set +eu
    # shellcheck disable=SC2086
    load_modules $DAMA_MODULES
    set -eu
fi
DAMA=${DAMA:-$(command -v dama || true)}
if [ ! -x "$DAMA" ]; then
    say "expected the program dama in PATH or as DAMA=/path/to/dama, found '${DAMA:-nothing}'"
    exit 2
fi

# Steps do not inherit --cpus-per-task since Slurm 22.05.
export SRUN_CPUS_PER_TASK=${SLURM_CPUS_PER_TASK:-1}
# A node that does not answer ends the job after two minutes (Open MPI's own bound is eight).
export OMPI_MCA_oob_tcp_keepalive_time=60 OMPI_MCA_oob_tcp_keepalive_intvl=10 \
    OMPI_MCA_oob_tcp_keepalive_probes=6
# The same for Open MPI 5.
export PRTE_MCA_oob_tcp_keepalive_time=60 PRTE_MCA_oob_tcp_keepalive_intvl=10 \
    PRTE_MCA_oob_tcp_keepalive_probes=6

# usage NEEDED GIVEN TEXT: ends the job with a line when arguments are missing.
usage() {
    [ "$2" -ge "$1" ] || {
        say "usage: sbatch $3"
        exit 2
    }
}

# Asks for a stop until the program is over: a signal that comes while the launcher is still starting ranks is lost, or
# ends an mpirun that waits for its daemons with an error of its own, so that the first one waits for that.
readonly launch_s=5
ask_for_stop() {
    while [ $((SECONDS - launched)) -lt $launch_s ]; do
        sleep 1
    done
    while kill -USR1 "$1" 2>/dev/null; do
        sleep 5
    done
}

# Runs the program on all tasks: $status. USR1 comes before the time limit, TERM with scancel and preemption; either
# becomes USR1 for the launcher, which hands it to every rank, and the ranks stop with status 75.
run_on_all_tasks() {
    local child launcher=${DAMA_MPIRUN:-mpirun --bind-to none -np ${SLURM_NTASKS:-1}}
    [ "${SLURM_NTASKS:-1}" != 1 ] || launcher=
    is_cancelled=no
    # shellcheck disable=SC2086
    $launcher "$DAMA" "$@" --threads "$SRUN_CPUS_PER_TASK" &
    child=$!
    launched=$SECONDS
    trap 'say "its time limit is near: the program is asked to stop"; ask_for_stop $child &' USR1
    trap 'is_cancelled=yes; say "cancelled or preempted: the program is asked to stop"; ask_for_stop $child &' TERM
    # A trap ends `wait` early; the status of the program is what the last one gives.
    while kill -0 "$child" 2>/dev/null; do
        wait "$child" || true
    done
    status=0
    wait "$child" || status=$?
}

# Puts this job, or this task of an array, back into the queue: the same script starts again and goes on.
requeue() {
    local job=$SLURM_JOB_ID
    [ -z "${SLURM_ARRAY_TASK_ID:-}" ] || job=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
    say "stopped before its time limit, goes back into the queue"
    scontrol requeue "$job" || say "cannot be requeued here: submit the same command again, it goes on"
}

# Ends the job with what run_on_all_tasks has left; work that its time has cut short goes back into the queue.
end_job() {
    # 138: the signal came before the program listened.
    if [ $is_cancelled = no ] && { [ $status = 75 ] || [ $status = 138 ]; }; then
        requeue
    fi
    exit $status
}

# Every verb stores its work as it goes, so that the next start goes on.
run_until_done() {
    run_on_all_tasks "$@"
    end_job
}
