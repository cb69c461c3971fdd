#!/usr/bin/env bash
# The job scripts of cluster/slurm on a real Slurm of two hosts: the results of this machine alone. usage: DAMA=dama jobs.sh
. "$(dirname "$0")/../mpi/common.sh"
here=$(cd "$(dirname "$0")" && pwd)
scripts=$here/../../cluster/slurm
unset OMPI_MCA_btl OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_hwloc_base_binding_policy
export DAMA

# A bound against hanging, not a measure.
readonly job_s=120

DAMA_LAB=$("$here/slurm" start)
export DAMA_LAB
trap '"$here/slurm" stop; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

games=(--set games=96 --set block_games=4 --set nodes=400 --set table_kb=64 --set random_plies=6)
two_nodes=(--nodes=2 --ntasks-per-node=1 --cpus-per-task=1)

slurm() {
    (cd "$work" && "$here/slurm" run "$@")
}

# submit OPTION... SCRIPT ARGUMENT...: $job.
submit() {
    job=$(slurm sbatch --parsable "$@")
}

# A field of the job's record, as in `field Restarts`.
field() {
    slurm scontrol show job -o "$job" | sed -n "s/.* $1=\([^ ]*\).*/\1/p;T;q"
}

story() {
    slurm scontrol show job -o "$job"
    cat "$work"/dama-*"$job"*.out
}

# wait_until TEXT COMMAND...
wait_until() {
    local what=$1 until=$((SECONDS + job_s))
    shift
    until "$@"; do
        [ $SECONDS -lt $until ] || fail "$what: not after $job_s s: $(story)"
        sleep 0.2
    done
}

has_shards() {
    [ "$(find "$1" -name '*.h5' 2>/dev/null | wc -l)" -ge "$2" ]
}

is_over() {
    case $(field JobState) in PENDING | RUNNING | COMPLETING | REQUEUED | CONFIGURING) return 1 ;; esac
}

was_requeued() {
    [ "$(field Restarts)" -ge 1 ]
}

done_well() {
    wait_until "$1" is_over
    [ "$(field JobState)" = COMPLETED ] || fail "$1: $(story)"
}

# What runs now is too slow to be done before its fault, however fast the machine is.
slow_down() {
    "$here/lab" slow 1 "$1"
    "$here/lab" slow 2 "$1"
}

a_training_goes_on_after_its_time_limit() {
    local -a training=("${games[@]}" --set generations=1 --set match_pairs=6 --set match_nodes=40 --set ridge=4
        --set nodes=2000)
    expect 0 "$DAMA" train russian --out "$work/alone/russian" --threads 1 "${training[@]}"
    slow_down 30
    submit --time=1 --signal=B:USR1@55 "${two_nodes[@]}" "$scripts/train.sbatch" russian "${training[@]}"
    wait_until "the time limit" was_requeued
    slow_down 1
    ! has_shards "$work/runs/russian" 24 || fail "the training was done before its time limit"
    done_well "a training of several jobs"
    grep -q 'stopped before its time limit' "$work"/dama-train-*.out || fail "no word of the stop: $(story)"
    diff <(cd "$work/alone/russian" && sha256sum gen-000/shards/* gen-000/weights.dama gen-000/match.json) \
        <(cd "$work/runs/russian" && sha256sum gen-000/shards/* gen-000/weights.dama gen-000/match.json) ||
        fail "another result than on one machine"
}

a_preempted_job_goes_on() {
    expect 0 "$DAMA" selfplay --variant american --out "$work/alone/american" --threads 2 "${games[@]}"
    slow_down 8
    submit "${two_nodes[@]}" --time=5 "$scripts/selfplay.sbatch" american "${games[@]}"
    wait_until "the first shards" has_shards "$work/runs/american" 2
    slurm sbatch --parsable --partition=urgent --exclusive --nodes=2 --output=/dev/null --wrap 'sleep 1' >/dev/null
    wait_until "preemption" was_requeued
    slow_down 1
    ! has_shards "$work/runs/american" 24 || fail "self-play was done before it was preempted"
    done_well "a preempted job"
    same_shards "$work/alone/american" "$work/runs/american"
}

a_cancelled_job_leaves_a_run_that_goes_on() {
    slow_down 8
    RUN=runs/cancelled submit "${two_nodes[@]}" --time=5 "$scripts/selfplay.sbatch" american "${games[@]}"
    wait_until "the first shards" has_shards "$work/runs/cancelled" 2
    slurm scancel "$job"
    wait_until "the end of a cancelled job" is_over
    slow_down 1
    [ "$(field JobState) $(field Restarts)" = "CANCELLED 0" ] || fail "a cancelled job came back: $(story)"
    ! has_shards "$work/runs/cancelled" 24 || fail "self-play was done before it was cancelled"
    expect 0 "$DAMA" verify "$work/runs/cancelled"
    RUN=runs/cancelled submit "${two_nodes[@]}" --time=5 "$scripts/selfplay.sbatch" american "${games[@]}"
    done_well "a job submitted again"
    same_shards "$work/alone/american" "$work/runs/cancelled"
}

an_array_plays_one_run_a_seed() {
    local seed
    submit --array=1-3 --cpus-per-task=1 --time=5 "$scripts/selfplay-array.sbatch" italian "${games[@]}" --set nodes=40
    for seed in 1 2 3; do
        expect 0 "$DAMA" selfplay --variant italian --out "$work/alone/italian/seed-$seed" --threads 1 "${games[@]}" \
            --set nodes=40 --set "seed=$seed"
    done
    done_well "an array"
    for seed in 1 2 3; do
        wait_until "seed $seed" has_shards "$work/runs/italian/seed-$seed" 24
        same_shards "$work/alone/italian/seed-$seed" "$work/runs/italian/seed-$seed"
    done
}

a_fit_and_a_match_run_as_jobs() {
    expect 0 "$DAMA" tune "$work/alone/italian" --out "$work/alone/italian.dama" --threads 1
    submit "${two_nodes[@]}" --time=5 "$scripts/tune.sbatch" italian.dama runs/italian
    done_well "a fit"
    cmp "$work/alone/italian.dama" "$work/italian.dama" || fail "another table than on one machine"
    local -a match=("$work/italian.dama" material --pairs 6 --nodes 40 --table-kb 64)
    expect 0 "$DAMA" match --variant italian --a "${match[0]}" --b "${match[@]:1}" --threads 1 --json
    submit "${two_nodes[@]}" --time=5 "$scripts/match.sbatch" italian "${match[@]}"
    done_well "a match"
    diff "$work/out" <(grep '^{' "$work/dama-match-$job.out") || fail "another result than on one machine"
}

a_wrong_job_ends_with_a_line() {
    submit "${two_nodes[@]}" --time=5 "$scripts/train.sbatch"
    wait_until "a job without arguments" is_over
    grep -q 'usage: sbatch train.sbatch VARIANT' "$work/dama-train-$job.out" || fail "no usage: $(story)"
    DAMA=$work/none submit "${two_nodes[@]}" --time=5 "$scripts/train.sbatch" russian
    wait_until "a job without a program" is_over
    grep -q "expected the program dama in PATH or as DAMA=/path/to/dama, found '$work/none'" \
        "$work/dama-train-$job.out" || fail "no word of the program: $(story)"
}

for test in a_training_goes_on_after_its_time_limit a_preempted_job_goes_on \
    a_cancelled_job_leaves_a_run_that_goes_on an_array_plays_one_run_a_seed a_fit_and_a_match_run_as_jobs \
    a_wrong_job_ends_with_a_line; do
    echo "$test"
    "$test"
    echo "$SECONDS s"
done
"$here/slurm" stop
[ -z "$(ip netns list | grep "^$DAMA_LAB-")" ] || fail "namespaces are left"
[ -z "$(pgrep -f "$DAMA_LAB")" ] || fail "processes are left: $(pgrep -af "$DAMA_LAB")"
