#!/usr/bin/env bash
# Fifty kills at random moments, of a rank, of rank 0, of mpirun, of everything: the files are those of a clean run.
# usage: kills.sh DAMA
DAMA=$1
. "$(dirname "$0")/common.sh"

kills=50
blocks=100
options=(--variant american --threads 1 --set games=400 --set block_games=4 --set nodes=1200 --set table_kb=64)

# The processes of the job that are left.
alive() { # SESSION
    pgrep -s "$1" -r R,S,D >/dev/null
}

# How many shards are there.
finished() {
    find "$work/killed" -name '*.h5' | wc -l
}

# victims NUMBER MPIRUN: whom this kill hits.
victims() {
    local ranks
    mapfile -t ranks < <(pgrep -P "$2" || true)
    case $(($1 % 4)) in
    0) echo "${ranks[0]:-}" ;;
    1) echo "${ranks[$((1 + RANDOM % 2))]:-}" ;;
    2) echo "$2" ;;
    3) pgrep -s "$2" ;;
    esac
}

"$DAMA" selfplay "${options[@]}" --threads 2 --out "$work/whole" >/dev/null 2>&1
mkdir "$work/killed"
RANDOM=50
met=0
hung=0
stored=0 # blocks that a killed run left, over all its kills
for kill in $(seq $kills); do
    setsid mpirun -np 3 "$DAMA" selfplay "${options[@]}" --out "$work/killed" >"$work/err" 2>&1 &
    job=$!
    before=$(finished)
    # Some kills come while MPI starts, the others when so many blocks more are there.
    wanted=$((before + RANDOM % 3))
    while [ "$(finished)" -lt "$wanted" ] && alive "$job"; do sleep 0.02; done
    sleep "0.$(printf %02d $((RANDOM % 20)))"
    targets=$(victims "$kill" "$job" || true)
    # Before there are ranks there is mpirun.
    targets=${targets:-$job}
    # shellcheck disable=SC2086
    if kill -9 $targets 2>/dev/null; then met=$((met + 1)); fi
    # Nobody goes on alone: without this the next start would find the run locked.
    for _ in $(seq 100); do
        alive "$job" || break
        sleep 0.1
    done
    # An mpirun whose rank dies while MPI starts may wait for ever (Open MPI 4.1); the ranks may not.
    ! pgrep -s "$job" -r R,S,D -x dama >/dev/null || fail "kill $kill: ranks are left: $(pgrep -a -s "$job")"
    if alive "$job"; then
        hung=$((hung + 1))
        kill -9 "$job" || true
    fi
    wait "$job" 2>/dev/null || true
    stored=$((stored + $(finished) - before))
    # On a fast machine a run ends before all kills have come: then the next run.
    if [ "$(finished)" = "$blocks" ]; then
        same_shards "$work/whole" "$work/killed"
        rm -r "$work/killed"
        mkdir "$work/killed"
    fi
done
[ "$met" -ge 40 ] || fail "only $met of $kills kills met a process"
echo "after $met kills ($hung launchers hung): $stored blocks stored"
[ "$stored" -ge 25 ] || fail "the kills left too little for a test"
[ "$(finished)" = 0 ] || expect 0 "$DAMA" verify "$work/killed"
expect 0 "$DAMA" selfplay "${options[@]}" --threads 2 --out "$work/killed"
same_shards "$work/whole" "$work/killed"
