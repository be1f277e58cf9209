"""Python and Go give the same observations, rewards, masks and metrics, bit for bit. Go wrote the episodes (TestEpisodes of run/abi)."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
from typing import Any

import numpy as np
import pytest
import tarry
from conftest import small
from gymnasium import spaces

FILE = os.environ.get("TARRY_EPISODES", "")
EPISODES = json.loads(pathlib.Path(FILE).read_text()) if FILE else []


def flat(space: spaces.Space[Any], value: Any) -> bytes:
    """A value as Go lays it out."""
    if isinstance(space, spaces.Dict):
        return b"".join(flat(s, value[k]) for k, s in space.spaces.items())
    return np.ascontiguousarray(value, dtype="<f8").tobytes()


def digest(env: tarry.Env, obs: Any, reward: float, terminated: bool, truncated: bool, info: dict[str, Any]) -> str:
    h = hashlib.sha256(flat(env.observation_space, obs))
    names = env.go_spec.get("metrics") or []
    h.update(np.array([reward, info["elapsed"], *[info[k] for k in names]], "<f8").tobytes())
    h.update(info["action_mask"].astype(np.int8).tobytes() if "action_mask" in info else b"")
    h.update(bytes([terminated, truncated]))
    return h.hexdigest()[:16]


def action(space: spaces.Space[Any], numbers: list[float]) -> Any:
    if isinstance(space, spaces.Discrete):
        return int(numbers[0])
    return np.array(numbers, space.dtype).reshape(space.shape)


@pytest.mark.skipif(not FILE, reason="TARRY_EPISODES names no file: make test writes one")
def test_episodes(env_id: str) -> None:
    played = [e for e in EPISODES if e["id"] == env_id]
    assert played
    for e in played:
        env = tarry.Env(env_id, **small(env_id))
        assert env.go_spec.get("options", "") == e["options"]
        obs, info = env.reset(seed=e["seed"])
        got = [digest(env, obs, 0.0, False, False, info)]
        for numbers in e["actions"]:
            got.append(digest(env, *env.step(action(env.action_space, numbers))))
        assert got == e["digests"], f"the first difference is at step {[a == b for a, b in zip(got, e['digests'])].index(False)}"
        env.close()
