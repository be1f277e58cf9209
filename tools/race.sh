#!/usr/bin/env bash
# race.sh list | run: the race detector over every package in which goroutines meet.
#
# The list follows from the code: a package that starts goroutines or has a lock, in its code or its tests,
# and every package that comes to use one that starts them. So a new one cannot be forgotten. Left out are
# only the folders of SKIP, each with its reason.
set -euo pipefail
cd "$(dirname "$0")/.."
GO=${GO:-go}

# What starts goroutines, and what guards against them.
starts='^[[:space:]]*go (func\b|[[:alnum:]_.]+\()|\.Go\(func'
guards='^[[:space:]]*"sync(/atomic)?"$'

# SKIP: questions are values (cells and figures); what runs them is in experiments/sweep and experiments/engine.
SKIP='^experiments($|/(?!sweep|engine|digest))'

# REPEAT: tests that start the command dozens of times for its messages, or to damage and kill it, run the same
# goroutines as the others, and each start takes half a second here.
REPEAT='Completion|ListOne|DefaultsOf|Messages|Mistakes|Help|Hostile|Torture|DamagedCells|CodeID|Killed|DiskFull|TablesKeptApart|StaleTemp|ForeignFolder|Version|PicturesOfAgents|TwoHosts|OnSlurm'

list() {
  {
    git grep -lE "$starts|$guards" -- '*.go' | xargs -n 1 dirname
    git grep -lE "$starts" -- '*.go' ':!*_test.go' | xargs -n 1 dirname | sort -u >"$starters"
    $GO list -f '{{.ImportPath}} {{join .Deps " "}} {{join .TestImports " "}} {{join .XTestImports " "}}' ./... |
      awk -v starters="$starters" '
        BEGIN { while ((getline dir <starters) > 0) starts["tarry/" dir] = 1 }
        { for (i = 2; i <= NF; i++) if ($i in starts) { sub(/^tarry\//, "", $1); print $1; next } }'
  } | sort -u | grep -vP "$SKIP"
}

starters=$(mktemp) log=$(mktemp)
trap 'rm -f "$starters" "$log"; [ -z "${app:-}" ] || kill $app 2>/dev/null || true' EXIT
case "${1:-}" in
list) list ;;
run)
  # The tests of app start the command and wait for it, so that a processor is free for the other packages meanwhile.
  $GO test -race -short -timeout 30m -skip "$REPEAT" ./app >"$log" 2>&1 &
  app=$! bad=0
  list | grep -vx app | sed 's|^|./|' | xargs $GO test -race -short -timeout 30m || bad=1
  wait $app || bad=1; app=
  cat "$log"
  exit $bad
  ;;
*) echo "usage: race.sh list | run" >&2; exit 2 ;;
esac
