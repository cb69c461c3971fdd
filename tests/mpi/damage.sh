#!/usr/bin/env bash
# Shards that are damaged or altered in any way: verify names file, row and reason; tune and export refuse them, or
# leave them out when asked. usage: damage.sh DAMA ALTER_SHARD
DAMA=$1
alter=$2
. "$(dirname "$0")/common.sh"

# run OUT [OPTION...]
run() {
    local out=$1
    shift
    expect 0 "$DAMA" selfplay --variant american --out "$out" --threads 2 --set games=40 --set block_games=4 \
        --set nodes=60 --set table_kb=64 --set resign_score=150 --set resign_plies=2 "$@"
}

# fresh: $work/run is a copy of the good run.
fresh() {
    rm -rf "$work/run"
    cp -r "$work/good" "$work/run"
}

shard=american-000003.h5

# refused REASON [VERIFY-OPTION...]: by verify in one line that names the file and the reason.
refused() {
    local reason=$1
    shift
    expect 1 "$DAMA" verify "$work/run" "$@"
    grep "^dama: warning: $work/run/shards/$shard: " "$work/err" | grep -- "$reason" >/dev/null ||
        fail "expected '$reason', found: $(cat "$work/err")"
}

# Tune and export end on it, naming it, or go on without it and say so.
others_refuse() {
    expect 1 "$DAMA" tune "$work/run" --out "$work/new.dama"
    grep -q "^dama: .*$shard" "$work/err" || fail "tune: not named: $(cat "$work/err")"
    expect 1 "$DAMA" export "$work/run" --hdf5 "$work/all.h5"
    grep -q "^dama: .*$shard" "$work/err" || fail "export: not named: $(cat "$work/err")"
    [ ! -e "$work/all.h5" ] && [ ! -e "$work/new.dama" ] || fail "a result in spite of damage"
    expect 0 "$DAMA" tune "$work/run" --out "$work/new.dama" --skip-damaged
    grep -q '1 damaged shards of 10 left out' "$work/err" || fail "tune: $(cat "$work/err")"
    expect 0 "$DAMA" export "$work/run" --hdf5 "$work/all.h5" --skip-damaged
    grep -q "$shard.*left out" "$work/err" || fail "export: $(cat "$work/err")"
    rm -f "$work/all.h5" "$work/new.dama" "$work/new.tune.json"
}

cut_at_any_byte() {
    local size length
    fresh
    size=$(stat -c %s "$work/good/shards/$shard")
    RANDOM=17
    for length in 0 1 511 512 513 $((size - 1)) $((RANDOM % size)) $((RANDOM % size)) $((RANDOM % size)); do
        head -c "$length" "$work/good/shards/$shard" >"$work/run/shards/$shard"
        refused 'expected'
    done
    others_refuse
}

one_bit_anywhere() {
    local i at
    local -i size
    fresh
    size=$(stat -c %s "$work/good/shards/$shard")
    RANDOM=23
    for i in 0 7 8 20 40 100 508 511 512 $(for _ in $(seq 12); do echo $(((RANDOM * 32768 + RANDOM) % size)); done); do
        at=$i
        python3 - "$work/good/shards/$shard" "$work/run/shards/$shard" "$at" <<'PY'
import sys
bytes_ = bytearray(open(sys.argv[1], "rb").read())
bytes_[int(sys.argv[3])] ^= 1 << (int(sys.argv[3]) % 8)
open(sys.argv[2], "wb").write(bytes_)
PY
        refused 'expected'
    done
    others_refuse
}

swapped_and_duplicated() {
    fresh
    mv "$work/run/shards/$shard" "$work/swap"
    mv "$work/run/shards/american-000004.h5" "$work/run/shards/$shard"
    mv "$work/swap" "$work/run/shards/american-000004.h5"
    refused 'holds block 4'
    grep -q 'american-000004.h5: holds block 3' "$work/err" || fail "the other is not named: $(cat "$work/err")"
    fresh
    cp "$work/run/shards/american-000004.h5" "$work/run/shards/$shard"
    refused 'holds block 4'
    expect 1 "$DAMA" tune "$work/run" --out "$work/new.dama"
    grep -q 'american-00000[34].h5.*american-00000[34].h5' "$work/err" || fail "tune takes a game twice: $(cat "$work/err")"
}

# A rescore reads a block by its file's name: what lies in another block's file is refused. Games of another block, with
# every checksum right, are found by their numbers, and played again.
blocks_in_the_wrong_place() {
    fresh
    cp "$work/run/shards/american-000004.h5" "$work/run/shards/$shard"
    expect 1 "$DAMA" rescore "$work/run" --nodes 10 --out "$work/other"
    grep -q "$shard: holds block 4, whose file is .*american-000004.h5" "$work/err" || fail "rescore: $(cat "$work/err")"
    "$alter" "$work/run/shards/$shard" block 3
    refused 'row 0: block 3 begins with game 12, found game 16'
    cp "$work/run/shards/american-000004.h5" "$work/run/shards/american-000099.h5"
    expect 1 "$DAMA" rescore "$work/run" --nodes 10 --out "$work/other"
    rm -r "$work/run/shards/american-000099.h5" "$work/other"
    run "$work/run"
    grep -q "$shard: expected game 12 first, found 16; it is played again" "$work/err" || fail "$(cat "$work/err")"
    same_shards "$work/good" "$work/run"
    # The generations of a training have other numbers when their last block is short.
    expect 0 "$DAMA" train american --out "$work/train" --threads 2 --set generations=3 --set games=10 --set block_games=4 \
        --set nodes=20 --set table_kb=64 --set match_pairs=2 --set match_nodes=20 --set ridge=4
    expect 0 "$DAMA" verify "$work/train"
    expect 0 on 2 "$DAMA" verify "$work/train"
    (cd "$work/train/gen-002" && expect 0 "$DAMA" verify .)
}

# The file of an export takes the place of no games, and of no device.
an_export_replaces_no_shard() {
    fresh
    expect 1 "$DAMA" export "$work/run" --hdf5 "$work/run/shards/$shard"
    grep -q "$shard: a shard is not replaced by an export" "$work/err" || fail "$(cat "$work/err")"
    same_shards "$work/good" "$work/run"
    mkfifo "$work/pipe"
    expect 1 "$DAMA" export "$work/run" --hdf5 "$work/pipe"
    [ -p "$work/pipe" ] || fail "a pipe was replaced"
    expect 0 "$DAMA" export "$work/run" --hdf5 "$work/all.h5"
    expect 0 "$DAMA" export "$work/run" --hdf5 "$work/all.h5"
    rm "$work/all.h5"
}

# No result takes the place of what a run is.
a_result_replaces_no_file_of_a_run() {
    local name
    fresh
    (cd "$work/run" && find . -type f ! -name lock -exec sha256sum {} +) >"$work/files"
    for name in player.dama run.conf manifest.jsonl log.jsonl status.json; do
        expect 1 "$DAMA" tune "$work/run" --out "$work/run/$name"
        grep -q "/run/$name: a run's own file is not replaced" "$work/err" || fail "tune: $(cat "$work/err")"
        expect 1 "$DAMA" report "$work/run" --out "$work/run/$name"
        grep -q "/run/$name: a run's own file is not replaced" "$work/err" || fail "report: $(cat "$work/err")"
        expect 1 "$DAMA" export "$work/run" --hdf5 "$work/run/$name"
        grep -q "/run/$name: a run's own file is not replaced" "$work/err" || fail "export: $(cat "$work/err")"
    done
    expect 1 "$DAMA" match --variant american --a material --b hand-set --pairs 1 --nodes 10 --pdn "$work/run/run.conf"
    (cd "$work/run" && expect 1 "$DAMA" tune . --out player.dama && sha256sum -c --quiet "$work/files")
    expect 0 "$DAMA" tune "$work/run" --out "$work/run/weights.dama"
    expect 0 "$DAMA" tune "$work/run" --out "$work/player.dama"
    rm "$work"/player.*
}

# A header with a right checksum that says more than the columns have, or than any memory: damage, named and left out.
a_header_that_says_too_much() {
    local at rows
    for at in 20 28; do
        for rows in 1700 18446744073709551615 4000000000; do
            fresh
            python3 - "$work/run/shards/$shard" "$at" "$rows" <<'PY'
import struct, sys, zlib
path, at, rows = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
bytes_ = bytearray(open(path, "rb").read())
bytes_[at:at + 8] = struct.pack("<Q", rows)
bytes_[508:512] = struct.pack("<I", zlib.crc32(bytes_[:508]))
open(path, "wb").write(bytes_)
PY
            refused 'expected [0-9]* values of\|header says'
        done
    done
    others_refuse
}

of_another_run() {
    run "$work/seed" --set seed=2
    fresh
    cp "$work/seed/shards/$shard" "$work/run/shards/$shard"
    refused "request differs: expected 'seed = 1', found 'seed = 2'"
    expect 0 "$DAMA" selfplay --variant italian --out "$work/italian" --threads 2 --set games=40 --set block_games=4 \
        --set nodes=60 --set table_kb=64
    fresh
    cp "$work/italian/shards/italian-000003.h5" "$work/run/shards/$shard"
    refused 'expected variant american, found italian'
    expect 1 "$DAMA" tune "$work/run" --out "$work/new.dama"
    grep -q "$shard.*italian" "$work/err" || fail "tune: $(cat "$work/err")"
    expect 1 "$DAMA" export "$work/run" --hdf5 "$work/all.h5"
    grep -q "$shard.*italian" "$work/err" || fail "export: $(cat "$work/err")"
}

# Every checksum is right, as if the fault were ours.
rows_that_cannot_be() {
    local what reason
    while IFS=: read -r what reason; do
        fresh
        "$alter" "$work/run/shards/$shard" "$what" 30 || fail "alter $what"
        refused "$reason"
    done <<'END'
overlap:row 30: .*holds two pieces
crowned:row 30: .*a man on its crowning row
empty:row 30: .*no piece of the side to move
label:row 30: result
move:row 3[01][: ].*\(move\|position\)
flags:row 30 .*the flags are not those of the position
END
    fresh
    "$alter" "$work/run/shards/$shard" overlap 30
    others_refuse
}

only_a_replay_can_tell() {
    fresh
    "$alter" "$work/run/shards/$shard" score 30
    expect 0 "$DAMA" verify "$work/run"
    refused 'row 30 .*played again, the game differs here' --replay 1
    fresh
    "$alter" "$work/run/shards/$shard" game 0
    refused 'row [0-9]* .*differs here\|the end that is stored is not' --replay 1
    expect 0 "$DAMA" verify "$work/good" --replay 1
    grep -q 'played again 40' "$work/out" || fail "not every game was played again: $(cat "$work/out")"
}

# What verify says of the run, without times: "RANKS THREADS [OPTION...]".
report_of() {
    local ranks=$1 threads=$2 status=$3
    shift 3
    expect "$status" on "$ranks" "$DAMA" verify "$work/run" --threads "$threads" "$@"
    sed -e '/^speed /d' -e 's/, [0-9.]* s$//' "$work/out"
    grep '^dama: warning: ' "$work/err" || [ "$status" = 0 ]
}

# Several bad shards: the same lines in the same order.
ranks_and_threads_say_the_same() {
    local number
    fresh
    for number in 8 1 5 2; do
        "$alter" "$work/run/shards/american-00000$number.h5" flags 30
    done
    truncate -s 600 "$work/run/shards/american-000006.h5"
    report_of 1 1 1 >"$work/alone"
    grep -o 'american-00000[0-9]' "$work/alone" | uniq | tr '\n' ' ' >"$work/names"
    [ "$(cat "$work/names")" = 'american-000001 american-000002 american-000005 american-000006 american-000008 ' ] ||
        fail "not each bad shard once, in order: $(cat "$work/alone")"
    report_of 1 3 1 | diff "$work/alone" - || fail 'threads change what verify says'
    report_of 3 2 1 | diff "$work/alone" - || fail 'ranks change what verify says'
    report_of 1 1 1 --quick >"$work/alone"
    report_of 2 2 1 --quick | diff "$work/alone" - || fail 'ranks change what a quick look says'
}

# The hash of the columns: the same for the same games in other bytes, another one for one other score.
content_is_that_of_the_games() {
    fresh
    report_of 1 1 0 --content >"$work/alone"
    grep -Eq '^content    [0-9a-f]{64}$' "$work/alone" || fail "no content: $(cat "$work/alone")"
    report_of 2 2 0 --content | diff "$work/alone" - || fail 'ranks change the content'
    /usr/bin/python3 - "$work/run/shards/$shard" <<'PY'
import hashlib, struct, sys, zlib
import h5py
path = sys.argv[1]
header = open(path, "rb").read(512)
with h5py.File(path) as old, h5py.File(path + ".new", "w", userblock_size=512) as new:
    new.attrs.update(old.attrs)
    for group in ("positions", "games"):
        for name, column in old[group].items():
            new.create_dataset(f"{group}/{name}", data=column[:], dtype=column.dtype, compression=9)
body = open(path + ".new", "rb").read()[512:]
header = header[:36] + hashlib.sha256(body).digest() + header[68:508]
open(path, "wb").write(header + struct.pack("<I", zlib.crc32(header)) + body)
PY
    rm "$work/run/shards/$shard.new"
    cmp -s "$work/good/shards/$shard" "$work/run/shards/$shard" && fail 'the file did not change'
    report_of 1 2 0 --content | grep '^content' | diff <(grep '^content' "$work/alone") - ||
        fail 'other bytes, other content'
    "$alter" "$work/run/shards/$shard" score 30
    ! report_of 1 1 0 --content | grep '^content' | diff -q <(grep '^content' "$work/alone") - >"$work/same" ||
        fail 'another score, the same content'
    expect 2 "$DAMA" verify "$work/run" --quick --content
}

# A resumed run plays damaged blocks again.
a_resumed_run_mends_it() {
    fresh
    truncate -s 100 "$work/run/shards/$shard"
    run "$work/run"
    same_shards "$work/good" "$work/run"
    # Also where header, size and manifest are right.
    printf 'x' | dd of="$work/run/shards/$shard" bs=1 seek=3000 conv=notrunc status=none
    run "$work/run"
    grep -q "$shard: damaged or cut: .*; it is played again" "$work/err" || fail "not named: $(cat "$work/err")"
    same_shards "$work/good" "$work/run"
    # And where other blocks are missing; the other rank plays its share of both.
    printf 'x' | dd of="$work/run/shards/$shard" bs=1 seek=3000 conv=notrunc status=none
    rm "$work/run/shards/american-000001.h5" "$work/run/shards/american-000006.h5"
    expect 0 on 2 "$DAMA" selfplay --variant american --out "$work/run" --threads 1 --set games=40 --set block_games=4 \
        --set nodes=60 --set table_kb=64 --set resign_score=150 --set resign_plies=2 --json
    grep -q '"played":12,' "$work/out" || fail "expected 12 games played: $(cat "$work/out")"
    same_shards "$work/good" "$work/run"
}

run "$work/good"
for test in cut_at_any_byte one_bit_anywhere swapped_and_duplicated blocks_in_the_wrong_place \
    an_export_replaces_no_shard a_result_replaces_no_file_of_a_run a_header_that_says_too_much of_another_run rows_that_cannot_be only_a_replay_can_tell \
    ranks_and_threads_say_the_same content_is_that_of_the_games a_resumed_run_mends_it; do
    echo "$test"
    "$test"
done
