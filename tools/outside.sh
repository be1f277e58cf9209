#!/usr/bin/env bash
# outside.sh: builds examples/outside, a module elsewhere that adds one part of each kind, and runs every sub-command that uses
# them: list, simulate, compare, train, eval, tune, sweep and figures. Each check asks for the part's own name in what was written.
# All results go to a temporary folder. About half a minute.
set -euo pipefail
cd "$(dirname "$0")/../examples/outside"
GO=${GO:-go}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
own=$out/outside

run() { printf '+ %s\n' "$*"; "$@"; }

# tarry ARGS: runs a sub-command of the program; what it prints is in $out/printed, and is shown when it fails.
tarry() {
  printf '+ outside %s\n' "${*//$out\//}"
  if ! "$own" "$@" >"$out/printed" 2>"$out/errors"; then
    cat "$out/printed" "$out/errors"
    exit 1
  fi
}

# has TEXT [FILE]: the file, or what was printed last, contains the text.
has() {
  if ! grep -qF -- "$1" "${2:-$out/printed}"; then
    echo "outside: expected $1 in ${2:-what was printed}:" >&2
    cat "${2:-$out/printed}" >&2
    exit 1
  fi
}

# row NAME...: a line of what was printed last begins with each name.
row() {
  for name in "$@"; do
    if ! grep -qE "^$name([ :,]|\$)" "$out/printed"; then
      echo "outside: expected a line that begins with $name:" >&2
      cat "$out/printed" >&2
      exit 1
    fi
  done
}

# there FILE...: the files are there and not empty.
there() {
  for f in "$@"; do
    if [ ! -s "$f" ]; then
      echo "outside: expected the file ${f#"$out"/}" >&2
      exit 1
    fi
  done
}

unformatted=$(gofmt -l .)
if [ -n "$unformatted" ]; then
  echo "gofmt would change: $unformatted" >&2
  exit 1
fi
staticcheck=$(cd ../.. && "$GO" tool -modfile=tools/go.mod -n staticcheck)
run "$GO" vet ./...
run "$staticcheck" ./...
run "$GO" test ./...
run "$GO" build -buildvcs=false -o "$own" .

for two in policies/aged traces/plain envs/outside/Turn-v0 agents/ars optimisers/climb questions/patience; do
  tarry list "${two%%/*}"
  row "${two#*/}"
done
tarry list agents ars
has directions
tarry compare --help-all # speed models are listed there
has 'amdahl[:serial=F]'

# A policy, a trace format and a speed model: the rows and the manifest have their names.
tarry compare --policy aged:penalty_s=3600 --policy aged:penalty_s=0 --policy fifo-fit --trace plain:jobs.txt --strict --speed amdahl:serial=0.02 \
  --cluster 2x2x4 --format csv --out "$out/compared" --plot "$out/plots"
row aged:penalty_s=3600 aged:penalty_s=0 fifo-fit
has plain:jobs.txt "$out/compared/manifest.json"
has amdahl:serial=0.02 "$out/compared/manifest.json"
there "$out/plots/jct_cdf.svg"
# Without a penalty per GPU the own policy is one that tarry ships: the numbers are equal.
if [ "$(sed -n 's/^aged:penalty_s=0,//p' "$out/printed" | cut -d , -f 1-12)" != "$(sed -n 's/^fifo-fit,//p' "$out/printed" | cut -d , -f 1-12)" ]; then
  echo "outside: aged:penalty_s=0 differs from fifo-fit" >&2
  cat "$out/printed" >&2
  exit 1
fi
tarry simulate --policy aged --trace plain:jobs.txt --speed amdahl --cluster 2x2x4

tarry simulate --policy aged --trace plain:jobs.txt --speed amdahl --layer night:keep=0.2 --cluster 2x2x4 --out "$out/night"
has night:keep=0.2 "$out/night/manifest.json"

# An environment with the own learner and with ppo, both measured beside the own policy.
turn=outside/Turn-v0:cluster=2x2x4,speed=amdahl,windows=40,warm=6,horizon=24,load=1.1
tarry train --env "$turn" --agent ars --out "$out/ars" --steps 800
has '"agent": "ars"' "$out/ars/config.json"
row '[0-9]+ updates, [0-9]+ steps; best on validation: return [0-9.]+' # the own reward is above 0, tarry's are below
tarry train --env "$turn" --agent ppo --out "$out/ppo" --steps 512 --set envs=4 --set steps=32
tarry eval --checkpoint "$out/ars" --checkpoint "$out/ppo" --baselines aged,fifo --count 4 --format csv
row ars-1-best ppo-1-best aged fifo

# An optimiser, on a setting of the own policy and on jobs of the own environment.
tarry tune --env "$turn" --policy aged --param penalty_s=1:100000:log --optimiser climb --budget 8 --windows 3 --validation 2 --candidates 2 --out "$out/tuned"
has climb "$out/tuned/config.json"
has penalty_s "$out/tuned/best.json"
tarry eval --tuned "$out/tuned" --baselines aged --count 4 --format csv
has 'tuned by climb'
row 'aged:penalty_s=[0-9.]+' aged

# A question: its cells, its figures.
tarry sweep --question patience --scale tiny --out "$out/patience"
tarry figures "$out/patience"
for name in jct_mean jct_p99 jct_relative; do there "$out/patience/figures/$name.svg" "$out/patience/figures/$name.csv"; done
has 3600 "$out/patience/figures/jct_mean.csv"
echo "outside: a module elsewhere added eight parts, and every sub-command used them"
