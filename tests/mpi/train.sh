#!/usr/bin/env bash
# The training loop: the same tables for any ranks and threads and after kills; grows; refuses another request.
. "$(dirname "$0")/common.sh"

small=(--set games=60 --set block_games=16 --set nodes=60 --set table_kb=64 --set random_plies=6
    --set match_pairs=8 --set match_nodes=40 --set ridge=4)

# train RANKS THREADS OUT [OPTION...]
train() {
    local ranks=$1 threads=$2 out=$3
    shift 3
    on "$ranks" "$DAMA" train russian --out "$out" --threads "$threads" "${small[@]}" "$@"
}

# Everything that is a result: tables, fits, matches; not what tells of the machine.
results() {
    (cd "$1" && sha256sum -- gen-*/weights.dama gen-*/match.json gen-*/shards/*.h5 run.conf)
    # The run's name is its folder's.
}

same_results() {
    diff <(results "$1") <(results "$2") || fail "the results of $1 and $2 differ"
}

tables_do_not_depend_on_ranks_and_threads() {
    mkdir -p "$work/a" "$work/b"
    expect 0 train 1 1 "$work/a/run" --set generations=2
    cp "$work/out" "$work/first"
    expect 0 train 2 2 "$work/b/run" --set generations=2
    same_results "$work/a/run" "$work/b/run"
    expect 0 "$DAMA" verify "$work/a/run"
    grep -q 'bad 0, games 120' "$work/out" || fail "verify: $(cat "$work/out")"
}

a_finished_training_only_tells_its_summary() {
    expect 0 train 1 1 "$work/a/run" --set generations=2
    diff "$work/first" "$work/out" || fail "the summary changed"
}

# has_results RUN COUNT: at least so many shards, tables and matches are stored.
has_results() {
    [ "$(find "$1" -name '*.h5' -o -name weights.dama -o -name match.json 2>/dev/null | wc -l)" -ge "$2" ]
}

a_killed_training_goes_on_to_the_same_tables() {
    local results unfinished=0
    RANDOM=7
    mkdir -p "$work/c"
    # Each call is killed some time after it has stored one result more than there were, of 12.
    for results in $(seq 11); do
        setsid "$DAMA" train russian --out "$work/c/run" --threads 2 "${small[@]}" \
            --set generations=2 >/dev/null 2>&1 &
        local pid=$!
        wait_for "$pid" has_results "$work/c/run" "$results" || true
        sleep "0.0$((RANDOM % 10))"
        kill -9 -- "-$pid" 2>/dev/null && unfinished=$((unfinished + 1))
        wait "$pid" 2>/dev/null || true
    done
    [ "$unfinished" -ge 3 ] || fail "only $unfinished kills met a training that was running"
    expect 0 train 1 2 "$work/c/run" --set generations=2
    same_results "$work/a/run" "$work/c/run"
}

has_pairs() {
    [ "$(cat "$1"/match-*/pairs.jsonl 2>/dev/null | wc -l)" -ge "$2" ]
}

a_stopped_match_of_a_training_goes_on() {
    local job status=0
    local -a long=("${small[@]}" --set match_pairs=80 --set match_nodes=1000 --set promote_elo1=1)
    mkdir -p "$work/e" "$work/f"
    expect 0 "$DAMA" train russian --out "$work/e/run" --threads 2 "${long[@]}" --set generations=1
    "$DAMA" train russian --out "$work/f/run" --threads 1 "${long[@]}" --set generations=1 >"$work/out" 2>"$work/err" &
    job=$!
    wait_for $job has_pairs "$work/f/run/gen-000" 3 || true
    kill -USR1 $job
    wait $job || status=$?
    [ $status = 75 ] || fail "exit status $status, expected 75: $(cat "$work/err")"
    [ ! -e "$work/f/run/gen-000/match.json" ] || fail "a result of a match that was stopped"
    expect 0 "$DAMA" train russian --out "$work/f/run" --threads 2 "${long[@]}" --set generations=1
    grep -q 'gen-000/match-[0-9a-f]*: [0-9]* of 80 pairs are there' "$work/err" || fail "the match began again: $(cat "$work/err")"
    same_results "$work/e/run" "$work/f/run"
}

generations_may_grow_and_nothing_else() {
    mkdir -p "$work/d"
    expect 0 train 1 2 "$work/d/run" --set generations=1
    expect 0 train 1 2 "$work/d/run" --set generations=2
    same_results "$work/a/run" "$work/d/run"
    expect 1 train 1 2 "$work/d/run" --set generations=2 --set ridge=5
    grep -q 'ridge = 4.*ridge = 5' "$work/err" || fail "refused without values: $(cat "$work/err")"
    expect 1 train 1 2 "$work/d/run" --set generations=2 --set games=61
    grep -q 'games = 60.*games = 61' "$work/err" || fail "refused without values: $(cat "$work/err")"
}

a_rules_file_is_trained_like_a_built_in() {
    printf 'base = "russian"\nname = "slow"\nking_flies = false\nking_must_go_on = false\n' >"$work/slow.conf"
    expect 0 "$DAMA" train --rules "$work/slow.conf" --out "$work/slow" --threads 2 "${small[@]}" \
        --set generations=1
    expect 0 "$DAMA" verify "$work/slow" --replay 0.1
    expect 0 "$DAMA" replay "$work/slow" --game 3
}

without_held_out_games_the_fitted_ones_are_told() {
    expect 0 train 1 2 "$work/all" --set generations=1 --set holdout=0
    grep -q 'of fitted positions' "$work/out" || fail "no log-loss: $(cat "$work/out")"
}

for test in without_held_out_games_the_fitted_ones_are_told tables_do_not_depend_on_ranks_and_threads a_finished_training_only_tells_its_summary \
    a_killed_training_goes_on_to_the_same_tables a_stopped_match_of_a_training_goes_on generations_may_grow_and_nothing_else \
    a_rules_file_is_trained_like_a_built_in; do
    echo "$test"
    "$test"
done
