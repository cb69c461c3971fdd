#!/usr/bin/env bash
# External engines under ranks and threads, and matches that are stopped and go on.
# Needs ENGINE, the path of dama-engine, and FAKE, that of the engine that misbehaves.
. "$(dirname "$0")/common.sh"

# match RANKS THREADS [OPTION...]
match() {
    local ranks=$1 threads=$2
    shift 2
    on "$ranks" "$DAMA" match --b material --seed 5 --table-kb 64 --random-plies 6 --max-plies 80 --threads "$threads" "$@"
}

# Another build that plays with the same table by the same nodes plays the same games, move by move.
an_engine_plays_as_the_table_it_has() {
    local variant layout
    for variant in american-free spanish international; do
        local -a options=(--variant "$variant" --pairs 6 --nodes 60)
        expect 0 match 1 1 "${options[@]}" --a hand-set --pdn "$work/table.pdn" --json
        mv "$work/out" "$work/table.json"
        for layout in "1 1" "2 2"; do
            # shellcheck disable=SC2086
            expect 0 match $layout "${options[@]}" --a "engine:$ENGINE;weights=hand-set" --pdn "$work/engine.pdn" --json
            cmp "$work/out" "$work/table.json" || fail "$variant, $layout: another result"
            sed 's/engine:[^"]*/hand-set/' "$work/engine.pdn" | cmp - "$work/table.pdn" || fail "$variant, $layout: other games"
        done
    done
}

# Levels of an engine, and a rules file that its program is given.
an_engine_plays_by_a_rules_file() {
    local rules
    rules=$(dirname "$0")/../../configs/variants/russian.conf
    expect 0 match 1 1 --rules "$rules" --pairs 2 --nodes 40 --a "engine:$ENGINE;weights=hand-set" --json
    mv "$work/out" "$work/engine.json"
    expect 0 match 1 1 --rules "$rules" --pairs 2 --nodes 40 --a hand-set --json
    cmp "$work/out" "$work/engine.json" || fail "another result"
}

faults_are_counted_and_named_on_every_rank() {
    expect 0 match 2 1 --variant international --pairs 2 --nodes 20 --a "hub:$FAKE crash" --json
    grep -q ',"faults":{"a":{"crashed":4},"b":{}}}$' "$work/out" || fail "found $(cat "$work/out")"
    [ "$(grep -c 'A (hub:.*crash) has lost: crashed, it has ended' "$work/err")" = 4 ] || fail "found $(cat "$work/err")"
    expect 0 match 1 1 --variant international --pairs 1 --nodes 20 --a "hub:$FAKE illegal"
    grep -q '^faults     A (hub:.*illegal), each a lost game: illegal move 2$' "$work/out" || fail "found $(cat "$work/out")"
    grep -q 'ended by forfeited 2$' "$work/out" || fail "found $(cat "$work/out")"
}

a_ladder_tells_games_that_were_lost_by_faults() {
    local -a options=(--variant international --players random,material --player "hub:$FAKE crash" --nodes 20
        --batch 2 --max-pairs 2 --width 500 --threads 1 --out "$work/ladder")
    expect 0 "$DAMA" ladder "${options[@]}"
    grep -Eq '^faults     hub:.* crash has lost [1-9][0-9]* games by what it did wrong' "$work/out" || fail "found $(cat "$work/out")"
    mv "$work/out" "$work/first"
    expect 0 "$DAMA" ladder "${options[@]}"
    cmp "$work/first" "$work/out" || fail "another result of what is stored"
}

# dama-engine tells every verb that dama alone has from a wrong word.
the_engine_names_the_program_of_other_verbs() {
    local verb
    verbs_of "$DAMA" >"$work/all"
    verbs_of "$ENGINE" >"$work/own"
    comm -23 "$work/all" "$work/own" >"$work/others"
    [ "$(wc -l <"$work/others")" -gt 10 ] || fail "found $(cat "$work/others")"
    while read -r verb; do
        expect 2 "$ENGINE" "$verb" --help
        grep -q "^dama: dama-engine has no verb '$verb': it is one of the program dama " "$work/err" || fail "found $(cat "$work/err")"
    done <"$work/others"
}

verbs_of() {
    "$1" --help | awk '/^  [a-z]/ {print $1}' | sort
}

an_engine_that_cannot_start_ends_all_ranks() {
    expect 1 match 2 1 --variant international --pairs 2 --nodes 20 --a hub:/nowhere/engine
    grep -q '^dama: .*/nowhere/engine: cannot be started: No such file or directory' "$work/err" || fail "found $(cat "$work/err")"
    ! grep -q ' of 2 pairs' "$work/err" || fail "an account of a match that did not begin: $(cat "$work/err")"
    expect 2 match 1 1 --variant international --pairs 2 --nodes 20 --a 'hub:'
    expect 1 match 1 1 --variant american --pairs 2 --nodes 20 --a "engine:$ENGINE;levle=easy"
    grep -q "levle=easy: expected a parameter that the engine declares, found 'levle'" "$work/err" || fail "found $(cat "$work/err")"
}

# C040: its input is closed in the middle of a search without an end.
c040_a_search_ends_with_its_input() {
    local status=0
    { printf 'set-param name=table-kb value=64\ninit\nlevel infinite\ngo analyze\n' && sleep 1; } |
        timeout 60 "$ENGINE" hub >"$work/out" || status=$?
    [ "$status" = 0 ] || fail "exit status $status, expected 0"
    grep -q '^info depth=1 ' "$work/out" || fail "no search: $(cat "$work/out")"
    grep -q '^done' "$work/out" && fail "an answer after the end: $(cat "$work/out")"
    return 0
}

# One error, nothing of its rest is a command, and no search answers for the position before.
a_line_that_is_too_long_is_dropped_whole() {
    { printf 'set-param name=table-kb value=64\ninit\npos\nlevel depth=1\npos moves="' &&
        head -c 200000 /dev/zero | tr '\0' ' ' && printf 'quit"\n%s\n' 'go think' ping; } |
        timeout 60 "$ENGINE" hub >"$work/out"
    printf '%s\n' ready 'error message="a line is too long"' 'error message="go: expected a position, found none"' pong |
        diff - "$work/out" || fail "found $(cat "$work/out")"
}

# Stopped by a signal again and again, and killed: the same result in the end.
a_stopped_match_goes_on_by_the_same_command() {
    local -a options=(--variant russian --a hand-set --b material --seed 5 --table-kb 64 --pairs 12 --nodes 4000 --json)
    local status=75 stops=0
    while [ "$status" = 75 ] || [ "$status" = 137 ]; do
        "$DAMA" match "${options[@]}" --out "$work/match" --threads 1 >"$work/out" 2>"$work/err" &
        local pid=$!
        sleep 1
        if [ $((stops % 2)) = 0 ]; then kill -s USR1 "$pid"; else kill -9 "$pid"; fi 2>/dev/null || true
        status=0
        wait "$pid" || status=$?
        stops=$((stops + 1))
        # A machine that is too slow for a pair in a second would never end.
        [ "$stops" -lt 10 ] || break
    done
    expect 0 on 2 "$DAMA" match "${options[@]}" --out "$work/match" --threads 1
    mv "$work/out" "$work/resumed.json"
    expect 0 "$DAMA" match "${options[@]}"
    cmp "$work/out" "$work/resumed.json" || fail "another result after $stops stops"
    expect 1 "$DAMA" match "${options[@]}" --out "$work/match" --nodes 4001
    ! grep -q 'pairs (' "$work/err" || fail "an account of a match that is refused: $(cat "$work/err")"
    grep -q "^dama: $work/match/match.conf: another match: a_nodes is 4000, asked for is 4001" "$work/err" ||
        fail "found $(cat "$work/err")"
}

an_engine_plays_as_the_table_it_has
an_engine_plays_by_a_rules_file
faults_are_counted_and_named_on_every_rank
a_ladder_tells_games_that_were_lost_by_faults
the_engine_names_the_program_of_other_verbs
an_engine_that_cannot_start_ends_all_ranks
c040_a_search_ends_with_its_input
a_line_that_is_too_long_is_dropped_whole
a_stopped_match_goes_on_by_the_same_command
echo "opponents: all as expected"
