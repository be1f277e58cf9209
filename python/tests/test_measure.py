"""tarry.evaluate gives what Go and the command give, and stops where a policy does."""

from __future__ import annotations

import contextlib
import functools
import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import threading
import time
from typing import Any

import gymnasium
import numpy as np
import pytest
import tarry
from conftest import SIMULATED, same, small
from gymnasium import wrappers

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
pytest.importorskip("pandas")

HERE = pathlib.Path(__file__).resolve().parent
ID = "tarry/Preempt-v0"
ON = {"cluster": "2x2x4", "warm": 12, "horizon": 12, "load": 1.2}
TEXT = ID + ":cluster=2x2x4,warm=12,horizon=12,load=1.2"
evaluate = functools.partial(tarry.evaluate, count=3)


def first(obs: Any, action_mask: Any) -> int:
    return int(np.argmax(action_mask))


def last(obs: Any, action_mask: Any) -> int:
    return int(np.flatnonzero(action_mask)[-1])


@functools.cache
def measured(workers: int = 1) -> tarry.Evaluation:
    return evaluate(first, ID, ON, baselines=["dally", "fifo"], name="first", workers=workers)


def bare(table: Any) -> Any:
    """Without metadata and the versions of the programs."""
    table = table.drop_columns([name for name in ("version",) if name in table.column_names])
    return table.replace_schema_metadata(None).cast(pa.schema([f.remove_metadata() for f in table.schema]))


def test_same_rows_as_a_policy_in_go() -> None:
    folder = os.environ.get("TARRY_ACTOR_ROWS")
    if not folder:
        pytest.skip("TARRY_ACTOR_ROWS is not set: make pytest has Go write them")
    want = pq.read_table(pathlib.Path(folder) / "evals" / "part-0.parquet")
    got = measured().evals
    assert got.num_rows == 9 and same(bare(got), bare(want))


def test_any_number_of_workers() -> None:
    assert same(measured().evals, measured(3).evals) and str(measured()) == str(measured(3))


def test_what_comes_back() -> None:
    found = measured()
    assert [row["policy"] for row in found.rows] == ["first", "dally", "fifo"]
    assert found["first"]["agent"] == "first, a policy in Python in tarry/Preempt-v0"
    assert found["fifo"]["jct_mean_diff_lo_s"] < found["fifo"]["jct_mean_diff_s"] < found["fifo"]["jct_mean_diff_hi_s"]
    frame = found.to_pandas()
    means = frame.groupby("policy")["jct_mean_s"].mean()
    assert found["fifo"]["jct_mean_diff_s"] == pytest.approx(means["fifo"] - means["first"])
    assert found.trials.num_rows == 9 and list(found.to_pandas("summary")["policy"]) == ["first", "dally", "fifo"]
    assert "first is better on" in str(found) and repr(found) == str(found) and "<td>dally</td>" in found._repr_html_()
    assert found.latency["first"]["decisions"] > 30 and found.latency["first"]["mean_us"] > 0
    with pytest.raises(KeyError, match="expected one of first, dally, fifo"):
        found["nobody"]


@pytest.fixture(scope="session")
def command(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The command, built from these sources."""
    sys.path.insert(0, str(HERE.parents[0] / "backend"))
    try:
        import gobuild
    finally:
        sys.path.pop(0)
    return gobuild.command(tmp_path_factory.mktemp("command"))


def test_the_folder_is_that_of_the_command(command: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The same files, rows and words; byte for byte where the version is the same, which is so for what a commit holds."""
    (tmp_path / "mine.py").write_text("def make(env):\n    return lambda obs, action_mask: int(action_mask.argmax())\n")
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    evaluate(first, ID, ON, baselines=["dally", "fifo"], name="first", out=ours)
    flags = ["--actor", "first=python:mine:make", "--env", TEXT, "--baselines", "dally,fifo", "--count", "3", "--out", str(theirs)]
    ran = subprocess.run([command, "eval", *flags, "--python", sys.executable], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(pathlib.Path(tarry.__file__).parents[1])}, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.rstrip() == str(measured())
    files = sorted(f.relative_to(ours) for f in ours.rglob("*.*") if f.is_file())
    assert files == sorted(f.relative_to(theirs) for f in theirs.rglob("*.*") if f.is_file()) and len(files) > 30
    for file in files:
        a, b = ours / file, theirs / file
        if file.suffix != ".parquet":
            assert file.name == "manifest.json" or a.read_bytes() == b.read_bytes(), file
            continue
        words = [pq.read_metadata(one).metadata for one in (a, b)]
        versions = [one.pop(b"tarry.version") for one in words]
        assert words[0] == words[1] and bare(pq.read_table(a)).to_pandas().equals(bare(pq.read_table(b)).to_pandas()), file
        assert versions[0] != versions[1] or a.read_bytes() == b.read_bytes(), file


def test_environments_of_all_kinds_are_one() -> None:
    want = bare(measured().evals)
    env = tarry.Env(ID, **ON)
    env.reset(seed=1)
    vector = tarry.VectorEnv(ID, 2, **ON)
    for one in (env, vector, gymnasium.make(ID, **ON), wrappers.TransformReward(env, lambda r: 0)):
        assert same(bare(evaluate(first, one, baselines=["dally", "fifo"], name="first").evals), want)
    mask = env.action_masks()
    assert mask.any()
    env.step(int(np.argmax(mask)))  # its own episode continues


def test_wrapped_environments() -> None:
    env = wrappers.FlattenObservation(tarry.FirstLegal(tarry.Env(ID, **ON)))
    seen: list[Any] = []

    def policy(obs: Any) -> int:
        seen.append(obs)
        return 0

    found = evaluate(policy, env, baselines=["dally", "fifo"], name="first")
    assert same(found.evals, measured().evals)  # 0 is legal, or FirstLegal replaces it
    assert all(env.observation_space.contains(obs) for obs in seen) and len(seen) == found.latency["first"]["decisions"]
    with pytest.raises(tarry.errors.OptionError, match="FrameStackObservation"):
        evaluate(policy, wrappers.FrameStackObservation(env, 2))


def test_the_jobs() -> None:
    found = evaluate(first, ID, ON, tables=["evals", "jobs"])
    jobs = found.jobs.to_pandas()
    assert len(jobs) == found.to_pandas()["jobs"].sum() and set(found.tables) == {"evals", "jobs"}
    with pytest.raises(tarry.errors.OptionError, match="table 'trials', expected one of evals, jobs"):
        found.trials  # noqa: B018


def test_beside_agents_of_tarry(command: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Checkpoints come first, then the policies of Python, then what was tuned, schedulers and bounds; each has the rows that it has alone."""
    short = ["total_steps=32", "envs=2", "steps=8", "hidden=4", "minibatches=2", "epochs=1", "validate_episodes=1"]
    train = ["train", "--env", TEXT, "--agent", "ppo", "--out", "run"]
    subprocess.run([command, *train, *[w for s in short for w in ("--set", s)]], cwd=tmp_path, capture_output=True, check=True)
    found = evaluate(first, ID, ON, baselines=["dally", "fifo"], name="first", checkpoints=[tmp_path / "run"], which="last", bounds=True, workers=2)
    names = [row["policy"] for row in found.rows]
    assert names[:5] == ["ppo-1-last", "first", "untrained:ppo", "dally", "fifo"] and names[5:] == ["ideal:best-shape", "hindsight:static-timers", "placebo:static-timers", "hindsight:clairvoyant", "placebo:clairvoyant", "hindsight:rollout"]
    frame, alone = found.to_pandas(), measured().to_pandas()
    for name in ("first", "dally", "fifo"):
        got, want = (f[f["policy"] == name]["jct_mean_s"].tolist() for f in (frame, alone))
        assert got == want
    with pytest.raises(tarry.errors.OptionError, match="acts on other jobs or another cluster than"):
        evaluate(first, ID, {**ON, "load": 0.5}, checkpoints=[tmp_path / "run"], which="last")


def test_several_policies() -> None:
    found = evaluate({"first": first, "last": last}, ID, ON, baselines=["fifo"])
    assert [row["policy"] for row in found.rows] == ["first", "last", "fifo"]
    a, b = (found.to_pandas().query("policy == @p")["preemptions"].sum() for p in ("first", "last"))
    assert a < b


def test_several_seeds_are_one_agent() -> None:
    def sometimes(obs: Any, action_mask: Any) -> int:
        legal = np.flatnonzero(action_mask)
        return int(legal[int(1000 * float(np.sum([np.sum(part) for part in obs.values()]))) % len(legal)])

    found = evaluate({"mine": [first, sometimes, last]}, ID, ON, baselines=["dally"], workers=2)
    assert [row["policy"] for row in found.rows] == ["mine (3 seeds)", "mine-1", "mine-2", "mine-3", "dally"]
    assert found["mine (3 seeds)"]["seeds"] == 3 and found.evals.num_rows == 12
    assert found["mine (3 seeds)"]["jct_iqm_lo_s"] < found["mine (3 seeds)"]["jct_iqm_s"] < found["mine (3 seeds)"]["jct_iqm_hi_s"]
    assert evaluate([first, last], ID, ON).rows[0]["policy"] == f"{__name__}:first (2 seeds)"
    with pytest.raises(tarry.errors.OptionError, match="empty list"):
        evaluate([], ID, ON)


def test_other_options_than_those_of_training() -> None:
    other = evaluate(first, ID, ON, set={"load": 0.5, "costs": {"restore_s": 30}}, name="first")
    assert other["first"]["jct_mean_s"] < measured()["first"]["jct_mean_s"]
    assert "costs.restore_s=30,load=0.5" in str(other.trials.schema.metadata) or "load=0.5,costs.restore_s=30" in str(other.trials.schema.metadata)
    assert evaluate(first, ID, ON, set={"candidates": 3}).latency  # fewer to choose from: another buffer
    with pytest.raises(tarry.errors.OptionError, match="wrappers around it do not know"):
        evaluate(first, wrappers.TransformReward(tarry.Env(ID, **ON), lambda r: r), set={"candidates": 3})


def test_windows_of_training_are_refused() -> None:
    error = functools.partial(pytest.raises, tarry.errors.OptionError)
    for env in (None, ID + ":cluster=2x2x4,warm=12,horizon=12,load=1.2,candidates=3", [tarry.Env(ID, **ON)], tarry.VectorEnv(ID, 2, **ON)):
        with error(match="window 0 of part train is training window 0 of first: expected windows that training has not seen"):
            evaluate(first, ID, ON, windows="train", trained_on=env, name="first")
    with error(match="is training window 0"):
        evaluate(first, ID, {**ON, "candidates": 3}, windows="train", trained_on=tarry.Env(ID, **ON))
    with error(match="is validation window 0"):
        evaluate(first, ID, ON, windows="validation", chosen_on_validation=True)
    assert evaluate(first, ID, ON, windows="validation").evals.num_rows == 6
    assert evaluate(first, ID, ON, windows="train", trained_on=()).evals.num_rows == 6


class Broken(Exception):
    pass


def test_what_a_policy_raises_is_raised() -> None:
    asked = []

    def policy(obs: Any) -> int:
        asked.append(obs)
        if len(asked) == 5:
            raise Broken(obs)
        return 0

    for workers in (1, 3):
        asked.clear()
        with pytest.raises(Broken) as caught:
            evaluate(policy, tarry.FirstLegal(tarry.Env(ID, **ON)), workers=workers, count=10)
        assert caught.value.args[0] is asked[-1] and len(asked) == 5


@pytest.mark.parametrize(("answer", "match"), [
    (None, "action is None, expected a whole number"),
    (0.5, "expected a whole number"),
    (99, "99, expected a whole number from 0 to 16"),
    (np.array([0]), "expected a whole number"),
    ("0", "expected a whole number"),
])
def test_wrong_actions(answer: Any, match: str) -> None:
    with pytest.raises(tarry.errors.InvalidAction, match=match):
        evaluate(lambda obs: answer, ID, ON)


def test_masks_are_respected() -> None:
    with pytest.raises(tarry.errors.InvalidAction, match="lambda.*is masked out, expected one that the mask allows"):
        evaluate(lambda obs, action_mask: int(np.argmin(action_mask)), ID, ON)


@pytest.mark.parametrize(("more", "match"), [
    ({"windows": "tset"}, "windows is \"tset\", expected test, validation or train"),
    ({"windows": 3, "count": 2.5}, "windows is 3, expected a text; count is 2.5, expected a whole number"),
    ({"count": 0}, r"windows are 0, expected 1\.\.1000"),
    ({"baselines": ["dolly"]}, "dolly"),
    ({"baselines": [3]}, "baselines has 3, expected a text"),
    ({"tables": ["evals", "intervals"]}, 'tables has "intervals", expected some of evals, trials, jobs'),
    ({"set": {"part": "train"}}, "and windows for the part"),
    ({"checkpoints": ["/nonexistent"]}, "is not the folder of a training run"),
    ({"name": "dally"}, "expected one that no other policy has"),
    ({"trained_on": "classic/CartPole"}, "trained on classic/CartPole"),
])
def test_wrong_arguments(more: dict[str, Any], match: str) -> None:
    with pytest.raises(tarry.errors.OptionError, match=match):
        evaluate(first, ID, ON, **more)


def test_more_wrong_arguments(tmp_path: pathlib.Path) -> None:
    with pytest.raises(tarry.errors.OptionError, match="options belong to an id"):
        evaluate(first, tarry.Env(ID, **ON), {"load": 1})
    with pytest.raises(tarry.errors.OptionError, match="has no cluster"):
        evaluate(first, "classic/CartPole-v1")
    with pytest.raises(tarry.errors.OptionError, match="dict of 0"):
        evaluate({}, ID, ON)
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(tarry.errors.OptionError, match="holds something else"):
        evaluate(first, ID, ON, out=tmp_path)


@pytest.mark.parametrize("env_id", SIMULATED)
def test_every_environment_over_the_simulator(env_id: str) -> None:
    env = tarry.Env(env_id, **small(env_id))
    action = np.zeros(env.action_space.shape) if isinstance(env.action_space, gymnasium.spaces.Box) else None
    inside = []

    def policy(obs: Any, action_mask: Any) -> Any:
        inside.append(env.observation_space.contains(obs))
        return action if action is not None else 0 if action_mask is None else int(np.argmax(action_mask))

    found = evaluate(policy, env, name="policy", baselines=["fifo"])
    assert len(inside) == found.latency["policy"]["decisions"] > 0 and all(inside)
    assert found.evals.num_rows == 6 and found["policy"]["windows"] == 3


def test_threads_and_calls_from_a_policy() -> None:
    hook, said = sys.unraisablehook, []
    plan = tarry.Env(ID, **ON)

    def planning(obs: Any, action_mask: Any) -> int:
        plan.reset(seed=1)
        return int(np.argmax(action_mask))

    def run(policy: Any) -> None:
        said.append(str(evaluate(policy, ID, ON, baselines=["dally", "fifo"], name="first")))

    threads = [threading.Thread(target=run, args=(policy,)) for policy in (first, first, planning)]
    for t in threads:
        t.start()
    run(first)
    for t in threads:
        t.join()
    assert said == [str(measured())] * 4 and sys.unraisablehook is hook


INTERRUPTED = """
    import os, signal, sys, threading, time
    import tarry

    signal.signal(signal.SIGINT, signal.default_int_handler)  # what starts tests in the background may have SIGINT ignored
    where, workers = sys.argv[1], int(sys.argv[2])
    on = {"cluster": "4x4x8", "load": 1.1, "warm": 0, "horizon": 24 * 30}

    def stop():
        time.sleep(1.0)
        os.kill(os.getpid(), signal.SIGINT)

    def policy(obs, action_mask):
        if where == "policy":
            while True:
                pass
        return int(action_mask.argmax())

    threading.Thread(target=stop, daemon=True).start()
    start = time.monotonic()
    baselines = ["dally"] if where == "policy" else [f"dally:lease={600 + k}" for k in range(40)]
    try:
        while True:
            tarry.evaluate(policy, "tarry/Preempt-v0", on, baselines=baselines, workers=workers, count=10, trained_on=())
    except KeyboardInterrupt:
        print("interrupted", time.monotonic() - start)
    tarry.evaluate(lambda obs, action_mask: int(action_mask.argmax()), "tarry/Preempt-v0", {"cluster": "2x2x4", "horizon": 12}, count=1)
    print("again")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("where", ["policy", "schedulers"])
def test_ctrl_c(where: str, workers: str) -> None:
    ran = subprocess.run([sys.executable, "-c", textwrap.dedent(INTERRUPTED), where, workers], capture_output=True, text=True, check=False, timeout=120)
    assert ran.returncode == 0 and ran.stderr == "", ran
    word, seconds, again = ran.stdout.split()
    assert word == "interrupted" and again == "again" and float(seconds) < 20


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="no signals")
def test_other_signals_pass_through() -> None:
    def ring(*_: Any) -> None:
        raise Broken("alarm")

    was = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(Broken, match="alarm"):
            for _ in range(1000):
                evaluate(lambda obs, action_mask: time.sleep(0.01) or int(np.argmax(action_mask)), ID, ON)
    finally:
        signal.signal(signal.SIGALRM, was)


def gone(pid: int, within_s: float) -> bool:
    """Whether a process ends in some time."""
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if pathlib.Path(f"/proc/{pid}/stat").exists() and ") Z" in pathlib.Path(f"/proc/{pid}/stat").read_text():
            return True  # it ended, and no process has asked how
        time.sleep(0.05)
    return False


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
@pytest.mark.parametrize("sig", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_processes_end_with_the_command(command: pathlib.Path, tmp_path: pathlib.Path, sig: signal.Signals) -> None:
    """A policy that never answers dies with the command: at Ctrl-C, which reaches the processes too, and when the command is killed."""
    (tmp_path / "hangs.py").write_text("import os\ndef make(env):\n    def policy(obs):\n        open(f'pid-{os.getpid()}', 'w').close()\n        while True:\n            pass\n    return policy\n")
    env = {**os.environ, "PYTHONPATH": str(pathlib.Path(tarry.__file__).parents[1])}
    flags = ["--actor", "python:hangs:make", "--env", TEXT, "--count", "2", "--jobs", "2", "--python", sys.executable]
    ran = subprocess.Popen([command, "eval", *flags], cwd=tmp_path, env=env, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        until = time.monotonic() + 60
        while len(pids := [int(f.name[4:]) for f in tmp_path.glob("pid-*")]) < 2:
            assert ran.poll() is None and time.monotonic() < until
            time.sleep(0.05)
        if sig == signal.SIGINT:
            os.killpg(ran.pid, sig)
        else:
            ran.send_signal(sig)
        assert ran.wait(10) == (-sig if sig == signal.SIGKILL else 130)
        assert all(gone(pid, 10) for pid in pids)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(ran.pid, signal.SIGKILL)
        ran.wait(10)
