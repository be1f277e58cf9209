#!/usr/bin/env bash
# Makes the environment of the site, tools/site/requirements.txt: tools/site/venv.sh PYTHON VENV. Once it is there, no network is needed.
set -euo pipefail

python=$1 venv=$2 list=$(dirname "$0")/requirements.txt

if cmp -s "$list" "$venv/ready"; then exit 0; fi
rm -rf "$venv"
mkdir -p "$(dirname "$venv")"
"$python" -m venv "$venv"
"$venv/bin/pip" install --quiet --retries 1 --timeout 15 --disable-pip-version-check --no-compile -r "$list"
# What lets search run in pages that are opened as files; without npm search needs make docs-serve.
if command -v npm >/dev/null; then
  (cd "$venv" && npm pack --silent iframe-worker@1.0.4 >/dev/null && tar xzf iframe-worker-1.0.4.tgz) || echo "site: no npm package iframe-worker"
fi
cp "$list" "$venv/ready"
