#!/usr/bin/env bash
# test.sh: all tests, of make test. The tests of python/ run beside Go's, since they wait for processes and kernels half of
# their time; what they print comes at the end. Their library is built before both: a test of app loads it, too.
#
# The heaps of tests are small, so that the collector runs all the time: GOGC=400 takes 20, 18 and 8 % off the processor
# time of baselines/variants, baselines/queueing and output/results. GOMEMLIMIT bounds what that costs in memory.
#
# Without -vet: make lint vets everything, go test would do a part of that a second time.
set -euo pipefail
cd "$(dirname "$0")/.."
GO=${GO:-go} VENV=${VENV:-build/venv} log=build/pytest.log python=''
TMPDIR=$(tools/scratch.sh)
export TMPDIR

run() { printf '+ %s\n' "$*"; "$@"; }
trap '[ -z "$python" ] || kill "$python" 2>/dev/null || true' EXIT

if [ -n "${TARRY_NEED_PYTHON:-}" ] || { [ -x "$VENV/bin/python" ] && [ "$($GO env CGO_ENABLED)" = 1 ]; }; then
  run make --no-print-directory pylib
  export TARRY_LIBRARY_BUILT=1
  make --no-print-directory pytest-beside >"$log" 2>&1 &
  python=$!
fi
bad=0
run env GOGC="${GOGC:-400}" GOMEMLIMIT="${GOMEMLIMIT:-2GiB}" "$GO" test -vet=off -timeout "${TIMEOUT:-20m}" ./... || bad=1
if [ -n "$python" ]; then
  echo "test: python/, run meanwhile:"
  wait "$python" || bad=1
  python=''
  cat "$log"
else
  echo "test: python/ is not tested: it needs $VENV (make venv) and a C compiler"
fi
exit $bad
