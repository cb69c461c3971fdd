#!/usr/bin/env bash
# A match's result and games do not depend on ranks and threads; a stop and an error end all ranks (C058).
. "$(dirname "$0")/common.sh"

# match RANKS THREADS [OPTION...]
match() {
    local ranks=$1 threads=$2
    shift 2
    on "$ranks" "$DAMA" match --a hand-set --b material --seed 5 --table-kb 64 --threads "$threads" "$@"
}

same_bytes_for_any_ranks_and_threads() {
    local variant layout
    local -a options=(--pairs 24 --nodes 80 --random-plies 6 --max-plies 80 --json)
    for variant in american international; do
        for layout in "1 1" "1 2" "2 1" "3 2"; do
            local name="$variant-${layout/ /x}"
            # shellcheck disable=SC2086
            expect 0 match $layout --variant "$variant" "${options[@]}" --pdn "$work/$name.pdn"
            mv "$work/out" "$work/$name.json"
            cmp "$work/$variant-1x1.json" "$work/$name.json" || fail "$name: another result"
            cmp "$work/$variant-1x1.pdn" "$work/$name.pdn" || fail "$name: other games"
        done
        grep -Eq '^\{"wins":[0-9]+,"draws":[0-9]+,"losses":[0-9]+,"pairs":\[[0-9]+(,[0-9]+){4}\],"elo":-?[0-9.]+,"elo_low":-?[0-9.]+,"elo_high":-?[0-9.]+,"llr":null,"nelo":-?[0-9.]+,"nelo_low":-?[0-9.]+,"nelo_high":-?[0-9.]+,"superiority":[0-9.]+,"distinct_games":[0-9]+,"stopped":false\}$' \
            "$work/$variant-1x1.json" || fail "the result is not as documented: $(cat "$work/$variant-1x1.json")"
    done
}

a_sequential_test_stops_at_the_same_pair() {
    local layout
    local -a options=(--variant american --pairs 400 --depth 2 --random-plies 6 --max-plies 80 --json
        --elo0 0 --elo1 60 --model logistic --alpha 0.2 --beta 0.2)
    for layout in "1 1" "1 3" "2 2"; do
        # shellcheck disable=SC2086
        expect 0 match $layout "${options[@]}"
        mv "$work/out" "$work/sprt-${layout/ /x}.json"
        cmp "$work/sprt-1x1.json" "$work/sprt-${layout/ /x}.json" || fail "$layout: another end"
    done
    grep -q '"llr":null' "$work/sprt-1x1.json" && fail "no LLR: $(cat "$work/sprt-1x1.json")"
    grep -Eq '"sprt":\{"model":"logistic","elo0":0,"elo1":60,"alpha":0.2,"beta":0.2,"decision":"h[01]"\}' \
        "$work/sprt-1x1.json" || fail "the test is not named: $(cat "$work/sprt-1x1.json")"
}

a_plan_tells_the_length_of_a_test() {
    local -a options=(--variant american --depth 1 --random-plies 4 --max-plies 40 --elo0 0 --elo1 10 --pairs 500)
    expect 0 match 1 1 "${options[@]}" --plan --draw-ratio 0.6
    grep -q '^plan       H0 0.0 against H1 10.0 in normalised Elo, alpha 0.05, beta 0.05; draw rate 60.0 %, assumed$' \
        "$work/out" || fail "$(cat "$work/out")"
    grep -Eq '^halfway    about 5[2-7][0-9][0-9] pairs .*; more than --pairs$' "$work/out" || fail "$(cat "$work/out")"
    expect 0 match 2 1 "${options[@]}" --plan --json
    grep -Eq '"games":40,"seconds_per_pair":[0-9.]+,"h0":\{"elo":0,' "$work/out" || fail "$(cat "$work/out")"
    expect 2 match 1 1 "${options[@]}" --draw-ratio 0.5
    expect 2 match 1 1 "${options[@]}" --draw-rules fair
    grep -q "^dama: --draw-rules: expected site or federation, found 'fair'" "$work/err" || fail "$(cat "$work/err")"
}

players_that_play_alike_are_a_warning() {
    expect 0 match 1 1 --variant american --b hand-set --pairs 3 --depth 1 --random-plies 4 --max-plies 40
    grep -q '3 of 6 games are repeated' "$work/err" || fail "$(cat "$work/err")"
    grep -q 'in 3 of 3 pairs both games have the same moves: A and B play alike' "$work/err" || fail "$(cat "$work/err")"
}

a_signal_ends_the_match_with_status_75() {
    mpirun -np 2 "$DAMA" match --variant american --a easy --b hard --pairs 1000 --threads 1 \
        --out "$work/stopped" >"$work/out" 2>"$work/err" &
    local pid=$! status=0
    wait_for "$pid" test -s "$work/stopped/pairs.jsonl" || fail "it ended: $(cat "$work/err")"
    kill -s USR1 "$pid"
    wait "$pid" || status=$?
    [ "$status" = 75 ] || {
        cat "$work/err" >&2
        fail "exit status $status after SIGUSR1, expected 75"
    }
    grep -q '^stopped    by hand after [0-9]* of 1000 pairs' "$work/out" ||
        fail "the result does not say that it was stopped: $(cat "$work/out")"
}

an_error_of_rank_0_ends_all_ranks_with_one_message() {
    expect 1 match 2 1 --variant american --pairs 2 --nodes 10 --pdn /nowhere/games.pdn
    [ "$(grep -c '^dama: /nowhere/games.pdn: cannot be written' "$work/err")" = 1 ] ||
        fail "expected one message, found: $(cat "$work/err")"
    expect 1 on 2 "$DAMA" match --variant american --a material --b "$work/absent.dama" --nodes 10
    [ "$(grep -c 'absent.dama' "$work/err")" = 1 ] || fail "expected one message, found: $(cat "$work/err")"
}

# No level plays: which table levels would take is nobody's question.
tables_of_a_rules_file_need_no_shipped_one() {
    local rules
    rules=$(cd "$(dirname "$0")/../../configs/variants" && pwd)/thai.conf
    expect 0 "$DAMA" match --rules "$rules" --a hand-set --b material --pairs 1 --nodes 10
    ! grep -q 'no table is shipped' "$work/err" || fail "warned for nothing: $(cat "$work/err")"
    expect 0 "$DAMA" match --rules "$rules" --a easy --b material --pairs 1 --nodes 10
    grep -q 'no table is shipped for thai' "$work/err" || fail "not warned: $(cat "$work/err")"
}

same_bytes_for_any_ranks_and_threads
a_sequential_test_stops_at_the_same_pair
a_plan_tells_the_length_of_a_test
players_that_play_alike_are_a_warning
a_signal_ends_the_match_with_status_75
an_error_of_rank_0_ends_all_ranks_with_one_message
tables_of_a_rules_file_need_no_shipped_one
echo "match over MPI: all as expected"
