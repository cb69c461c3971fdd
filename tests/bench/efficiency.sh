#!/usr/bin/env bash
# Measures, is no test: self-play on two cores against twice one core, games a second with start and tail, interleaved.
# usage: efficiency.sh DAMA [GAMES] [ROUNDS]
#   prints a line each for 1 rank x 1 thread, 1 x 2, 2 x 1 and two processes that share nothing, for comparison:
#   the median games/s, its share of twice 1 x 1, and the most memory of a rank. Other work on the machine spoils it: the
#   load at the start is printed.
DAMA=$1
games=${2:-400}
rounds=${3:-5}
. "$(dirname "$0")/../mpi/common.sh"

# play NAME RANKS THREADS GAMES: games a second of one run, tail included.
play() {
    rm -rf "$work/run-$1"
    on "$2" /usr/bin/time -f '%M' -a -o "$work/memory-$1" "$DAMA" selfplay --variant american --out "$work/run-$1" \
        --threads "$3" --set games="$4" --set block_games=16 --set nodes=2000 --json 2>/dev/null |
        sed -n 's/.*"played":\([0-9]*\).*"seconds":\([0-9.]*\).*/\1 \2/p' | awk '{ printf "%.3f\n", $1 / $2 }'
}

echo "load $(cut -d' ' -f1-3 /proc/loadavg), $(nproc) cores, $games games of 2000 nodes a move, $rounds rounds"
for _ in $(seq "$rounds"); do
    play 1x1 1 1 "$games" >>"$work/rate-1x1"
    play 1x2 1 2 "$games" >>"$work/rate-1x2"
    play 2x1 2 1 "$games" >>"$work/rate-2x1"
    play apart 1 1 $((games / 2)) >"$work/first" &
    play other 1 1 $((games / 2)) >"$work/second"
    wait
    paste "$work/first" "$work/second" | awk '{ print $1 + $2 }' >>"$work/rate-apart"
done

median() {
    sort -g "$1" | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'
}

one=$(median "$work/rate-1x1")
for layout in 1x1 1x2 2x1 apart; do
    rate=$(median "$work/rate-$layout")
    memory=$(sort -g "$work/memory-$layout" | tail -1)
    awk -v layout="$layout" -v rate="$rate" -v one="$one" -v memory="$memory" 'BEGIN {
        share = layout == "1x1" ? "" : sprintf(", %.1f %% of twice 1x1", 100 * rate / (2 * one))
        printf "%s: %.1f games/s%s, at most %.1f MB a rank\n", layout, rate, share, memory / 1024 }'
done
