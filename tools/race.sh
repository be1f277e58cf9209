#!/usr/bin/env bash
# race.sh list | run | changed [BASE]: the race detector over every package in which goroutines meet; with "changed"
# over the packages among them that changed since BASE, or test what uses one that does. "list BASE" prints these.
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

# changed BASE: packages of the list that differ from BASE, or test what uses one that does.
changed() { comm -12 <(tools/changed.sh tests "$1" | sed 's|^\./||' | sort -u) <(list); }

# race PACKAGES on standard input, app among them or not.
race() {
  local packages bad=0
  packages=$(cat)
  if [ -z "$packages" ]; then echo "race: no package in which goroutines meet is changed"; return; fi
  # The tests of app start the command and wait for it, so that a processor is free for the other packages meanwhile.
  if grep -qx app <<<"$packages"; then
    $GO test -race -vet=off -short -timeout 30m -skip "$REPEAT" ./app >"$log" 2>&1 &
    app=$!
  fi
  { grep -vx app <<<"$packages" || true; } | sed 's|^|./|' | xargs -r $GO test -race -vet=off -short -timeout 30m || bad=1
  if [ -n "$app" ]; then
    wait $app || bad=1
    cat "$log"
  fi
  app=
  return $bad
}

TMPDIR=$(tools/scratch.sh)
export TMPDIR
starters=$(mktemp) app= log=$(mktemp)
trap 'rm -f "$starters" "$log"; [ -z "$app" ] || kill $app 2>/dev/null || true' EXIT
case "${1:-}" in
list) if [ $# -gt 1 ]; then changed "$2"; else list; fi ;;
run) list | race ;;
changed) changed "${2:?race.sh changed BASE: a commit}" | tee -a /dev/stderr | race ;;
*) echo "usage: race.sh list [BASE] | run | changed BASE" >&2; exit 2 ;;
esac
