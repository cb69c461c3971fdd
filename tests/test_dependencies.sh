#!/usr/bin/env bash
# The dependency law: what the engine's archive needs, which headers appear where, which folder includes
# which, and that a random stream has one user.
# usage: test_dependencies.sh ARCHIVE. First it proves on planted violations that it can fail.
set -euo pipefail
export LC_ALL=C

top=$(cd "$(dirname "$0")/.." && pwd)

# What the C library gives that prints nothing, opens nothing and never exits; and the OpenMP run time.
allowed_symbols='bcmp|calloc|free|malloc|realloc|qsort|bsearch|abs|memchr|memcmp|memcpy|memmove|memset|strchr|strcmp|strcspn'
allowed_symbols+='|strlen|strncmp|strnlen|strpbrk|strrchr|strspn|strstr|__assert_fail|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_'
allowed_symbols+='|__popcountdi2|__ctzdi2|__clzdi2|GOMP_.*|omp_.*|__kmpc_.*'
# Sanitizers and coverage of a test build add calls of their own.
allowed_symbols+='|__asan_.*|__ubsan_.*|__tsan_.*|__sanitizer_.*|__gcov_.*'

# check_symbols ARCHIVE: symbols that the archive needs, does not define, and may not need.
check_symbols() {
    nm "$1" | awk -v allowed="^($allowed_symbols)$" '
        NF == 2 && $1 ~ /^[UuvVwW]$/ { needed[$NF] = 1; next }
        NF == 3 { defined[$3] = 1 }
        END {
            for (symbol in needed)
                if (!(symbol in defined) && symbol !~ allowed)
                    print "libdama needs " symbol
        }'
}

# check_includes DIRECTORY: include lines below it that break the law, one message a line.
check_includes() {
    # The loop and the program stand above selfplay, tuner and eval, though in one folder with the runtime below:
    # what is compiled there into another target than dama_runtime.
    local above
    above=$(awk '
        /^add_/ { other = !/dama_runtime/ }
        /^\)/ { other = 0 }
        other && $1 ~ /^[a-z0-9_]+\.c$/ { sub(/\.c$/, "", $1); printf " %s ", $1 }' "$1/cluster/CMakeLists.txt")
    (cd "$1" && find engine cluster selfplay tuner eval -name '*.[ch]' | sort | xargs awk -v modules="$above" '
        function bad(why) { print FILENAME ":" FNR ": " why ": " $0 }
        FNR == 1 {
            path = FILENAME
            split(path, part, "/")
            folder = part[1]
            cli = path ~ /^engine\/cli\//
            tables = path ~ /^engine\/tables\//
            tool = path ~ /^engine\/build_[a-z]+\.c$/
            module = part[2]
            sub(/\.[ch]$/, "", module)
            above = folder == "cluster" && index(modules, " " module " ")
        }
        /^#include <hdf5\.h>/ && path !~ /^cluster\/shard[a-z_]*\.[ch]$/ { bad("hdf5.h is for the shard module only") }
        /^#include <mpi\.h>/ && path !~ /^cluster\/(comm[a-z_]*\.[ch]|dama_main\.c)$/ {
            bad("mpi.h is for the communication module and the entry only")
        }
        /^#include <(argp|confuse)\.h>/ && !cli && folder != "cluster" {
            bad("argp.h and confuse.h are for engine/cli and cluster only")
        }
        /^#include <stdio\.h>/ && folder == "engine" && !cli && !tool { bad("the engine does no input or output") }
        /^#include "/ {
            split($2, name, "\"")
            target = name[2]
            if (target ~ /^[a-z_]+\.inc$/) next # made by the build
            if (target !~ /\//) { bad("includes are from the project root"); next }
            split(target, to, "/")
            if (target ~ /^engine\/cli\// && folder == "engine" && !cli) bad("the engine includes nothing of its programs")
            if (target ~ /^engine\/tables\// && folder == "engine" && !cli && !tables) bad("the engine needs no table")
            if (to[1] == folder || to[1] == "engine") next
            if (folder == "engine") bad("engine is below all others")
            else if (folder == "cluster" && above) next
            else if (folder == "cluster") bad("the runtime is below selfplay, tuner and eval")
            else if (to[1] != "cluster") bad("selfplay, tuner and eval meet only in files")
            else if (target ~ /^cluster\/train/) bad("the loop is above")
        }')
}

# check_streams DIRECTORY: purposes of random streams that two source files draw from, or none.
check_streams() {
    local purpose users
    for purpose in $(grep -o 'DAMA_RNG_[A-Z]*' "$1/engine/rng.h" | grep -v -e _H$ -e _TEST$ | sort -u); do
        users=$(cd "$1" && grep -rlw --include='*.[ch]' "$purpose" engine cluster selfplay tuner eval | grep -v '^engine/rng\.h$' | sort | xargs)
        case $users in
        *' '*) echo "$purpose is for one source file: $users" ;;
        '') echo "$purpose is for one source file: none" ;;
        esac
    done
}

# Plants one violation of each kind in a copy of the law's world and counts the messages.
self_test() {
    local dir
    dir=$(mktemp -d)
    trap "rm -rf '$dir'" EXIT
    mkdir -p "$dir"/{engine/cli,cluster,selfplay,tuner,eval}
    echo '#include "cluster/comm.h"' >"$dir/engine/up.c"
    echo '#include "engine/cli/options.h"' >"$dir/engine/out.c"
    echo '#include <stdio.h>' >"$dir/engine/print.c"
    echo '#include <hdf5.h>' >"$dir/tuner/read.c"
    echo '#include <mpi.h>' >"$dir/eval/share.c"
    echo '#include <argp.h>' >"$dir/selfplay/options.c"
    echo '#include "tuner/fit.h"' >"$dir/eval/sideways.c"
    echo '#include "selfplay/block.h"' >"$dir/cluster/shard_up.c"
    echo '#include "block.h"' >"$dir/selfplay/near.c"
    printf '#include "engine/cli/options.h"\n#include <argp.h>\n' >"$dir/cluster/fine.c"
    printf '#include "eval/match.h"\n' >"$dir/cluster/loop.c"
    printf 'add_library(dama_runtime STATIC\n    shard_up.c\n)\nadd_library(dama_train STATIC\n    loop.c\n)\n' \
        >"$dir/cluster/CMakeLists.txt"
    local found
    found=$(check_includes "$dir" | wc -l)
    if [ "$found" -ne 9 ]; then
        check_includes "$dir"
        echo "self test: expected 9 violations, found $found" >&2
        exit 1
    fi
    printf 'enum { DAMA_RNG_ONE, DAMA_RNG_TWO, DAMA_RNG_NONE, DAMA_RNG_TEST };\n' >"$dir/engine/rng.h"
    printf 'DAMA_RNG_TWO' | tee "$dir/eval/a.c" >"$dir/eval/b.c"
    echo 'DAMA_RNG_ONE DAMA_RNG_ONE' >"$dir/tuner/c.c"
    found=$(check_streams "$dir" | grep -o '^DAMA_RNG_[A-Z]*' | xargs)
    if [ "$found" != "DAMA_RNG_NONE DAMA_RNG_TWO" ]; then
        echo "self test: expected DAMA_RNG_NONE and DAMA_RNG_TWO, found $found" >&2
        exit 1
    fi
    printf '#include <stdio.h>\nvoid f(void);\nvoid f(void) { puts("x"); }\n' >"$dir/print.c"
    cc -c "$dir/print.c" -o "$dir/print.o"
    ar rc "$dir/libprint.a" "$dir/print.o"
    if [ "$(check_symbols "$dir/libprint.a")" != "libdama needs puts" ]; then
        echo "self test: puts was not found" >&2
        exit 1
    fi
}

self_test
violations=$(check_symbols "$1"; check_includes "$top"; check_streams "$top")
if [ -n "$violations" ]; then
    echo "$violations"
    exit 1
fi
