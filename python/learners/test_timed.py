"""The rollout of python/bench that discounts by time is SB3's own where each step takes one unit of it."""

from __future__ import annotations

import pathlib
import sys

import gymnasium
import numpy as np
import torch
from sb3_contrib.common.maskable.buffers import MaskableDictRolloutBuffer

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "bench"))
from timed import TimedBuffer


def test_equals_sb3s_where_time_is_steps() -> None:
    space = gymnasium.spaces.Dict({"x": gymnasium.spaces.Box(0, 1, (2,))})
    rng = np.random.default_rng(1)
    made = [kind(6, space, gymnasium.spaces.Discrete(3), "cpu", 0.95, 0.9, 2) for kind in (MaskableDictRolloutBuffer, TimedBuffer)]
    values = {name: rng.normal(size=(6, 2)).astype(np.float32) for name in ("rewards", "values")}
    starts = (rng.random((6, 2)) < 0.3).astype(np.float32)
    last, dones = torch.tensor(rng.normal(size=(2, 1)), dtype=torch.float32), np.array([True, False])
    for buffer in made:
        buffer.rewards[:], buffer.values[:], buffer.episode_starts[:] = values["rewards"], values["values"], starts
    made[1].elapsed[:] = 1
    for buffer in made:
        buffer.compute_returns_and_advantage(last, dones)
    assert np.allclose(made[0].advantages, made[1].advantages, atol=1e-6) and np.allclose(made[0].returns, made[1].returns, atol=1e-6)
    made[1].elapsed[:] = 0.5
    made[1].compute_returns_and_advantage(last, dones)
    assert not np.allclose(made[0].advantages, made[1].advantages, atol=1e-3)
