#!/usr/bin/env bash
# Matches from lists of openings: the same bytes for any ranks and threads, one opening a pair; lists and windows are found alike.
. "$(dirname "$0")/common.sh"
data=$(cd "$(dirname "$0")/../data/pdn" && pwd)

# match RANKS THREADS [OPTION...]
match() {
    local ranks=$1 threads=$2
    shift 2
    on "$ranks" "$DAMA" match --variant american --a hand-set --b material --seed 5 --table-kb 64 --nodes 60 \
        --max-plies 60 --threads "$threads" "$@"
}

same_bytes_for_any_ranks_and_threads() {
    local layout source name
    printf 'W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,11,12,14\nW:W30,31:BK1\n' >"$work/own.fen"
    for source in two-move ballots biased:60-140 "$work/own.fen" "$data/american-games.pdn"; do
        for layout in "1 1" "1 2" "2 1" "3 2"; do
            name="match-${layout/ /x}"
            # shellcheck disable=SC2086
            expect 0 match $layout --openings "$source" --opening-plies 8 --pairs 16 --json --pdn "$work/$name.pdn"
            mv "$work/out" "$work/$name.json"
            cmp "$work/match-1x1.json" "$work/$name.json" || fail "$source, $layout: another result"
            cmp "$work/match-1x1.pdn" "$work/$name.pdn" || fail "$source, $layout: other games"
        done
        expect 0 "$DAMA" pdn check "$work/match-1x1.pdn"
        grep -q ': 32 games' "$work/out" || fail "$source: $(cat "$work/out")"
        # Both games of a pair have the same opening and, in lists of positions, the same FEN.
        grep -E '^\[(Opening|FEN) ' "$work/match-1x1.pdn" >"$work/tags"
        [ "$(grep -c Opening "$work/tags")" = 32 ] || fail "$source: openings are not told"
        grep Opening "$work/tags" | uniq -c | awk '$1 % 2 { exit 1 }' || fail "$source: a pair with two openings"
        case $source in
        two-move | ballots)
            [ "$(grep Opening "$work/tags" | sort -u | wc -l)" = 16 ] || fail "$source: an opening came twice"
            ;;
        esac
    done
}

too_few_openings_are_a_warning() {
    expect 0 match 1 1 --openings "$work/own.fen" --pairs 3
    grep -q '3 pairs from 2 openings: each is used 1.5 times' "$work/err" || fail "$(cat "$work/err")"
    expect 0 match 1 1 --openings two-move --pairs 3
    grep -q 'openings:' "$work/err" && fail "a warning without a reason: $(cat "$work/err")"
    return 0
}

a_stopped_match_goes_on_from_its_list() {
    local list
    for list in ballots "$work/own.fen"; do
        rm -rf "$work/kept"
        expect 0 match 1 1 --openings "$list" --pairs 4 --out "$work/kept"
        expect 0 match 2 1 --openings "$list" --pairs 9 --out "$work/kept" --json
        mv "$work/out" "$work/two-parts"
        expect 0 match 1 1 --openings "$list" --pairs 9 --json
        cmp "$work/out" "$work/two-parts" || fail "$list: another result when it goes on"
    done
    expect 1 match 1 1 --openings two-move --pairs 9 --out "$work/kept"
    grep -q 'openings' "$work/err" || fail "other openings are not named: $(cat "$work/err")"
}

an_error_is_told_once() {
    expect 1 match 2 1 --pairs 2 --openings /nowhere/list.fen
    [ "$(grep -c '^dama: /nowhere/list.fen' "$work/err")" = 1 ] || fail "$(cat "$work/err")"
    expect 1 on 2 "$DAMA" match --variant international --a hand-set --b material --nodes 9 --openings ballots
    grep -q 'no list of international is shipped' "$work/err" || fail "$(cat "$work/err")"
}

# The lists are what their second line says: made again by the engine that the third line names they are the same bytes.
shipped_lists_can_be_made_again() {
    local list
    list=$(cd "$(dirname "$0")/../../configs/openings" && pwd)
    for name in american-2 italian-2 international-2; do
        local command
        command=$(sed -n 's/^# Made by: dama //p' "$list/$name.fen")
        # shellcheck disable=SC2086
        expect 0 "$DAMA" $command --out "$work/again.fen" --threads 2
        if ! cmp -s <(sed -n 3p "$list/$name.fen") <(sed -n 3p "$work/again.fen"); then
            echo "$name was made by another engine: $(sed -n 3p "$list/$name.fen")"
            continue
        fi
        cmp "$list/$name.fen" "$work/again.fen" || fail "$name: made again it is another list"
    done
}

# Its name is of no use to make the list again, and a blank in the path is none between words.
a_list_names_its_rules_file() {
    mkdir "$work/my rules"
    cp "$(dirname "$0")/../../configs/variants/thai.conf" "$work/my rules/my.conf"
    expect 0 "$DAMA" openings find --rules "$work/my rules/my.conf" --plies 2 --depth 3 --out "$work/own-list.fen"
    local command
    command=$(sed -n 's/^# Made by: //p' "$work/own-list.fen")
    [ "$command" = "dama openings find --rules '$work/my rules/my.conf' --plies 2 --depth 3 --window 60 --weights hand-set" ] ||
        fail "made by: $command"
}

a_window_is_found() {
    local layout
    for layout in 1 2; do
        expect 0 on "$layout" "$DAMA" openings window --variant russian --pairs 6 --nodes 30 --to 80 --threads 1 --json
        mv "$work/out" "$work/window-$layout"
        cmp "$work/window-1" "$work/window-$layout" || fail "$layout ranks: another window"
    done
    grep -Eq '^\{"windows":\[\{"low":0,"high":40,"pairs":\[[0-9,]+\],"decisive":[0-9.]+\},\{"low":40,"high":80,.*\}\],"best":\[[0-9]+,[0-9]+\]\}$' \
        "$work/window-1" || fail "$(cat "$work/window-1")"
}

for test in same_bytes_for_any_ranks_and_threads too_few_openings_are_a_warning a_stopped_match_goes_on_from_its_list \
    an_error_is_told_once shipped_lists_can_be_made_again \
    a_list_names_its_rules_file a_window_is_found; do
    echo "$test"
    "$test"
done
