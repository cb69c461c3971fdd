# Helpers of the shell tests that run `dama` under mpirun. Sourced; needs DAMA, the program's path.
set -euo pipefail
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_WAIT_POLICY=passive
# The tests talk over shared memory on one machine alone.
export OMPI_MCA_btl=self,vader OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
# The last two as Open MPI 5 calls them.
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# on RANKS COMMAND...: without mpirun when RANKS is 1.
on() {
    local ranks=$1
    shift
    if [ "$ranks" = 1 ]; then
        "$@"
    else
        mpirun -np "$ranks" "$@"
    fi
}

# expect STATUS COMMAND...: the exit status is exactly this; output is kept in $work/out and $work/err.
expect() {
    local wanted=$1 got=0
    shift
    "$@" >"$work/out" 2>"$work/err" || got=$?
    [ "$got" = "$wanted" ] || {
        cat "$work/out" "$work/err" >&2
        fail "exit status $got, expected $wanted: $*"
    }
}

# wait_for PID COMMAND...: until the command succeeds or the process is gone; false then.
wait_for() {
    local pid=$1
    shift
    until "$@"; do
        kill -0 "$pid" 2>/dev/null || return 1
        sleep 0.02
    done
}

# The shards of a run, by name and content.
shards() {
    (cd "$1/shards" && sha256sum -- *.h5)
}

same_shards() {
    diff <(shards "$1") <(shards "$2") || fail "the shards of $1 and $2 differ"
}
