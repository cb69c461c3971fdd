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

# shellcheck disable=SC2086
[ -z "${DAMA_MODULES:-}" ] || module load $DAMA_MODULES
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

# usage NEEDED GIVEN TEXT: ends the job with a line when arguments are missing.
usage() {
    [ "$2" -ge "$1" ] || {
        say "usage: sbatch $3"
        exit 2
    }
}

# Asks for a stop until the program is over: a signal that comes while the launcher is still starting ranks is lost.
ask_for_stop() {
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
    trap 'ask_for_stop $child &' USR1
    trap 'is_cancelled=yes; ask_for_stop $child &' TERM
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

# A verb whose work is stored as it goes: train, selfplay.
run_until_done() {
    run_on_all_tasks "$@"
    # 138: the signal came before the program listened.
    if [ $is_cancelled = no ] && { [ $status = 75 ] || [ $status = 138 ]; }; then
        requeue
    fi
    exit $status
}

# A verb whose work is one piece: tune, match. Started again it begins again.
run_in_one_go() {
    run_on_all_tasks "$@"
    [ $status != 75 ] || say "not finished in its time; submit it with a longer --time or on more tasks"
    exit $status
}
