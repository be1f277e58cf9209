#!/usr/bin/env bash
# bench.sh run | short | list | pair BASE: the benchmarks of the project, and what became of their figures.
#
#   run        every benchmark COUNT times; the table is build/bench/new.txt. The table of the run before becomes
#              old.txt, and benchstat compares the two (or new.txt and the file AGAINST).
#   short      every benchmark once, long lists in a short form. A benchmark of tools/benchmarks.txt that
#              printed no figure ends it with an error; no figure does. One that is skipped states why, and is missing only
#              with TARRY_NEED_DATA=1.
#   list       the benchmarks of the code, as they stand in tools/benchmarks.txt.
#   pair BASE  the commit BASE and this tree in turn, COUNT times each, so that both meet the same other work.
#
# BENCH is a regular expression of names, PKG the packages (./...), TIME the time or the rounds of each (-benchtime).
set -euo pipefail
cd "$(dirname "$0")/.."
GO=${GO:-go} BENCH=${BENCH:-.} COUNT=${COUNT:-1} TIME=${TIME:-1s}
out=build/bench
mkdir -p "$out"

# list: "package benchmark", from the code.
list() {
  git grep -oE '^func Benchmark[A-Za-z0-9_]*' -- '*_test.go' |
    sed -E 's|/?[^/:]*:func | |; s|^ |. |' | LC_ALL=C sort -u
}

# packages: the folders of PKG that have benchmarks; others need not be compiled.
packages() {
  local have
  have=$(list | cut -d ' ' -f 1 | sort -u | sed 's|^|tarry/|')
  $GO list ${PKG:-./...} | grep -Fx "$have" | sed 's|^tarry/|./|'
}

# expected: what tools/benchmarks.txt has; with PKG, of those packages alone.
expected() {
  if [ -z "${PKG:-}" ]; then LC_ALL=C sort -u tools/benchmarks.txt; return; fi
  packages | sed 's|^./||' | awk 'NR == FNR { of[$1]; next } $1 in of' - tools/benchmarks.txt | LC_ALL=C sort -u
}

# ran FILE: "package benchmark" of all that printed a figure or stated why they cannot run.
ran() {
  awk -v need="${TARRY_NEED_DATA:-}" '/^pkg: / { pkg = $2; sub(/^tarry\//, "", pkg) }
    /^Benchmark[^ \t]*[ \t]+[0-9]+[ \t]/ || !need && /^--- SKIP: Benchmark/ {
      name = /^---/ ? $3 : $1; sub(/[\/-].*/, "", name); print pkg, name }' "$1" | LC_ALL=C sort -u
}

compare() { # OLD NEW
  $GO tool -modfile=tools/go.mod benchstat "$1" "$2" | tee "$out/compared.txt"
}

case "${1:-}" in
list) list ;;
run)
  if [ -e "$out/new.txt" ]; then mv "$out/new.txt" "$out/old.txt"; fi
  packages | xargs $GO test -v -vet=off -timeout 4h -run '^$' -bench "$BENCH" -benchmem -benchtime "$TIME" -count "$COUNT" | tee "$out/part.txt"
  mv "$out/part.txt" "$out/new.txt"
  echo "table: $out/new.txt"
  against=${AGAINST:-$out/old.txt}
  if [ -e "$against" ]; then compare "$against" "$out/new.txt"; else echo "run it again for a comparison"; fi
  ;;
short)
  status=0
  packages | xargs $GO test -v -vet=off -short -timeout 30m -run '^$' -bench . -benchmem -benchtime 1x >"$out/short.txt" 2>&1 || status=$?
  missing=$(LC_ALL=C comm -23 <(expected) <(ran "$out/short.txt"))
  unlisted=$(LC_ALL=C comm -13 <(LC_ALL=C sort -u tools/benchmarks.txt) <(list))
  grep -E '^(Benchmark[^[:space:]]*[[:space:]]+[0-9]|--- )' "$out/short.txt" || true
  if [ -n "$unlisted" ]; then printf 'not in tools/benchmarks.txt, so their absence would not be noticed (tools/bench.sh list >tools/benchmarks.txt):\n%s\n' "$unlisted"; fi
  if [ -n "$missing" ]; then
    grep -vE '^(Benchmark|goos|goarch|cpu|pkg|ok|PASS|=== )' "$out/short.txt" | tail -n 40 >&2 || true
    printf 'missing, by tools/benchmarks.txt (go test ended with %s; all it printed is in %s):\n%s\n' "$status" "$out/short.txt" "$missing" >&2
    exit 1
  fi
  echo "all $(expected | wc -l) benchmarks ran"
  ;;
pair)
  base=${2:?bench.sh pair BASE: a commit}
  tree=$(mktemp -d)
  trap 'git worktree remove --force "$tree/base" 2>/dev/null || true; rm -rf "$tree"' EXIT
  git worktree add --quiet --detach "$tree/base" "$base"
  : >"$out/base.txt"
  : >"$out/here.txt"
  for p in $(packages); do
    n=$(echo "$p" | tr / _)
    (cd "$tree/base" && $GO test -c -o "$tree/$n.base" "$p") || { echo "$p: not in $base"; continue; }
    $GO test -c -o "$tree/$n.here" "$p"
    [ -e "$tree/$n.base" ] || continue
    for _ in $(seq "$COUNT"); do
      (cd "$tree/base/$p" && "$tree/$n.base" -test.run '^$' -test.bench "$BENCH" -test.benchmem -test.benchtime "$TIME") >>"$out/base.txt"
      (cd "$p" && "$tree/$n.here" -test.run '^$' -test.bench "$BENCH" -test.benchmem -test.benchtime "$TIME") >>"$out/here.txt"
    done
  done
  compare "$out/base.txt" "$out/here.txt"
  ;;
*)
  echo "usage: bench.sh run | short | list | pair BASE" >&2
  exit 2
  ;;
esac
