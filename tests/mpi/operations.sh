#!/usr/bin/env bash
# What people and monitors see of a run: status, status.prom, clean, doctor. usage: operations.sh DAMA SHIM
if [ -z "${DAMA_UNSHARED:-}" ]; then
    own=$([ "$(id -u)" = 0 ] || echo --map-root-user)
    # shellcheck disable=SC2086
    DAMA_UNSHARED=1 exec unshare --mount $own bash "$0" "$@"
fi
DAMA=$1
shim=$2
. "$(dirname "$0")/common.sh"
trap 'umount "$work"/small 2>/dev/null; rm -rf "$work"' EXIT

small=(--variant american --threads 1 --set games=32 --set block_games=4 --set nodes=60 --set table_kb=64)

# out TEXT: a line of the last command's output has it.
out() {
    grep -q -- "$1" "$work/out" || fail "expected '$1', found: $(cat "$work/out")"
}

status_tells_all_of_a_run() {
    expect 0 on 2 "$DAMA" selfplay "${small[@]}" --out "$work/run"
    expect 0 "$DAMA" status "$work/run"
    out '^stage      selfplay, done'
    out '^progress   32 of 32 games (100.0 %), '
    out '^results    white [0-9]*, draw [0-9]*, black [0-9]* (draws [0-9.]* %), duplicates 0'
    out '^ranks      0 on .*: 1 threads, [0-9]* games, '
    out '^           1 on .*: 1 threads, [0-9]* games, '
    out '^disk       [0-9.]* GB free'
    out '^shards     8, games 32, '
    expect 0 "$DAMA" status "$work/run" --json
    python3 - "$work/out" <<'PY' || fail "status --json: $(cat "$work/out")"
import json, sys
s = json.load(open(sys.argv[1]))
assert s["done"] == s["total"] == s["games"] == sum(s["results"].values()) == 32, s
assert sum(r["games"] for r in s["ranks"]) == 32 and len(s["ranks"]) == 2, s
assert s["stored"]["shards"] == s["shards"] == 8 and s["stored"]["bytes"] == s["bytes"], s
assert s["duplicates"] == 0 and s["disk_free"] > 0, s
PY
    # Of a finished run --watch is one look.
    expect 0 timeout 10 "$DAMA" status "$work/run" --watch
    out '^shards     8, games 32, '
}

# Each line is a comment, or a name with labels and a number; each name has its help and its type.
prometheus_file_is_well_formed() {
    python3 - "$work/run/status.prom" <<'PY' || fail "status.prom: $(cat "$work/run/status.prom")"
import re, sys
known, values = set(), {}
for line in open(sys.argv[1]):
    kind = re.fullmatch(r"# (HELP|TYPE) ([a-z_]+) (.+)\n", line)
    if kind:
        known.add((kind[1], kind[2]))
        continue
    name, labels, value = re.fullmatch(r"([a-z_]+)(\{(?:[a-z]+=\"[^\"\\]*\",?)+\}) (-?[0-9.e+-]+)\n", line).groups()
    assert ("HELP", name) in known and ("TYPE", name) in known, name
    assert (name, labels) not in values, line
    values[name, labels] = float(value)
assert values["dama_progress_done", '{stage="selfplay",unit="games"}'] == 32
assert values["dama_running", '{stage="selfplay"}'] == 0
assert sum(v for (n, _), v in values.items() if n == "dama_games") == 32
assert sum(v for (n, _), v in values.items() if n == "dama_rank_games") == 32
PY
}

# A run in progress is watched until it ends; a rank that gets nothing done is named.
watch_names_a_slow_rank() {
    mpirun -np 2 "$DAMA" selfplay "${small[@]}" --set games=100000 --out "$work/slow" >/dev/null 2>&1 &
    local job=$! slow
    until [ "$(ls "$work/slow/shards" 2>/dev/null | wc -l)" -ge 2 ]; do sleep 0.1; done
    slow=$(pgrep -P "$job" | tail -1)
    kill -STOP "$slow"
    "$DAMA" status "$work/slow" --watch >"$work/watched" 2>&1 &
    local watcher=$!
    for _ in $(seq 300); do
        grep -q '^slow       rank 1 on ' "$work/watched" && break
        sleep 0.1
    done
    kill -CONT "$slow"
    kill -USR1 "$job"
    wait "$job" || true
    wait "$watcher"
    grep -q '^slow       rank 1 on .*: less than half of the median' "$work/watched" ||
        fail "the slow rank is not named: $(tail -20 "$work/watched")"
    [ "$(grep -c '^stage      selfplay, stopped' "$work/watched")" = 1 ] ||
        fail "the watch did not see the end: $(tail -20 "$work/watched")"
}

clean_tells_before_it_frees() {
    local -a train=(train russian --out "$work/train" --threads 2 --set games=24 --set block_games=8 --set nodes=20
        --set table_kb=64 --set match_pairs=2 --set match_nodes=20 --set window=2 --set ridge=4)
    expect 0 "$DAMA" "${train[@]}" --set generations=3
    sha256sum "$work"/train/gen-*/weights.dama >"$work/tables"
    touch "$work/train/gen-002/shards/russian-000007.h5.part" "$work/train/status.json.part"
    expect 0 "$DAMA" clean "$work/train"
    out '^half written: 2 files'
    out '^games of gen-000: 3 files, .*: every fit that uses them is done'
    out '^games of gen-001: 3 files, '
    out '^--yes frees these 8 files'
    [ "$(ls "$work"/train/gen-00[01]/shards/*.h5 | wc -l)" = 6 ] || fail "clean freed without --yes"
    expect 0 "$DAMA" clean "$work/train" --yes --json
    grep -q '^{"files":8,"bytes":[0-9]*,"half_written":2,"spent":6,"freed":true}$' "$work/out" || fail "$(cat "$work/out")"
    [ "$(find "$work/train" -name '*.part' -o -name '*.h5' | wc -l)" = 3 ] || fail "clean left something, or freed too much"
    expect 0 "$DAMA" clean "$work/train"
    out '^nothing to free'
    # The training goes on without the games that it needs no more, to the same tables.
    expect 0 "$DAMA" "${train[@]}" --set generations=4
    sha256sum -c --quiet "$work/tables" || fail "a table changed after clean"
    [ "$(ls "$work/train/gen-000/shards" | wc -l)" = 0 ] || fail "games that no fit uses were played again"
    expect 0 "$DAMA" "${train[@]}" --out "$work/whole/train" --set generations=4
    (cd "$work/whole" && sha256sum train/gen-*/weights.dama) >"$work/tables"
    (cd "$work" && sha256sum -c --quiet tables) || fail "a cleaned training goes on to other tables"
    expect 0 "$DAMA" verify "$work/train"
    expect 1 "$DAMA" clean "$work/none"
}

# wrong CHECK FOUND MEND COMMAND...: doctor ends with 1, names the finding and its cure.
wrong() {
    local check=$1 found=$2 mend=$3
    shift 3
    expect 1 "$@"
    grep -A 1 "^$check *WRONG.*$found" "$work/out" | grep -q "mend it by: $mend" ||
        fail "expected $check '$found', cure '$mend': $(cat "$work/out")"
}

doctor_finds_what_is_wrong() {
    mkdir -p "$work/small" "$work/bin"
    expect 0 "$DAMA" doctor "$work/run"
    out '^0 of 13 checks are wrong'
    wrong binding 'may use 1 of ' 'mpirun --bind-to none' taskset -c 0 "$DAMA" doctor
    wrong threads 'OMP_THREAD_LIMIT=1' 'unset OMP_THREAD_LIMIT' env OMP_THREAD_LIMIT=1 "$DAMA" doctor
    wrong files 'at most 64 open files' 'ulimit -n 1024' bash -c "ulimit -n 64; exec '$DAMA' doctor"
    wrong hdf5 'built with .*, found the library of' 'apt-get install' env DAMA_FAULT=hdf5 LD_PRELOAD="$shim" "$DAMA" doctor
    wrong locks 'no file locks: No locks available' 'mount -o remount,flock' \
        env DAMA_FAULT=locks LD_PRELOAD="$shim" "$DAMA" doctor "$work/run"
    printf '#!/bin/sh\necho "HYDRA build details:"\necho "    Version: 4.0.2"\n' >"$work/bin/mpirun"
    chmod +x "$work/bin/mpirun"
    wrong launcher 'mpirun says' 'mpirun.openmpi' env PATH="$work/bin:$PATH" "$DAMA" doctor
    mount -t tmpfs -o size=1m none "$work/small"
    wrong disk '1.0 MB and ' "dama clean $work/small --yes" "$DAMA" doctor "$work/small"
    mount -o remount,ro "$work/small"
    wrong writing 'Read-only file system' "chmod u+rwx $work/small" "$DAMA" doctor "$work/small"
    cp -r "$work/run" "$work/ill"
    touch "$work/ill/shards/american-000001.h5.part"
    wrong leftovers '1 files of a killed run' "dama clean $work/ill --yes" "$DAMA" doctor "$work/ill"
    truncate -s 100 "$work/ill/shards/american-000002.h5"
    wrong shards '1 shards whose header is damaged' "dama verify $work/ill" "$DAMA" doctor "$work/ill"
    sed -i 's/^engine = .*/engine = 12345678/' "$work/ill/run.conf"
    wrong engine 'begun by engine 12345678, this is ' 'run the dama whose' "$DAMA" doctor "$work/ill"
    sed -i 's/"state":"done"/"state":"running"/' "$work/ill/status.json"
    wrong state 'was killed' 'the same command again' "$DAMA" doctor "$work/ill"
    expect 1 "$DAMA" doctor "$work/ill" --json
    python3 - "$work/out" <<'PY' || fail "doctor --json: $(cat "$work/out")"
import json, sys
d = json.load(open(sys.argv[1]))
assert d["wrong"] == 4 == sum(c["wrong"] for c in d["checks"]), d
assert all(bool(c["mend"]) == c["wrong"] and c["found"] for c in d["checks"]), d
PY
}

for test in status_tells_all_of_a_run prometheus_file_is_well_formed watch_names_a_slow_rank clean_tells_before_it_frees \
    doctor_finds_what_is_wrong; do
    echo "$test"
    "$test"
done
