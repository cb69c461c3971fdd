#!/usr/bin/env bash
# A fit does not depend on ranks, threads, stops and kills; one that fails writes nothing (C054, C057).
. "$(dirname "$0")/common.sh"

# play VARIANT OUT [OPTION...]: quick games, enough for several batches.
play() {
    local variant=$1 out=$2
    shift 2
    expect 0 "$DAMA" selfplay --variant "$variant" --out "$out" --threads 2 --set nodes=12 --set table_kb=16 \
        --set games=400 --set block_games=16 "$@"
}

# tune RANKS THREADS DIR OUT [OPTION...]: the table goes to OUT/new.dama.
tune() {
    local ranks=$1 threads=$2 run=$3 out=$4
    shift 4
    mkdir -p "$out"
    on "$ranks" "$DAMA" tune "$run" --out "$out/new.dama" --threads "$threads" "$@"
}

bytes_do_not_depend_on_ranks_and_threads() {
    local variant layout
    for variant in american international; do
        play "$variant" "$work/$variant"
        for layout in "1 1" "1 2" "2 1" "3 2"; do
            # shellcheck disable=SC2086
            expect 0 tune $layout "$work/$variant" "$work/$variant-$layout"
            cmp "$work/$variant-1 1/new.dama" "$work/$variant-$layout/new.dama" || fail "$layout: another table"
            cmp "$work/$variant-1 1/new.tune.json" "$work/$variant-$layout/new.tune.json" || fail "$layout: another account"
        done
    done
}

the_result_is_json_when_asked_for() {
    expect 0 tune 2 1 "$work/american" "$work/json" --json
    cmp "$work/out" "$work/json/new.tune.json" || fail "--json prints something else than new.tune.json"
}

# The files of an earlier fit stay as they were.
kept() {
    sha256sum -- "$work/american-1 1/"* | diff "$work/before" - || fail "a fit that failed changed files: $*"
}

a_fit_that_fails_writes_nothing() {
    local ranks
    sha256sum -- "$work/american-1 1/"* >"$work/before"
    for ranks in 1 2; do
        # C057: a step 1000 times too long.
        expect 1 tune "$ranks" 1 "$work/american" "$work/american-1 1" --step 1000
        [ "$(grep -c "a step of 1000 times Newton's: expected the loss to fall" "$work/err")" = 1 ] ||
            fail "C057: expected one message, found: $(cat "$work/err")"
        kept C057
        # One row of a game, and few games: fewer rows than weights.
        play american "$work/few" --set games=20
        expect 1 tune "$ranks" 1 "$work/few" "$work/american-1 1" --ridge 0 --rows-per-game 1
        [ "$(grep -c 'the fit is singular: the data cannot tell these apart: ' "$work/err")" = 1 ] ||
            fail "expected one message, found: $(cat "$work/err")"
        kept singular
    done
    expect 2 tune 1 1 "$work/american" "$work/american-1 1" --only king --freeze king
    grep -q 'leave no feature to fit' "$work/err" || fail "$(cat "$work/err")"
    expect 2 tune 1 1 "$work/american" "$work/american-1 1" --only king,crowns
    grep -q "no feature group 'crowns': there are man king " "$work/err" || fail "$(cat "$work/err")"
    kept groups
}

c054_a_damaged_shard_is_named_or_left_out() {
    play american "$work/c054" --set games=50 --set block_games=1
    truncate -s -100 "$work/c054/shards/american-000017.h5"
    local ranks
    for ranks in 1 2; do
        expect 1 tune "$ranks" 1 "$work/c054" "$work/c054-out"
        [ "$(grep -c '^dama: .*american-000017.h5' "$work/err")" = 1 ] ||
            fail "C054: expected one message, found: $(cat "$work/err")"
        [ ! -e "$work/c054-out/new.dama" ] || fail "C054: a table in spite of damage"
    done
    expect 0 tune 2 1 "$work/c054" "$work/c054-out" --skip-damaged
    grep -q 'american-000017.h5' "$work/err" || fail "C054: not named: $(cat "$work/err")"
    grep -q 'american, 49 shards, 49 games' "$work/out" || fail "C054: $(cat "$work/out")"
    grep -q '1 damaged shards of 50 left out, the other 49 used' "$work/err" || fail "C054: $(cat "$work/err")"
}

# The bytes that the passes of a fit take so far.
kept_bytes() {
    stat -c %s "$work/undone/new.dama.fit" 2>/dev/null || echo 0
}

has_gone_on() {
    [ "$(kept_bytes)" -gt "$1" ]
}

# Every start does at least one pass more, then all ranks are asked to stop, or one is killed.
a_fit_that_is_stopped_and_killed_goes_on() {
    local start job rank status stops=0 kills=0
    play american "$work/long" --set games=2400
    expect 0 tune 1 2 "$work/long" "$work/done"
    mkdir "$work/undone"
    RANDOM=5
    for start in $(seq 100); do
        local before
        before=$(kept_bytes)
        mpirun -np 2 "$DAMA" tune "$work/long" --out "$work/undone/new.dama" --threads 1 >"$work/out" 2>"$work/err" &
        job=$!
        wait_for $job has_gone_on "$before" || true
        sleep "0.0$((RANDOM % 6))"
        if [ $((start % 2)) = 0 ]; then
            kill -USR1 $job 2>/dev/null || true
        else
            rank=$(pgrep -P $job -x dama | sed -n "$((1 + RANDOM % 2))p" || true)
            [ -z "$rank" ] || kill -KILL "$rank" 2>/dev/null || true
        fi
        status=0
        wait $job || status=$?
        case $status in
        0) break ;;
        75) stops=$((stops + 1)) ;;
        137) kills=$((kills + 1)) ;;
        *) fail "exit status $status: $(cat "$work/err")" ;;
        esac
    done
    [ $stops -ge 1 ] && [ $kills -ge 1 ] || fail "$stops stops and $kills kills: expected some of both"
    grep -q 'the fit goes on behind [0-9]* passes of an earlier start' "$work/err" || fail "$(cat "$work/err")"
    diff -r "$work/done" "$work/undone" || fail "other files than of a fit that was not disturbed"
}

for test in bytes_do_not_depend_on_ranks_and_threads the_result_is_json_when_asked_for \
    a_fit_that_fails_writes_nothing c054_a_damaged_shard_is_named_or_left_out \
    a_fit_that_is_stopped_and_killed_goes_on; do
    echo "$test"
    "$test"
done
