#!/usr/bin/env bash
# changed.sh packages | tests | base [BASE]: what differs from the commit BASE, in commits or beside them.
#
#   packages  the packages whose files differ; "./..." where what every package is compiled with differs
#   tests     packages whose tests come to use one of them, themselves among them
#   base      BASE itself: without one, the last commit that .ci/run passed, where main was left, or the commit before
set -euo pipefail
cd "$(dirname "$0")/.."
GO=${GO:-go}

base() {
  local passed left
  passed=$(git rev-parse --quiet --verify refs/checks/passed || true)
  left=$(git merge-base HEAD main 2>/dev/null || git merge-base HEAD origin/main 2>/dev/null || true)
  for b in "$passed" "$left"; do
    if [ -n "$b" ] && [ "$b" != "$(git rev-parse HEAD)" ] && git merge-base --is-ancestor "$b" HEAD; then
      echo "$b"
      return
    fi
  done
  git rev-parse HEAD~1
}

packages() {
  local files
  files=$({ git diff --name-only "$(git merge-base "$from" HEAD)" && git ls-files -o --exclude-standard; } | sort -u)
  if grep -qE '^(go\.(mod|sum)|tools/tags|tools/stubs/.*)$' <<<"$files"; then echo ./...; return; fi
  # A file belongs to the next folder upwards that has Go files: testdata, tables and YAML that are embedded or read.
  xargs -r -d '\n' -n 1 dirname <<<"$files" | sort -u | while read -r dir; do
    while [ "$dir" != . ] && ! compgen -G "$dir/*.go" >/dev/null; do dir=$(dirname "$dir"); done
    case "$dir" in . | tools* | examples/outside) ;; *) echo "./$dir" ;; esac
  done | sort -u
}

tests() {
  local differ
  differ=$(packages)
  if [ "$differ" = ./... ]; then $GO list -f './{{.ImportPath}}' ./... | sed 's|^./tarry/|./|'; return; fi
  $GO list -test -f '{{if .ForTest}}{{.ForTest}} {{.ForTest}} {{join .Deps " "}}{{end}}' ./... | sed -E 's/ \[[^]]*\]//g' |
    DIFFER=$differ awk '
      BEGIN { n = split(ENVIRON["DIFFER"], d, "\n"); for (i = 1; i <= n; i++) { sub(/^\.\//, "tarry/", d[i]); hit[d[i]] = 1 } }
      { for (i = 2; i <= NF; i++) if ($i in hit) { sub(/^tarry\//, "./", $1); print $1; next } }' | sort -u
}

what=${1:-}
from=${2:-$(base)}
case "$what" in
packages | tests) $what ;;
base) echo "$from" ;;
*) echo "usage: changed.sh packages | tests | base [BASE]" >&2; exit 2 ;;
esac
