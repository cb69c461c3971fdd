#!/usr/bin/env bash
# configs/runs/default.conf says of every key what the list of keys says. usage: check_default_conf.sh DAMA
set -euo pipefail
conf=$(cd "$(dirname "$0")" && pwd)/../configs/runs/default.conf

# The file behind its first comment; the rule set is left to the command line.
"$1" check --keys |
    awk -F '\t' 'NR > 1 && $1 != "variant" {
        printf "\n# %s%s\n# (%s; kept by %s)\n%s = %s\n", toupper(substr($6, 1, 1)), substr($6, 2), $4, $5, $1, $3
    }' |
    diff <(sed '1,/^$/{/^$/!d}' "$conf") - || {
    echo "FAILED: configs/runs/default.conf differs from dama check --keys" >&2
    exit 1
}
