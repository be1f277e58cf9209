"""The processor time of a step of each environment, in Go and from Python: `steps` of docs/results/speed.md.

From the root of a clone, after make pytest; names of environments may follow:
  PYTHONPATH=python/src build/venv/bin/python python/bench/step.py tarry/Order-v0
"""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
import time
from typing import Any

import gymnasium
import numpy as np
import tarry
from gymnasium import spaces

ROUNDS = int(os.environ.get("ROUNDS", "25"))
ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST = 1000  # steps, as in BenchmarkStep of run/abi


def in_go(ids: list[str]) -> dict[str, tuple[float, float]]:
    """Nanoseconds per step and the sum of rewards, by ID/COUNT."""
    pattern = "^BenchmarkStep$/" + "/".join(f"^({'|'.join(part)})$" for part in zip(*(i.split("/") for i in ids), strict=True))
    said = subprocess.run(["go", "test", "./run/abi", "-run", "^$", "-bench", pattern, "-benchtime", f"{ROUNDS}x"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    rows = re.findall(r"^BenchmarkStep/(\S+?)(?:-\d+)?\s.*?([\d.]+) cpu-ns/step\s+(\S+) rewards", said, re.MULTILINE)
    return {name: (float(took), float(rewards)) for name, took, rewards in rows}


def plain(space: spaces.Space[Any], mask: Any) -> Any:
    """The action of the comparison: 0, and the first legal choice."""
    if isinstance(space, spaces.Box):
        return np.clip(np.zeros(space.shape), space.low, space.high)
    if isinstance(space, spaces.Discrete):
        return int(space.start) + (int(np.argmax(mask)) if mask is not None else 0)
    if isinstance(space, spaces.MultiDiscrete) and mask is not None:
        return np.array([int(np.argmax(part)) for part in np.split(mask, np.cumsum(space.nvec)[:-1])])
    return np.zeros(space.shape, space.dtype)


def begin(env: Any, env_id: str) -> Any:
    """Starts the episode that is repeated; gives the info."""
    return env.reset(seed=0, options={"window": 0} if env_id.startswith("tarry/") else None)[1]


def episode(env: gymnasium.Env, env_id: str) -> tuple[list[Any], float]:
    """The actions of the episode, and the sum of its rewards."""
    info, actions, rewards, done = begin(env, env_id), [], 0.0, False
    while not done and len(actions) < MOST:
        actions.append(plain(env.action_space, info.get("action_mask")))
        _, reward, terminated, truncated, info = env.step(actions[-1])
        rewards, done = rewards + float(reward), terminated or truncated
    return actions, rewards


def least(env: Any, env_id: str, actions: list[Any], each: int) -> float:
    """Nanoseconds of processor time per step and environment, the least of all rounds, without resets."""
    best = float("inf")
    for _ in range(ROUNDS):
        if each == 1:
            begin(env, env_id)
        else:
            env.reset(seed=[0] * each, options={"window": 0} if env_id.startswith("tarry/") else None)
        start = time.process_time_ns()
        for action in actions:
            env.step(action)
        best = min(best, (time.process_time_ns() - start) / len(actions) / each)
    return best


def of_call(env: tarry.Env, env_id: str, actions: list[Any]) -> float:
    """Nanoseconds of the call of the library alone: no step from Python can take less. Writing the action is measured with it, and subtracted."""
    call, handle, write = env._step, env._handle, env._write
    both = alone = float("inf")
    for _ in range(ROUNDS):
        begin(env, env_id)
        start = time.process_time_ns()
        for action in actions:
            write(action)
            call(handle)
        both = min(both, time.process_time_ns() - start)
        start = time.process_time_ns()
        for action in actions:
            write(action)
        alone = min(alone, time.process_time_ns() - start)
    return (both - alone) / len(actions)


def main() -> None:
    """Measures and prints a table."""
    ids = sys.argv[1:] or [e["id"] for e in tarry.list_envs() if not e["id"].startswith("probe/")]
    go = in_go(ids)
    print("| ns of processor time per step | Go | the call | `gymnasium.make` | `tarry.Env` | `copy=False` | 8 in Go | `VectorEnv`, 8 | ratios |\n|---|---|---|---|---|---|---|---|---|")
    for env_id in ids:
        actions, rewards = episode(gymnasium.make(env_id), env_id)
        (alone, expected), (many, _) = go[env_id + "/1"], go[env_id + "/8"]
        if abs(rewards - expected) > 1e-3 * max(1, abs(expected)):
            raise SystemExit(f"{env_id}: rewards of {rewards} from Python and {expected} in Go, expected the same episode")
        took = [least(e, env_id, actions, 1) for e in (gymnasium.make(env_id), tarry.Env(env_id), tarry.Env(env_id, copy=False))]
        took.insert(0, of_call(tarry.Env(env_id), env_id, actions))
        vector = least(tarry.VectorEnv(env_id, 8), env_id, [np.stack([a] * 8) for a in actions], 8)
        ratios = ", ".join(f"{t / max(1, of):.2f}" for t, of in [*((t, alone) for t in took), (vector, many)])
        print(f"| `{env_id}` | {alone:.0f} | {' | '.join(f'{t:.0f}' for t in took)} | {many:.0f} | {vector:.0f} | {ratios} |", flush=True)


if __name__ == "__main__":
    main()
