#!/usr/bin/env bash
# tidy.sh: go.mod and go.sum are as go mod tidy would write them: what the code imports stands as a direct
# requirement. It needs the requirements' own requirements; where these cannot be fetched, the check is skipped
# with a note.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(mktemp)
trap 'rm -f "$out"' EXIT
if ${GO:-go} mod tidy -diff >"$out" 2>&1; then exit 0; fi
if ! grep -q '^diff current/' "$out" && grep -qE 'no such host|dial tcp|connection refused|i/o timeout|module lookup disabled' "$out"; then
  echo "go mod tidy: skipped, the modules that only the tests of requirements need cannot be fetched"
  exit 0
fi
cat "$out"
echo "run: go mod tidy" >&2
exit 1
