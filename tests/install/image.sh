#!/usr/bin/env bash
# Runs the sections of cluster/apptainer.def as Apptainer does, in bare Debian roots instead of the images that it starts
# from. Needs root, debootstrap and a Debian mirror.
# usage: image.sh SOURCE
set -euo pipefail
source=$(cd "$1" && pwd)
recipe=$source/cluster/apptainer.def
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "image: $*" >&2
    exit 1
}

# section STAGE NAME: the lines below %NAME of a stage.
section() {
    awk -v stage="$1" -v name="%$2" '
        /^Bootstrap:/ { current = ""; is_in = 0 }
        /^Stage:/ { current = $2 }
        /^%/ { is_in = current == stage && $1 == name; next }
        is_in' "$recipe"
}

# enter ROOT COMMAND...: in a mount namespace of its own, which ends with it.
enter() {
    unshare --mount --pid --fork sh -e -c '
        cd "$1"
        shift
        mount -t proc proc proc
        mount --rbind /dev dev
        exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C chroot . "$@"' - "$@"
}

# run STAGE NAME: a section of shell lines, the first failure ends it.
run() {
    section "$1" "$2" >"$work/$1/section.sh"
    [ -s "$work/$1/section.sh" ] || fail "stage $1 has no %$2"
    enter "$work/$1" sh -e /section.sh </dev/null
}

# copy_files STAGE FROM: what %files names, from a folder of this machine. A folder that is there already gets what is
# copied as an entry of it.
copy_files() {
    local from to
    while read -r from to; do
        [ -n "$from" ] || continue
        mkdir -p "$(dirname "$work/$1/$to")"
        cp -rfL "$2/$from" "$work/$1/$to"
    done < <(section "$1" files)
}

grep -q '^From: debian:12$' "$recipe" || fail "the recipe starts from another Debian than 12"
# The site's way to the mirror: resolver, proxies.
debootstrap --variant=minbase bookworm "$work/build" >"$work/log" 2>&1 || fail "debootstrap: $(tail "$work/log")"
cp -L /etc/resolv.conf /etc/hosts "$work/build/etc"
for file in $(grep -ls '^Acquire' /etc/apt/apt.conf.d/*); do
    cp "$file" "$work/build/etc/apt/apt.conf.d/"
done
cp -a "$work/build" "$work/final"

copy_files build "$source"
run build post >"$work/log" 2>&1 || fail "the build's %post: $(tail -n 30 "$work/log")"
copy_files final "$work/build"
run final post >"$work/log" 2>&1 || fail "the image's %post: $(tail -n 30 "$work/log")"
run final test >"$work/log" 2>&1 || fail "the image's %test: $(tail -n 30 "$work/log")"

# A library less, and %test says so.
for name in hdf5_serial mpi nettle jansson confuse gomp; do
    library=$(find "$work/final/usr/lib" -name "lib$name.so.*" | head -n 1)
    [ -n "$library" ] || fail "the image has no lib$name"
    mv "$library" "$work/hidden"
    ! run final test >/dev/null 2>&1 || fail "%test does not notice that lib$name is missing"
    mv "$work/hidden" "$library"
done
