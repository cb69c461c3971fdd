#!/usr/bin/env bash
# Talks to a program line by line and compares every line of its answers.
# usage: run.sh PROGRAM SCRIPT
#
# A script is blocks of lines: "$ options" starts PROGRAM with these options, then "< line" is sent and "> line" is
# the next line of the answer; "..." closes the input, "= status" waits for the end and compares the exit status (a
# process that does not end within a minute has failed). Times and speeds are written as T. # begins a comment.
set -uo pipefail
program=$(realpath "$1")
script=$(realpath "$2")
patience=60
talks=0
failures=0
number=0

fail() {
    echo "$(basename "$script"):$number: $*" >&2
    failures=$((failures + 1))
}

start() {
    # shellcheck disable=SC2086
    coproc TALK { exec "$program" $1; }
    to=${TALK[1]}
    from=${TALK[0]}
    process=$TALK_PID
    talks=$((talks + 1))
}

# What the program says next, without what depends on time.
hear() {
    local said
    if ! IFS= read -r -t "$patience" said <&"$from"; then
        fail "expected '$1', found nothing"
        return
    fi
    said=$(sed -E 's/ (time|nps)=[0-9.]+/ \1=T/g' <<<"$said")
    [ "$said" = "$1" ] || fail "expected '$1', found '$said'"
}

finish() {
    local status=0
    for ((i = 0; i < patience * 10; i++)); do
        kill -0 "$process" 2>/dev/null || break
        sleep 0.1
    done
    kill -9 "$process" 2>/dev/null && fail "the program has not ended"
    wait "$process" || status=$?
    [ "$status" = "$1" ] || fail "expected status $1, found $status"
}

while IFS= read -r line; do
    number=$((number + 1))
    case $line in
    '$ '*) start "${line#'$ '}" ;;
    '< '*) printf '%s\n' "${line#< }" >&"$to" ;;
    '> '*) hear "${line#> }" ;;
    '...') eval "exec $to>&-" ;;
    '= '*) finish "${line#= }" ;;
    '' | '#'*) ;;
    *) fail "cannot read: $line" ;;
    esac
done <"$script"
echo "$talks talks, $failures differences"
[ "$talks" -gt 0 ] && [ "$failures" -eq 0 ]
