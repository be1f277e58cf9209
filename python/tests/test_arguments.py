"""Whatever is given in place of an argument, the error is one of tarry's."""

from __future__ import annotations

import datetime
import decimal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import tarry

POLE = "classic/CartPole-v1"
BAD = [
    None, -1, 2**31, 2**63, 2**64, 2**70, 10**400, 10**5000, 1.5, float("nan"), float("inf"), "x", "", "a\0b", "\ud800", b"b", [], [[]], {}, {1: 2}, object(), 1j, True,
    np.array([1, 2]), [None], {"a": object()}, decimal.Decimal("1"), datetime.datetime(2024, 1, 1), lambda: 1, (1, 2), range(3), set(),
]  # fmt: skip
RUN: dict[str, Any] = {"trace": "synth:demo,jobs=3", "cluster": "1x1x8", "policy": "fifo"}
JOBS = pd.DataFrame({"id": ["a", "b"], "submit_s": [0, 1], "gpus": [1, 2], "work_s": [1.0, 2.0]})


def only_ours(call: Callable[[Any], Any], values: list[Any] = BAD) -> int:
    """Calls with each value; gives how many were refused. Any other error than one of tarry's fails the test."""
    refused = 0
    for value in values:
        try:
            call(value)
        except tarry.errors.TarryError as err:
            assert str(err)
            refused += 1
    return refused


def closed(env: Any) -> None:
    env.close()


def test_speeds_of_environments(tmp_path: Path) -> None:
    """A model of gpu_speed that nothing has is an error, a type without a speed a note: as in runs."""
    lab = tmp_path / "lab.yaml"
    racks = "racks: [{machines: [{gpus: 1, type: H100}, {gpus: 1, type: v100}]}]\n"
    lab.write_text(racks + "gpu_speed: {H100: {other: 3, vgg6: 2}}\n")
    with pytest.raises(tarry.errors.OptionError, match='gpu_speed: unknown model "vgg6", did you mean "vgg16"'):
        tarry.Env("tarry/Order-v0", cluster=str(lab))
    lab.write_text(racks + "gpu_speed: {h100: 3}\n")
    for made in (tarry.Env("tarry/Order-v0", cluster=str(lab)), tarry.VectorEnv("tarry/Order-v0", 2, cluster=str(lab))):
        assert made.notes == ["gpu types: no gpu_speed is given for v100: as fast as the reference type"]
        made.close()
    with tarry.Env("tarry/Order-v0", cluster="1x1x4") as plain:
        assert plain.notes == []


def test_layout() -> None:
    """Every number of every environment's observation has a meaning and a range, in which a random episode stays."""
    for entry in tarry.list_envs():
        with tarry.Env(entry["id"]) as env:
            flat = np.concatenate([np.ravel(x) for x in _parts(env.reset(seed=1)[0])])
            have = np.zeros(len(flat), int)
            for row in env.layout["observation"]:
                places = row["first"] + row["step"] * np.arange(row["items"])
                have[places] += 1
                assert row["name"] and row["unit"] and row["meaning"] and row["segment"], entry["id"]
                if ".." in row["range"] and "pi" not in row["range"]:
                    low, high = map(float, row["range"].split(".."))
                    assert ((flat[places] >= low) & (flat[places] <= high)).all(), (entry["id"], row)
            assert (have == 1).all(), entry["id"]
            assert env.layout["action"] and env.layout["reward"] and env.layout["episode"], entry["id"]
            assert env.layout["masked"] == env.go_spec.get("masked", False)


def _parts(observation: Any) -> list[Any]:
    return list(observation.values()) if isinstance(observation, dict) else [observation]


def test_environments() -> None:
    assert only_ours(lambda b: closed(tarry.Env(b))) == len(BAD)
    assert only_ours(lambda b: closed(tarry.Env(POLE, max_episode_steps=b))) > 20
    assert only_ours(lambda b: closed(tarry.Env(POLE, render_mode=b))) == len(BAD) - 1
    assert only_ours(lambda b: closed(tarry.Env("tarry/Order-v0", cluster="1x1x4", load=b))) > 15
    assert only_ours(lambda b: closed(tarry.VectorEnv(POLE, b))) == len(BAD)
    assert only_ours(lambda b: closed(tarry.VectorEnv(POLE, 2, autoreset_mode=b))) == len(BAD)


@pytest.mark.parametrize("several", [False, True])
def test_calls(several: bool) -> None:
    env: Any = tarry.VectorEnv(POLE, 2, render_mode="ansi") if several else tarry.Env(POLE)
    assert only_ours(lambda b: env.reset(seed=b)) > 20
    assert only_ours(lambda b: env.reset(seed=1, options=b)) > 20
    assert only_ours(lambda b: env.reset(seed=1, options={"window": b})) > 20
    env.reset(seed=1)
    assert only_ours(env.step) > 20
    if several:
        assert only_ours(lambda b: env.reset(options={"reset_mask": b})) > 20
        assert only_ours(lambda b: env.step([b, b])) > 20
        assert only_ours(env.render_one) == len(BAD)


@pytest.mark.parametrize("key", ["trace", "cluster", "policy", "seed", "until", "costs", "faults", "speed", "config", "scenario", "preset", "tables", "workers", "colour", "cuts", "predict", "bounds", "force"])
def test_runs(key: str) -> None:
    compare = key == "bounds"
    call: Any = tarry.compare if compare else tarry.simulate
    settings = {**RUN, "policies": ["fifo"]} if compare else dict(RUN)
    settings.pop("policy" if compare else "", None)
    assert only_ours(lambda b: call(**{**settings, key: b})) > 9


@pytest.mark.parametrize("column", ["id", "submit_s", "gpus", "work_s", "user", "priority", "iter_s"])
def test_cells_of_jobs(column: str) -> None:
    def call(value: Any) -> None:
        first = JOBS[column][0] if column in JOBS else 1
        tarry.simulate(trace=JOBS.assign(**{column: pd.Series([first, value], dtype=object)}), cluster="1x1x8", policy="fifo")

    only_ours(call)


def test_results() -> None:
    result = tarry.simulate(**RUN)
    assert only_ours(result.to_pandas) == len(BAD) - 1  # "" is the first table
    assert only_ours(lambda b: result.tables[b]) == len(BAD)
    assert only_ours(lambda b: result[b]) == len(BAD)


@pytest.mark.parametrize("key", ["windows", "count", "baselines", "bounds", "trained_on", "which", "checkpoints", "tuned", "trace", "set", "tables", "options", "env"])
def test_measuring(key: str) -> None:
    values = [b for b in BAD if b is not None and not (isinstance(b, (dict, list, tuple, set, range)) and not len(b))]  # some of these are nothing at all
    arguments: dict[str, Any] = {"policy": lambda obs: 0, "env": "tarry/Order-v0", "count": 1, "trained_on": ()}
    assert only_ours(lambda b: tarry.evaluate(**{**arguments, key: b}), [b for b in values if not (key == "bounds" and b is True)]) > 15


def test_weights() -> None:
    assert only_ours(tarry.weights.load) == len(BAD)


def test_too_large_for_memory() -> None:
    """What does not fit is refused before it is made; Go would end the process."""
    program = f"""
import resource, tarry
resource.setrlimit(resource.RLIMIT_AS, ({8 << 30}, {8 << 30}))
try:
    tarry.VectorEnv("tarry/Order-v0", 65536, jobs=65536)
except tarry.errors.TarryError as err:
    print(err)
env = tarry.VectorEnv("tarry/Order-v0", 16, cluster="1x1x4")
env.reset(seed=1)
print("alive")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said, alive = done.stdout.splitlines()
    assert said.startswith("tarry/Order-v0: 65536 environments of about") and "of memory are free" in said and alive == "alive"
