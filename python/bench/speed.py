"""The table of docs/results/speed.md about Python: rounds of all contestants in turn on one core; the least of each, which other work on the machine disturbs least.

From the root of a clone, after make pytest:
  PYTHONPATH=python/src taskset -c 0 build/venv/bin/python python/bench/speed.py
"""

from __future__ import annotations

import functools
import itertools
import os
import pathlib
import re
import subprocess
import tempfile
import time
from collections.abc import Callable

import gymnasium
import numpy as np
import tarry
from gymnasium.vector import AsyncVectorEnv

ROUNDS = int(os.environ.get("ROUNDS", "60"))
ROOT = pathlib.Path(__file__).resolve().parents[2]
ORDER: dict[str, object] = {"load": 0.9}  # orderOptions of run/abi/bench_test.go
RANDOM = np.random.default_rng(1).integers(0, 2, (4000, 64))


def single(env: gymnasium.Env, steps: int) -> float:
    """Nanoseconds per step of one environment, resets included."""
    actions = RANDOM[:, 0].tolist()
    env.reset(seed=1)
    start = time.perf_counter_ns()
    for k in range(steps):
        _, _, terminated, truncated, _ = env.step(actions[k % 4000])
        if terminated or truncated:
            env.reset()
    return (time.perf_counter_ns() - start) / steps


def vector(env: gymnasium.vector.VectorEnv, steps: int) -> float:
    """Nanoseconds per step of one of the environments in a vector."""
    env.reset(seed=1)
    start = time.perf_counter_ns()
    for k in range(steps):
        env.step(RANDOM[k % 4000])
    return (time.perf_counter_ns() - start) / steps / 64


def make(env_id: str, **options: object) -> gymnasium.Env:
    """One environment; in a process of AsyncVectorEnv, importing this file has registered ours."""
    return gymnasium.make(env_id, **options)


def processes(env_id: str) -> AsyncVectorEnv:
    """64 environments in as many processes, started anew: Go does not survive fork."""
    return AsyncVectorEnv([functools.partial(make, env_id)] * 64, context="spawn")


def order(env: gymnasium.Env, steps: int) -> float:
    """Nanoseconds per step of tarry/Order-v0 on its first window. The contestant before it may have been another process: the first steps find cold caches, in Go as here, and do not count."""
    action, window = np.zeros(env.action_space.shape), {"window": 0}
    env.reset(seed=0, options=window)
    start = time.perf_counter_ns()
    for k in range(-600, steps):
        if k == 0:
            start = time.perf_counter_ns()
        _, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            env.reset(options=window)
    return (time.perf_counter_ns() - start) / steps


def call(function: Callable[..., object]) -> float:
    """Nanoseconds per call, the loop included."""
    start = time.perf_counter_ns()
    for _ in itertools.repeat(None, 4000):
        function()
    return (time.perf_counter_ns() - start) / 4000


def go_order(binary: str) -> float:
    """The same as order, in Go."""
    said = subprocess.run([binary, "-test.run", "^$", "-test.bench", "OrderAlone", "-test.benchtime", "2400x", "-test.cpu", "1"], capture_output=True, text=True, check=True).stdout
    return float(re.search(r"([\d.]+) ns/op", said)[1])


def main() -> None:
    """Measures and prints a table."""
    handle, binary = tarry.Env("classic/CartPole-v1"), os.path.join(tempfile.mkdtemp(), "abi.test")
    subprocess.run(["go", "test", "-c", "-o", binary, "./run/abi"], cwd=ROOT, check=True)
    contestants: dict[str, Callable[[], float]] = {
        "CartPole, Gymnasium's": lambda e=make("CartPole-v1"): single(e, 400),
        "CartPole, tarry's": lambda e=make("classic/CartPole-v1"): single(e, 400),
        "CartPole, tarry.Env(copy=False)": lambda e=tarry.Env("classic/CartPole-v1", copy=False): single(e, 400),
        "64 CartPoles, SyncVectorEnv of Gymnasium's": lambda e=gymnasium.make_vec("CartPole-v1", 64, vectorization_mode="sync"): vector(e, 6),
        "64 CartPoles, SyncVectorEnv of tarry's": lambda e=gymnasium.make_vec("classic/CartPole-v1", 64, vectorization_mode="sync"): vector(e, 6),
        "64 CartPoles, AsyncVectorEnv of Gymnasium's": lambda e=processes("CartPole-v1"): vector(e, 6),
        "64 CartPoles, AsyncVectorEnv of tarry's": lambda e=processes("classic/CartPole-v1"): vector(e, 6),
        "64 CartPoles, tarry.VectorEnv": lambda e=tarry.VectorEnv("classic/CartPole-v1", 64): vector(e, 100),
        "64 CartPoles, tarry.VectorEnv(copy=False)": lambda e=tarry.VectorEnv("classic/CartPole-v1", 64, copy=False): vector(e, 100),
        "a call of Go that does nothing": lambda: call(handle._group.lib.tarry_interface),
        "Order-v0 in Go": lambda: go_order(binary),
        "Order-v0 in Python": lambda e=make("tarry/Order-v0", **ORDER): order(e, 2400),
        "Order-v0 in Python, tarry.Env(copy=False)": lambda e=tarry.Env("tarry/Order-v0", copy=False, **ORDER): order(e, 2400),
    }
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for k in range(ROUNDS + 1):
        for name, run in contestants.items():
            took = run()
            if k:  # the first round warms up
                times[name].append(took)
    ratio = {"CartPole": "CartPole, Gymnasium's", "64 CartPoles": "64 CartPoles, SyncVectorEnv of Gymnasium's", "Order-v0 in Python": "Order-v0 in Go"}
    print("| | ns per step | times as fast |\n|---|---|---|")
    for name, took in times.items():
        of = ratio.get(name.split(",")[0])
        fast = f"{min(times[of]) / min(took):.3g}" if of and of != name else "-"
        print(f"| {name} | {min(took):.0f} | {fast} |")


if __name__ == "__main__":
    main()
