#!/usr/bin/env bash
# Do results depend on the processor or on GOAMD64? Runs the same simulations, trainings and tunings with the given
# command under several settings, and with the other commands, and compares what they compute, byte by byte.
#
#	tools/bits/bits.sh build/tarry [OTHER_TARRY...]
#
# Checkpoints are compared whole, tables by their rows: a table's metadata names the build.
set -euo pipefail

tarry=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

# work COMMAND DIR: everything that computes with real numbers, in small.
work() {
  local tarry=$1 out=$2
  mkdir -p "$out"
  "$tarry" compare --trace synth:demo,jobs=120 --policy dally --policy tiresias --policy srtf --replicates 2 --speed contended --format json >"$out/demo.json"
  local law
  for law in philly helios poisson bursty diurnal; do
    "$tarry" trace generate --seed 3 --out "$out/$law.csv" "$law:jobs=150" >/dev/null
  done
  train() {
    local name=$1 env=$2 agent=$3
    shift 3
    "$tarry" train --env "$env" --agent "$agent" --seed 1 --out "$out/run" "$@" >/dev/null
    (cd "$out/run" && sha256sum checkpoints/*.ckpt) >"$out/train-$name.txt"
    rm -rf "$out/run"
  }
  local timer="tarry/DelayTimer-v0:cluster=2x2x4,windows=8,warm=2,horizon=12" preempt="tarry/Preempt-v0:cluster=2x2x4,windows=8,warm=2,horizon=12,leases=true"
  train ppo-timer "$timer" ppo --steps 1024 --set steps=16
  train ppo-squash "$timer" ppo --steps 1024 --set steps=16 --set squash=true
  train sac-timer "$timer" sac --steps 1024 --set learning_starts=100 --set buffer=400
  train dqn-preempt "$preempt" dqn --steps 1024 --set learning_starts=100 --set buffer=400
  train a2c-preempt "$preempt" a2c --steps 1024
  train reinforce-preempt "$preempt" reinforce --steps 1024
  train ppo-pendulum classic/Pendulum-v1 ppo --steps 1024 --set steps=64
  train dqn-acrobot classic/Acrobot-v1 dqn --steps 1024 --set learning_starts=100 --set buffer=600
  train cmaes-order "tarry/Order-v0:cluster=2x2x4,workload=recur,predict=ridge,predicted=true,windows=8,warm=2,horizon=12" cmaes-policy --set generations=3 --set population=6 --set windows=4
  local method
  for method in cmaes tpe gp openai-es nelder-mead halton; do
    "$tarry" tune --policy dally-manual --param t_rack=0.05:50:log --param t_net=0.05:100:log --env "$timer" --optimiser "$method" --budget 24 --windows 2 --validation 2 --candidates 2 --out "$out/tuned" >/dev/null
    cp "$out/tuned/STATE" "$out/tune-$method.state" # every point, to the last bit
    rm -rf "$out/tuned"
  done
}

# run is work without its output, unless it fails.
run() { work "$@" 2>"$scratch/log" || { cat "$scratch/log" >&2; exit 1; }; }

# check NAME [EXCEPT]: what NAME computed against the first, but for one file.
check() {
  if diff -rq ${2:+--exclude "$2"} "$scratch/first" "$scratch/$1"; then
    echo "bits: $1: the same in $(find "$scratch/first" -type f ${2:+! -name "$2"} | wc -l) files"
  else
    echo "bits: $1: DIFFERENT" >&2
    failed=1
  fi
  rm -rf "${scratch:?}/$1"
}

run "$tarry" "$scratch/first"
for off in cpu.fma=off cpu.avx2=off,cpu.avx=off,cpu.fma=off cpu.all=off; do
  GODEBUG=$off run "$tarry" "$scratch/$off"
  check "$off"
done
shift
for other in "$@"; do
  name=$(basename "$other")
  run "$other" "$scratch/$name"
  check "$name" train-cmaes-order.txt # gonum's eigenvalues of more than a few numbers are fused in builds for other processors
done
exit $failed
