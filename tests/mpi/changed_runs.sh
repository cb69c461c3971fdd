#!/usr/bin/env bash
# Runs whose files were changed by hand: a resumed run mends what it can, refuses the rest, and loses no game.
. "$(dirname "$0")/common.sh"

# selfplay OUT [OPTION...]
selfplay() {
    local out=$1
    shift
    "$DAMA" selfplay --variant american --out "$out" --threads 2 --set games=8 --set block_games=2 --set nodes=40 \
        --set table_kb=16 --set max_plies=60 "$@"
}

# fresh: $work/run is a copy of the good run.
fresh() {
    rm -rf "$work/run"
    cp -r "$work/good" "$work/run"
}

# says TEXT: the last command said this on standard error.
says() {
    grep -q -- "$1" "$work/err" || fail "expected '$1', found: $(cat "$work/err")"
}

is_mended() {
    expect 0 selfplay "$work/run"
    says "$1"
    same_shards "$work/good" "$work/run"
    expect 0 "$DAMA" verify "$work/run"
}

a_shard_that_the_manifest_knew_is_read_again() {
    local shard=shards/american-000002.h5
    fresh
    truncate -s -100 "$work/run/$shard"
    is_mended 'american-000002.h5: damaged or cut.*played again'
    expect 0 selfplay "$work/seed" --set seed=2
    fresh
    cp "$work/seed/$shard" "$work/run/$shard"
    is_mended "request differs: expected 'seed = 1', found 'seed = 2'; it is played again"
    fresh
    cp "$work/run/shards/american-000001.h5" "$work/run/$shard"
    is_mended 'american-000002.h5: expected block 2, found 1; it is played again'
}

fewer_games_throw_none_away() {
    fresh
    expect 1 selfplay "$work/run" --set games=7
    says 'american-000003.h5 holds 2 games, 1 would be left of them'
    same_shards "$work/good" "$work/run"
}

another_player_table_is_written_anew() {
    fresh
    expect 0 "$DAMA" weights export --variant american --out "$work" hand-set
    mv "$work"/american-*.dama "$work/run/player.dama"
    is_mended 'player.dama: not the table that plays; it is written anew'
    cmp "$work/good/player.dama" "$work/run/player.dama" || fail "another table"
    : >"$work/run/player.dama"
    is_mended 'player.dama: .*no bytes; it is written anew'
}

a_refused_request_changes_nothing() {
    fresh
    rm -r "$work/run/shards" "$work/run/player.dama"
    expect 1 selfplay "$work/run" --set nodes=41
    says 'nodes = 40.*nodes = 41'
    [ ! -e "$work/run/shards" ] && [ ! -e "$work/run/player.dama" ] || fail "a refused request has made files"
}

a_damaged_request_is_named() {
    fresh
    : >"$work/run/run.conf"
    expect 1 "$DAMA" verify "$work/run"
    says "run/run.conf: variant: unknown variant ''"
}

a_copied_shard_is_not_exported_twice() {
    fresh
    cp "$work/run/shards/american-000001.h5" "$work/run/shards/american-000007.h5"
    expect 1 "$DAMA" export "$work/run" --hdf5 "$work/all.h5"
    says 'american-000007.h5: expected games behind 7, found game 2'
    [ ! -e "$work/all.h5" ] || fail "a file in spite of it"
}

a_cut_line_swallows_none() {
    fresh
    truncate -s -20 "$work/run/manifest.jsonl"
    expect 0 selfplay "$work/run"
    [ "$(tail -n 1 "$work/run/manifest.jsonl")" = "$(tail -n 1 "$work/good/manifest.jsonl")" ] ||
        fail "the line written after a cut one is not whole"
}

# counted: what a resumed run says of its games.
counted() {
    expect 0 selfplay "$work/run"
    grep -v '^played now' "$work/out"
}

a_line_of_other_counts_is_not_believed() {
    local more
    fresh
    counted >"$work/counts"
    # Of the file's size and hash, but of 200 games more.
    more=$(printf ',"%032x"' $(seq 200))
    sed -i "2s/\"games\":2,/\"games\":202,/; 2s/]}\$/$more]}/" "$work/run/manifest.jsonl"
    grep -q '"games":202,.*c8"]}$' "$work/run/manifest.jsonl" || fail "the line was not changed"
    counted | diff "$work/counts" - || fail "other counts"
    fresh
    sed -i '2s/"rows":[0-9]*/"rows":7/' "$work/run/manifest.jsonl"
    counted | diff "$work/counts" - || fail "other counts"
}

a_folder_that_is_no_run_is_not_verified() {
    mkdir "$work/empty"
    expect 1 "$DAMA" verify "$work/empty"
    says 'empty: expected a run (shards/, gen-000/), found none'
}

pdn_has_official_squares() {
    expect 2 "$DAMA" replay "$work/good" --game 1 --pdn --squares grid
    says 'pdn: expected --squares official, found grid'
    expect 0 "$DAMA" replay "$work/good" --game 1 --pdn --squares official
}

expect 0 selfplay "$work/good"
for test in a_shard_that_the_manifest_knew_is_read_again fewer_games_throw_none_away \
    another_player_table_is_written_anew a_refused_request_changes_nothing a_damaged_request_is_named \
    a_copied_shard_is_not_exported_twice a_cut_line_swallows_none a_line_of_other_counts_is_not_believed \
    a_folder_that_is_no_run_is_not_verified pdn_has_official_squares; do
    "$test"
    echo "ok $test"
done
