"""Builds what is Go: the library and the command, for this machine or another Linux."""

import ctypes
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

MODULE = pathlib.Path(__file__).resolve().parents[2]
BUILT = MODULE / "build" / "python"
NEEDED = (1, 26)
LIBRARY = "libtarry" + {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
COMMAND = "tarry.exe" if sys.platform == "win32" else "tarry"
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}  # Go's names and Linux's


@dataclass(frozen=True)
class Target:
    """What is built for: the platform's name in Python, the folder, and what the environment of Go has for it."""

    platform: str = field(default_factory=sysconfig.get_platform)
    folder: pathlib.Path = BUILT
    env: Mapping[str, str] = field(default_factory=dict)

    @property
    def here(self) -> bool:
        """Whether this machine runs what is built."""
        return not self.env


def target(arch: str | None) -> Target:
    """This machine, or Linux on another processor by Go's name of it, for which a compiler must be there."""
    if arch is None or sysconfig.get_platform() == f"linux-{MACHINES.get(arch)}":
        return Target()
    if arch not in MACHINES:
        raise SystemExit(f"tarry: arch is {arch!r}, expected one of {', '.join(MACHINES)}")
    cc = f"{MACHINES[arch]}-linux-gnu-gcc"
    if shutil.which(cc) is None:
        raise SystemExit(f"tarry: the build for {arch} needs\n  {cc}, a C compiler (Debian: apt-get install gcc-{MACHINES[arch].replace('_', '-')}-linux-gnu)")
    return Target(f"linux-{MACHINES[arch]}", BUILT / arch, {"GOOS": "linux", "GOARCH": arch, "CC": cc})


def say(words: str) -> None:
    """A line of what the build does; pip install -v prints it."""
    print(f"tarry: {words}", file=sys.stderr, flush=True)


def _run(*words: str, **more: str) -> str:
    done = subprocess.run(words, cwd=MODULE, env={**os.environ, **more}, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"tarry: {' '.join(words)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def _go_version(go: str) -> str:
    return _run(go, "env", "GOVERSION", GOTOOLCHAIN=os.environ.get("GOTOOLCHAIN", "local")).strip()


@functools.cache
def check() -> str:
    """The Go command, or the end with all that is missing."""
    go, missing = os.environ.get("GO") or shutil.which("go"), []
    if not (MODULE / "go.mod").exists():
        missing.append(f"the Go module: {MODULE / 'go.mod'} is not there, expected python/ of a clone; without one, install a wheel")
    if go is None:
        missing.append("Go 1.26 or later (https://go.dev/dl), or a wheel, which needs none")
    else:
        found = re.search(r"go(\d+)\.(\d+)", _go_version(go))
        if found and (int(found[1]), int(found[2])) < NEEDED:
            missing.append(f"Go 1.26 or later: {go} is {found[0]}")
    if not any(shutil.which(name) for name in (os.environ.get("CC", "").split(" ")[0], "gcc", "clang", "cc") if name):
        missing.append("a C compiler for Go's cgo: gcc or clang, none is on the PATH")
    if missing:
        raise SystemExit("tarry: the build needs\n  " + "\n  ".join(missing))
    return str(go)


def _go_build(of: Target, to: pathlib.Path, package: str, *flags: str) -> None:
    go = check()
    stamp = "-buildvcs=" + ("auto" if (MODULE / ".git").exists() else "false")
    to.parent.mkdir(parents=True, exist_ok=True)
    tags = (MODULE / "tools" / "tags").read_text().strip()
    say(f"building {to.name} for {of.platform} with {_go_version(go)} (about 90 s of a processor the first time, seconds after that) ...")
    began = time.monotonic()
    _run(go, "build", "-trimpath", stamp, f"-tags={tags}", "-ldflags=-s -w", *flags, "-o", str(to), package, CGO_ENABLED="1", **of.env)
    say(f"built {to.name}: {to.stat().st_size / 1e6:.1f} MB in {time.monotonic() - began:.0f} s")


def library(to: pathlib.Path, of: Target | None = None) -> None:
    """Puts the library and the lists of its environments and questions into a folder."""
    of = of or Target()
    _go_build(of, to / LIBRARY, "./cmd/libtarry", "-buildmode=c-shared")
    if not of.here:  # the lists are the same on every machine
        library(BUILT)
        for name in ("envs.json", "questions.json"):
            shutil.copy(BUILT / name, to / name)
        return
    lib, out = ctypes.CDLL(str(to / LIBRARY)), ctypes.c_char_p()
    if lib.tarry_envs(ctypes.byref(out)):
        raise SystemExit(f"tarry: {to / LIBRARY} does not list its environments: {out.value!r}")
    (to / "envs.json").write_bytes((out.value or b"") + b"\n")
    # The library does not link the questions, which draw pictures.
    (to / "questions.json").write_text(_run(str(command(BUILT)), "list", "questions", "--format", "json"), encoding="utf-8")


def command(to: pathlib.Path, of: Target | None = None) -> pathlib.Path:
    """Puts the command into a folder; gives its file."""
    _go_build(of or Target(), to / COMMAND, "./cmd/tarry")
    return to / COMMAND


def version(command: pathlib.Path) -> str:
    """The version of the program in the form of Python packages: 0.6.0-dev is 0.6.0.dev0."""
    return json.loads(_run(str(command), "version", "--format", "json"))["version"].replace("-dev", ".dev0")


LICENCE = re.compile(r"(licen[cs]e|copying|notice|patents|authors)\b.*", re.IGNORECASE)


def licences(of: Target) -> dict[str, bytes]:
    """The licences of all that is linked, by their paths: tarry's, Go's, and of each module; a module without such a file has it in its README."""
    go = check()
    form = '{{with .Module}}{{if not (or .Main .Replace)}}{{.Path}}@{{.Version}}\t{{.Dir}}{{end}}{{end}}'
    tags = (MODULE / "tools" / "tags").read_text().strip()
    listed = _run(go, "list", "-deps", f"-tags={tags}", "-f", form, "./cmd/tarry", "./cmd/libtarry", CGO_ENABLED="1", **of.env)
    folders = {"go": pathlib.Path(_run(go, "env", "GOROOT").strip())}
    folders.update((name, pathlib.Path(folder)) for name, _, folder in (line.partition("\t") for line in sorted(set(listed.split("\n"))) if line))
    out = {"LICENSE": (MODULE / "LICENSE").read_bytes()}
    for name, folder in folders.items():
        own = [f for f in folder.iterdir() if LICENCE.fullmatch(f.name)]
        files = [f for one in own for f in ([one] if one.is_file() else one.iterdir())] or [f for f in folder.iterdir() if f.name.lower().startswith("readme")]
        if not files:
            raise SystemExit(f"tarry: {folder} has no licence, expected LICENSE, COPYING or a README")
        out.update((f"modules/{name}/{f.relative_to(folder).as_posix()}", f.read_bytes()) for f in files)
    return out


if __name__ == "__main__":  # python gobuild.py FOLDER: the library alone, for the tests
    library(pathlib.Path(sys.argv[1]))
