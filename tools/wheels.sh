#!/usr/bin/env bash
# wheels.sh VENV own|all: makes a wheel for Linux on this processor, or on amd64 and arm64, in build/wheels, under the manylinux tag that its glibc
# symbols allow, and runs it: this machine's in an environment of its own without a network, another's by qemu's user emulation.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=$1 out=build/wheels own=$(uname -m)
case $2:$own in
  own:x86_64) arches=amd64 ;;
  own:aarch64) arches=arm64 ;;
  all:*) arches='amd64 arm64' ;;
  *) echo "wheels: $2 on $own, expected own or all on x86_64 or aarch64" >&2; exit 2 ;;
esac
rm -rf "$out"; mkdir -p "$out"
"$venv/bin/pip" install --quiet --disable-pip-version-check -r tools/wheel.txt

# here WHEEL: installs it beside the packages of VENV, and asks it; the PATH has no Go.
here() {
  "$venv/bin/python" -m venv "$out/fresh"
  "$out/fresh/bin/pip" install --quiet --disable-pip-version-check --no-index --no-deps "$1"
  site=$("$out/fresh/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  "$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' >"$site/beside.pth"
  PATH=$PWD/$out/fresh/bin:/usr/bin:/bin "$out/fresh/bin/python" python/backend/installed.py
  rm -rf "$out/fresh"
}

# elsewhere WHEEL MACHINE: loads its library and runs its command by emulation, where there is one.
elsewhere() {
  local dir=$out/apart root=/usr/$2-linux-gnu qemu
  rm -rf "$dir"; mkdir -p "$dir"
  "$venv/bin/python" -m zipfile -e "$1" "$dir"
  chmod +x "$dir"/*.data/scripts/tarry
  if ! qemu=$(command -v "qemu-$2-static" || command -v "qemu-$2"); then
    echo "wheels: $(basename "$1") is not run, there is no qemu-$2: $(file -b "$dir/tarry/libtarry.so")"
  else
    printf '%s\n' '#include <dlfcn.h>' '#include <stdio.h>' 'int main(int n, char **arg) { void *l = dlopen(arg[1], RTLD_NOW); if (!l) { puts(dlerror()); return 1; }' \
      'int (*version)(char **) = (int (*)(char **))dlsym(l, "tarry_version"); char *out = 0; if (!version || version(&out)) return 2; puts(out); return 0; }' >"$dir/ask.c"
    "$2-linux-gnu-gcc" -o "$dir/ask" "$dir/ask.c" -ldl
    echo "wheels: libtarry.so on $2 states version $("$qemu" -L "$root" "$dir/ask" "$dir/tarry/libtarry.so")"
    "$qemu" -L "$root" "$dir"/*.data/scripts/tarry simulate --trace synth:demo,jobs=20 --cluster 2x2x4 --policy dally --columns policy,jobs,jct_mean_s
  fi
  rm -rf "$dir"
}

for arch in $arches; do
  case $arch in amd64) machine=x86_64 ;; arm64) machine=aarch64 ;; esac
  mkdir -p "$out/linux"
  "$venv/bin/pip" wheel -v --disable-pip-version-check --no-deps --no-build-isolation --config-settings "arch=$arch" --wheel-dir "$out/linux" ./python 2>&1 | grep -E '^ *tarry: |rror' || true
  PATH="$PWD/$venv/bin:$PATH" "$venv/bin/auditwheel" repair --plat auto --wheel-dir "$out" "$out"/linux/*.whl
  rm -rf "$out/linux"
  wheel=$(ls "$out"/*_"$machine".whl)
  if [ "$machine" = "$own" ]; then here "$wheel"; else elsewhere "$wheel" "$machine"; fi
done
ls -l "$out"
