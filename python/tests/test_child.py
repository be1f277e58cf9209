"""python:MODULE:CLASS in the command: sweeps take it and continue, and no process is left when the command is killed."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest
import schedulers
import tarry
from tarry import _program

pytest.importorskip("pyarrow")

HANGS = """
import os, pathlib
import tarry

class Hangs(tarry.Policy):
    def __init__(self, note):
        self.note = note

    def decide(self, view):
        pathlib.Path(self.note).write_text(str(os.getpid()))
        while True:
            pass
"""


@pytest.fixture(autouse=True)
def own_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Policies run in the interpreter of the tests, which finds their modules."""
    monkeypatch.delenv("TARRY_PYTHON", raising=False)


def few(*policies: object) -> dict[str, object]:
    return {"name": "few", "kind": "simulate", "base": {"trace": "synth:demo,jobs=15", "cluster": "2x2x4"}, "axes": [{"name": "policy", "values": list(policies)}], "seeds": 2}


def test_sweep(tmp_path: pathlib.Path) -> None:
    spec = few("python:schedulers:Fifo", schedulers.Aged(penalty_s=60.0), "fifo")
    run = tarry.sweep(spec, out=tmp_path / "a", workers=2)
    assert run.headline == "6 of 6 cells done"
    jobs = run.arrow("jobs").to_pylist()
    ends = {policy: [(row["seed"], row["job"], row["jct_s"]) for row in jobs if row["policy"] == policy] for policy in ("python:schedulers:Fifo", "fifo")}
    assert len(ends["fifo"]) == 30 and ends["fifo"] == ends["python:schedulers:Fifo"]
    assert {row["policy"] for row in jobs} == {"fifo", "python:schedulers:Fifo", "python:schedulers:Aged,penalty_s=60.0"}
    here = tarry.compare(trace="synth:demo,jobs=15", cluster="2x2x4", policies=[schedulers.Aged(penalty_s=60.0)], seed=1)
    assert [row["jct_s"] for row in here.jobs.to_pylist()] == [row["jct_s"] for row in jobs if "Aged" in row["policy"] and row["seed"] == 1]
    assert "nothing to do" in str(tarry.sweep(spec, out=tmp_path / "a"))


def test_sweep_continues(tmp_path: pathlib.Path) -> None:
    spec = few("python:schedulers:Fifo", "fifo")
    tarry.sweep(spec, out=tmp_path / "a")
    whole = tarry.read(tmp_path / "a").arrow("jobs")
    tarry.sweep(spec, out=tmp_path / "b")
    for status in (tmp_path / "b" / "cells" / "policy=python:schedulers:Fifo").glob("*/STATUS"):
        status.unlink()
    (tmp_path / "b" / "manifest.json").unlink()
    again = tarry.sweep(spec, out=tmp_path / "b")
    assert again.headline == "4 of 4 cells done" and again.arrow("jobs").equals(whole)


def test_no_orphan(tmp_path: pathlib.Path) -> None:
    (tmp_path / "stuck.py").write_text(HANGS, encoding="utf-8")
    env = {**os.environ, "TARRY_PYTHON": sys.executable, "PYTHONPATH": os.pathsep.join([str(tmp_path), *(p for p in sys.path if p)])}
    for ends in (signal.SIGKILL, signal.SIGINT):
        note = tmp_path / f"pid-{ends}"
        words = [_program.path(), "simulate", "--trace", "synth:demo,jobs=5", "--cluster", "2x2x4", "--policy", f"python:stuck:Hangs,note={note}"]
        run = subprocess.Popen(words, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
        assert run.stderr is not None
        try:
            until(lambda note=note: note.exists() and note.read_text() != "")
            pid = int(note.read_text())
            os.kill(pid, 0)  # it is there
            run.send_signal(ends)
            until(lambda pid=pid: not there(pid))
            assert run.wait(60) == (-signal.SIGKILL if ends == signal.SIGKILL else 130), run.stderr.read()
        finally:
            run.kill()
            run.wait()
            run.stderr.close()


def there(pid: int) -> bool:
    """Whether a process runs; one that ended and that none has waited for does not."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def until(holds, seconds: float = 60.0) -> None:  # type: ignore[no-untyped-def]
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)
