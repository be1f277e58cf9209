#!/usr/bin/env bash
# subjects.sh [RANGE]: the subjects of commits are conventional ("type(scope): what") and have at most 72 characters.
# Without a range: the commits after the last tag v*, or else after the commit that brought this script; older ones
# are not looked at. Where git or the history is missing, the check is skipped with a note.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! git rev-parse --verify -q HEAD >/dev/null 2>&1; then
  echo "subjects: skipped, this is no clone"
  exit 0
fi
range=${1:-}
if [ -z "$range" ]; then
  since=$(git describe --tags --match 'v[0-9]*' --abbrev=0 2>/dev/null || git log --diff-filter=A --format=%H -- tools/subjects.sh | tail -n 1)
  range=${since:+$since..}HEAD
fi
export LC_ALL=C.UTF-8
git log --no-merges --format='%h %s' "$range" | {
  bad=0
  while IFS=' ' read -r commit subject; do
    why=
    if [ ${#subject} -gt 72 ]; then why="${#subject} characters, expected at most 72"; fi
    if ! [[ $subject =~ ^(feat|fix|docs|test|refactor|perf|build|ci|style|chore|revert)(\([a-z0-9/,_-]+\))?!?:\ [^\ ].*[^.]$ ]]; then
      why="${why:+$why; }expected type(scope): what changed, with no full stop at the end"
    fi
    if [ -n "$why" ]; then echo "$commit: \"$subject\": $why"; bad=1; fi
  done
  exit $bad
}
