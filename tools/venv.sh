#!/usr/bin/env bash
# Makes the environment of the readers, tools/requirements.txt: tools/venv.sh PYTHON VENV. Where that cannot be, it prints a note and is no error.
set -euo pipefail

python=$1 venv=$2 list=$(dirname "$0")/requirements.txt

if cmp -s "$list" "$venv/ready"; then exit 0; fi
mkdir -p "$(dirname "$venv")"
install() {
  { [ -x "$venv/bin/python" ] || "$python" -m venv "$venv"; } && "$venv/bin/pip" install --quiet --retries 1 --timeout 15 --disable-pip-version-check --no-compile -r "$list"
}
if ! install >"$venv.log" 2>&1; then
  rm -rf "$venv"
  echo "venv: no Python environment could be made (see $venv.log); the checks with pandas and TensorBoard are skipped"
  exit 0
fi
# kubernetes-validate brings the schemas of every version of Kubernetes, 100 MB: the newest is the one it takes.
find "$venv" -path '*/kubernetes-json-schema/v*' -prune -print | sort -V | head -n -2 | tr '\n' '\0' | xargs -0 rm -rf
cp "$list" "$venv/ready"
echo "venv: the readers of tools/requirements.txt are in $venv"
