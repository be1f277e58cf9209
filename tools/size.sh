#!/usr/bin/env bash
# size.sh FILE LIMIT...: prints the size of each file in bytes; one above its limit is an error.
# The sizes follow from the code, the requirements and the version of Go alone.
set -euo pipefail
over=0
while [ $# -ge 2 ]; do
  bytes=$(wc -c <"$1")
  echo "$1: $((bytes)) bytes, limit $2"
  if [ "$bytes" -gt "$2" ]; then
    over=1
    echo "size: $1 has $((bytes - $2)) bytes more than its limit. What links them:" >&2
    echo "  go list -deps ./cmd/tarry; go mod why -m MODULE; go tool nm -size -sort size PROGRAM (built without -ldflags=-s)" >&2
    echo "  docs/explain/build.md states what was left out, and how. A limit is raised in the Makefile, with the reason in the commit." >&2
  fi
  shift 2
done
exit $over
