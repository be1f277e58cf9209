"""A scheduler in Python gives the numbers of its twin in Go, reads what it declares, and its errors are its own."""

from __future__ import annotations

import gc
import math
import os
import pathlib
import re
import signal
import subprocess
import sys
import textwrap
import traceback
from typing import Any

import numpy as np
import pytest
import schedulers
import tarry
from tarry.errors import DecisionError, OptionError, RunError, UndeclaredError

pytest.importorskip("pyarrow")
pytest.importorskip("pandas")

HERE = pathlib.Path(__file__).resolve().parent
DEMO: dict[str, Any] = {"trace": "synth:demo,jobs=120", "cluster": "2x4x8"}
COSTLY: dict[str, Any] = {"trace": "synth:poisson,load=0.9,jobs=150", "cluster": "ethernet:2x4x8", "costs": {"checkpoint_s": 5, "restore_s": 10}}
FAULTY: dict[str, Any] = {**COSTLY, "faults": {"machine_mtbf_s": 100000, "machine_mttr_s": 3600}}


def rows(result: tarry.Result, policy: str, table: str = "jobs") -> Any:
    frame = result.to_pandas(table)
    frame = frame[frame.policy == policy].reset_index(drop=True)
    return frame.drop(columns=[c for c in ("policy", "version", "config_sha256") if c in frame])


def same(own: Any, go: str, setting: dict[str, Any], **more: Any) -> None:
    """The tables of both are equal, bit for bit."""
    found = tarry.compare(**setting, policies=[own, go], replicates=2, tables=("trials", "jobs", "intervals", "cluster"), **more)
    name = found.rows[0]["policy"]
    for table in ("trials", "jobs", "intervals", "cluster"):
        assert rows(found, name, table).equals(rows(found, go, table)), table


@pytest.mark.parametrize("setting", [DEMO, COSTLY, FAULTY])
@pytest.mark.parametrize(
    "own,go",
    [
        (schedulers.Fifo, "fifo"),
        (schedulers.OneByOne, "fifo"),
        (schedulers.Sjf(), "sjf"),
        (schedulers.Srtf(), "srtf"),
        ("python:schedulers:Srtf,place=consolidate", "srtf:place=consolidate"),
    ],
)
def test_twin_of_go(own: Any, go: str, setting: dict[str, Any]) -> None:
    same(own, go, setting)


def tiresias() -> Any:
    """The class of the tutorial."""
    page = (HERE.parents[1] / "docs" / "tutorials" / "python-scheduler.md").read_text(encoding="utf-8")
    block = next(b for b in re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL) if "class Tiresias" in b)
    names: dict[str, Any] = {"tarry": tarry, "np": np, "math": math, "__name__": __name__}
    exec(compile(block[: block.index("\nsetting")], "python-scheduler.md", "exec"), names)  # noqa: S102
    assert len(block[: block.index("\nsetting")].strip().splitlines()) <= 50
    return names["Tiresias"]


@pytest.mark.parametrize("setting", [DEMO, COSTLY, FAULTY, {**DEMO, "trace": "synth:demo", "cluster": "ethernet:4x4x8"}])
@pytest.mark.parametrize("own,go", [((), "tiresias"), (((3250.0, 7200.0), 2.0), "tiresias:queues=3250/7200,promote=2")])
def test_tutorial_is_tiresias(own: Any, go: str, setting: dict[str, Any]) -> None:
    same({"mine": tiresias()(*own)}, go, setting)


def test_workers_change_nothing() -> None:
    policies = [schedulers.Srtf(), "dally", schedulers.Fifo, "srtf"]
    found = [tarry.compare(**COSTLY, policies=policies, replicates=3, workers=n) for n in (1, 2, 3)]
    tables = [(f.trials, f.jobs, f.rows) for f in found]
    assert tables[0] == tables[1] == tables[2]
    assert [r["policy"] for r in found[0].rows] == ["Srtf", "dally", "Fifo", "srtf"]


def test_each_run_has_its_own_object() -> None:
    class Counting(tarry.Policy):
        made: list[Any] = []

        def __init__(self) -> None:
            self.seen: list[int] = []

        def decide(self, view: tarry.View) -> None:
            if not self.seen:
                Counting.made.append(self)
            self.seen.append(view.now_us)
            view.fill(view.waiting.job)

    given = Counting()
    tarry.compare(**DEMO, policies=[given], replicates=3)
    assert given.seen == [] and len(Counting.made) == 3
    assert all(p.seen == sorted(set(p.seen)) for p in Counting.made)
    Counting.made.clear()
    tarry.compare(**DEMO, policies=[Counting], replicates=2)
    assert len(Counting.made) == 2


def test_names_and_settings() -> None:
    aged = schedulers.Aged
    found = tarry.compare(**DEMO, policies=[aged(penalty_s=60), aged(120.0), aged(), {"mine": aged()}, {"dally": {"t_rack": 6}}, "python:schedulers:Aged,penalty_s=60"])
    names = [r["policy"] for r in found.rows]
    assert names == ["Aged:penalty_s=60", "Aged:penalty_s=120.0", "Aged", "mine", "dally:t_rack=6", "python:schedulers:Aged,penalty_s=60"]
    assert found.rows[0]["jct_mean_s"] == found.rows[5]["jct_mean_s"] != found.rows[2]["jct_mean_s"] == found.rows[3]["jct_mean_s"]
    assert "Sjf*" in repr(tarry.simulate(**DEMO, policy=schedulers.Sjf)) and found.trials["knows"][0].as_py() == "nothing"


@pytest.mark.parametrize(
    "policies,want",
    [
        ([schedulers.Fifo, schedulers.Fifo()], "given twice"),
        ([{"dally": schedulers.Fifo}], "a scheduler that tarry ships has that name"),
        ([{"a b": schedulers.Fifo}], "policy name 'a b'"),
        (["python:schedulers"], "expected python:MODULE:CLASS"),
        (["python:nowhere_at_all:Fifo"], "no module nowhere_at_all"),
        (["python:schedulers:Filo"], "has no Filo, expected one of Fifo"),
        (["python:schedulers:Aged,penalty=3"], "unexpected keyword argument 'penalty'; expected the arguments (penalty_s"),
        (["python:schedulers:Aged,penalty"], "expected key=value"),
        ([schedulers.Aged(object())], "or a name of its own"),
    ],
)
def test_wrong_policies(policies: Any, want: str) -> None:
    with pytest.raises(OptionError, match=re.escape(want)):
        tarry.compare(**DEMO, policies=policies)


def test_wrong_declaration() -> None:
    class Wrong(schedulers.Fifo):
        knows = ("works",)

    with pytest.raises(OptionError, match='policy Wrong: permission "works", expected some of done, estimate, work'):
        tarry.simulate(**DEMO, policy=Wrong)


def deciding(decide: Any, knows: tuple[str, ...] = ()) -> Any:
    return type("Deciding", (tarry.Policy,), {"decide": lambda self, view: decide(view), "knows": knows})()


def run(decide: Any, knows: tuple[str, ...] = (), **more: Any) -> tarry.Result:
    return tarry.simulate(**{**DEMO, **more}, policy=deciding(decide, knows))


def test_what_is_not_declared_is_absent() -> None:
    def look(view: tarry.View) -> None:
        assert not hasattr(view.waiting, "work_s") and hasattr(view.waiting, "done_s") and hasattr(view.running, "gpus")
        with pytest.raises(UndeclaredError, match=r"estimate_s is not declared by Deciding, expected knows = \('done', 'estimate',\)"):
            _ = view.waiting.estimate_s
        with pytest.raises(UndeclaredError, match="predict is not declared"):
            view.predict(0, [0])
        with pytest.raises(UndeclaredError, match="history_s is not declared"):
            _ = view.history_s
        view.fill(view.waiting.job)

    run(look, ("done",))


def test_an_exception_is_its_own() -> None:
    def boom(view: tarry.View) -> None:
        if view.now_s > 0:
            raise ZeroDivisionError("mine")
        view.fill(view.waiting.job)

    with pytest.raises(ZeroDivisionError, match="mine") as caught:
        run(boom)
    assert any(frame.name == "boom" for frame in traceback.extract_tb(caught.value.__traceback__))
    if sys.version_info >= (3, 11):
        assert re.match(r"policy Deciding decided at [\d.]+ s of its run", caught.value.__notes__[0])
    assert tarry.simulate(**DEMO, policy=schedulers.Fifo).rows  # and the next run is well


@pytest.mark.parametrize(
    "wrong,want",
    [
        (lambda v: v.start(v.waiting.job[0], [0, 0]), r"start of job \"\w+\": .*expected ascending and each once|start of job"),
        (lambda v: v.preempt(v.waiting.job[0]), r"preempt of job \".+\": the job is waiting, expected running; decided at .*test_policy.py:\d+"),
        (lambda v: [v.start(v.waiting.job[0]), v.start(v.waiting.job[0])], r"decision 1, start of job \".+\": the job is running, expected waiting"),
        (lambda v: v.wake_at(v.now_s), r"due at .*, expected after now"),
        (lambda v: v.start(10**6), "job number 1000000, expected one that waits, runs or is in the events"),
        (lambda v: v.start(v.num_jobs - 1), "expected one that waits"),
        (lambda v: v.start(v.waiting.job[0], [10**6]), "GPU 1000000 does not exist"),
        (lambda v: v.cordon(10**6), "machine 1000000, expected 0..7"),
        (lambda v: v.wake_at(v.now_s + 1, key=-1), "key -1, expected 0..1024"),
        (lambda v: [v.start(v.waiting.job[0]), v.rebuild(v.waiting.job)], "rebuild beside start"),
    ],
)
def test_wrong_decisions(wrong: Any, want: str) -> None:
    with pytest.raises(DecisionError, match=want):
        run(wrong)


@pytest.mark.parametrize(
    "wrong,want",
    [
        (lambda v: v.start(v.waiting.job[0], place="near"), "place is 'near', expected one of any, consolidate"),
        (lambda v: v.start(v.waiting.job[0], share=3), "share: unknown, expected some of share_milli"),
        (lambda v: v.wake_at(float("nan")), "at_s is nan"),
        (lambda v: v.watch(v.waiting.job[0]), "watch of 0 bounds"),
        (lambda v: v.waiting.names("gpus"), "'gpus' has no names, expected one of gpu_type, model"),
    ],
)
def test_wrong_arguments(wrong: Any, want: str) -> None:
    with pytest.raises(OptionError, match=want):
        run(wrong)


def test_a_view_ends_with_its_decision() -> None:
    kept: list[Any] = []

    def keep(view: tarry.View) -> None:
        kept.extend([view, view.waiting])
        view.fill(view.waiting.job)

    run(keep)
    for late in (lambda: kept[0].free, lambda: kept[1].model, lambda: kept[0].start(0)):
        with pytest.raises(DecisionError, match="the decision is over"):
            late()
    gc.collect()


def test_a_policy_may_run_others() -> None:
    def nested(view: tarry.View) -> None:
        if not found:
            found.append(tarry.compare(**DEMO, policies=[schedulers.Sjf, "sjf"]))
        view.fill(view.waiting.job, stop=True)

    found: list[Any] = []
    outer = run(nested)
    assert outer.rows[0]["jct_mean_s"] == tarry.simulate(**DEMO, policy="fifo").rows[0]["jct_mean_s"]
    assert found[0].rows[0]["jct_mean_s"] == found[0].rows[1]["jct_mean_s"]


def test_who_decides_nothing_ends() -> None:
    found = run(lambda view: None)
    assert found.rows[0]["finished"] == 0 and found.rows[0]["unfinished"] > 0
    with pytest.raises(RunError, match=r"nothing runs, \d+ jobs wait, and 131072 decisions in a row that timers alone asked for started none"):
        run(lambda view: view.wake_at(view.now_s + 1))


def test_folder_is_taken_again(tmp_path: pathlib.Path) -> None:
    calls: list[int] = []

    class Counted(schedulers.Fifo):
        def decide(self, view: tarry.View) -> None:
            calls.append(1)
            super().decide(view)

    first = tarry.compare(**DEMO, policies=[Counted, "dally"], out=tmp_path / "r")
    made = len(calls)
    again = tarry.compare(**DEMO, policies=[Counted, "dally"], out=tmp_path / "r")
    assert len(calls) == made and again.rows == first.rows


def test_baseline_of_evaluate() -> None:
    found = tarry.evaluate(lambda obs: 1, "tarry/Offer-v1", {"cluster": "2x2x4", "warm": 2, "horizon": 12}, trained_on=(), count=2, baselines=["fifo", schedulers.Fifo(), {"mine": schedulers.Sjf}, "sjf"])
    assert found["Fifo"]["jct_mean_s"] == found["fifo"]["jct_mean_s"]
    assert found["mine"]["jct_mean_s"] == found["sjf"]["jct_mean_s"]


def test_ctrl_c() -> None:
    code = """
        import os, signal, sys, threading, time
        sys.path.insert(0, sys.argv[1])
        import schedulers, tarry
        class Slow(schedulers.Fifo):
            def decide(self, view):
                time.sleep(0.01)
                super().decide(view)
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        try:
            tarry.simulate(trace="synth:demo,jobs=2000", cluster="2x4x8", policy=Slow)
        except KeyboardInterrupt:
            print("stopped")
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code), str(HERE)], capture_output=True, text=True, timeout=60, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, check=False)
    assert done.stdout == "stopped\n", done.stderr
    assert signal.getsignal(signal.SIGINT)


def test_view() -> None:
    """What the view gives agrees with itself at every instant."""

    def look(view: tarry.View) -> None:
        w, r, c = view.waiting, view.running, view.cluster
        assert c.gpus == c.machine_gpus.sum() == 64 and c.racks == 2 and len(c.gpu_machine) == 64
        assert view.now_s == view.now_us / 1e6 and len(w) == len(w.gpus) and len(r) == len(r.rate)
        assert (np.diff(w.job) > 0).all() and (np.diff(r.job) > 0).all() and (w.state == 1).all() and (r.state == 2).all()
        assert (w.submit_s <= view.now_s).all() and (w.wait_s == (view.now_us - w.since_us) / 1e6).all()
        held = [view.held(j) for j in r.job]
        assert [len(h) for h in held] == r.held.tolist()
        assert view.free.sum() + sum(map(len, held)) == view.usable == 64 and view.free_by_rack.sum() == view.free.sum()
        used = view.in_use_milli
        assert (used > 0).sum() == sum(map(len, held)) and all((used[h] == 1000).all() for h in held)
        assert all(isinstance(e.kind, str) for e in view.events) and view.events
        both = view.jobs(np.concatenate([w.job, r.job]))
        for name in ("gpus", "model", "submit_us", "since_s", "service_us", "work_us", "left_us", "estimate_us", "preemptions", "iter_s", "priority", "deadline_s", "started_us"):
            assert np.array_equal(getattr(both, name), np.concatenate([getattr(w, name), getattr(r, name)]), equal_nan=True), name
        assert set(np.array(both.names("model"))[both.model].tolist()) <= set(both.names("model"))
        assert len(both.id) == len(both) and not w.gpus.flags.writeable
        if len(w):
            place = view.place(w.job[0])
            if place is not None:
                idle = view.predict(w.job[0], place, idle=True)
                assert 0 < idle.rate <= len(place) and 0 < idle.compute_frac <= 1
                before = view.free.sum()
                assert view.start(w.job[0], place) and view.free.sum() == before - len(place)
        started = view.fill(w.job[1:])
        assert set(started.tolist()) <= set(w.job.tolist())
        seen.append(len(w) + len(r))

    seen: list[int] = []
    run(look, ("work", "speed", "estimate"))
    assert max(seen) > 10


def test_moves() -> None:
    """Preempt, migrate, renew, tune, watch, wake_at and cordon do what the simulator does with them."""
    kinds: set[str] = set()

    def move(view: tarry.View) -> None:
        kinds.update(e.kind for e in view.events)
        view.fill(view.waiting.job)
        running = view.running
        for job in running.job[:3].tolist():
            step = (view.now_us // 1_000_000 + job) % 5
            if step == 0:
                view.preempt(job)
            elif step == 1:
                view.migrate(job)
            elif step == 2:
                view.renew(job, 600)
            elif step == 3:
                view.tune(job, share_milli=1000)
            else:
                view.watch(job, run_s=view.jobs(job).run_s[0] + 30)
        if len(view.waiting) + len(running) and not view.now_us % 7:
            view.wake_at(view.now_s + 50, key=3)
        if not view.now_us % 11:
            view.cordon(1) if not cordoned else view.uncordon(1)
            cordoned.append(1) if not cordoned else cordoned.clear()

    cordoned: list[int] = []
    found = tarry.simulate(trace="synth:demo,jobs=80", cluster="2x4x8", policy=deciding(move), costs={"checkpoint_s": 3})
    assert {"arrive", "finish", "cross", "expire", "drained"} <= kinds and found.trials["preemptions"][0].as_py() > 0


def test_elastic() -> None:
    def grow(view: tarry.View) -> None:
        for job in view.waiting.job:
            view.start(job, count=int(view.jobs(job).min_gpus[0]))
        for job, most, held in zip(view.running.job, view.running.max_gpus, view.running.held, strict=True):
            if held < most and view.free.sum() > 0:
                view.resize(job, count=int(min(most, held + view.free.sum())))

    found = run(grow, elastic="min=1,max=2x")
    assert found.rows[0]["finished"] == 120
