#!/usr/bin/env bash
# Runs the commands of a script and compares everything they print and their exit status.
# usage: run.sh PROGRAM SCRIPT
#
# A script is blocks of lines: "$ command", then "< input", "> output", "! error output" and
# "= status" (0 when absent); lines that begin with # are comments. Commands are run by bash in an
# empty folder; dama-engine is PROGRAM, $CONFIGS and $DATA are the folders configs and tests/data.
set -uo pipefail
program=$(realpath "$1")
script=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
CONFIGS=$(cd "$here/../../configs" && pwd)
DATA=$(cd "$here/../data" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir folder

dama-engine() {
    "$program" "$@"
}

failures=0
count=0
command=

# Compares what a block expects with what the command did.
finish() {
    [ -n "$command" ] || return 0
    count=$((count + 1))
    (cd folder && eval "$command") <in >out.found 2>err.found
    echo $? >status.found
    # Paths of this machine are not part of what is expected.
    sed -i -e "s|$CONFIGS|CONFIGS|g" -e "s|$DATA|DATA|g" out.found err.found
    for part in out err status; do
        if ! diff -u "$part" "$part.found" >difference; then
            echo "$(basename "$script"): $command" >&2
            tail -n +3 difference >&2
            failures=$((failures + 1))
        fi
    done
}

start() {
    finish
    command=$1
    : >in
    : >out
    : >err
    echo 0 >status
}

while IFS= read -r line; do
    case $line in
    '$ '*) start "${line#'$ '}" ;;
    '<'*) text=${line#<} && echo "${text# }" >>in ;;
    '>'*) text=${line#>} && echo "${text# }" >>out ;;
    '!'*) text=${line#!} && echo "${text# }" >>err ;;
    '= '*) echo "${line#= }" >status ;;
    '' | '#'*) ;;
    *) echo "$script: cannot read: $line" >&2 && exit 2 ;;
    esac
done <"$script"
finish
echo "$count commands, $failures differences"
[ "$count" -gt 0 ] && [ "$failures" -eq 0 ]
