#!/usr/bin/env bash
# Imported games are a run like any other: verified, tuned, shown; other scores do not depend on ranks, threads and stops.
. "$(dirname "$0")/common.sh"
data=$(cd "$(dirname "$0")/../data/pdn" && pwd)

# rescore RANKS THREADS RUN OUT [OPTION...]
rescore() {
    local ranks=$1 threads=$2 run=$3 out=$4
    shift 4
    on "$ranks" "$DAMA" rescore "$run" --out "$out" --threads "$threads" "$@"
}

imported_games_are_a_run() {
    expect 0 "$DAMA" import "$data/american-games.pdn" "$data/american-illegal.pdn" \
        "$data/american-problems.pdn" --variant american --out "$work/games" --block-games 32 --json
    # 299 + 1 + 162 games; the second file's breaks off at an illegal move, the third has no moves.
    [ "$(cat "$work/out")" = '{"games":462,"taken":299,"distinct_games":295,"rows":15052,"shards":10,"left_out":{"another kind of game, or none named":0,"damaged text or an illegal move":1,"no result":0,"results that contradict each other or the position":0,"an impossible set-up: more pieces than the start, or too many moves":0,"another set-up in the middle":0,"no moves":162,"more plies than a row can count":0,"moves that can be read in several ways":0}}' ] ||
        fail "import: $(cat "$work/out")"
    [ "$(grep -c 'left out: ' "$work/err")" = 163 ] || fail "not every game is named: $(cat "$work/err")"
    grep -q 'american-illegal.pdn:17: game 1, ply 123: found 32-28' "$work/err" || fail "$(cat "$work/err")"
    grep -q "^import_file_1 = $(sha256sum <"$data/american-games.pdn" | cut -d' ' -f1) american-games.pdn\$" \
        "$work/games/run.conf" || fail "request: $(cat "$work/games/run.conf")"
    expect 0 on 2 "$DAMA" verify "$work/games"
    grep -q 'bad 0, games 299, positions 15052' "$work/out" || fail "verify: $(cat "$work/out")"
    expect 1 "$DAMA" verify "$work/games" --replay 1
    grep -q 'imported games: no engine can play them again' "$work/err" || fail "$(cat "$work/err")"
    expect 0 "$DAMA" tune "$work/games" --out "$work/games.dama"
    [ -s "$work/games.dama" ] || fail "no table"
}

an_imported_game_is_shown_as_it_was() {
    expect 0 "$DAMA" replay "$work/games" --game 0
    [ "$(tail -n 1 "$work/out")" = 'imported: the engine cannot play it again; it follows the rules' ] ||
        fail "replay: $(cat "$work/out")"
    expect 0 "$DAMA" replay "$work/games" --game 0 --pdn
    mv "$work/out" "$work/game.pdn"
    expect 0 "$DAMA" pdn check "$work/game.pdn"
    expect 1 "$DAMA" replay "$work/games" --game 299
}

# Files read in another way are other games: they are not mixed with those that are there.
another_reading_is_another_run() {
    local before
    before=$(shards "$work/games")
    local -a again=(import "$data/american-games.pdn" "$data/american-illegal.pdn" "$data/american-problems.pdn"
        --out "$work/games" --block-games 32)
    expect 1 "$DAMA" "${again[@]}" --variant american --squares grid
    grep -q 'the stored run has import_squares = , asked for is import_squares = grid' "$work/err" || fail "$(cat "$work/err")"
    expect 0 "$DAMA" "${again[@]}" --variant american
    [ "$(shards "$work/games")" = "$before" ] || fail "the stored games changed"
}

the_first_game_type_decides() {
    printf '[GameType "25"]\n1. c3-d4 d6-c5 1-0\n\n[GameType "21"]\n1. 11-15 23-19 1-0\n' >"$work/two.pdn"
    expect 0 "$DAMA" import "$work/two.pdn" --out "$work/two" --json
    grep -q '"games":2,"taken":1,.*"another kind of game, or none named":1' "$work/out" || fail "$(cat "$work/out")"
    grep -q '^variant = russian$' "$work/two/run.conf" || fail "$(cat "$work/two/run.conf")"
    # Not mixed with what a given variant would take of the file.
    expect 1 "$DAMA" import "$work/two.pdn" --out "$work/two" --variant russian
    grep -q 'the stored run has import_rules = GameType, asked for is import_rules = ' "$work/err" || fail "$(cat "$work/err")"
    printf '1. 11-15 23-19 1-0\n' >"$work/none.pdn"
    expect 2 "$DAMA" import "$work/none.pdn" --out "$work/none"
    printf '1. 11-15 23-19 *\n' >"$work/open.pdn"
    expect 1 "$DAMA" import "$work/open.pdn" --variant american --out "$work/open"
}

other_scores_do_not_depend_on_ranks_and_threads() {
    local layout name
    for layout in "1 1" "1 3" "2 1" "3 2"; do
        name="scores-${layout/ /x}"
        # shellcheck disable=SC2086
        expect 0 rescore $layout "$work/games" "$work/$name" --nodes 60 --weights hand-set --table-kb 64
        same_shards "$work/scores-1x1" "$work/$name"
    done
    diff <(shards "$work/games") <(shards "$work/scores-1x1") >/dev/null && fail "the scores are the old ones"
    expect 0 "$DAMA" verify "$work/scores-1x1"
    grep -q 'bad 0, games 299, positions 15052' "$work/out" || fail "verify: $(cat "$work/out")"
    grep -q "^parent_request = $(sha256sum <"$work/games/run.conf" | cut -d' ' -f1)\$" \
        "$work/scores-1x1/run.conf" || fail "request: $(cat "$work/scores-1x1/run.conf")"
    expect 0 "$DAMA" tune "$work/scores-1x1" --out "$work/scores.dama"
    expect 2 rescore 1 1 "$work/games" "$work/../$(basename "$work")/games" --nodes 60
    grep -q "expected another folder than the run's own" "$work/err" || fail "$(cat "$work/err")"
    expect 1 rescore 1 1 "$work/games" "$work/scores-1x1" --nodes 61 --weights hand-set --table-kb 64
    grep -q 'rescore_nodes = 60.*rescore_nodes = 61' "$work/err" || fail "$(cat "$work/err")"
}

has_shard() {
    compgen -G "$1/shards/*.h5" >/dev/null
}

a_stopped_rescore_goes_on_to_the_same_files() {
    local signal pid status
    rm "$work/scores-3x2/shards/american-000004.h5"
    truncate -s 1000 "$work/scores-3x2/shards/american-000007.h5"
    expect 0 rescore 1 2 "$work/games" "$work/scores-3x2" --nodes 60 --weights hand-set --table-kb 64 --json
    grep -q '"searched_shards":2,' "$work/out" || fail "$(cat "$work/out")"
    same_shards "$work/scores-1x1" "$work/scores-3x2"
    expect 0 rescore 2 1 "$work/games" "$work/whole" --nodes 6000
    for signal in USR1 KILL; do
        "$DAMA" rescore "$work/games" --out "$work/$signal" --threads 1 --nodes 6000 >/dev/null 2>&1 &
        pid=$! status=0
        wait_for "$pid" has_shard "$work/$signal" || fail "it ended before SIG$signal"
        kill -s "$signal" "$pid"
        wait "$pid" || status=$?
        [ "$signal" = KILL ] || [ "$status" = 75 ] || fail "exit status $status after SIG$signal, expected 75"
        expect 0 rescore 1 2 "$work/games" "$work/$signal" --nodes 6000
        same_shards "$work/whole" "$work/$signal"
    done
}

a_training_keeps_its_generations() {
    local set=(--set games=8 --set block_games=4 --set nodes=40 --set random_plies=6)
    expect 0 "$DAMA" selfplay --variant american --out "$work/run/gen-000" --threads 1 "${set[@]}"
    expect 0 "$DAMA" selfplay --variant american --out "$work/run/gen-001" --threads 1 "${set[@]}" --set seed=2
    expect 0 rescore 2 1 "$work/run" "$work/run-scored" --depth 2
    for gen in gen-000 gen-001; do
        [ "$(ls "$work/run-scored/$gen/shards")" = "$(ls "$work/run/$gen/shards")" ] || fail "$gen: other shards"
    done
    expect 0 "$DAMA" verify "$work/run-scored"
    grep -q 'shards 4, bad 0, games 16' "$work/out" || fail "$(cat "$work/out")"
    # Games of self-play lose their player's scores, and with them the proof by playing again.
    expect 1 "$DAMA" verify "$work/run-scored" --replay 1
    expect 0 "$DAMA" replay "$work/run-scored" --game 3
}

for test in imported_games_are_a_run another_reading_is_another_run an_imported_game_is_shown_as_it_was \
    the_first_game_type_decides other_scores_do_not_depend_on_ranks_and_threads \
    a_stopped_rescore_goes_on_to_the_same_files a_training_keeps_its_generations; do
    echo "$test"
    "$test"
done
