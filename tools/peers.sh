#!/usr/bin/env bash
# peers.sh: what this program takes for work that other simulators and learners were timed with (docs/results/speed-peers.md).
#
# Complete processes, reading and tables of results included, the least of ROUNDS (5): wall, processor time, peak memory. Jobs are
# generated where a peer's own list is not among the shared data: as many, on as many GPUs, at load 0.9 of them.
set -euo pipefail
cd "$(dirname "$0")/.."
tarry=${TARRY:-build/tarry} shared=${TARRY_SHARED:-../shared} rounds=${ROUNDS:-5}
if [ ! -x /usr/bin/time ]; then
  echo "peers.sh: needs /usr/bin/time (Debian: apt-get install time)" >&2
  exit 1
fi
log=$(mktemp) errors=$(mktemp)
trap 'rm -f "$log" "$errors"' EXIT

work() { # WHAT, ARGUMENTS of tarry simulate or compare
  local what=$1
  shift
  for _ in $(seq "$rounds"); do
    /usr/bin/time -a -o "$log" -f '%e %U %S %M' "$tarry" "$@" --format json >/dev/null 2>"$errors" || { cat "$errors" >&2; exit 1; }
  done
  awk -v what="$what" '{ cpu = $2 + $3
      if (NR == 1 || $1 < wall) wall = $1
      if (NR == 1 || cpu < least) least = cpu
      if ($4 > peak) peak = $4 }
    END { printf "| %s | %.2f s | %.2f s | %.0f MB |\n", what, wall, least, peak / 1024 }' "$log"
  : >"$log"
}

generated() { echo "synth:philly,jobs=$1,gpus=$2,load=0.9"; }

echo '| work | wall | processor | peak memory |'
echo '|---|---|---|---|'
list=$shared/traces/artist-sim/sense_500jobs_poisson_1proc-week.json
if [ -e "$list" ]; then
  work 'week list, 411 jobs, 512 GPUs, Dally' simulate --trace "artistsim:$list" --cluster paper --speed collective --policy dally
fi
for policy in fifo tiresias; do
  work "5 000 jobs, 128 GPUs, $policy" simulate --trace "$(generated 5000 128)" --cluster 4x4x8 --speed counting --policy $policy
done
for gpus in 16 64; do
  for policy in fifo srtf tiresias; do
    work "2 000 jobs, $gpus GPUs, $policy" simulate --trace "$(generated 2000 $gpus)" --cluster 1x$((gpus / 8))x8 --speed counting --policy $policy
  done
done
work '160 jobs, 64 GPUs, Tiresias' simulate --trace "$(generated 160 64)" --cluster 1x16x4 --speed counting --policy tiresias
for policy in fifo sjf srtf; do
  work "2 000 jobs, 128 GPUs, $policy" simulate --trace "$(generated 2000 128)" --cluster 4x4x8 --speed counting --policy $policy
done
list=$shared/traces/gavel/genhi_2000.csv
if [ -e "$list" ]; then
  for policy in max-min ftf; do
    work "2 000 jobs, 108 GPUs of three types, Gavel $policy" simulate --preset gavel --trace "gavel:$list" --cluster v100:36x1x1+p100:36x1x1+k80:36x1x1 \
      --speed "gavel:$shared/profiles/gavel" --policy "gavel:policy=$policy"
  done
fi
list=$shared/traces/philly/philly.csv
if [ -e "$list" ]; then
  for policy in fifo tiresias dally; do
    work "Philly, 82 247 jobs, 512 GPUs, $policy" simulate --trace "philly:$list" --cluster 8x8x8 --speed collective --policy $policy
  done
fi
