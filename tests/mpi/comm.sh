#!/usr/bin/env bash
# How jobs of several ranks end, speak and count their cores. usage: comm.sh DAMA TEST_COMM
DAMA=$1
test_comm=$2
. "$(dirname "$0")/common.sh"

# Runs a command that must end with this status within ten seconds.
ends() {
    local start=$SECONDS
    expect "$@"
    [ $((SECONDS - start)) -le 10 ] || fail "took $((SECONDS - start)) s: $*"
}

# Lines of the last command's stderr that are ours.
messages() {
    grep -a '^dama: ' "$work/err" || true
}

says() {
    [ "$(messages)" = "$1" ] || fail "expected the one message '$1', found '$(messages)'"
}

few='--set games=4 --set block_games=2 --set nodes=50 --set max_plies=20'

# C055: a run file that rank 0 alone cannot read ends the whole job with one message.
ends 1 on 3 "$DAMA" selfplay --variant american --out "$work/run" --config "$work/none.conf"
says "dama: $work/none.conf: cannot open: No such file or directory"

# C055: a run file that rank 0 alone can read is enough.
mkdir "$work/here"
echo 'games = 4' >"$work/here/run.conf"
cat >"$work/other_folder" <<'END'
#!/bin/sh
[ "$OMPI_COMM_WORLD_RANK" = 0 ] || cd /
exec "$@"
END
chmod +x "$work/other_folder"
cd "$work/here"
ends 0 on 3 "$work/other_folder" "$DAMA" selfplay --variant american --out "$work/run" --config run.conf $few
[ "$(ls "$work/run/shards")" = "$(printf 'american-000000.h5\namerican-000001.h5')" ] || fail "shards are missing"
cd /

# A rank that fails alone does not leave the others waiting.
ends 1 on 3 "$test_comm" alone
says "dama: warning: rank 2 has failed alone, the other ranks are ended"

# Wrong use is one message and status 2; other verbs run once.
ends 2 on 2 "$DAMA" selfplay --variant american --out "$work/run" --nonsense
says "dama: unknown option '--nonsense' (see dama selfplay --help)"
ends 0 on 2 "$DAMA" variants
[ "$(wc -l <"$work/out")" = 13 ] || fail "variants was not printed once"
ends 0 on 2 "$DAMA" selfplay --help
[ "$(grep -c '^Usage' "$work/out")" = 1 ] || fail "help was not printed once"

# A run is locked while another process works on it.
"$DAMA" selfplay --variant american --out "$work/long" --set games=1000000 2>/dev/null &
holder=$!
until [ -s "$work/long/lock" ] && [ -s "$work/long/run.conf" ]; do sleep 0.1; done
ends 1 "$DAMA" selfplay --variant american --out "$work/long" --set games=1000000
case $(messages) in
"dama: $work/long: another process works on this run: host "*" process $holder") ;;
*) fail "the lock's holder is not named: $(messages)" ;;
esac
kill -USR1 $holder
stopped=0
wait $holder || stopped=$?
[ "$stopped" = 75 ] || fail "a stopped run ended with $stopped, expected 75"

# Open MPI binds two ranks to a core each: said, with the cure.
if [ "$(nproc)" -ge 2 ]; then
    ends 0 mpirun --bind-to core -np 2 "$DAMA" selfplay --variant american --out "$work/bound" --threads 2 $few
    messages | grep 'is bound to 1 of .* cores, 2 threads: start with .mpirun --bind-to none' >/dev/null ||
        fail "no word about binding: $(messages)"
fi
