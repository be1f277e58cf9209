#!/usr/bin/env bash
# scratch.sh: the folder for temporary files of tests: TMPDIR where that is set; else one in memory, where there is one that
# has 4 GB, may take no more than half of what is free, and runs programs; else /tmp. Sweeps of tiny cells wait for a disk most
# of their time, and their calls of the system cost less in memory. Tests of durability are not weakened: no test cuts the power.
set -euo pipefail

if [ -n "${TMPDIR:-}" ]; then echo "$TMPDIR"; exit; fi
memory=${1:-/dev/shm} need=$((4 << 20))
enough() {
  [ -w "$memory" ] && [ "$(df -Pk "$memory" | awk 'NR == 2 { print $4 }')" -ge $need ] &&
    [ "$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)" -ge $((2 * need)) ]
}
runs() {
  local probe ok=1
  probe=$(mktemp "$memory/tarry-probe-XXXXXX") || return 1
  printf '#!/bin/sh\n' >"$probe" && chmod +x "$probe" && "$probe" && ok=0
  rm -f "$probe"
  return $ok
}
if enough 2>/dev/null && runs 2>/dev/null; then echo "$memory"; else echo /tmp; fi
