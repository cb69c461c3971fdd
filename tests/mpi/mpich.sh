#!/usr/bin/env bash
# Builds everything with MPICH, and with HDF5 found without a pkg-config file as on clusters: test_comm passes, and the
# bytes of a run on 2 and 3 ranks are those of one process of the build with Open MPI.
# usage: mpich.sh DAMA SOURCE CMAKE_COMMAND
DAMA=$1
source=$2
cmake=$3
. "$(dirname "$0")/common.sh"

# What builds of HDF5 by autotools and other MPIs lack: a pkg-config file.
mkdir "$work/pkgconfig"
for name in libconfuse jansson nettle; do
    ln -s "$(pkg-config --variable=pcfiledir "$name")/$name.pc" "$work/pkgconfig/"
done
export PKG_CONFIG_LIBDIR=$work/pkgconfig PKG_CONFIG_PATH=
pkg-config --exists hdf5 hdf5-serial && fail "pkg-config still knows HDF5"

{
    "$cmake" -G Ninja -S "$source" -B "$work/build" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O1 \
        -DDAMA_WERROR=ON -DMPI_C_COMPILER="$(command -v mpicc.mpich)" &&
        "$cmake" --build "$work/build" --target dama_program test_comm
} >"$work/log" 2>&1 || fail "the build with MPICH: $(tail -n 30 "$work/log")"

built=$work/build/cluster/dama
"$built" --version | grep -q MPICH || fail "built with another MPI: $("$built" --version)"
ldd "$built" | grep -E 'libmpi\.so|libopen-' && fail "Open MPI is linked too"
expect 0 mpirun.mpich -np 2 "$work/build/tests/mpi/test_comm"

run=(selfplay --variant american --threads 1 --set games=40 --set block_games=8 --set nodes=100 --set table_kb=64)
expect 0 "$DAMA" "${run[@]}" --out "$work/one"
for ranks in 2 3; do
    expect 0 mpirun.mpich -np $ranks "$built" "${run[@]}" --out "$work/mpich-$ranks"
    same_shards "$work/one" "$work/mpich-$ranks"
done
