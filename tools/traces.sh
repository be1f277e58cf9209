#!/usr/bin/env bash
# traces.sh PROGRAM: a program without symbols still reports where it is: stopped by SIGQUIT in the middle of a run, it prints
# a stack trace that names functions, files and lines of ours. Its table of functions and lines, a third of its bytes, is for that.
set -euo pipefail
out=$(mktemp)
trap 'rm -f "$out"' EXIT
"$1" simulate --trace synth:philly,jobs=2000000,gpus=512,load=0.9 --cluster 8x8x8 --policy dally >/dev/null 2>"$out" &
pid=$!
for _ in $(seq 600); do # until it is past its start
  sleep 0.1
  used=$(ps -o cputimes= -p $pid | tr -d ' ' || true)
  if [ "${used:-1}" -ge 1 ]; then break; fi
done
kill -QUIT $pid 2>/dev/null || true
wait $pid || true
if ! grep -qE '^tarry/[a-z/]+\.' "$out" || ! grep -qE '^[[:space:]]+tarry/[a-z/]+/[a-z]+\.go:[0-9]+ \+0x' "$out"; then
  echo "traces: no function or no line of ours in the stack trace of $1:" >&2
  head -n 40 "$out" >&2
  exit 1
fi
echo "$1: its stack traces name functions, files and lines: $(grep -m 1 -oE 'tarry/[a-z/]+/[a-z]+\.go:[0-9]+' "$out")"
