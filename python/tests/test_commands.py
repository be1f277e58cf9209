"""tarry.train, tune, sweep and figures do what the commands do, stop when they are asked to, and continue."""

from __future__ import annotations

import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest
import tarry
from tarry import _commands, _program, commands

pytest.importorskip("pyarrow")
pytest.importorskip("pandas")

COMMAND = pathlib.Path(__file__).resolve().parents[2] / "build" / "python" / "tarry"
ENV = {"tarry/Offer-v1": {"cluster": "2x2x4", "warm": 2, "horizon": 12}}
ENV_TEXT = "tarry/Offer-v1:cluster=2x2x4,warm=2,horizon=12"
FEW = {"name": "few", "kind": "simulate", "base": {"trace": "synth:demo,jobs=20", "cluster": "2x2x4"}, "axes": [{"name": "policy", "values": ["dally", "fifo"]}], "seeds": 1}


def bytes_of(folder: pathlib.Path) -> dict[str, bytes]:
    """All files that are the same in each run: timing has wall times, and manifests their hashes."""
    files = {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*") if f.is_file()}
    return {name: data for name, data in files.items() if not name.startswith(("timing", "manifest", "lock"))}


def by_command(folder: pathlib.Path, *words: str) -> dict[str, bytes]:
    done = subprocess.run([COMMAND, *words, "--out", str(folder)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return bytes_of(folder)


def test_train_is_the_command(tmp_path: pathlib.Path) -> None:
    run = tarry.train(ENV, "ppo", steps=2048, gamma=0.9, set={"minibatches": 2}, seed=3, out=tmp_path / "a")
    same = by_command(tmp_path / "b", "train", "--env", ENV_TEXT, "--agent", "ppo", "--steps", "2048", "--set", "gamma=0.9", "--set", "minibatches=2", "--seed", "3")
    assert bytes_of(tmp_path / "a") == same
    assert run.status == "finished" and run.kind == "train" and "2 updates" in str(run) and run.settings["hyperparameters"]["gamma"] == 0.9
    several = tarry.train(tarry.Env("tarry/Offer-v1", **ENV["tarry/Offer-v1"]), config={"agent": "ppo", "total_steps": 1024}, seeds=range(1, 3), out=tmp_path / "c")
    assert list(several) == ["1", "2"] and set(several.to_pandas("curves").run) == {"1", "2"}


def test_tune_is_the_command(tmp_path: pathlib.Path) -> None:
    env = ENV_TEXT.replace("Offer", "DelayTimer")
    run = tarry.tune("dally-manual", {"t_rack": (0.1, 100, "log"), "order": ["network", "fifo"]}, env, budget=3, windows=2, validation=2, out=tmp_path / "a")
    same = by_command(tmp_path / "b", "tune", "--policy", "dally-manual", "--param", "t_rack=0.1:100:log", "--param", "order=network|fifo", "--env", env, "--budget", "3", "--windows", "2", "--validation", "2")
    assert bytes_of(tmp_path / "a") == same
    assert run.best["policy"] and "points" in str(run) and len(run.to_pandas("tune")) >= 3


def test_sweep_is_the_command(tmp_path: pathlib.Path) -> None:
    run = tarry.sweep(FEW, out=tmp_path / "a", workers=1, set={"trace": "synth:demo,jobs=10"})
    assert (run.status, run.headline, run.arrow("jobs").num_rows) == ("finished", "2 of 2 cells done", 20)
    again = tarry.sweep(FEW, out=tmp_path / "a", set={"trace": "synth:demo,jobs=10"})
    assert "nothing to do" in str(again)
    (tmp_path / "few.yaml").write_text(str(FEW), encoding="utf-8")
    tarry.sweep(tmp_path / "few.yaml", out=tmp_path / "b", set={"trace": "synth:demo,jobs=10"})
    assert tarry.read(tmp_path / "b").arrow("jobs").equals(run.arrow("jobs"))


def test_figures(tmp_path: pathlib.Path) -> None:
    tarry.compare(trace="synth:demo,jobs=20", cluster="2x2x4", policies=["dally", "fifo"], replicates=2, out=tmp_path / "run")
    drawn = tarry.figures(tmp_path / "run", only=["jct_cdf", "means"], format=["svg", "png"])
    assert list(drawn) == ["jct_cdf", "means"] and drawn["means"].files["svg"] == tmp_path / "run" / "figures" / "means.svg"
    assert drawn["means"].svg.startswith("<") and len(drawn["jct_cdf"].to_pandas()) > 2 and drawn["means"].caption in str(drawn)
    assert drawn["means"]._repr_mimebundle_()["image/svg+xml"] == drawn["means"].svg and drawn._repr_html_().count("data:image/svg+xml") == 2
    data = tarry.figures(tarry.read(tmp_path / "run"), only="means", format="pdf", out=tmp_path / "pdf")
    with pytest.raises(tarry.errors.UnknownName, match="has no SVG"):
        data["means"].svg  # noqa: B018
    with pytest.raises(tarry.errors.UnknownName, match="expected one of means"):
        data["none"]


WRONG: list[tuple[Any, str]] = [
    (lambda out: tarry.train(ENV, "ppo", gama=0.9, out=out), "did you mean"),
    (lambda out: tarry.train("tarry/None-v1", out=out), "tarry/None-v1"),
    (lambda out: tarry.train(3, out=out), "3"),
    (lambda out: tarry.train(ENV, steps="many", out=out), "total_steps"),
    (lambda out: tarry.train(ENV, resume="yes", out=out), "expected True or False"),
    (lambda out: tarry.train(ENV, progress="yes", out=out), "expected True, False or None"),
    (lambda out: tarry.train(ENV, out=3), "out is 3, expected a path"),
    (lambda out: tarry.tune("dally", {"t_rack": {}}, out=out), "expected"),
    (lambda out: tarry.tune("dally-manual", {"none": (1, 2)}, ENV_TEXT, out=out), "none"),
    (lambda out: tarry.tune("dally-manual", {}, ENV_TEXT, out=out, budgets=3), "budgets is no argument of tarry.tune"),
    (lambda out: tarry.sweep({**FEW, "kind": "none"}, out=out), "none"),
    (lambda out: tarry.sweep({**FEW, "seeds": object()}, out=out), "sweep.seeds is <object"),
    (lambda out: tarry.sweep(out / "none.yaml", out=out), "none.yaml"),
    (lambda out: tarry.sweep(out=out), "nothing to run"),
    (lambda out: tarry.figures(out), "no folder"),
    (lambda out: tarry.figures([]), "expected the path"),
]


@pytest.mark.parametrize("wrong", range(len(WRONG)))
def test_what_is_wrong(wrong: int, tmp_path: pathlib.Path) -> None:
    call, said = WRONG[wrong]
    with pytest.raises(tarry.errors.OptionError) as raised:
        call(tmp_path / "out")
    assert said in str(raised.value) and not str(raised.value).startswith("tarry: ") and "/sweep.yaml" not in str(raised.value)
    assert not (tmp_path / "out").exists()


def test_failures_are_not_options(tmp_path: pathlib.Path) -> None:
    """A file in the way, and cells that fail, fail the run."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(tarry.errors.RunError, match="file"):
        tarry.train(ENV, "ppo", steps=1024, out=tmp_path / "file" / "out")


@contextlib.contextmanager
def stopped_at_once() -> Iterator[list[_program.Progress]]:
    """Ctrl-C at the first progress, as a notebook's stop button sends it."""
    seen: list[_program.Progress] = []

    def watch(self: Any, p: _program.Progress) -> None:
        seen.append(p)
        if len(seen) == 1:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(commands.Bar, "__call__", watch)
        yield seen


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_an_interrupted_training_continues(tmp_path: pathlib.Path) -> None:
    with stopped_at_once() as seen, pytest.raises(KeyboardInterrupt, match=r"of 8192 steps are made; .*resume=True\) continues it"):
        tarry.train(ENV, "ppo", steps=8192, out=tmp_path / "a")
    assert seen[0].unit == "steps" and seen[0].total == 8192
    left = tarry.read(tmp_path / "a")
    assert left.status == "interrupted" and left.arrow("curves").num_rows < 8
    whole = tarry.train(out=tmp_path / "a", resume=True)
    assert whole.status == "finished" and whole.arrow("curves").num_rows == 8
    tarry.train(ENV, "ppo", steps=8192, out=tmp_path / "b")
    assert bytes_of(tmp_path / "a") == bytes_of(tmp_path / "b")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_an_interrupted_sweep_continues(tmp_path: pathlib.Path) -> None:
    many = {**FEW, "base": {"trace": "synth:demo,jobs=3000", "cluster": "2x2x4"}, "seeds": 20}
    with stopped_at_once(), pytest.raises(KeyboardInterrupt):
        tarry.sweep(many, out=tmp_path / "a", workers=1)
    assert tarry.read(tmp_path / "a").status == "interrupted"
    assert tarry.sweep(many, out=tmp_path / "a").headline == "40 of 40 cells done"


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_no_program_is_left_behind(how: signal.Signals, tmp_path: pathlib.Path) -> None:
    """After a second Ctrl-C, and when Python is killed, the program ends too, and its folder continues."""
    out = tmp_path / "a"
    text = f"import tarry; tarry.train({ENV!r}, 'ppo', total_steps=10**7, set={{'steps': 128}}, checkpoint_every=1, out={str(out)!r}, progress=False)"
    python = subprocess.Popen([sys.executable, "-c", text], stderr=subprocess.PIPE, start_new_session=True, env=dict(os.environ))
    waits(lambda: (out / "checkpoints" / "last.ckpt").exists())
    children = f"/proc/{python.pid}/task/{python.pid}/children"
    (child,) = [int(pid) for pid in pathlib.Path(children).read_text(encoding="ascii").split()]
    python.send_signal(how)
    if how == signal.SIGINT:
        time.sleep(0.02)
        python.send_signal(how)
    assert python.wait(60) != 0
    waits(lambda: ended(child))
    assert tarry.read(out).status == "interrupted"


def ended(pid: int) -> bool:
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


def waits(true: Any) -> None:
    for _ in range(600):
        if true():
            return
        time.sleep(0.1)
    raise AssertionError("it did not happen within a minute")


def test_bars(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where tqdm is not installed progress is a line; without a terminal there is none."""
    tarry.sweep(FEW, out=tmp_path / "a")
    assert capsys.readouterr().err == ""
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    tarry.sweep(FEW, out=tmp_path / "b", progress=True)
    assert "sweep: 2 of 2 cells, few: 2 of 2 cells done" in capsys.readouterr().err
    monkeypatch.undo()
    pytest.importorskip("tqdm")
    tarry.sweep(FEW, out=tmp_path / "c", progress=True)
    assert "100%" in capsys.readouterr().err


def test_policies_of_python_have_names() -> None:
    """An object of a scheduler becomes the text by which the command finds it."""
    class Inner:
        def decide(self, view: Any) -> None:
            """Decides nothing."""

    sample = type("Mine", (Inner,), {"__module__": "mine", "__qualname__": "Mine"})
    made = sample()
    made._arguments = ((), {"after_s": 60})
    assert commands._tree("sweep", {"policies": [sample, made]}) == {"policies": ["python:mine:Mine", "python:mine:Mine,after_s=60"]}
    for wrong in (Inner, Inner()):
        with pytest.raises(tarry.errors.OptionError, match="that can be imported"):
            commands._tree("sweep", [wrong])


def test_flags_are_the_commands() -> None:
    """Each keyword argument is a flag in the help of its command."""
    for name, flags in (("train", _commands.TrainFlags), ("tune", _commands.TuneFlags), ("sweep", _commands.SweepFlags), ("figures", _commands.FiguresFlags)):
        said = subprocess.run([COMMAND, name, "--help-all"], capture_output=True, check=True, text=True).stdout
        assert all(f"--{key.replace('_', '-')}" in said for key in flags.__annotations__)
