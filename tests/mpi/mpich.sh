#!/usr/bin/env bash
# Builds the communication module and its test with MPICH, without a warning, and runs the test on two ranks.
# usage: mpich.sh SOURCE LIBRARY...
set -euo pipefail
source=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The two files come first: the linker then leaves those of the library, which are Open MPI's.
mpicc.mpich -std=gnu11 -Wall -Wextra -Werror -D_GNU_SOURCE -I "$source" -I "$source/tests" \
    "$source"/tests/mpi/test_comm.c "$source"/cluster/comm.c "$source"/cluster/comm_share.c "$@" \
    -lcmocka -ljansson -lm -o "$work/test_comm"
[ -z "$(nm -u "$work/test_comm" | grep -i ompi)" ] || {
    echo "FAILED: Open MPI is linked too" >&2
    exit 1
}
mpirun.mpich -np 2 "$work/test_comm"
