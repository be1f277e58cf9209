#!/usr/bin/env bash
# fuzz.sh TIME [SKIPPED FOLDER...]: run every fuzz target for TIME. Targets that find something are named at the end.
#
# Go's fuzzer sometimes ends a run with "context deadline exceeded" although nothing failed: its own clock
# ran out while a worker was starting an input (golang/go issue 75804, mended in Go 1.27). A real finding always
# writes the input that failed. So a run that wrote none and reports nothing but that is repeated, at most twice,
# and reported.
set -euo pipefail
cd "$(dirname "$0")/.."
GO=${GO:-go}
time=$1
shift
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# clock_ran_out: the run in $log failed by the fuzzer's own clock alone.
clock_ran_out() {
  grep -q '^ *context deadline exceeded$' "$log" && ! grep -qE 'Failing input written to|panic:|fuzzing process hung|_test\.go:[0-9]+:' "$log"
}

fuzz() { # PACKAGE TARGET
  for try in 1 2 3; do
    echo "fuzz $1 $2"
    if "$GO" test -vet=off -run '^$' -fuzz "^$2\$" -fuzztime "$time" -fuzzminimizetime 10x "./$1" 2>&1 | tee "$log"; then
      return
    fi
    if [ "$try" = 3 ] || ! clock_ran_out; then
      return 1
    fi
    echo "fuzz $1 $2: the fuzzer's own clock ran out, no input failed: once more"
  done
}

bad=()
for pkg in $(git grep -l '^func Fuzz' -- '*_test.go' | xargs -n 1 dirname | sort -u); do
  case " $* " in *" $pkg "*)
    echo "fuzz $pkg: skipped"
    continue
    ;;
  esac
  for target in $(grep -hoE '^func Fuzz[A-Za-z0-9_]*' "$pkg"/*_test.go | cut -c 6-); do
    fuzz "$pkg" "$target" || bad+=("$pkg $target")
  done
done
if [ ${#bad[@]} -gt 0 ]; then
  printf 'fuzz: failed: %s\n' "${bad[@]}"
  exit 1
fi
