#!/usr/bin/env bash
# Faults of the system under a run: nothing finished is lost, nothing wrong is accepted, each failure names itself.
# usage: faults.sh DAMA SHIM; it has a mount space of its own, so that nothing is left behind.
if [ -z "${DAMA_UNSHARED:-}" ]; then
    own=$([ "$(id -u)" = 0 ] || echo --map-root-user)
    # shellcheck disable=SC2086
    DAMA_UNSHARED=1 exec unshare --mount $own bash "$0" "$@"
fi
DAMA=$1
shim=$2
. "$(dirname "$0")/common.sh"
trap 'umount "$work"/small* 2>/dev/null || true; rm -rf "$work"' EXIT

small=(--set games=48 --set block_games=4 --set nodes=100 --set table_kb=64)

# selfplay RANKS THREADS OUT [OPTION...]
selfplay() {
    local ranks=$1 threads=$2 out=$3
    shift 3
    on "$ranks" "$DAMA" selfplay --variant american --out "$out" --threads "$threads" "${small[@]}" "$@"
}

# told TEXT: the last command's one error line has it.
told() {
    grep '^dama: ' "$work/err" | grep -- "$1" >/dev/null || fail "expected '$1', found: $(cat "$work/err")"
}

# What is there is whole, no half-written file is left, and the same command makes it complete.
goes_on() {
    [ -z "$(find "$1" -name '*.h5.part')" ] || fail "$1: half-written shards are left"
    expect 0 "$DAMA" verify "$1"
    expect 0 selfplay 1 2 "$1"
    same_shards "$work/whole" "$1"
}

full_disk() {
    local ranks
    for ranks in 1 2; do
        mkdir "$work/small$ranks"
        mount -t tmpfs -o size=100k none "$work/small$ranks"
        expect 1 selfplay "$ranks" 1 "$work/small$ranks/run"
        told 'american-0000[0-9]*.h5.*No space left on device'
        [ -n "$(ls "$work/small$ranks/run/shards")" ] || fail "the disk was full before the first shard"
        mount -o remount,size=10m "$work/small$ranks"
        goes_on "$work/small$ranks/run"
    done
}

# HDF5 itself writes the one file of an export: at any size of the disk it ends with a word about it.
full_disk_under_an_export() {
    local size
    mkdir "$work/small-export"
    for size in 4 12 28 44; do
        mount -t tmpfs -o "size=${size}k" none "$work/small-export"
        expect 1 "$DAMA" export "$work/whole" --hdf5 "$work/small-export/all.h5"
        told 'small-export/all.h5.part: HDF5 cannot .*: No space left on device$'
        [ "$(wc -l <"$work/err")" = 1 ] || fail "more than one line: $(cat "$work/err")"
        [ -z "$(ls "$work/small-export")" ] || fail "left: $(ls "$work/small-export")"
        mount -o remount,size=10m "$work/small-export"
        expect 0 "$DAMA" export "$work/whole" --hdf5 "$work/small-export/all.h5"
        umount "$work/small-export"
    done
}

read_only_disk() {
    mount -o remount,ro "$work/small1"
    expect 1 selfplay 1 1 "$work/small1/run" --set games=52
    told 'Read-only file system'
    expect 1 selfplay 2 1 "$work/small1/other"
    told 'Read-only file system'
    expect 0 "$DAMA" verify "$work/small1/run"
    expect 0 "$DAMA" status "$work/small1/run"
    mount -o remount,rw "$work/small1"
}

permission_denied() {
    mkdir "$work/closed"
    chmod a-w "$work/closed"
    # Root too is refused without this right.
    expect 1 setpriv --bounding-set=-dac_override --inh-caps=-dac_override \
        "$DAMA" selfplay --variant american --out "$work/closed/run" "${small[@]}"
    told "$work/closed/run: .*Permission denied"
}

quota_in_mid_shard() {
    local ranks
    for ranks in 1 2; do
        DAMA_FAULT=quota DAMA_FAULT_BYTES=5000 LD_PRELOAD=$shim expect 1 selfplay "$ranks" 1 "$work/quota$ranks"
        told 'american-0000[0-9]*.h5.*Disk quota exceeded'
        goes_on "$work/quota$ranks"
    done
}

vanished_folder() {
    selfplay 1 2 "$work/vanishing" --set games=100000 >/dev/null 2>"$work/err" &
    local pid=$! status=0
    until [ -e "$work/vanishing/shards/american-000001.h5" ]; do sleep 0.05; done
    mv "$work/vanishing/shards" "$work/elsewhere"
    wait "$pid" || status=$?
    [ "$status" = 1 ] || fail "a run whose folder vanished ended with $status, expected 1"
    told 'vanishing/shards/american-.*No such file or directory'
    mv "$work/elsewhere" "$work/vanishing/shards"
    expect 0 "$DAMA" verify "$work/vanishing"
}

# The clock of the day counts for nothing but time stamps.
clock_that_jumps() {
    DAMA_FAULT=clock LD_PRELOAD=$shim expect 0 selfplay 2 1 "$work/clock"
    same_shards "$work/whole" "$work/clock"
    expect 0 "$DAMA" status "$work/clock" --json
    python3 - "$work/out" <<'PY' || fail "status after a jump: $(cat "$work/out")"
import json, sys
s = json.load(open(sys.argv[1]))
assert 0 <= s["elapsed_s"] < 100 and 0 < s["rate"] < 1e6, s
PY
}

# What is printed to a closed stream must not end in a file of the run, and is a failure like a full disk.
streams_that_are_closed() {
    local status
    for streams in '>&-' '>&- 2>&-' '<&- >&- 2>&-' '>/dev/full'; do
        status=0
        rm -rf "$work/closed-stream"
        eval "selfplay 1 1 '$work/closed-stream' $streams" 2>"$work/err" || status=$?
        [ "$status" = 1 ] || fail "$streams: ended with $status, expected 1"
        same_shards "$work/whole" "$work/closed-stream"
        [ "$(wc -l <"$work/closed-stream/lock")" = 1 ] || fail "$streams: output in a file of the run"
    done
    rm -rf "$work/closed-stream"
    selfplay 1 1 "$work/closed-stream" 2>&- >"$work/out"
    same_shards "$work/whole" "$work/closed-stream"
    [ "$(wc -l <"$work/closed-stream/lock")" = 1 ] || fail "messages in a file of the run"
}

# A path is bytes: whatever a folder is called, the run works, its tables are the same, and JSON is JSON.
folders_of_any_name() {
    local name out
    local -a train=(train american --threads 1 --set games=8 --set block_games=4 --set nodes=20 --set table_kb=64
        --set match_pairs=2 --set match_nodes=20 --set generations=1)
    for name in 'plain name' $'new\nline' $'\xff\xfe' 'quote"\' "\$(false)'" '%s%n'; do
        out="$work/names/$name/$name"
        expect 0 "$DAMA" "${train[@]}" --out "$out/"
        expect 0 "$DAMA" "${train[@]}" --out "$out"
        expect 0 "$DAMA" verify "$out" --replay 1
        expect 0 "$DAMA" status "$out" --json
        python3 -c 'import json, sys; json.load(sys.stdin)' <"$work/out" || fail "$name: status: $(cat "$work/out")"
        expect 0 "$DAMA" weights show "$out/gen-000/weights.dama" --json
        python3 -c 'import json, sys; [json.load(open(p, encoding="utf-8")) for p in sys.argv[1:]]' "$work/out" \
            "$out"/gen-000/*.json "$out/status.json" || fail "$name: no JSON"
    done
}

# A folder that rank 0 alone can see: what rank 0 reads for all is enough; what every rank needs is named with its rank.
folders_of_rank_0_alone() {
    local seen="$work/seen"
    mkdir -p "$seen" "$work/nothing"
    cp -r "$work/whole" "$seen/run"
    cp "$work/whole/player.dama" "$seen/table.dama"
    echo 'games = 48' >"$seen/run.conf"
    cat >"$work/rank" <<SH
#!/bin/sh
[ "\$OMPI_COMM_WORLD_RANK" = 1 ] || exec "\$@"
exec unshare --mount sh -c 'mount --bind "$work/nothing" "$seen" && exec "\$@"' sh "\$@"
SH
    chmod +x "$work/rank"
    local -a two=(mpirun -np 2 "$work/rank" "$DAMA")
    expect 0 "${two[@]}" selfplay --variant american --out "$work/two" --threads 1 "${small[@]}" --config "$seen/run.conf" \
        --weights "$seen/table.dama"
    same_shards "$work/whole" "$work/two"
    expect 0 "${two[@]}" rescore "$work/whole" --nodes 10 --out "$work/scores" --threads 1 --weights "$seen/table.dama"
    expect 0 "$DAMA" verify "$work/scores"
    expect 1 "${two[@]}" rescore "$seen/run" --nodes 10 --out "$work/scores-2" --threads 1
    told "^dama: rank 1: $seen/run/run.conf: cannot open: No such file"
    expect 1 "${two[@]}" verify "$seen/run"
    told "^dama: rank 1: $seen/run/run.conf: cannot open: No such file"
    # Another run, or another state of it, where the rank looks.
    cp -r "$work/whole" "$work/nothing/run"
    rm "$work/nothing/run/shards/american-000003.h5"
    expect 1 "${two[@]}" verify "$seen/run"
    told "^dama: rank 1: $seen/run: expected 12 shards as on rank 0, found 11"
    expect 0 "$DAMA" selfplay --variant american --out "$work/nothing/seed/run" --threads 1 "${small[@]}" --set seed=2
    rm -r "$work/nothing/run"
    mv "$work/nothing/seed/run" "$work/nothing"
    expect 1 "${two[@]}" rescore "$seen/run" --nodes 10 --out "$work/scores-2" --threads 1
    told "^dama: rank 1: $seen/run: expected the run that rank 0 has there, found another"
}

# refused_together PATTERN VERB...: rank 1 runs $work/other; PATTERN is what is said of it.
refused_together() {
    local pattern=$1
    shift
    expect 1 timeout 20 mpirun -np 3 "$work/rank" "$@"
    told "the ranks run different programs: rank 0: dama .* features [0-9a-f]*.*; rank 1: dama .*$pattern"
}

other_program_on_a_rank() {
    local verb
    cat >"$work/rank" <<SH
#!/bin/sh
[ "\$OMPI_COMM_WORLD_RANK" = 1 ] && program="$work/other" || program="$DAMA"
exec "\$program" "\$@"
SH
    chmod +x "$work/rank"
    # Another feature list: its hash, wherever the program has it (the shipped tables too), in another first byte.
    python3 - "$DAMA" "$work/other" "$("$DAMA" weights show --json "$1" |
        sed -n 's/.*"features_hash": *"\([0-9a-f]*\)".*/\1/p')" <<'PY'
import sys
program = open(sys.argv[1], "rb").read()
features = bytes.fromhex(sys.argv[3])
assert len(features) == 32 and features in program and features[0] != 0xab
open(sys.argv[2], "wb").write(program.replace(features, b"\xab" + features[1:]))
PY
    chmod +x "$work/other"
    refused_together 'features ab' selfplay --variant american --out "$work/mixed" "${small[@]}"
    # Another build that says the same of itself.
    cp "$DAMA" "$work/other"
    echo >>"$work/other"
    for verb in "selfplay --variant american --out $work/mixed" "train american --out $work/mixed" "verify $work/whole" \
        "tune $work/whole --out $work/mixed.dama" "rescore $work/whole --nodes 10 --out $work/mixed" \
        "match --variant american --a material --b random --nodes 10 --pairs 2 --out $work/mixed" \
        "ladder --variant american --out $work/mixed" "calibrate --variant american" \
        "openings window --variant american"; do
        # shellcheck disable=SC2086
        refused_together 'file [0-9a-f]*:' $verb
    done
    [ ! -e "$work/mixed" ] && [ ! -e "$work/mixed.dama" ] || fail "ranks with different programs began a run"
}

expect 0 selfplay 1 2 "$work/whole"
for test in full_disk full_disk_under_an_export read_only_disk permission_denied quota_in_mid_shard vanished_folder clock_that_jumps\
    streams_that_are_closed folders_of_any_name folders_of_rank_0_alone; do
    echo "$test"
    "$test"
done
echo other_program_on_a_rank
other_program_on_a_rank "$work/whole/player.dama"
