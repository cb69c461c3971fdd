#!/usr/bin/env bash
# Measures what three hosts reach when one is four times slower, against the sum of what each plays alone.
# usage: DAMA=dama slow_host.sh [GAMES [BLOCK_GAMES]]
# Control groups give them 0.6, 0.6 and 0.15 of a core, so that two cores are three hosts; needs root and an idle machine.
set -euo pipefail
DAMA=${DAMA:?set it to the program}
games=${1:-2400} block_games=${2:-8}
lab=$(cd "$(dirname "$0")/../lab" && pwd)/lab
readonly period_us=20000 quotas_us="12000 12000 3000"

work=$(mktemp -d)
DAMA_LAB=$("$lab" start 3)
export DAMA_LAB
# A host has a /sys of its own, without the groups.
groups=$work/groups
mkdir "$groups"
mount --bind "$([ -d /sys/fs/cgroup/cpu ] && echo /sys/fs/cgroup/cpu || echo /sys/fs/cgroup)" "$groups"
trap '"$lab" stop; rmdir "$groups/$DAMA_LAB"-*; umount "$groups"; rm -rf "$work"' EXIT

host=0
for quota in $quotas_us; do
    group=$groups/$DAMA_LAB-$((host += 1))
    mkdir "$group"
    if [ -f "$group/cpu.max" ]; then
        echo "$quota $period_us" >"$group/cpu.max"
    else
        echo $period_us >"$group/cpu.cfs_period_us"
        echo "$quota" >"$group/cpu.cfs_quota_us"
    fi
done
# Each host's group has its host's name.
cat >"$work/throttled" <<END
#!/bin/sh -e
echo \$\$ >$groups/\$(hostname)/cgroup.procs
exec "\$@"
END
chmod +x "$work/throttled"

# play NAME GAMES COMMAND...: games a second.
play() {
    local name=$1 count=$2
    shift 2
    "$lab" "$@" "$work/throttled" "$DAMA" selfplay --variant american --threads 1 --out "$work/$name" --set "games=$count" \
        --set "block_games=$block_games" --set nodes=1000 --json 2>/dev/null |
        sed 's/.*"played":\([0-9]*\),"seconds":\([0-9.]*\).*/\1 \2/' | awk '{ print $1 / $2 }'
}

sum=0
for host in 1 2 3; do
    rate=$(play "alone-$host" $((games / 8)) on "$host")
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
