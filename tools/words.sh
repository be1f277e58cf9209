#!/usr/bin/env bash
# words.sh: the words of pages, comments, errors and help by Vale, with the rules in tools/vale. Needs a
# C compiler for the first build (about 100 s of processor time).
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}
cc=$($go env CC)
if ! command -v "${cc%% *}" >/dev/null; then
  echo "words: no C compiler (${cc%% *}), which Vale needs; Debian: apt-get install gcc" >&2
  exit 1
fi
texts=build/words # the strings of the program, a file for each of Go
rm -rf $texts
mkdir -p $texts
$go build -C tools -o ../build/texts ./texts
git ls-files -z '*.go' ':!tools' ':!examples' | xargs -0 build/texts $texts
vale() { CGO_ENABLED=1 $go tool -modfile=tools/go.mod vale --no-global --config=tools/vale.ini --output=line "$@"; }
status=0
vale README.md CONTRIBUTING.md docs python notebooks examples agents env sim traces output internal app catalogue cmd ./run \
  experiments baselines fidelity || status=1
vale $texts | sed -e "s#^$texts/##" -e 's#\.go\.txt:#.go:#' || status=1
exit $status
