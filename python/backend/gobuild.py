"""Builds what is Go: the library and the command."""

import ctypes
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

MODULE = pathlib.Path(__file__).resolve().parents[2]
BUILT = MODULE / "build" / "python"
NEEDED = (1, 26)
LIBRARY = "libtarry" + {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
COMMAND = "tarry.exe" if sys.platform == "win32" else "tarry"


def _run(*words: str, **more: str) -> str:
    done = subprocess.run(words, cwd=MODULE, env={**os.environ, **more}, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"tarry: {' '.join(words)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def check() -> str:
    """The Go command, or the end with all that is missing."""
    go, missing = os.environ.get("GO") or shutil.which("go"), []
    if not (MODULE / "go.mod").exists():
        missing.append(f"the Go module: {MODULE / 'go.mod'} is not there, expected python/ of a clone; without one, install a wheel")
    if go is None:
        missing.append("Go 1.26 or later (https://go.dev/dl), or a wheel, which needs none")
    else:
        found = re.search(r"go(\d+)\.(\d+)", _run(go, "env", "GOVERSION", GOTOOLCHAIN=os.environ.get("GOTOOLCHAIN", "local")))
        if found and (int(found[1]), int(found[2])) < NEEDED:
            missing.append(f"Go 1.26 or later: {go} is {found[0]}")
    if not any(shutil.which(name) for name in (os.environ.get("CC", "").split(" ")[0], "gcc", "clang", "cc") if name):
        missing.append("a C compiler for Go's cgo: gcc or clang, none is on the PATH")
    if missing:
        raise SystemExit("tarry: the build needs\n  " + "\n  ".join(missing))
    return str(go)


def _go_build(to: pathlib.Path, package: str, *flags: str, **more: str) -> None:
    stamp = "-buildvcs=" + ("auto" if (MODULE / ".git").exists() else "false")
    to.parent.mkdir(parents=True, exist_ok=True)
    tags = (MODULE / "tools" / "tags").read_text().strip()
    _run(check(), "build", "-trimpath", stamp, f"-tags={tags}", "-ldflags=-s -w", *flags, "-o", str(to), package, **more)


def library(to: pathlib.Path) -> None:
    """Puts the library and the lists of its environments and questions into a folder."""
    _go_build(to / LIBRARY, "./cmd/libtarry", "-buildmode=c-shared", CGO_ENABLED="1")
    lib, out = ctypes.CDLL(str(to / LIBRARY)), ctypes.c_char_p()
    if lib.tarry_envs(ctypes.byref(out)):
        raise SystemExit(f"tarry: {to / LIBRARY} does not list its environments: {out.value!r}")
    (to / "envs.json").write_bytes((out.value or b"") + b"\n")
    # The library does not link the questions, which draw pictures.
    (to / "questions.json").write_text(_run(str(command(BUILT)), "list", "questions", "--format", "json"), encoding="utf-8")


def command(to: pathlib.Path) -> pathlib.Path:
    """Puts the command into a folder; gives its file."""
    _go_build(to / COMMAND, "./cmd/tarry")
    return to / COMMAND


def version(command: pathlib.Path) -> str:
    """The version of the program in the form of Python packages: 0.6.0-dev is 0.6.0.dev0."""
    return json.loads(_run(str(command), "version", "--format", "json"))["version"].replace("-dev", ".dev0")


if __name__ == "__main__":  # python gobuild.py FOLDER: the library alone, for the tests
    library(pathlib.Path(sys.argv[1]))
