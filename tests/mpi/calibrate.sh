#!/usr/bin/env bash
# Calibration sets node limits, is the same for any ranks and threads, and writes a levels file that is read again.
. "$(dirname "$0")/common.sh"

# calibrate RANKS THREADS OPTION...
calibrate() {
    local ranks=$1 threads=$2
    shift 2
    on "$ranks" "$DAMA" calibrate --threads "$threads" --pairs 4 --probe-pairs 4 --set max_plies=150 \
        --set random_plies=4 --set table_kb=64 "$@"
}

# What depends on the clock is cut.
results() {
    sed -E 's/"ms_99":[0-9.]+/"ms_99":0/g' "$work/out"
}

write_levels() {
    cat >"$work/$1" <<'LEVELS'
# Levels of a test.
easy = "nodes 120 depth 0 noise 40 margin 20"
medium = "nodes 700 depth 0 noise 8 margin 4"
hard = "nodes 5000 depth 0 noise 0 margin 0"
# italian: easy 1.0 % +- 1.0 against beginner
italian.easy = "nodes 1 depth 0 noise 1 margin 1"
# italian-free: stays
italian-free.easy = "nodes 2 depth 0 noise 1 margin 1"
LEVELS
}

# Few games: a step may be out of range, which is status 1.
same_levels_for_any_ranks_and_threads() {
    local layout status
    for layout in "1 1" "2 2"; do
        local name=${layout/ /x}
        write_levels "$name.conf"
        status=0
        # shellcheck disable=SC2086
        calibrate $layout --variant italian --json --write "$work/$name.conf" >"$work/out" 2>"$work/err" || status=$?
        [ "$status" -le 1 ] || fail "exit status $status: $(cat "$work/err")"
        results >"$work/$name.json"
        cmp "$work/1x1.json" "$work/$name.json" || fail "$name: another result"
        cmp "$work/1x1.conf" "$work/$name.conf" || fail "$name: another file"
    done
}

the_file_has_the_new_levels_and_keeps_the_others() {
    local easy
    expect 0 "$DAMA" check "$work/1x1.conf"
    [ "$(grep -c '^italian\.' "$work/1x1.conf")" = 3 ] || fail "expected three levels: $(cat "$work/1x1.conf")"
    [ "$(grep -c '^# italian: easy' "$work/1x1.conf")" = 1 ] || fail "expected one line of scores"
    grep -q '^# italian-free: stays' "$work/1x1.conf" || fail "another variant's line is lost"
    grep -q '^italian-free.easy = "nodes 2 ' "$work/1x1.conf" || fail "another variant's level is lost"
    easy=$(grep -o '"level":"easy","against":"beginner","nodes":[0-9]*' "$work/1x1.json" | grep -o '[0-9]*$')
    grep -q "^italian.easy = \"nodes $easy depth 0 noise 40 margin 20\"" "$work/1x1.conf" ||
        fail "the file has not the $easy nodes found: $(cat "$work/1x1.conf")"
}

measuring_changes_no_level() {
    local status=0
    write_levels same.conf
    calibrate 1 1 --variant italian --measure --json >"$work/out" 2>"$work/err" || status=$?
    [ "$status" -le 1 ] || fail "exit status $status: $(cat "$work/err")"
    expect 1 calibrate 1 1 --variant italian --measure --write "$work/absent/levels.conf"
    grep -q 'absent/levels.conf: cannot open' "$work/err" || fail "$(cat "$work/err")"
}

# So many pairs would play for hours.
a_file_that_cannot_be_written_is_told_before_the_play() {
    local ranks
    local -a long=(timeout 20 "$DAMA" calibrate --variant italian --pairs 1000000 --measure --threads 1)
    for ranks in 1 2; do
        expect 1 on "$ranks" "${long[@]}" --write "$work/absent/levels.conf"
        [ "$(grep -c 'absent/levels.conf: cannot open' "$work/err")" = 1 ] || fail "$(cat "$work/err")"
    done
    write_levels kept.conf
    cp "$work/kept.conf" "$work/before.conf"
    mkdir "$work/kept.conf.part"
    expect 1 "${long[@]}" --write "$work/kept.conf"
    grep -q 'kept.conf.part: cannot open: Is a directory' "$work/err" || fail "$(cat "$work/err")"
    cmp "$work/kept.conf" "$work/before.conf" || fail 'the file was changed'
}

wrong_use_is_named() {
    expect 2 "$DAMA" calibrate
    grep -q 'expected either --variant NAME or --all' "$work/err" || fail "$(cat "$work/err")"
    expect 2 "$DAMA" calibrate --all --variant czech
}

same_levels_for_any_ranks_and_threads
the_file_has_the_new_levels_and_keeps_the_others
measuring_changes_no_level
a_file_that_cannot_be_written_is_told_before_the_play
wrong_use_is_named
echo "calibrate: all as expected"
