#!/usr/bin/env bash
# Fails when an id of data/cases.tsv is named by no test: no tests/*.c, script or other table of data/ mentions it.
set -euo pipefail

cd "$(dirname "$0")"
missing=0
while IFS=$'\t' read -r id area _; do
    if ! grep -rqiw --include='*.c' --include='*.sh' --include='*.py' --include='*.tsv' --exclude=cases.tsv \
        -e "${id}" -e "${id}_[a-z0-9_]*" . ; then
        echo "case $id ($area): expected a test that names it, found none"
        missing=$((missing + 1))
    fi
done < data/cases.tsv
total=$(wc -l < data/cases.tsv)
echo "$((total - missing)) of $total cases have a test"
[ "$total" -gt 0 ] && [ "$missing" -eq 0 ]
