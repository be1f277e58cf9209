"""The command tarry: where its program is, and a run of it that hands on progress and Ctrl-C.

Trainings, tunings, sweeps and pictures are runs of the program that the package brings: agents, questions and drawing are
not in the library. A run writes its progress as lines of JSON, one object a line, and everything else as text.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tarry._names import version
from tarry.errors import LibraryError, OptionError, RunError

NAME = "tarry.exe" if sys.platform == "win32" else "tarry"
USAGE, REQUEUE, INTERRUPTED = 2, 75, 130  # exit codes of the command
LINE = 1 << 16  # bytes that are read at once


def _places() -> Iterator[pathlib.Path]:
    """Where the program may be: named by hand, of this installation, of a clone, on the PATH."""
    package = pathlib.Path(__file__).resolve().parent
    if named := os.environ.get("TARRY_PROGRAM"):
        yield pathlib.Path(named)
        return
    if (package.parents[2] / "go.mod").exists():
        yield package.parents[2] / "build" / "python" / NAME
    yield package.parents[0] / "bin" / NAME  # pip install --target
    yield pathlib.Path(sysconfig.get_path("scripts")) / NAME
    with contextlib.suppress(KeyError):  # no such scheme here
        yield pathlib.Path(sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user"))) / NAME
    if found := shutil.which(NAME):
        yield pathlib.Path(found)


@functools.cache
def path() -> pathlib.Path:
    """The program, of the version of this package."""
    tried = []
    for place in _places():
        if not place.is_file():
            continue
        try:
            said = subprocess.run([place, "version", "--format", "json"], capture_output=True, check=True, stdin=subprocess.DEVNULL)
            has = json.loads(said.stdout)["version"]
        except (OSError, subprocess.CalledProcessError, ValueError, KeyError) as err:
            tried.append(f"{place} does not state its version ({err})")
            continue
        if has == version():
            return place
        tried.append(f"{place} has version {has}")
    raise LibraryError("; ".join([*tried, f"no program tarry of version {version()}: install tarry anew, or name its file in TARRY_PROGRAM"]))


@dataclass
class Progress:
    """How far a run is: done of total units, and a remark."""

    done: int
    total: int
    unit: str
    text: str


@dataclass
class Said:
    """What a run wrote."""

    out: str = ""
    notes: list[str] = field(default_factory=list)


def _environment() -> dict[str, str]:
    """Policies of Python run in this interpreter's kind, which finds the modules that this one finds."""
    env = dict(os.environ)
    if "TARRY_PYTHON" not in env:
        env["TARRY_PYTHON"] = sys.executable
        env["PYTHONPATH"] = os.pathsep.join(p or os.getcwd() for p in sys.path)
    return env


class _Lines:
    """The lines of a pipe. No line is lost when reading is interrupted."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._rest = b""

    def read(self) -> Iterator[str]:
        while chunk := os.read(self._fd, LINE):
            *lines, self._rest = (self._rest + chunk).split(b"\n")
            for line in lines:
                yield line.decode("utf-8", "replace")
        if self._rest:
            rest, self._rest = self._rest, b""
            yield rest.decode("utf-8", "replace")


def _take(lines: _Lines, said: Said, watch: Callable[[Progress], None] | None) -> None:
    """Reads to the end what a run writes beside its result."""
    for line in lines.read():
        if not line.startswith('{"progress":'):
            said.notes.append(line)
        elif watch is not None:
            one = json.loads(line)
            watch(Progress(one["done"], one["total"], one["progress"], one["text"]))


def run(words: Sequence[str], watch: Callable[[Progress], None] | None = None, resume: str = "") -> Said:
    """Runs the command; gives what it wrote.

    Ctrl-C lets the run end by itself, as it does in a terminal: then KeyboardInterrupt is raised with its words, and
    resume, which states how to continue. A second Ctrl-C kills it.
    """
    said = Said()
    with tempfile.TemporaryFile() as out:
        # A group of its own: Ctrl-C reaches it through this process alone, once. When this process is killed, the next line
        # of progress has no reader, which ends the run as kill does.
        child = subprocess.Popen(
            [path(), *words], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, env=_environment(), start_new_session=True
        )
        assert child.stderr is not None
        with child.stderr as pipe:
            lines = _Lines(pipe.fileno())
            stopped = False
            try:
                _take(lines, said, watch)
                code = child.wait()
            except KeyboardInterrupt:
                stopped = True
                code = _stop(child, lines, said)
            except BaseException:  # of what watches
                _stop(child, lines, said)
                raise
        out.seek(0)
        said.out = out.read().decode("utf-8", "replace")
    _raise(code, said, stopped, resume)
    return said


def _stop(child: subprocess.Popen[bytes], lines: _Lines, said: Said) -> int:
    """Lets a run end by itself, or kills it where that is interrupted."""
    try:
        child.send_signal(signal.SIGINT)
        _take(lines, said, None)
        return child.wait()
    except BaseException:
        child.kill()
        child.wait()
        raise


def _raise(code: int, said: Said, stopped: bool, resume: str) -> None:
    """The error of a run that did not end well."""
    if code == 0 and not stopped:
        return
    text = "\n".join(said.notes)
    at = text.rfind("\ntarry: ") + 1
    text = text[at:].removeprefix("tarry: ") if text[at:].startswith("tarry: ") else text
    if stopped:  # also where it had ended by then
        raise KeyboardInterrupt(f"{text or 'interrupted'}; {resume}" if resume and code else text) from None
    if code < 0:
        text = f"the command was ended by signal {-code}" + (f": {text}" if text else "") + (f"; {resume}" if resume else "")
    raise (OptionError if code == USAGE else RunError)(text or f"the command ended with code {code}")


def json_of(words: Sequence[str]) -> Any:
    """The result of a command that prints lines of JSON."""
    return [json.loads(line) for line in run([*words, "--format", "json"]).out.splitlines() if line]
