#!/usr/bin/env bash
# nightly.sh list | run: everything that .ci/run leaves out, so that no check is lost by being too long for every change.
#
#   list  prints what that is, from the code: the tests with a long form, the targets of the fuzzer, the packages under the
#         race detector, the tests with fresh random cases, the benchmarks.
#   run   runs .ci/run and then all of it. A part that fails is named at the end, and the others run nevertheless.
#
# FUZZTIME (1m) is the time of each target, TORTURE (20m) the time of all random cases together, COUNT (1) the runs of each
# benchmark. Without the shared data, Slurm, a browser or Debian's torch the parts that need them fail.
set -euo pipefail
cd "$(dirname "$0")/.."
fuzztime=${FUZZTIME:-1m} torture=${TORTURE:-20m}

# longforms: "file:line test" of every call that makes a test longer with TARRY_LONG=1.
longforms() {
  git grep -nE '\beffort\.(Of|Need|Long)\(|TARRY_LONG' -- '*.go' '*.py' Makefile ':!internal/effort' ':!internal/floors' | sed -E 's/^([^:]*:[0-9]+):[[:space:]]*/\1: /'
}

# took: processor seconds of the long forms, by package, as last measured.
took() {
  cat <<'END'
experiments 160
baselines 152
baselines/hived 125
baselines/hived/cells 111
app 86
fidelity/rlscheduler/rlref 42
baselines/queueing 38
baselines/philly 30
baselines/variants 27
python/tests 82
the other 58 packages 238
END
}

list() {
  echo "long forms of tests (TARRY_LONG=1), decided at:"
  longforms | sed 's/^/  /'
  echo "which took so many processor seconds, with the other tests of these packages:"
  took | sed 's/^/  /'
  echo "fuzz targets, $fuzztime of new inputs each:"
  git grep -hoE '^func Fuzz[A-Za-z0-9_]*' -- '*_test.go' | wc -l | sed 's/^/  /'
  git grep -oE '^func Fuzz[A-Za-z0-9_]*' -- '*_test.go' | sed -E 's|/[^/:]*:func | |; s/^/  /'
  echo "the race detector over:"
  tools/race.sh list | sed 's/^/  /'
  echo "fresh random cases, $torture in all:"
  git grep -oE '^func TestTorture[A-Za-z0-9_]*' -- '*_test.go' | sed -E 's|/[^/:]*:func | |; s/^/  /'
  echo "benchmarks, in full:"
  sed 's/^/  /' tools/benchmarks.txt
}

failed=()
part() { # NAME COMMAND...
  local name=$1
  shift
  printf '\n== %s: %s\n' "$name" "$*"
  "$@" || failed+=("$name")
}

run() {
  list
  part "the check of a change" .ci/run
  part "tests in their long form" env TARRY_LONG=1 TARRY_NEED_PYTHON=1 TARRY_NEED_BROWSER=1 make test TIMEOUT=8h
  part "every question by the command" make fixture
  part "learners of Python in their long form" env TARRY_LONG=1 TARRY_NEED_LEARNERS=1 make learners
  part "a program elsewhere in its long form" env TARRY_LONG=1 make outside
  part "the race detector over all" make race
  part "the fuzzer" make fuzz FUZZTIME="$fuzztime"
  part "fresh random cases" make torture TORTURE="$torture"
  part "benchmarks" make bench
  if [ ${#failed[@]} -gt 0 ]; then
    printf '\nnightly: failed: %s\n' "$(IFS=,; echo "${failed[*]}")"
    exit 1
  fi
  printf '\nnightly: all good\n'
}

case "${1:-}" in
list) list ;;
run) run ;;
*) echo "usage: nightly.sh list | run" >&2; exit 2 ;;
esac
