#!/usr/bin/env bash
# A run's files do not depend on ranks, threads, kills or stops; a wrong request is refused (C050, C053, C055, C056).
. "$(dirname "$0")/common.sh"

small=(--set games=70 --set block_games=8 --set nodes=150 --set table_kb=64 --set random_plies=6)

# selfplay RANKS THREADS VARIANT OUT [OPTION...]
selfplay() {
    local ranks=$1 threads=$2 variant=$3 out=$4
    shift 4
    on "$ranks" "$DAMA" selfplay --variant "$variant" --out "$out" --threads "$threads" "${small[@]}" "$@"
}

bytes_do_not_depend_on_ranks_and_threads() {
    local variant
    for variant in american international; do
        expect 0 selfplay 1 1 "$variant" "$work/$variant-1x1"
        expect 0 selfplay 1 2 "$variant" "$work/$variant-1x2"
        expect 0 selfplay 2 1 "$variant" "$work/$variant-2x1"
        expect 0 selfplay 3 2 "$variant" "$work/$variant-3x2"
        expect 0 selfplay 1 16 "$variant" "$work/$variant-1x16"
        expect 0 selfplay 2 1 "$variant" "$work/$variant-static" --set schedule=static
        [ "$(shards "$work/$variant-1x1" | wc -l)" = 9 ] || fail "70 games are not 9 blocks of 8"
        for other in 1x2 2x1 3x2 1x16 static; do
            same_shards "$work/$variant-1x1" "$work/$variant-$other"
        done
        # The games are uneven, or this test shows little.
        expect 0 "$DAMA" verify "$work/$variant-1x1" --replay 0.2
        grep -q 'bad 0, games 70' "$work/out" || fail "verify: $(cat "$work/out")"
    done
}

c050_every_rank_plays_other_games() {
    expect 0 selfplay 4 1 russian "$work/c050" --set games=200 --set nodes=40 --json
    grep -q '"games":200,"distinct_games":200,' "$work/out" || fail "C050: $(cat "$work/out")"
    expect 0 selfplay 1 1 russian "$work/c050-again" --set games=200 --set nodes=40
    same_shards "$work/c050" "$work/c050-again"
}

# has_shards RUN COUNT: at least so many are finished.
has_shards() {
    [ "$(find "$1" -name '*.h5' 2>/dev/null | wc -l)" -ge "$2" ]
}

c053_a_killed_run_goes_on_to_the_same_files() {
    local -a slower=(--set nodes=1500)
    expect 0 selfplay 1 2 american "$work/whole" "${slower[@]}"
    local shard unfinished=0
    RANDOM=53
    # Each call is killed some time after it has stored one block more than there were.
    for shard in $(seq 8); do
        setsid "$DAMA" selfplay --variant american --out "$work/killed" --threads 2 "${small[@]}" \
            "${slower[@]}" >/dev/null 2>&1 &
        local pid=$!
        wait_for "$pid" has_shards "$work/killed" "$shard" || true
        sleep "0.$(printf %02d $((RANDOM % 20)))"
        kill -9 -- "-$pid" 2>/dev/null && unfinished=$((unfinished + 1))
        wait "$pid" 2>/dev/null || true
    done
    [ "$unfinished" -ge 3 ] || fail "only $unfinished kills met a run that was playing"
    # What is there is whole: a block that a kill interrupted is absent.
    expect 0 "$DAMA" verify "$work/killed"
    expect 0 selfplay 1 1 american "$work/killed" "${slower[@]}"
    same_shards "$work/whole" "$work/killed"
}

c056_a_signal_stops_a_run_that_can_go_on() {
    local signal status
    for signal in USR1 TERM; do
        mpirun -np 2 "$DAMA" selfplay --variant american --out "$work/$signal" --threads 1 \
            "${small[@]}" --set nodes=3000 >/dev/null 2>"$work/err" &
        local pid=$!
        wait_for "$pid" has_shards "$work/$signal" 1 || fail "C056: ended before SIG$signal: $(cat "$work/err")"
        kill -s "$signal" "$pid"
        status=0
        wait "$pid" || status=$?
        if [ "$signal" = USR1 ] && [ "$status" != 75 ]; then
            cat "$work/err" >&2
            fail "C056: exit status $status after SIGUSR1, expected 75"
        fi
        expect 0 "$DAMA" verify "$work/$signal"
        expect 0 selfplay 1 2 american "$work/$signal" --set nodes=3000
    done
    same_shards "$work/USR1" "$work/TERM"
}

a_run_may_grow() {
    expect 0 selfplay 1 2 american "$work/grown" --set games=21
    expect 0 selfplay 1 2 american "$work/grown"
    same_shards "$work/american-1x1" "$work/grown"
}

another_request_is_refused() {
    expect 1 selfplay 1 1 american "$work/american-1x1" --set seed=2
    grep -q 'seed = 1.*seed = 2' "$work/err" || fail "refused without values: $(cat "$work/err")"
    expect 1 selfplay 1 1 american "$work/american-1x1" --set block_games=9
    grep -q 'block_games = 8.*block_games = 9' "$work/err" || fail "$(cat "$work/err")"
    expect 1 selfplay 1 1 italian "$work/american-1x1"
    grep -q 'variant = american.*variant = italian' "$work/err" || fail "$(cat "$work/err")"
    same_shards "$work/american-1x1" "$work/american-1x2"
}

c055_rank_0_alone_reads_the_run_file() {
    printf 'games = 16\nblock_games = 4\nnodes = 50\n' >"$work/run.conf"
    cat >"$work/rank" <<SH
#!/bin/sh
# The second rank has no run file.
[ "\$OMPI_COMM_WORLD_RANK" = "\$MISSING_ON" ] && file="$work/absent.conf" || file="$work/run.conf"
exec "$DAMA" selfplay --variant american --out "$work/c055" --threads 1 --config "\$file"
SH
    chmod +x "$work/rank"
    MISSING_ON=1 expect 0 mpirun -np 2 -x MISSING_ON "$work/rank"
    MISSING_ON=0 expect 1 timeout 10 mpirun -np 2 -x MISSING_ON "$work/rank"
    [ "$(grep -c 'absent.conf' "$work/err")" = 1 ] || fail "C055: $(cat "$work/err")"
}

a_second_run_in_the_folder_is_refused() {
    "$DAMA" selfplay --variant american --out "$work/locked" --threads 1 "${small[@]}" \
        --set nodes=20000 >/dev/null 2>&1 &
    local pid=$!
    wait_for "$pid" test -s "$work/locked/lock" || fail "the first run ended early"
    expect 1 selfplay 1 1 american "$work/locked" --set nodes=20000
    kill -9 "$pid"
    wait "$pid" 2>/dev/null || true
    grep -q "$pid" "$work/err" || fail "the holder is not named: $(cat "$work/err")"
}

replay_shows_a_stored_game() {
    expect 0 "$DAMA" replay "$work/american-1x1" --game 69
    expect 0 "$DAMA" replay "$work/american-1x1" --game 0 --pdn
    cp "$work/out" "$work/game.pdn"
    expect 0 "$DAMA" pdn check "$work/game.pdn"
    expect 1 "$DAMA" replay "$work/american-1x1" --game 70
}

the_plan_is_near_what_a_run_takes() {
    local planned taken
    expect 0 selfplay 1 2 american "$work/planned" --plan --json
    planned=$(sed 's/.*"bytes":\([0-9]*\).*/\1/' "$work/out")
    grep -q '"games":70,"blocks":9,' "$work/out" || fail "--plan: $(cat "$work/out")"
    [ ! -e "$work/planned/shards" ] || fail "--plan stored games"
    taken=$(cat "$work/american-1x1/shards/"*.h5 | wc -c)
    [ $((planned * 4)) -ge $((taken * 3)) ] && [ $((planned * 3)) -le $((taken * 4)) ] ||
        fail "--plan: $planned bytes, taken $taken"
}

a_run_file_may_name_the_variant() {
    printf 'variant = spanish\ngames = 4\nnodes = 20\n' >"$work/named.conf"
    expect 0 "$DAMA" selfplay --config "$work/named.conf" --out "$work/named"
    expect 0 "$DAMA" selfplay --config "$work/named.conf" --variant spanish --out "$work/named"
    expect 0 "$DAMA" tune "$work/named" --config "$work/named.conf" --out "$work/named.dama"
    expect 2 "$DAMA" selfplay --config "$work/named.conf" --variant czech --out "$work/named"
    grep -q 'variant = spanish.*czech' "$work/err" || fail "refused without both: $(cat "$work/err")"
}

for test in a_run_file_may_name_the_variant \
    bytes_do_not_depend_on_ranks_and_threads c050_every_rank_plays_other_games \
    c053_a_killed_run_goes_on_to_the_same_files c056_a_signal_stops_a_run_that_can_go_on \
    a_run_may_grow another_request_is_refused c055_rank_0_alone_reads_the_run_file \
    a_second_run_in_the_folder_is_refused replay_shows_a_stored_game the_plan_is_near_what_a_run_takes; do
    echo "$test"
    "$test"
done
