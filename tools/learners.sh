#!/usr/bin/env bash
# Makes the environment of the learners: tools/learners.sh VENV READERS
# VENV is over the system's Python, whose torch is Debian's python3-torch (without CUDA: a tenth of the size of the one in Python's registry), and
# reads what tools/learners.txt does not pin from the environment READERS (make venv). TORCH_PYTHON names another Python that has torch.
# Exits with 3 and one line where torch or READERS is missing.
set -euo pipefail

venv=$1 readers=$2
python=${TORCH_PYTHON:-/usr/bin/python3}
list=$(dirname "$0")/learners.txt

missing() { echo "learners: $*" >&2; exit 3; }

[ -x "$readers/bin/python" ] || missing "there is no $readers (make venv)"
"$python" -c 'import torch' 2>/dev/null || missing "$python has no torch; on Debian and Ubuntu: apt-get install --no-install-recommends python3-torch python3-venv python3-dev"
version() { "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])'; }
[ "$(version "$python")" = "$(version "$readers/bin/python")" ] ||
  missing "$python is Python $(version "$python") and $readers $(version "$readers/bin/python"), expected the same (make venv PYTHON=$python)"

if cmp -s "$list" "$venv/ready"; then exit 0; fi
rm -rf "$venv"
mkdir -p "$(dirname "$venv")"
"$python" -m venv --system-site-packages "$venv" >"$venv.log" 2>&1 || missing "no environment could be made (see $venv.log)"
pip() { "$venv/bin/pip" install --quiet --retries 1 --timeout 15 --disable-pip-version-check --no-deps --no-compile "$@" >>"$venv.log" 2>&1; }
# PIP_CONSTRAINT holds for what pip builds with, and would refuse the numpy of the list: the two that are built come first.
mapfile -t built < <(grep -E '^(gym|pufferlib)==' "$list")
{ PIP_CONSTRAINT=$(dirname "$0")/learners-build.txt pip "${built[@]}" && pip -r "$list"; } ||
  { rm -rf "$venv"; missing "tools/learners.txt could not be installed (see $venv.log)"; }
site() { "$1" -c 'import sysconfig; print(sysconfig.get_path("purelib"))'; }
site "$readers/bin/python" >"$(site "$venv/bin/python")/zz-readers.pth" # behind what is pinned, as its name sorts last
cp "$list" "$venv/ready"
echo "learners: the packages of tools/learners.txt are in $venv"
