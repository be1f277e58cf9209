#!/usr/bin/env bash
# words.sh: the words of pages and comments by Vale, with the rules in tools/vale. Needs a C compiler
# for the first build (about 100 s of processor time).
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}
cc=$($go env CC)
if ! command -v "${cc%% *}" >/dev/null; then
  echo "words: no C compiler (${cc%% *}), which Vale needs; Debian: apt-get install gcc" >&2
  exit 1
fi
CGO_ENABLED=1 exec $go tool -modfile=tools/go.mod vale --no-global --config=tools/vale.ini --output=line \
  README.md CONTRIBUTING.md docs python notebooks examples agents env sim traces output internal app catalogue cmd ./run experiments baselines fidelity
