#!/usr/bin/env bash
# Builds everything with MPICH, HDF5 found without a pkg-config file and jansson in a folder of its own, as on clusters:
# test_comm passes, what is installed finds its libraries, and the bytes of a run on 2 and 3 ranks are those of one
# process of the build with Open MPI.
# usage: mpich.sh DAMA SOURCE CMAKE_COMMAND
DAMA=$1
source=$2
cmake=$3
. "$(dirname "$0")/common.sh"

# What builds of HDF5 by autotools and other MPIs lack: a pkg-config file.
mkdir -p "$work/pkgconfig" "$work/site/lib"
for name in libconfuse nettle; do
    ln -s "$(pkg-config --variable=pcfiledir "$name")/$name.pc" "$work/pkgconfig/"
done
cp -P "$(pkg-config --variable=libdir jansson)"/libjansson.so* "$work/site/lib"
sed "s#^libdir=.*#libdir=$work/site/lib#" "$(pkg-config --variable=pcfiledir jansson)/jansson.pc" \
    >"$work/pkgconfig/jansson.pc"
export PKG_CONFIG_LIBDIR=$work/pkgconfig PKG_CONFIG_PATH=
pkg-config --exists hdf5 hdf5-serial && fail "pkg-config still knows HDF5"

{
    "$cmake" -G Ninja -S "$source" -B "$work/build" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O1 \
        -DDAMA_WERROR=ON -DMPI_C_COMPILER="$(command -v mpicc.mpich)" &&
        "$cmake" --build "$work/build" --target dama_program dama-engine test_comm &&
        "$cmake" --install "$work/build" --prefix "$work/home"
} >"$work/log" 2>&1 || fail "the build with MPICH: $(tail -n 30 "$work/log")"

built=$work/home/bin/dama
# No module need be loaded for that: the path is in the program.
ldd "$built" >"$work/libraries"
grep -q "$work/site/lib/libjansson" "$work/libraries" || fail "jansson is not found: $(cat "$work/libraries")"
grep -E 'libmpi\.so|libopen-' "$work/libraries" && fail "Open MPI is linked too"
"$built" --version >"$work/version"
grep -q MPICH "$work/version" || fail "built with another MPI: $(cat "$work/version")"
expect 0 mpirun.mpich -np 2 "$work/build/tests/mpi/test_comm"

run=(selfplay --variant american --threads 1 --set games=40 --set block_games=8 --set nodes=100 --set table_kb=64)
expect 0 "$DAMA" "${run[@]}" --out "$work/one"
for ranks in 2 3; do
    expect 0 mpirun.mpich -np $ranks "$built" "${run[@]}" --out "$work/mpich-$ranks"
    same_shards "$work/one" "$work/mpich-$ranks"
done
