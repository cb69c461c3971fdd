#!/usr/bin/env bash
# Measures what three hosts reach when one is four times slower, against the sum of what each plays alone.
# usage: DAMA=dama slow_host.sh [GAMES [BLOCK_GAMES]]
# Throttled to 0.6, 0.6 and 0.15 of a core, so that two cores are three hosts; needs root and an idle machine.
set -euo pipefail
DAMA=${DAMA:?set it to the program}
games=${1:-1200} block_games=${2:-4}
lab=$(cd "$(dirname "$0")/../lab" && pwd)/lab

work=$(mktemp -d)
DAMA_LAB=$("$lab" start 3)
export DAMA_LAB
trap '"$lab" stop; rm -rf "$work"' EXIT

# play NAME GAMES COMMAND...: games a second.
play() {
    local name=$1 count=$2
    shift 2
    "$lab" "$@" "$DAMA" selfplay --variant american --threads 1 --out "$work/$name" --set "games=$count" \
        --set "block_games=$block_games" --set nodes=1000 --json 2>/dev/null |
        sed 's/.*"played":\([0-9]*\),"seconds":\([0-9.]*\).*/\1 \2/' | awk '{ print $1 / $2 }'
}

"$lab" slow 1 1.6667
"$lab" slow 2 1.6667
"$lab" slow 3 6.6667
sum=0
for host in 1 2 3; do
    # The throttle finds ranks by their launcher's variable; a process without one gets it here.
    rate=$(play "alone-$host" $((games / 8)) on "$host" env OMPI_COMM_WORLD_RANK=0)
    echo "host $host alone: $rate games/s"
    sum=$(awk -v a="$sum" -v b="$rate" 'BEGIN { print a + b }')
done
together=$(play together "$games" run)
awk -v t="$together" -v s="$sum" 'BEGIN { printf "together: %.2f games/s of %.2f, %.1f %%\n", t, s, 100 * t / s }'
# Free of what else the machine does: the share of the time in which a rank still had blocks, weighted by its blocks.
sed -n 's/^{"time":\([0-9.]*\),.*"text":"block [0-9]* job [0-9]* rank \([0-9]*\) .*/\1 \2/p' "$work/together/log.jsonl" |
    awk -v t="$together" -v g="$games" '
        { blocks[$2]++; last[$2] = end = $1 }
        END {
            begin = end - g / t
            for (rank in blocks) {
                printf "rank %d: %d blocks, idle for the last %.1f s\n", rank, blocks[rank], end - last[rank]
                speed = blocks[rank] / (last[rank] - begin)
                all += speed
            }
            printf "busy: %.1f %% of the sum of speeds\n", 100 * NR / (all * (end - begin))
        }'
