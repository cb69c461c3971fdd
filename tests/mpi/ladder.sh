#!/usr/bin/env bash
# A ladder's folder does not depend on ranks, threads, kills and order; what does not fit is refused.
. "$(dirname "$0")/common.sh"

# ladder RANKS THREADS FOLDER [OPTION...]
ladder() {
    local ranks=$1 threads=$2 folder=$3
    shift 3
    on "$ranks" "$DAMA" ladder --variant american --players random,beginner,material,hand-set --nodes 40 --batch 4 \
        --width 150 --seed 3 --set max_plies=100 --set random_plies=6 --set table_kb=64 --threads "$threads" \
        --out "$work/$folder" --json "$@"
}

# The strongest is first.
players() {
    sed -E 's/"bouts".*//' "$1" | grep -o '"name":"[a-z-]*"' | tr '\n' ' '
}

same_bytes_for_any_ranks_and_threads() {
    local layout
    for layout in "1 1" "1 2" "2 1"; do
        local name=${layout/ /x}
        # shellcheck disable=SC2086
        expect 0 ladder $layout "$name"
        mv "$work/out" "$work/$name.json"
        cmp "$work/1x1.json" "$work/$name.json" || fail "$name: another result"
        diff -r "$work/1x1" "$work/$name" --exclude=lock || fail "$name: another folder"
    done
    [ "$(players "$work/1x1.json")" = '"name":"hand-set" "name":"material" "name":"beginner" "name":"random" ' ] ||
        fail "another order: $(players "$work/1x1.json")"
}

what_is_stored_is_not_played_again() {
    local lines
    lines=$(wc -l <"$work/1x1/ladder.jsonl")
    expect 0 ladder 1 1 1x1
    cmp "$work/1x1.json" "$work/out" || fail "another result"
    [ "$(wc -l <"$work/1x1/ladder.jsonl")" = "$lines" ] || fail "sittings were played again"
}

a_cut_ladder_goes_on_to_the_same_result() {
    cp -r "$work/1x1" "$work/cut"
    # Seven whole lines and the half of one.
    head -n 8 "$work/1x1/ladder.jsonl" | head -c -20 >"$work/cut/ladder.jsonl"
    expect 0 ladder 1 2 cut
    cmp "$work/1x1.json" "$work/out" || fail "another result"
    cmp "$work/1x1/ladder.jsonl" "$work/cut/ladder.jsonl" || fail "other sittings"
}

a_player_may_be_added() {
    expect 0 ladder 1 1 1x1 --player easy
    [ "$(grep -c '"player"' "$work/1x1/ladder.jsonl")" = 5 ] || fail "expected five players"
    grep -q '"name":"easy"' "$work/out" || fail "easy is not rated: $(cat "$work/out")"
}

another_request_or_player_is_refused() {
    expect 1 ladder 1 1 2x1 --seed 4
    grep -q "2x1/ladder.jsonl: seed is stored as '3', this run has '4'" "$work/err" || fail "$(cat "$work/err")"
    expect 1 ladder 2 1 2x1 --nodes 41
    grep -q "player 'material' is stored as nodes 40 depth 0 table [0-9a-f]*, found nodes 41" "$work/err" ||
        fail "$(cat "$work/err")"
    echo '{"a":"random"}' >>"$work/2x1/ladder.jsonl"
    expect 1 ladder 1 1 2x1
    grep -Eq 'ladder.jsonl:[0-9]+: expected a request, a player or a sitting' "$work/err" || fail "$(cat "$work/err")"
}

counts_that_do_not_add_up_are_refused() {
    cp -r "$work/1x1" "$work/false"
    sed -i -E '$s/"wins":[ ]*[0-9]+/"wins":1000/' "$work/false/ladder.jsonl"
    expect 1 ladder 1 1 false --player easy
    grep -Eq 'ladder.jsonl:[0-9]+: expected a request, a player or a sitting' "$work/err" || fail "$(cat "$work/err")"
}

# Two players without randomness, five openings: four pairs, then one more, then all have come once.
sittings_share_a_list_and_end_at_the_most_pairs() {
    local fens="B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,11,12,13"
    local list="$work/five.fen"
    printf '%s\n' "$fens" "${fens/12,13/12,14}" "${fens/11,12,13/11,12,15}" "${fens/W21/W17}" "${fens/W21/W18}" >"$list"
    expect 0 "$DAMA" ladder --variant american --players material,hand-set --nodes 40 --batch 4 --max-pairs 5 \
        --width 1 --seed 3 --openings "$list" --threads 1 --out "$work/list" --json
    [ "$(cat "$work"/list/games/*.pdn | grep -c '^\[Event ')" = 10 ] || fail "expected 5 pairs: $(ls "$work/list/games")"
    [ "$(cat "$work"/list/games/*.pdn | grep '^\[FEN ' | sort | uniq -c | awk '{print $1}' | uniq | tr '\n' ' ')" = "2 " ] ||
        fail "an opening was used again: $(cat "$work"/list/games/*.pdn | grep '^\[FEN ' | sort | uniq -c)"
    ! grep -q 'openings: players without randomness' "$work/err" || fail "a warning without a reason: $(cat "$work/err")"
    expect 0 "$DAMA" ladder --variant american --players material,hand-set --nodes 40 --batch 4 --max-pairs 8 \
        --width 1 --seed 3 --openings "$list" --threads 1 --out "$work/list" --json
    grep -q 'up to 8 pairs of two players from 5 openings' "$work/err" || fail "no warning: $(cat "$work/err")"
}

wrong_use_is_named() {
    expect 2 "$DAMA" ladder --variant american
    grep -q 'expected --out DIR' "$work/err" || fail "$(cat "$work/err")"
    expect 2 ladder 1 1 new --anchor nobody
    grep -q "expected one of the players, found 'nobody'" "$work/err" || fail "$(cat "$work/err")"
    expect 2 ladder 1 1 new --player material
    grep -q "expected different names, found 'material' twice" "$work/err" || fail "$(cat "$work/err")"
}

a_signal_ends_the_ladder_with_status_75() {
    "$DAMA" ladder --variant american --players material,hand-set --nodes 20000 --batch 2 --max-pairs 100000 \
        --width 1 --threads 1 --out "$work/stopped" >"$work/out" 2>"$work/err" &
    local pid=$! status=0
    wait_for "$pid" grep -qs '"request"' "$work/stopped/ladder.jsonl" || fail "it ended: $(cat "$work/err")"
    kill -s USR1 "$pid"
    wait "$pid" || status=$?
    [ "$status" = 75 ] || fail "exit status $status after SIGUSR1, expected 75: $(cat "$work/err")"
    grep -q '"request"' "$work/stopped/ladder.jsonl" || fail "nothing was kept: $(cat "$work/err")"
    [ ! -s "$work/out" ] || fail "a stopped ladder prints a result: $(cat "$work/out")"
}

same_bytes_for_any_ranks_and_threads
what_is_stored_is_not_played_again
a_cut_ladder_goes_on_to_the_same_result
a_player_may_be_added
another_request_or_player_is_refused
counts_that_do_not_add_up_are_refused
sittings_share_a_list_and_end_at_the_most_pairs
wrong_use_is_named
a_signal_ends_the_ladder_with_status_75
echo "ladder: all as expected"
