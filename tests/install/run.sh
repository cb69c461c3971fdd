#!/usr/bin/env bash
# Installs a build into a folder of its own, moves it, and builds a program against it twice.
# usage: run.sh BUILD_FOLDER CMAKE_COMMAND C_COMPILER
set -euo pipefail
build=$1
cmake=$2
compiler=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "install: $*" >&2
    exit 1
}

"$cmake" --install "$build" --prefix "$work/first" >"$work/log" || fail "cmake --install: $(cat "$work/log")"
# Nothing may remember where it was installed.
mv "$work/first" "$work/moved"
prefix=$work/moved
grep -rIl -e "$work/first" -e "$build" "$prefix" && fail "these files name a folder of the build"

# Five plies of international (published in damforum t=2308), four plies of search, a table or none.
expected="27117 4 1"
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name dama.pc)")
# shellcheck disable=SC2046 # flags are words
"$compiler" -std=c11 -o "$work/by_pkg_config" "$here/consumer.c" $(pkg-config --cflags --libs dama)
found=$("$work/by_pkg_config")
[ "$found" = "$expected" ] || fail "pkg-config: expected $expected, found $found"

"$cmake" -G Ninja -S "$here" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$compiler" >"$work/log" 2>&1 &&
    "$cmake" --build "$work/build" >>"$work/log" 2>&1 || fail "find_package: $(cat "$work/log")"
found=$("$work/build/consumer")
[ "$found" = "$expected" ] || fail "find_package: expected $expected, found $found"

# Every installed header compiles alone.
while read -r header; do
    name=${header#"$prefix/include/dama/"}
    echo "#include <$name>" | "$compiler" -std=c11 -Wall -Werror -fsyntax-only -x c $(pkg-config --cflags dama) - ||
        fail "$name does not compile alone"
done < <(find "$prefix/include/dama" -name '*.h')

# The programs and the data work from there.
found=$("$prefix/bin/dama-engine" perft --rules "$prefix/share/dama/variants/thai.conf" --depth 1 | cut -f 2)
[ "$found" = 7 ] || fail "dama-engine: expected 7 moves in Thai, found $found"
[ -f "$prefix/share/dama/levels.conf" ] || fail "share/dama/levels.conf is missing"
[ -x "$prefix/bin/dama" ] || exit 0

# A job of Slurm, which runs a copy of the script and tells where the script lay; of the job's environment little is kept.
mkdir "$work/slurm" "$work/job"
printf '#!/bin/sh\necho "   Command=%s/share/dama/slurm/train.sbatch"\n' "$prefix" >"$work/slurm/scontrol"
chmod +x "$work/slurm/scontrol"
cp "$prefix/share/dama/slurm/train.sbatch" "$work/job/slurm_script"
(cd "$work/job" && env -i PATH="$prefix/bin:$work/slurm:$PATH" SLURM_JOB_ID=1 SLURM_NTASKS=1 bash slurm_script american \
    --config "$prefix/share/dama/runs/quickstart.conf" --set generations=1 --set games=40 --set nodes=50 --set match_pairs=2 \
    --set match_nodes=20) >"$work/log" 2>&1 || fail "a job of the installed scripts: $(tail -n 20 "$work/log")"
"$prefix/bin/dama" verify "$work/job/runs/american" --replay 1 >"$work/log" || fail "dama verify: $(cat "$work/log")"
grep -q ' bad 0, games 40,.* played again 40,' "$work/log" || fail "dama verify: $(cat "$work/log")"
