#!/usr/bin/env bash
# Self-play over three hosts: the files of one process whatever host is slow, cut off or killed. usage: DAMA=dama hosts.sh
. "$(dirname "$0")/../mpi/common.sh"
lab=$(cd "$(dirname "$0")" && pwd)/lab
# The hosts talk over TCP: nothing of the tests on one machine alone.
unset OMPI_MCA_btl OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_hwloc_base_binding_policy

readonly games=160 block_games=4 blocks=40
# A host that does not answer is given up well within this; a bound against hanging, not a measure.
readonly end_s=120

DAMA_LAB=$("$lab" start 3)
export DAMA_LAB
trap '"$lab" stop; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

small=(--variant american --threads 1 --set "games=$games" --set "block_games=$block_games" --set nodes=6000
    --set table_kb=64 --set random_plies=6)

# play OUT: in the background, as $launcher.
play() {
    "$lab" run "$DAMA" selfplay --out "$1" "${small[@]}" >"$work/out" 2>"$work/err" &
    launcher=$!
}

count_shards() {
    find "$1/shards" -name '*.h5' 2>/dev/null | wc -l
}

# Until the run has so many shards, and is still playing.
wait_for_shards() {
    until [ "$(count_shards "$1")" -ge "$2" ]; do
        kill -0 "$launcher" 2>/dev/null || fail "the run ended early: $(cat "$work/err")"
        sleep 0.02
    done
    [ "$(count_shards "$1")" -lt $blocks ] || fail "the run is over before its fault: $2 of $blocks shards wanted"
}

lab_processes() {
    local host
    for host in $("$lab" hosts); do
        ip netns pids "$host"
    done
}

# The run is over, by itself and everywhere: $status, and no process on any host.
wait_for_end() {
    local until=$((SECONDS + end_s))
    while kill -0 "$launcher" 2>/dev/null || [ -n "$(lab_processes)" ]; do
        [ $SECONDS -lt $until ] || fail "$1: not over after $end_s s: $(cat "$work/err"; ps -fp "$(lab_processes | paste -sd,)")"
        sleep 0.1
    done
    status=0
    wait "$launcher" || status=$?
}

# The same command ends the work, and the files are those of one process.
goes_on_to_the_same_bytes() {
    expect 0 "$DAMA" verify "$1"
    play "$1"
    wait_for_end "$2, resumed"
    [ "$status" = 0 ] || fail "$2: the resumed run ended with $status: $(cat "$work/err")"
    same_shards "$work/alone" "$1"
}

# Blocks that a rank has played, by the log of rank 0.
blocks_of() {
    grep -c "\"text\":\"block [0-9]* job [0-9]* rank $2 " "$1/log.jsonl" || true
}

three_hosts_write_the_shards_of_one_process() {
    expect 0 "$DAMA" selfplay --out "$work/alone" "${small[@]}"
    play "$work/three"
    wait_for_end "three hosts"
    [ "$status" = 0 ] || fail "exit status $status: $(cat "$work/err")"
    same_shards "$work/alone" "$work/three"
    local rank
    for rank in 0 1 2; do
        [ "$(blocks_of "$work/three" $rank)" -gt 0 ] || fail "rank $rank has played nothing: is it on a host of its own?"
    done
    "$lab" run hostname | sort | diff - <("$lab" hosts) || fail "not one rank a host"
}

a_slow_host_plays_fewer_blocks() {
    play "$work/slow"
    "$lab" slow 2 8
    wait_for_end "a slow host"
    "$lab" slow 2 1
    [ "$status" = 0 ] || fail "exit status $status: $(cat "$work/err")"
    same_shards "$work/alone" "$work/slow"
    local slow others
    slow=$(blocks_of "$work/slow" 1)
    others=$(($(blocks_of "$work/slow" 0) + $(blocks_of "$work/slow" 2)))
    [ $((slow + others)) = $blocks ] || fail "$slow and $others blocks are not $blocks"
    # An eighth of the speed is 2.4 of 40 blocks, an even share 13.3.
    [ $((slow * 4)) -lt $others ] || fail "the slow host has $slow blocks, the other two $others"
    expect 0 "$DAMA" status "$work/slow"
    grep '^slow ' "$work/out" | diff <(echo "slow       rank 1 on $("$lab" hosts | sed -n 2p):" \
        "less than half of the median rank's games a thread lately") - || fail "status does not name the slow host alone"
}

a_cut_host_ends_the_run_with_a_message() {
    play "$work/cut"
    wait_for_shards "$work/cut" 6
    "$lab" cut 3
    wait_for_end "a cut host"
    "$lab" heal 3
    [ "$status" != 0 ] || fail "a run without one of its hosts claims success"
    grep -q 'lost communication with a remote daemon' "$work/err" || fail "no word about the host: $(cat "$work/err")"
    goes_on_to_the_same_bytes "$work/cut" "a cut host"
}

kills_anywhere_lose_no_block() {
    local fault
    for fault in "rank 2" "rank 0" "host 2" launcher all; do
        local out="$work/kill-${fault/ /-}"
        play "$out"
        wait_for_shards "$out" 3
        # shellcheck disable=SC2086
        "$lab" kill $fault
        wait_for_end "kill $fault"
        [ "$status" != 0 ] || fail "kill $fault: the run claims success"
        goes_on_to_the_same_bytes "$out" "kill $fault"
    done
}

a_lab_leaves_nothing_behind() {
    play "$work/left"
    wait_for_shards "$work/left" 1
    "$lab" slow 1 2
    local throttle
    throttle=$(cat "${TMPDIR:-/tmp}/$DAMA_LAB/slow-1")
    "$lab" stop
    wait "$launcher" || true
    # What is dead but not yet taken note of by its parent is gone.
    [[ $(ps -o stat= -p "$throttle") =~ ^(Z.*)?$ ]] || fail "what slows a host down is left: $(ps -fp "$throttle")"
    [ -z "$(ip netns list | grep "^$DAMA_LAB-")" ] || fail "namespaces are left: $(ip netns list)"
    [ ! -e "${TMPDIR:-/tmp}/$DAMA_LAB" ] || fail "the lab's folder is left"
    [ -z "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name "ompi.$DAMA_LAB*")" ] || fail "session folders are left"
    local pid
    for pid in $(pgrep -f "$work|$DAMA_LAB"); do
        [ "$pid" = $$ ] || [ ! -d "/proc/$pid" ] || fail "a process is left: $(ps -fp "$pid")"
    done
    "$lab" stop
}

for test in three_hosts_write_the_shards_of_one_process a_slow_host_plays_fewer_blocks \
    a_cut_host_ends_the_run_with_a_message kills_anywhere_lose_no_block a_lab_leaves_nothing_behind; do
    echo "$test"
    "$test"
done
