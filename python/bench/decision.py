"""What a decision of a frozen policy costs: of an agent in Go, of a function in this process, and of one behind pipes. The policy itself does nothing.

From the root of a clone, after make build and make pytest:
  PYTHONPATH=python/src TARRY=build/tarry taskset -c 0 build/venv/bin/python python/bench/decision.py
"""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import Any

import numpy as np
import tarry

TARRY = pathlib.Path(os.environ.get("TARRY", "build/tarry")).resolve()
ROUNDS = int(os.environ.get("ROUNDS", "5"))
ON = "load=1.1"
ENVS = ["tarry/DelayTimer-v0", "tarry/Preempt-v0"]
MODULE = """
import numpy as np
def make(env):
    action = np.zeros(env.action_space.shape) if env.action_space.shape else None
    if action is not None:
        return lambda obs: action
    return lambda obs, action_mask: int(action_mask.argmax())
"""


def said(folder: str, *flags: str) -> float:
    """The microseconds that tarry eval names."""
    ran = subprocess.run([TARRY, "eval", *flags, "--count", "5", "--jobs", "1"], cwd=folder, capture_output=True, text=True, check=True)
    return float(re.findall(r"decisions, ([0-9.]+) us each", ran.stderr)[0])


def rounds(env_id: str, folder: str) -> dict[str, float]:
    """The least of some rounds of each, in turn, in microseconds."""
    space: dict[str, Any] = {}
    exec(MODULE, space)
    subprocess.run([TARRY, "train", "--env", f"{env_id}:{ON}", "--agent", "ppo", "--out", "run", "--set", "total_steps=4096"], cwd=folder, capture_output=True, check=True)
    ways = {
        "an agent of `tarry train` (ppo), in Go": lambda: said(folder, "--checkpoint", "run"),
        "`tarry.evaluate`, a function": lambda: here(tarry.Env(env_id, load=1.1), space["make"]),
        "`tarry.evaluate`, a function, `tarry.Env(copy=False)`": lambda: here(tarry.Env(env_id, load=1.1, copy=False), space["make"]),
        "`tarry eval --actor`, a function": lambda: said(folder, "--actor", "python:trivial:make", "--env", f"{env_id}:{ON}", "--python", sys.executable),
    }
    best: dict[str, float] = {}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            best[name] = min(best.get(name, np.inf), way())
    return best


def here(env: tarry.Env, make: Any) -> float:
    """The microseconds that tarry.evaluate found."""
    found = tarry.evaluate(make(env), env, count=5, baselines=[], name="trivial")
    return float(found.latency["trivial"]["mean_us"])


def main() -> None:
    os.environ["PYTHONPATH"] = str(pathlib.Path(tarry.__file__).parents[1])
    table = {}
    for env_id in ENVS:
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "trivial.py").write_text(MODULE, encoding="utf-8")
            table[env_id] = rounds(env_id, folder)
    print("| us per decision | " + " | ".join(f"`{e}`" for e in ENVS) + " |\n|---|" + "---|" * len(ENVS))
    for name in table[ENVS[0]]:
        print(f"| {name} | " + " | ".join(f"{table[e][name]:.1f}" for e in ENVS) + " |")


main()
