#!/usr/bin/env bash
# Which lines of ours does the compiler turn into fused multiply-adds? Reads the assembly of
# GOAMD64=v3 go build -gcflags=tarry/...=-S. An explicit float64(x*y) forbids it. Allowed are lines that have
# "// exact" (the product of a power of two has no rounding), fixmath's own, and what is drawn.
set -euo pipefail

found=0
while IFS=: read -r file line; do
  case $file in
    */internal/fixmath/exp.go | */output/figure/* | */output/report/* | */agents/search/searchtest/*) continue ;;
  esac
  if [ ! -e "$file" ] || sed -n "${line}p" "$file" | grep -q '// exact'; then continue; fi
  echo "fused: ${file#"$PWD"/}:$line: $(sed -n "${line}p" "$file" | sed 's/^[[:space:]]*//')" >&2
  found=1
done < <(grep -E 'VFN?M(ADD|SUB)' "$1" | grep -oE '\([^()]*\.go:[0-9]+\)' | tr -d '()' | grep -v '/pkg/mod/' | sort -u)
exit $found
