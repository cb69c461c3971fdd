#!/usr/bin/env bash
# The job scripts of cluster/slurm on a real Slurm of two hosts: the results of this machine alone. usage: DAMA=dama jobs.sh
. "$(dirname "$0")/../mpi/common.sh"
here=$(cd "$(dirname "$0")" && pwd)
scripts=$here/../../cluster/slurm
unset OMPI_MCA_btl OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_hwloc_base_binding_policy
export DAMA

# A bound against hanging, not a measure.
readonly job_s=120
# Of TABLE.fit without any pass.
readonly header_bytes=48

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

count_shards() {
    find "$1" -name '*.h5' 2>/dev/null | wc -l
}

has_shards() {
    [ "$(count_shards "$1")" -ge "$2" ]
}

# As $state. No answer of Slurm is no end.
is_over() {
    state=$(field JobState)
    case $state in '' | PENDING | RUNNING | COMPLETING | REQUEUED | CONFIGURING) return 1 ;; esac
}

# A job that is done before its fault is an error.
was_requeued() {
    [ "$(field Restarts)" -ge 1 ] || { ! is_over || fail "done before it was stopped: $(story)"; false; }
}

done_well() {
    wait_until "$1" is_over
    [ "$state" = COMPLETED ] || fail "$1: $(story)"
}

# How slow the hosts are while ranks start: at 30, Open MPI sometimes fails to connect them.
readonly slow=4
# And while nothing should be done before its fault, however fast the machine is.
readonly nearly_stopped=40

slow_down() {
    "$here/lab" slow 1 "$1"
    "$here/lab" slow 2 "$1"
}

# A job that takes both hosts at once from those of batch.
urgent_job() {
    slurm sbatch --parsable --partition=urgent --exclusive --nodes=2 --output=/dev/null --wrap 'sleep 3' >/dev/null
}

a_preempted_job_goes_on() {
    expect 0 "$DAMA" selfplay --variant american --out "$work/alone/american" --threads 2 "${games[@]}"
    slow_down $slow
    submit "${two_nodes[@]}" --time=5 "$scripts/selfplay.sbatch" american "${games[@]}"
    wait_until "the first shards" has_shards "$work/runs/american" 2
    slow_down $nearly_stopped
    urgent_job
    wait_until "preemption" was_requeued
    slow_down 1
    ! has_shards "$work/runs/american" 24 || fail "self-play was done before it was preempted"
    done_well "a preempted job"
    same_shards "$work/alone/american" "$work/runs/american"
}

a_cancelled_job_leaves_a_run_that_goes_on() {
    slow_down $slow
    RUN=runs/cancelled submit "${two_nodes[@]}" --time=5 "$scripts/selfplay.sbatch" american "${games[@]}"
    wait_until "the first shards" has_shards "$work/runs/cancelled" 2
    slow_down $nearly_stopped
    slurm scancel "$job"
    wait_until "the end of a cancelled job" is_over
    slow_down 1
    [ "$state" = CANCELLED ] || fail "a cancelled job: $(story)"
    ! has_shards "$work/runs/cancelled" 24 || fail "self-play was done before it was cancelled"
    expect 0 "$DAMA" verify "$work/runs/cancelled"
    RUN=runs/cancelled submit "${two_nodes[@]}" --time=5 "$scripts/selfplay.sbatch" american "${games[@]}"
    done_well "a job submitted again"
    same_shards "$work/alone/american" "$work/runs/cancelled"
}

# srun_launches PLUGIN PROGRAM: it hands the signal to the ranks, and their status back. A signal to the batch script is what
# a time limit sends.
srun_launches() {
    slow_down $slow
    DAMA=$2 DAMA_MPIRUN="srun --mpi=$1" RUN=runs/$1 submit "${two_nodes[@]}" --time=5 "$scripts/selfplay.sbatch" \
        american "${games[@]}"
    wait_until "the first shards" has_shards "$work/runs/$1" 2
    slow_down $nearly_stopped
    slurm scancel --batch --signal=USR1 "$job"
    wait_until "a requeue" was_requeued
    slow_down 1
    has_said 'stopped before its time limit' || fail "no word of the stop: $(story)"
    done_well "a job by srun"
    same_shards "$work/alone/american" "$work/runs/$1"
    grep -q ' rank 1 games ' "$work/runs/$1/log.jsonl" || fail "one rank has played all: $(story)"
    grep -q ' && srun --mpi=[a-z0-9]* -n 2 .* selfplay ' "$work/runs/$1/log.jsonl" || fail "another command: $(story)"
}

srun_launches_open_mpi_by_pmix() {
    srun_launches pmix "$DAMA"
}

# The program linked anew: only two of its files know of MPI, and these come before the library's own.
srun_launches_mpich_by_pmi2() {
    local top=$here/../.. build archives
    build=$(dirname "$DAMA")/..
    mapfile -t archives < <(find "$build" -name 'libdama*.a')
    # shellcheck disable=SC2046
    mpicc.mpich -std=gnu11 -D_GNU_SOURCE -I "$top" "$build"/cluster/CMakeFiles/dama_program.dir/*.o \
        "$top/cluster/comm.c" "$top/cluster/comm_share.c" -Wl,--start-group "${archives[@]}" -Wl,--end-group \
        $(pkg-config --libs libconfuse jansson nettle hdf5-serial) -lgomp -lm -o "$work/dama-mpich"
    [ -z "$(nm -u "$work/dama-mpich" | grep -i ompi)" ] || fail "Open MPI is linked too"
    srun_launches pmi2 "$work/dama-mpich"
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

a_fit_takes_all_seeds() {
    expect 0 "$DAMA" tune "$work/alone/italian" --out "$work/alone/italian.dama" --threads 1
    submit "${two_nodes[@]}" --time=5 "$scripts/tune.sbatch" italian.dama runs/italian
    done_well "a fit"
    grep -q '^variant italian, 72 shards, 288 games' "$work/dama-tune-$job.out" || fail "not all games: $(story)"
    cmp "$work/alone/italian.dama" "$work/italian.dama" || fail "another table than on one machine"
}

# What a job has stored so far, in bytes.
stored() {
    stat -c %s "$1" 2>/dev/null || echo 0
}

has_grown() {
    [ "$(stored "$1")" -gt "$2" ]
}

has_said() {
    grep -q "$1" "$work"/dama-*-"$job.out" 2>/dev/null
}

# Refused while the job goes back into the queue.
limit_to_a_minute() {
    slurm scontrol update "JobId=$job" TimeLimit=1 2>/dev/null
}

fit_goes_on() {
    grep -q 'the fit goes on behind [0-9]* passes' "$work"/dama-tune-*.out
}

# A job that is done before it has said it is an error.
has_said_in_time() {
    has_said "$1" || { ! is_over || fail "done before '$1': $(story)"; false; }
}

# What the three make, on this machine alone.
make_alone() {
    expect 0 "$DAMA" train russian --out "$work/alone/russian" --threads 2 "${training[@]}"
    expect 0 "$DAMA" tune "$work/runs/many" --out "$work/alone/fit.dama" --threads 2 "${fit[@]}"
    expect 0 "$DAMA" match --variant italian --a "${match[0]}" --b "${match[@]:1}" --threads 2 --json
    mv "$work/out" "$work/alone/match.json"
}

same_results() {
    diff <(cd "$work/alone/russian" && sha256sum gen-000/shards/* gen-000/weights.dama gen-000/match.json) \
        <(cd "$work/runs/russian" && sha256sum gen-000/shards/* gen-000/weights.dama gen-000/match.json) ||
        fail "another training than on one machine"
    cmp "$work/alone/fit.dama" "$work/fit.dama" || fail "another table than on one machine"
    cmp "$work/alone/fit.tune.json" "$work/fit.tune.json" || fail "another account than on one machine"
    diff "$work/alone/match.json" <(grep '^{' "$work"/dama-match-*.out) || fail "another match than on one machine"
}

# Side by side: first a job that goes first stops them, then their time limits do: Slurm looks at them
# twice a minute, and sends its signal up to half a minute early.
a_training_a_fit_and_a_match_go_on_by_themselves() {
    local jobs pairs shards
    # Short steps make more passes over the games than there are readings of them.
    local -a fit=(--step 0.3)
    local -a match=(hand-set material --pairs 120 --nodes 1500 --table-kb 64)
    local -a training=("${games[@]}" --set generations=1 --set match_pairs=6 --set match_nodes=40 --set ridge=4
        --set nodes=10000)
    local -a options=(--time=10 --signal=B:USR1@20 "${two_nodes[@]}")
    expect 0 "$DAMA" selfplay --variant italian --out "$work/runs/many" --threads 2 --set games=8000 \
        --set block_games=100 --set nodes=12 --set table_kb=16
    make_alone
    slow_down $slow
    submit "${options[@]}" "$scripts/train.sbatch" russian "${training[@]}"
    jobs=$job
    submit "${options[@]}" "$scripts/tune.sbatch" fit.dama runs/many "${fit[@]}"
    jobs+=" $job"
    wait_until "a pass of the fit" has_grown "$work/fit.dama.fit" $header_bytes
    RUN=runs/match submit "${options[@]}" "$scripts/match.sbatch" italian "${match[@]}"
    jobs+=" $job"
    wait_until "a pair of the match" has_grown "$work/runs/match/pairs.jsonl" 0
    wait_until "a shard of the training" has_shards "$work/runs/russian" 1
    slow_down $nearly_stopped
    urgent_job
    for job in $jobs; do
        wait_until "preemption" was_requeued
        wait_until "a new time limit" limit_to_a_minute
    done
    # All three start again before they are nearly stopped.
    pairs=$(stored "$work/runs/match/pairs.jsonl")
    shards=$(count_shards "$work/runs/russian")
    slow_down $slow
    wait_until "a fit that goes on" fit_goes_on
    wait_until "one more pair" has_grown "$work/runs/match/pairs.jsonl" "$pairs"
    wait_until "one more shard" has_shards "$work/runs/russian" $((shards + 1))
    slow_down $nearly_stopped
    for job in $jobs; do
        wait_until "the time limit" has_said_in_time 'its time limit is near'
    done
    slow_down $slow
    for job in $jobs; do
        wait_until "the stop" has_said_in_time 'stopped before its time limit'
    done
    slow_down 1
    for job in $jobs; do
        done_well "a job that was stopped twice"
    done
    same_results
}

# What cluster/README.md says, from the installation on: a prefix of one's own, the program found by a module.
a_home_folder_and_modules_are_enough() {
    local home=$work/home/dama
    expect 0 cmake --install "$(dirname "$DAMA")/.." --prefix "$home"
    mkdir "$work/modules"
    printf '#%%Module1.0\nprepend-path PATH %s/bin\n' "$home" >"$work/modules/here"
    local -a training=(american --config "$home/share/dama/runs/small.conf" "${games[@]}" --set nodes=40
        --set generations=1 --set match_pairs=4 --set match_nodes=40)
    export MODULEPATH=$work/modules
    DAMA='' DAMA_MODULES=here RUN=runs/home submit "${two_nodes[@]}" --time=5 "$home/share/dama/slurm/train.sbatch" \
        "${training[@]}"
    done_well "a training from a home folder"
    expect 0 "$home/bin/dama" weights verify "$work/runs/home/gen-000/weights.dama"
    DAMA='' DAMA_MODULES="here none" submit "${two_nodes[@]}" --time=5 "$home/share/dama/slurm/train.sbatch" american
    wait_until "a job without a module" is_over
    has_said "cannot load the modules 'here none'" || fail "no word of the module: $(story)"
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

for test in a_training_a_fit_and_a_match_go_on_by_themselves a_preempted_job_goes_on \
    a_cancelled_job_leaves_a_run_that_goes_on srun_launches_open_mpi_by_pmix srun_launches_mpich_by_pmi2 \
    an_array_plays_one_run_a_seed a_fit_takes_all_seeds a_home_folder_and_modules_are_enough a_wrong_job_ends_with_a_line; do
    echo "$test"
    "$test"
    echo "$SECONDS s"
done
"$here/slurm" stop
[ -z "$(ip netns list | grep "^$DAMA_LAB-")" ] || fail "namespaces are left"
[ -z "$(pgrep -f "$DAMA_LAB")" ] || fail "processes are left: $(pgrep -af "$DAMA_LAB")"
