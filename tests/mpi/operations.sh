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
trap 'umount "$work"/small "$work"/seen 2>/dev/null || true; rm -rf "$work"' EXIT

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
    out "^next step  dama tune $work/run --out weights.dama$"
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

# A status that is missing, cut or no object does not hide what is stored.
status_survives_its_file() {
    local text
    cp -r "$work/run" "$work/cut"
    for text in '' '{"stage":"selfplay","state":"run' '[]'; do
        printf '%s' "$text" >"$work/cut/status.json"
        expect 1 "$DAMA" status "$work/cut"
        out '^shards     8, games 32, '
        grep -q "^dama: $work/cut/status.json:[01]: expected a JSON object" "$work/err" || fail "'$text': $(cat "$work/err")"
        expect 1 "$DAMA" status "$work/cut" --json
        python3 -c 'import json, sys; s = json.load(sys.stdin); assert s["games"] == 32 and "state" not in s' <"$work/out"
    done
    rm "$work/cut/status.json"
    expect 0 "$DAMA" status "$work/cut"
    out '^shards     8, games 32, '
    # Damage is counted, and the command that names it can be pasted.
    mv "$work/cut" "$work/a cut"
    truncate -s 100 "$work/a cut/shards/american-000002.h5"
    expect 0 "$DAMA" status "$work/a cut"
    out '^shards     7, games 28, '
    out "^bad        1 shards: dama verify '$work/a cut' names them\$"
    mkdir "$work/nothing"
    expect 1 "$DAMA" status "$work/nothing"
    expect 1 "$DAMA" status "$work/nothing" --watch
    grep -q 'expected a run (status.json, shards/, gen-000/), found none' "$work/err" || fail "$(cat "$work/err")"
}

# Who may only read a run sees as well that it goes on, and afterwards that it was killed and how it goes on.
status_tells_running_from_killed() {
    mkdir "$work/seen"
    # A shell of its own: the folder in the recorded command is where it was typed.
    (cd "$work" && exec "$DAMA" selfplay "${small[@]}" --set games=100000 --out killed >"$work/out" 2>&1) &
    local job=$!
    until [ -e "$work/killed/status.json" ]; do sleep 0.1; done
    mount --bind "$work/killed" "$work/seen"
    mount -o remount,bind,ro "$work/seen"
    expect 0 "$DAMA" status "$work/seen"
    out '^run        .*, running$'
    out '^stage      selfplay, running$'
    expect 1 "$DAMA" clean "$work/seen"
    grep -q "$work/seen: a process works on this run" "$work/err" || fail "$(cat "$work/err")"
    expect 1 "$DAMA" clean "$work/killed" --yes
    grep -q "another process works on this run: host $(hostname) process $job" "$work/err" || fail "$(cat "$work/err")"
    kill -KILL "$job"
    wait "$job" 2>/dev/null || true
    expect 0 "$DAMA" status "$work/seen"
    out '^run        .*, not running$'
    out '^stage      selfplay, ended without a word'
    out "^next step  cd $work && $DAMA selfplay --variant american .* --out killed$"
    expect 0 "$DAMA" clean "$work/seen"
    umount "$work/seen"
    # Stopped at once, it tells the same command.
    "$DAMA" selfplay "${small[@]}" --set games=100000 --out "$work/killed" >"$work/out" 2>&1 &
    job=$!
    until grep -q "\"process\":$job," "$work/killed/status.json"; do sleep 0.1; done
    kill -USR1 "$job"
    wait "$job" || [ $? = 75 ] || fail "expected status 75"
    expect 0 "$DAMA" status "$work/killed"
    out '^stage      selfplay, stopped$'
    out "^next step  cd .* && $DAMA selfplay .* --out $work/killed$"
}

# The rules of the text format: one HELP and one TYPE before the samples of a name, all in one place; no sample twice;
# counters and only they end in _total; label values escaped.
prometheus_file_is_well_formed() {
    local folder=$work/'a "b\c'
    mkdir "$folder"
    (cd "$folder" && expect 0 "$DAMA" selfplay "${small[@]}" --out run)
    python3 - "$work/run" "$folder/run" <<'PY' || fail "status.prom: $(cat "$work/run/status.prom")"
import os, re, sys, time
NAME, VALUE = r"[a-zA-Z_:][a-zA-Z0-9_:]*", r'"((?:[^"\\\n]|\\[\\"n])*)"'
for run in sys.argv[1:]:
    text = open(run + "/status.prom").read()
    assert text.endswith("\n") and "\n\n" not in text
    kinds, order, values = {}, [], {}
    for line in text.splitlines():
        help_line = re.fullmatch(rf"# HELP ({NAME}) ([^\\]+)", line)
        type_line = re.fullmatch(rf"# TYPE ({NAME}) (counter|gauge)", line)
        if help_line:
            assert help_line[1] not in order, line
            order.append(help_line[1])
        elif type_line:
            assert order[-1] == type_line[1] and type_line[1] not in kinds, line
            kinds[type_line[1]] = type_line[2]
            assert (type_line[2] == "counter") == type_line[1].endswith("_total"), line
        else:
            name, inside, number = re.fullmatch(rf"({NAME})\{{(.+)\}} ([0-9.e+-]+)", line).groups()
            assert order[-1] == name and name in kinds, line
            labels = {}
            rest = inside
            while rest:
                pair = re.match(rf"([a-z_]+)={VALUE},?", rest)
                assert pair and pair[1] not in labels, line
                labels[pair[1]] = re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], pair[2])
                rest = rest[pair.end():]
            key = (name, *sorted(labels.items()))
            assert key not in values and labels["run"] == os.path.realpath(run), line
            values[key] = float(number)
    def total(wanted, **labels):
        return sum(v for k, v in values.items() if k[0] == wanted and labels.items() <= dict(k[1:]).items())
    assert total("dama_progress_done", stage="selfplay", unit="games") == total("dama_progress_target") == 32
    assert total("dama_state", state="done") == total("dama_state") == 1
    assert total("dama_games_total") == total("dama_rank_games_total") == 32
    assert total("dama_stored_bytes") == sum(os.path.getsize(e.path) for e in os.scandir(run + "/shards"))
    assert abs(total("dama_updated_timestamp_seconds") - time.time()) < 600
PY
}

# On a terminal the line is written over itself, which only works on one row.
progress_fits_the_terminal() {
    local columns line
    for columns in 10 40 200; do
        rm -rf "$work/narrow"
        script -qec "stty cols $columns; '$DAMA' selfplay ${small[*]} --out '$work/narrow' >/dev/null" /dev/null >"$work/out"
        line=$(tr '\r' '\n' <"$work/out" | sed -n 's/^.\[K\(.\)/\1/p' | tail -n 1)
        [ -n "$line" ] && [ ${#line} -lt "$columns" ] || fail "$columns columns: '$line'"
    done
    [[ $line =~ ^"selfplay: 32 of 32 games (100.0 %), "[0-9.]+" games/s, 0:00 min left"$ ]] || fail "'$line'"
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

# Between two reports of a training its files tell what it does. A lock that another process holds is a run that goes on.
training_tells_what_it_does() {
    local run=$work/between holder
    cp -r "$work/train" "$run"
    rm "$run/gen-002/match.json"
    python3 - "$run" <<'PY' &
import fcntl, sys, time
lock = open(sys.argv[1] + "/lock", "r+")
fcntl.lockf(lock, fcntl.LOCK_EX)
open(sys.argv[1] + "/held", "w").close()
time.sleep(60)
PY
    holder=$!
    until [ -e "$run/held" ]; do sleep 0.1; done
    expect 0 "$DAMA" status "$run"
    out '^stage      train, done; now the match$'
    rm "$run/gen-002/weights.dama"
    expect 0 "$DAMA" status "$run"
    out '^stage      train, done; now the fit$'
    out '^progress   3 of 3 generations (100.0 %)$'
    sed -i 's/"state":"done"/"state":"stopped"/' "$run/status.json"
    expect 0 "$DAMA" status "$run"
    out '^stage      train, stopped; now reading what is there$'
    ! grep -q '^next step' "$work/out" || fail "a next step of a run that goes on: $(cat "$work/out")"
    kill "$holder"
    wait "$holder" || true
}

# Wherever a training of many generations ends, in a stage or between two, it does not look finished.
a_training_that_has_ended_is_not_done() {
    local run=$work/ended job signal
    local -a train=(train american --out "$run" --threads 2 --set games=60 --set nodes=1 --set table_kb=16
        --set match_nodes=1 --set match_pairs=4 --set generations=500)
    for signal in KILL USR1; do
        rm -rf "$run"
        "$DAMA" "${train[@]}" >/dev/null 2>&1 &
        job=$!
        wait_for $job [ -e "$run/gen-001/tune.json" ] || fail "a training ended before its signal"
        kill -$signal $job
        wait $job || true
        expect 0 "$DAMA" status "$run"
        [ $signal = USR1 ] || out '^stage      [a-z]*, ended without a word: run the same command again to go on$'
        [ $signal = KILL ] || out '^stage      [a-z]*, stopped$'
        out "^next step  .* train american --out .*generations=500"
        "$DAMA" doctor "$run" >"$work/out" || true
        out "$([ $signal = KILL ] && echo 'the run was killed' || echo '^state .*stopped')"
    done
}

# All but the lock, which names the last holder.
bytes_of() {
    find "$1" -type f ! -name lock -printf '%s\n' | awk '{ sum += $1 } END { print sum }'
}

clean_tells_before_it_frees() {
    local -a train=(train russian --out "$work/train" --threads 2 --set games=24 --set block_games=8 --set nodes=20
        --set table_kb=64 --set match_pairs=2 --set match_nodes=20 --set window=2 --set ridge=4)
    expect 0 "$DAMA" "${train[@]}" --set generations=3
    sha256sum "$work"/train/gen-*/weights.dama >"$work/tables"
    expect 0 "$DAMA" status "$work/train"
    out '^training   gen-002 is the newest; 3 fitted, 3 judged, [0-3] promoted$'
    out '^shards     9, games 72, '
    ! grep -qE '(RUN|TABLE)' "$work/out" || fail "a placeholder is left: $(cat "$work/out")"
    expect 0 "$DAMA" status "$work/train" --json
    grep -q '"generations":{"begun":3,"fitted":3,"judged":3,"promoted":[0-3],"best":[-0-2]*}' "$work/out" ||
        fail "$(cat "$work/out")"
    training_tells_what_it_does
    touch "$work/train/gen-002/shards/russian-000007.h5.part" "$work/train/status.json.part"
    # What a fit that was stopped goes on with is no leftover.
    touch "$work/train/gen-002/weights.dama.fit"
    expect 0 "$DAMA" clean "$work/train"
    out '^half written: 2 files'
    out '^games of gen-000: 3 files, .*: every fit that uses them is done'
    out '^games of gen-001: 3 files, '
    # Two files of each generation's match, and of the last one.
    out '^pairs of matches: 8 files, .*: their results are stored'
    out '^--yes frees these 16 files'
    [ "$(ls "$work"/train/gen-00[01]/shards/*.h5 "$work"/train/gen-*/match-*/pairs.jsonl | wc -l)" = 9 ] ||
        fail "clean freed without --yes"
    # A match that is not over goes on with its pairs.
    cp -r "$work"/train/gen-002/match-* "$work/train/gen-002/match-01234567"
    local told before after
    expect 0 "$DAMA" clean "$work/train" --json
    told=$(sed -n 's/.*"bytes":\([0-9]*\),.*"freed":false.*/\1/p' "$work/out")
    before=$(bytes_of "$work/train")
    expect 0 "$DAMA" clean "$work/train" --yes --json
    after=$(bytes_of "$work/train")
    [ "$told" = $((before - after)) ] && grep -q "\"bytes\":$told," "$work/out" ||
        fail "told $told bytes, freed $((before - after)): $(cat "$work/out")"
    grep -q '^{"files":16,"bytes":[0-9]*,"half_written":2,"matches":8,"spent":6,"freed":true}$' "$work/out" || fail "$(cat "$work/out")"
    [ "$(find "$work/train" -name '*.part' -o -name '*.h5' | wc -l)" = 3 ] || fail "clean left something, or freed too much"
    expect 0 "$DAMA" clean "$work/train"
    out '^nothing to free'
    [ "$(cd "$work/train" && find . -name 'final-*' -o -name 'match-*')" = ./gen-002/match-01234567 ] ||
        fail "the pairs of another match are left, or none"
    rm -r "$work/train/gen-002/weights.dama.fit" "$work/train/gen-002/match-01234567"
    # The training goes on without the games that it needs no more, to the same tables.
    expect 0 "$DAMA" "${train[@]}" --set generations=4
    sha256sum -c --quiet "$work/tables" || fail "a table changed after clean"
    [ "$(ls "$work/train/gen-000/shards" | wc -l)" = 0 ] || fail "games that no fit uses were played again"
    expect 0 "$DAMA" "${train[@]}" --out "$work/whole/train" --set generations=4
    (cd "$work/whole" && sha256sum train/gen-*/weights.dama) >"$work/tables"
    (cd "$work" && sha256sum -c --quiet tables) || fail "a cleaned training goes on to other tables"
    expect 0 "$DAMA" verify "$work/train"
    expect 1 "$DAMA" clean "$work/none"
    # Other programs have half-written files too.
    mkdir "$work/loads"
    touch "$work/loads/film.part"
    expect 1 "$DAMA" clean "$work/loads" --yes
    grep -q 'expected the folder of a run, a match or a ladder, found none' "$work/err" || fail "$(cat "$work/err")"
    [ "$(ls "$work/loads")" = film.part ] || fail "clean changed a folder that is not ours: $(ls "$work/loads")"
}

export_names_the_generations_of_a_training() {
    local a=$work/whole/train
    expect 1 "$DAMA" export "$a" --hdf5 "$work/all.h5"
    grep -q "^dama: $a is a training of 4 generations: expected one of them: $a/gen-000 $a/gen-001 $a/gen-002 $a/gen-003\$" \
        "$work/err" || fail "$(cat "$work/err")"
    expect 0 "$DAMA" export "$a/gen-002" --hdf5 "$work/all.h5"
    out 'all.h5: shards 3, games 24, '
    # Clean has left the games of one generation: no other is meant.
    expect 0 "$DAMA" clean "$a" --yes
    expect 0 "$DAMA" export "$a" --hdf5 "$work/all.h5"
}

# wrong CHECK FOUND MEND COMMAND...: doctor ends with 1, names the finding and its cure.
wrong() {
    local check=$1 found=$2 mend=$3
    shift 3
    expect 1 "$@"
    grep -A 1 "^$check *WRONG.*$found" "$work/out" | grep "mend it by: $mend" >/dev/null ||
        fail "expected $check '$found', cure '$mend': $(cat "$work/out")"
}

# mended CHECK SETUP DOCTOR: in a shell after SETUP the command DOCTOR finds it, the cure is pasted, and it is well.
mended() {
    # shellcheck disable=SC2016
    HOME=$work/home PATH=$work/programs:$PATH bash -c '
        eval "$2" >/dev/null
        eval "$3" >"$4/out" 2>"$4/err"
        cure=$(grep -A 1 "^$1 *WRONG" "$4/out" | sed -n "s/^ *mend it by: //p")
        [ -n "$cure" ] || exit 1
        eval "$cure" >"$4/mend" 2>&1
        eval "$3" >"$4/out" 2>"$4/err"
        grep "^$1 *good" "$4/out"' mended "$1" "$2" "$3" "$work" >/dev/null ||
        fail "$1 is not mended: $(cat "$work/out" "$work/mend")"
}

doctor_finds_what_is_wrong() {
    mkdir -p "$work/small" "$work/bin"
    expect 0 "$DAMA" doctor "$work/run"
    out '^0 of 13 checks are wrong'
    expect 0 "$DAMA" doctor "$work/not/yet"
    out '^run *good *.*/not/yet is not there yet'
    expect 0 "$DAMA" doctor "$work/bin"
    out '^run *good *none here yet'
    expect 1 "$DAMA" doctor "$work/run/run.conf"
    wrong binding 'may use 1 of ' 'taskset -cp 0-' taskset -c 0 "$DAMA" doctor
    wrong threads 'OMP_THREAD_LIMIT=1' 'unset OMP_THREAD_LIMIT' env OMP_THREAD_LIMIT=1 "$DAMA" doctor
    wrong files 'at most 64 open files' 'ulimit -n 1024' bash -c "ulimit -Sn 64; exec '$DAMA' doctor"
    wrong files 'at most 64 open files' '.*prlimit --pid $$ --nofile=1024:1024' bash -c "ulimit -n 64; exec '$DAMA' doctor"
    wrong hdf5 'built with .*, found the library of' 'unset LD_PRELOAD' env DAMA_FAULT=hdf5 LD_PRELOAD="$shim" "$DAMA" doctor
    wrong locks 'no file locks: No locks available' 'cp -a' \
        env DAMA_FAULT=locks LD_PRELOAD="$shim" "$DAMA" doctor "$work/run"
    printf '#!/bin/sh\necho "HYDRA build details:"\necho "    Version: 4.0.2"\n' >"$work/bin/mpirun"
    chmod +x "$work/bin/mpirun"
    wrong launcher 'mpirun says' 'mkdir -p ~/.local/bin && ln -sf /.*/mpirun.openmpi' env PATH="$work/bin:$PATH" "$DAMA" doctor
    mount -t tmpfs -o size=1m none "$work/small"
    wrong disk '1.0 MB and ' "dama clean $work/small --yes" "$DAMA" doctor "$work/small"
    mount -o remount,ro "$work/small"
    wrong writing 'Read-only file system' ".*mount -o remount,rw $work/small" "$DAMA" doctor "$work/small"
    cp -r "$work/run" "$work/ill"
    touch "$work/ill/shards/american-000001.h5.part"
    wrong leftovers '1 files of a killed run' "dama clean $work/ill --yes" "$DAMA" doctor "$work/ill"
    truncate -s 100 "$work/ill/shards/american-000002.h5"
    wrong shards '1 shards whose header is damaged' "cd .* && mpirun -np 2 .*dama selfplay .*--out $work/run" \
        "$DAMA" doctor "$work/ill"
    sed -i 's/^engine = .*/engine = 12345678/' "$work/ill/run.conf"
    wrong engine 'begun by engine 12345678, this is ' 'git checkout ' "$DAMA" doctor "$work/ill"
    sed -i 's/"state":"done"/"state":"running"/' "$work/ill/status.json"
    wrong state 'was killed' 'cd .* && mpirun -np 2 ' "$DAMA" doctor "$work/ill"
    expect 1 "$DAMA" doctor "$work/ill" --json
    python3 - "$work/out" <<'PY' || fail "doctor --json: $(cat "$work/out")"
import json, sys
d = json.load(open(sys.argv[1]))
assert d["wrong"] == 4 == sum(c["wrong"] for c in d["checks"]) and d["ranks"] == 1, d
assert all(bool(c["mend"]) == c["wrong"] and c["found"] and c["ranks"] == [0] for c in d["checks"]), d
PY
}

# The groups of a container or job limit cores and time, in both versions.
doctor_sees_what_a_group_gives() {
    local groups=$work/groups/sys/fs/cgroup own=$work/groups/proc/self/cgroup
    local -a doctor=(env DAMA_FAULT=system DAMA_FAULT_ROOT="$work/groups" LD_PRELOAD="$shim" "$DAMA" doctor)
    mkdir -p "$groups/job/step" "$groups/cpu/job" "$(dirname "$own")"
    echo 0::/job/step >"$own"
    echo 'max 100000' >"$groups/job/step/cpu.max"
    expect 0 "${doctor[@]}"
    echo '50000 100000' >"$groups/job/cpu.max"
    wrong quota 'the time of 0.5 cores' 'echo max | .*tee /sys/fs/cgroup/job/cpu.max' "${doctor[@]}"
    echo 4:cpu,cpuacct:/job/step >"$own"
    echo 50000 >"$groups/cpu/job/cpu.cfs_quota_us"
    echo 100000 >"$groups/cpu/job/cpu.cfs_period_us"
    wrong quota 'the time of 0.5 cores' 'echo -1 | .*tee /sys/fs/cgroup/cpu/job/cpu.cfs_quota_us' "${doctor[@]}"
    # One core is all that there is to have: no binding to be mended.
    echo 0::/job/step >"$own"
    echo 'max 100000' >"$groups/job/cpu.max"
    echo 0 >"$groups/job/cpuset.cpus.effective"
    expect 0 taskset -c 0 "${doctor[@]}"
}

# Where a lock is seen on one host alone, two runs of two hosts do not see each other.
doctor_sees_locks_of_one_host() {
    local mounts=$work/groups/proc/self/mounts
    local -a doctor=(env DAMA_FAULT=system DAMA_FAULT_ROOT="$work/groups" LD_PRELOAD="$shim" "$DAMA" doctor "$work/run")
    mkdir -p "$(dirname "$mounts")"
    echo "a:/b $work nfs4 rw,vers=4.2,local_lock=none 0 0" >"$mounts"
    expect 0 "${doctor[@]}"
    echo "a:/b $work nfs rw,vers=3,nolock,local_lock=all 0 0" >"$mounts"
    wrong locks "$work (nfs): other hosts do not see" ".*umount $work && .*mount -o lock,local_lock=none $work" "${doctor[@]}"
    echo "a:/b $work lustre rw,localflock 0 0" >>"$mounts"
    wrong locks "$work (lustre): other hosts do not see" ".*mount -o remount,flock $work" "${doctor[@]}"
    echo "a:/b $work/runs lustre rw,localflock 0 0" >"$mounts"
    expect 0 "${doctor[@]}"
}

doctor_mends_what_it_finds() {
    mkdir -p "$work/home" "$work/programs" "$work/a folder"
    ln -s "$(realpath "$DAMA")" "$work/programs/dama"
    mended binding 'taskset -cp 0 $$' 'dama doctor'
    mended binding 'export OMPI_MCA_hwloc_base_binding_policy=core' 'mpirun -np 1 dama doctor'
    mended threads 'export OMP_THREAD_LIMIT=1' 'dama doctor'
    mended files 'ulimit -Sn 64' 'dama doctor'
    mended hdf5 "export DAMA_FAULT=hdf5 LD_PRELOAD='$shim'" 'dama doctor'
    mended launcher "export PATH='$work/bin':\$PATH" 'dama doctor'
    mended writing '' "dama doctor $work/small"
    # A run whose folder has a blank, killed, with all that a kill leaves behind.
    local run="$work/a folder/it's"
    (cd "$work/a folder" && expect 0 "$DAMA" selfplay "${small[@]}" --out "it's")
    sed -i 's/"state":"done"/"state":"running"/' "$run/status.json"
    touch "$run/shards/american-000001.h5.part"
    truncate -s 100 "$run/shards/american-000002.h5"
    mended leftovers '' "dama doctor \"$run\""
    mended shards '' "dama doctor \"$run\""
    out '^0 of 13 checks are wrong'
    sed -i 's/"state":"done"/"state":"running"/' "$run/status.json"
    mended state '' "dama doctor \"$run\""
    : >"$run/status.json"
    mended state '' "dama doctor \"$run\""
    same_shards "$work/run" "$run"
}

# Only one of three ranks is ill: it is named, and the others are not.
doctor_names_the_rank() {
    cat >"$work/ill_rank" <<SH
#!/bin/bash
[ "\$OMPI_COMM_WORLD_RANK" != 1 ] || ulimit -Sn 64
exec "\$@"
SH
    chmod +x "$work/ill_rank"
    wrong files "rank 1 on $(hostname): at most 64 open files" 'ulimit -n 1024' \
        mpirun -np 3 "$work/ill_rank" "$DAMA" doctor "$work/run"
    out '^1 of 15 checks are wrong, 3 ranks looked'
    wrong files "ranks 0-2 on $(hostname): at most 64 open files" 'ulimit -n 1024' \
        mpirun -np 3 bash -c "ulimit -Sn 64; exec '$DAMA' doctor"
    # A host whose file system is not mounted: its rank sees another folder of that name.
    cat >"$work/alone_rank" <<SH
#!/bin/bash
[ "\$OMPI_COMM_WORLD_RANK" = 1 ] || exec "\$@"
exec unshare --mount sh -c 'mount -t tmpfs none "$work/run" && exec "\$@"' sh "\$@"
SH
    chmod +x "$work/alone_rank"
    wrong shared "rank 1 on $(hostname): $work/run is another folder than on rank 0" "ssh $(hostname) sudo mount -a" \
        mpirun -np 3 "$work/alone_rank" "$DAMA" doctor "$work/run"
    # Two ranks that share one core, while the other is idle.
    wrong binding 'ranks 0-1 on .*: 2 ranks here may together use 1 of ' 'export OMPI_MCA_' \
        mpirun -np 2 taskset -c 0 "$DAMA" doctor
    # Another list of features is another program.
    python3 - "$DAMA" "$work/other" "$("$DAMA" weights show --json --variant american material |
        sed -n 's/.*"features_hash": *"\([0-9a-f]*\)".*/\1/p')" <<'PY'
import sys
program = open(sys.argv[1], "rb").read()
features = bytes.fromhex(sys.argv[3])
assert features in program
open(sys.argv[2], "wb").write(program.replace(features, bytes([features[0] ^ 1]) + features[1:]))
PY
    chmod +x "$work/other"
    wrong versions "rank 1 on $(hostname): dama .*; rank 0: dama " "scp .*/dama $(hostname):" \
        mpirun -np 1 "$DAMA" doctor : -np 1 "$work/other" doctor
    expect 1 mpirun -np 1 "$DAMA" doctor --json : -np 1 "$work/other" doctor --json
    python3 - "$work/out" <<'PY' || fail "doctor --json: $(cat "$work/out")"
import json, sys
d = json.load(open(sys.argv[1]))
assert d["wrong"] == 1 and d["ranks"] == 2, d
assert [c["check"] for c in d["checks"] if c["wrong"] and c["ranks"] == [1]] == ["versions"], d
PY
}

for test in status_tells_all_of_a_run status_survives_its_file status_tells_running_from_killed \
    a_training_that_has_ended_is_not_done prometheus_file_is_well_formed progress_fits_the_terminal \
    watch_names_a_slow_rank clean_tells_before_it_frees \
    export_names_the_generations_of_a_training doctor_finds_what_is_wrong doctor_sees_what_a_group_gives \
    doctor_sees_locks_of_one_host doctor_mends_what_it_finds doctor_names_the_rank; do
    echo "$test"
    "$test"
done
