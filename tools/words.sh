#!/usr/bin/env bash
# words.sh: the words of pages, comments, scripts, settings, errors, help and identifiers by Vale, with
# the rules in tools/vale. Needs a C compiler for the first build (about 100 s of processor time).
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}
cc=$($go env CC)
if ! command -v "${cc%% *}" >/dev/null; then
  echo "words: no C compiler (${cc%% *}), which Vale needs; Debian: apt-get install gcc" >&2
  exit 1
fi
texts=build/words # the strings of the program, a file for each of Go; and files whose names have no ending
rm -rf $texts
mkdir -p $texts
$go build -C tools -o ../build/texts ./texts
git ls-files -z '*.go' ':!tools' ':!examples' | xargs -0 build/texts $texts
for name in Makefile Containerfile .ci/run; do
  mkdir -p "$(dirname $texts/$name)"
  cp $name $texts/$name.txt
done
# vale RULES FILE...: 1 where a rule of tools/RULES.ini finds something.
vale() {
  CGO_ENABLED=1 $go tool -modfile=tools/go.mod vale --no-global --config="tools/$1.ini" --output=line "${@:2}" |
    sed -e "s#^$texts/##" -e 's#\.txt:#:#'
}
# check RULES: each line of tools/vale/RULES.txt breaks a rule, so that a rule that finds nothing is seen.
check() {
  local found wanted
  found=$(vale "$1" "tools/vale/$1.txt" | cut -d : -f 2 | sort -un | wc -l) || true
  wanted=$(grep -c . "tools/vale/$1.txt")
  if [ "$found" != "$wanted" ]; then
    echo "words: tools/$1.ini finds something in $found lines of tools/vale/$1.txt, expected all $wanted" >&2
    return 1
  fi
}
status=0
check vale || status=1
check names || status=1
mapfile -d '' files < <(git ls-files -z '*.md' '*.go' '*.py' '*.sh' '*.yaml' ':!CHANGELOG.md' ':!*testdata/*')
vale vale "${files[@]}" $texts/[!.]* || status=1 # but .ci/run, of which each stage begins with a function that the rules refuse
vale names "${files[@]}" $texts/{Makefile,Containerfile,.ci/run}.txt || status=1
exit $status
