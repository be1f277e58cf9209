"""Agents that Go trained act the same in numpy and torch, and weights that Python wrote run in Go. TARRY_FROZEN has the agents (make pytest)."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import tarry
from tarry import weights

FROZEN = pathlib.Path(os.environ.get("TARRY_FROZEN", "none"))
COMMAND = pathlib.Path(__file__).resolve().parents[2] / "build" / "python" / "tarry"  # built with the library
RUNS = ["discrete", "one", "box", "tanh", "classes", "masked", "masked-mlp", "limits", "limits-legal", "relu", "privileged", "picked", "a2c", "ranking", "linear", "hidden", "network", "started"]
EXACT = 1e-12
ORDER = "tarry/Order-v0:cluster=2x2x4,warm=2,horizon=12"

pytestmark = pytest.mark.skipif(not FROZEN.is_dir(), reason="TARRY_FROZEN names no agents: make pytest has them trained")


def command(*args: str | pathlib.Path) -> str:
    done = subprocess.run([str(COMMAND), *map(str, args)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def acted(run: str) -> list[dict[str, Any]]:
    """200 observations, half of them random, with masks, and what the frozen agent of Go did."""
    rows = json.loads((FROZEN / run / "acted.json").read_text())
    # the actor of privileged sees one constant
    assert len(rows) == 200 and (run == "privileged" or len({tuple(r["action"]) for r in rows}) > 1)
    return list(rows)


def same_actions(act: Any, run: str) -> None:
    for row in acted(run):
        got = np.asarray(act(np.array(row["obs"]), row["mask"] or None), np.float64).reshape(-1)
        assert np.abs(got - row["action"]).max() <= EXACT


@pytest.mark.parametrize("run", RUNS)
def test_the_same_action_as_go(run: str) -> None:
    policy = weights.load(FROZEN / run).policy()
    same_actions(policy.act, run)
    for row in acted(run):
        if row["value"] is not None:
            assert abs(policy.value(np.array(row["obs"]), row["mask"] or None) - row["value"]) <= EXACT * max(1, abs(row["value"]))


@pytest.mark.parametrize("run", RUNS)
def test_the_same_action_in_torch(run: str) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed: make learners tests what needs it")
    policy = weights.Policy(FROZEN / run)
    module = policy.to_torch()
    same_actions(module.act, run)
    rows = acted(run)
    x = torch.tensor([r["obs"] for r in rows], dtype=torch.float64)
    mask = torch.tensor([r["mask"] for r in rows]) if rows[0]["mask"] else None
    out = module(x, mask).detach().numpy()  # all at once
    alone = np.array([policy.outputs(np.array(r["obs"]), r["mask"] or None) for r in rows])
    assert (np.abs(out - alone) <= EXACT * np.maximum(1, np.abs(alone))).all()
    if rows[0]["value"] is not None:
        values = module.value(x, mask).detach().numpy()
        assert np.allclose(values, [r["value"] for r in rows], rtol=EXACT, atol=EXACT)
    before = {k: v.copy() for k, v in weights.from_torch(module).items()}
    assert all(np.array_equal(before[k], policy.weights[k]) for k in policy.weights)
    module(x, mask).sum().backward()  # it can be trained, and comes back changed
    torch.optim.SGD(module.parameters(), lr=1e-3).step()
    after = weights.from_torch(module)
    assert any(not np.array_equal(before[k], after[k]) for k in after)
    again = weights.Policy(after)
    assert np.allclose(again.outputs(x[0].numpy(), rows[0]["mask"] or None), module(x[:1], None if mask is None else mask[:1]).detach().numpy()[0], rtol=EXACT, atol=EXACT)


@pytest.mark.parametrize("run", RUNS)
def test_saved_as_it_was(run: str, tmp_path: pathlib.Path) -> None:
    for which in ("best", "last"):
        weights.save(tmp_path / "same.ckpt", weights.load(FROZEN / run, which))
        assert (tmp_path / "same.ckpt").read_bytes() == (FROZEN / run / "checkpoints" / f"{which}.ckpt").read_bytes()
    assert [p.name for p in tmp_path.iterdir()] == ["same.ckpt"]


@pytest.mark.parametrize("run", ["dqn", "sac"])
def test_other_agents_are_read_and_not_guessed(run: str, tmp_path: pathlib.Path) -> None:
    w = weights.load(FROZEN / run)
    assert w.agent == run and len(w) > 4
    with pytest.raises(tarry.errors.OptionError, match=f"{run} has no actor that is known here"):
        w.policy()
    weights.save(tmp_path / "same.ckpt", w)
    assert (tmp_path / "same.ckpt").read_bytes() == (FROZEN / run / "checkpoints" / "best.ckpt").read_bytes()


def edited(run: str, to: pathlib.Path, change: Any) -> pathlib.Path:
    """A copy of a run with other weights in both of its checkpoints."""
    shutil.copytree(FROZEN / run, to)
    for which in ("best", "last"):
        w = weights.load(to, which)
        change(w)
        weights.save(to, w, which)
    return to


def test_edited_weights_run_in_eval(tmp_path: pathlib.Path) -> None:
    def turn(w: weights.Weights) -> None:
        w["actor/out/weight"] *= -3

    run = edited("masked", tmp_path / "edited", turn)
    rows = [
        json.loads(command("eval", "--checkpoint", at, "--baselines", "dally", "--count", "3", "--format", "json").splitlines()[0]) for at in (FROZEN / "masked", run)
    ]
    assert rows[0]["jct_mean_s"] != rows[1]["jct_mean_s"]
    policy = weights.Policy(run)
    found = tarry.evaluate(policy.act, "tarry/Preempt-v0", {"cluster": "2x2x4", "warm": 2, "horizon": 12}, baselines=["dally"], count=3)
    assert found.rows[0]["jct_mean_s"] == rows[1]["jct_mean_s"]  # the same schedule, decision by decision


def test_edited_weights_resume_training(tmp_path: pathlib.Path) -> None:
    def shift(w: weights.Weights) -> None:
        w["actor/1/bias"] += 5.0
        w["moments/mean"] += 1.0

    run = edited("discrete", tmp_path / "edited", shift)
    settings = [f"--set={s}" for s in ("norm_obs=true", "anneal=false", "envs=2", "steps=16", "total_steps=128", "minibatches=2")]
    command("train", "--env", "classic/CartPole-v1", "--agent", "ppo", "--seed", "3", *settings, "--out", run, "--resume")
    resumed = weights.load(run, "last")
    assert abs(resumed["actor/1/bias"] - 5.0).max() < 1.0
    assert (abs(resumed["moments/mean"] - weights.load(run, "best")["moments/mean"]) < 2.0).all()
    assert not np.array_equal(resumed["actor/1/bias"], weights.load(run, "best")["actor/1/bias"])


def test_scripts_there_and_back(tmp_path: pathlib.Path) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed: make learners tests what needs it")
    scripts = pathlib.Path(__file__).resolve().parents[1] / "examples"

    def script(name: str, *args: pathlib.Path) -> None:
        subprocess.run([sys.executable, scripts / name, *args], check=True, capture_output=True)

    shutil.copytree(FROZEN / "box", tmp_path / "run")
    script("weights_to_torch.py", tmp_path / "run", tmp_path / "agent.pt")
    state = torch.load(tmp_path / "agent.pt")
    state["actor/log_std"] -= 1.0
    torch.save(state, tmp_path / "agent.pt")
    script("weights_from_torch.py", tmp_path / "agent.pt", tmp_path / "run")
    for which in ("best", "last"):
        got, was = weights.load(tmp_path / "run", which), weights.load(FROZEN / "box")
        assert np.array_equal(got.pop("actor/log_std"), was.pop("actor/log_std") - 1.0)
        assert all(np.array_equal(got[k], was[k]) for k in was)


def test_text_files_there_and_back(tmp_path: pathlib.Path) -> None:
    for run, options in (("linear", ",globals=false,jobs=16"), ("hidden", "")):
        file = tmp_path / f"{run}.txt"
        command("export", "weights", "--out", file, FROZEN / run)
        w = weights.load(file)
        vector = weights.load(FROZEN / run)["vector"]
        assert np.array_equal(w["vector"], vector[: w["vector"].size])
        with tarry.Env("tarry/Order-v0", cluster="2x2x4", warm=2, horizon=12, **dict(o.split("=") for o in options.split(",") if o)) as env:
            same_actions(weights.Policy(w, env).act, run)
        w["vector"] *= 0.5
        weights.save(file, w)
        assert np.array_equal(weights.load(file)["vector"], w["vector"])
        command("simulate", "--trace", "synth:demo,jobs=30", "--cluster", "2x2x4", "--policy", f"ranked:weights={file}")
    start = [f"--set={s}" for s in (f"start={tmp_path}/linear.txt", "envs=2", "steps=8", "total_steps=16", "minibatches=2", "hidden=5")]
    command("train", "--env", f"{ORDER},globals=false,jobs=16,features=rank+gpus+age+pressure_rank+wait2", "--agent", "ppo", *start, "--out", tmp_path / "started")
    assert np.array_equal(weights.load(tmp_path / "started").config["start"], weights.load(tmp_path / "linear.txt")["vector"])


def test_observations_of_the_environment(tmp_path: pathlib.Path) -> None:
    policy = weights.Policy(FROZEN / "masked")
    with tarry.Env("tarry/Preempt-v0", cluster="2x2x4", warm=2, horizon=12) as env:
        obs, info = env.reset(seed=3)
        action = policy(obs, info["action_mask"])
        assert env.action_space.contains(action) and info["action_mask"][action]
        with pytest.raises(tarry.errors.OptionError, match="expected act"):
            policy.act(obs)
        with pytest.raises(tarry.errors.InvalidAction, match="forbids every action"):
            policy.act(obs, np.zeros_like(info["action_mask"]))
    timers = weights.Policy(FROZEN / "classes")
    with tarry.Env("tarry/DelayTimer-v1", cluster="2x2x4", warm=2, horizon=12) as env:
        obs, _ = env.reset(seed=3)
        assert env.action_space.contains(timers.act(obs))


def test_what_is_wrong_is_said(tmp_path: pathlib.Path) -> None:
    w = weights.load(FROZEN / "discrete")
    w["actor/0/bias"] = np.zeros(3)
    w["critic/0/bias"][0] = np.nan
    w["more"] = np.zeros(1)
    with pytest.raises(tarry.errors.OptionError) as caught:
        weights.save(tmp_path / "x.ckpt", w)
    for words in ("actor/0/bias has shape (3,), expected (64,)", "critic/0/bias has a number that is not finite", "more is unknown"):
        assert words in str(caught.value)
    assert not list(tmp_path.iterdir())
    good = (FROZEN / "discrete" / "checkpoints" / "best.ckpt").read_bytes()
    for name, data, words in (("cut", good[:-9], "truncated or damaged"), ("text", b"hello\n", "begins with 'hello'"), ("bytes", b"\xff\xfe", "neither a checkpoint")):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(tarry.errors.OptionError, match=words):
            weights.load(tmp_path / name)
    for arguments in ((tmp_path / "none",), (FROZEN / "discrete", "first")):
        with pytest.raises(tarry.errors.OptionError):
            weights.load(*arguments)
    file = tmp_path / "linear.txt"
    command("export", "weights", "--out", file, FROZEN / "linear")
    with pytest.raises(tarry.errors.OptionError, match="says nothing of spaces"):
        weights.Policy(file)
