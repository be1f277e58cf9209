"""An observation that the program still refers to is never written over, although Go writes into memory that was shown before."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
import tarry
from conftest import small

PARTS = [
    lambda obs: obs,
    lambda obs: obs["jobs"][1:3],
    lambda obs: obs["jobs"].reshape(-1)[::7].view(),
    lambda obs: np.asarray(memoryview(obs["cluster"])),
    lambda obs: np.frombuffer(obs["jobs"][0], np.float64),
]


def same(a: Any, b: Any) -> bool:
    return all(np.array_equal(a[k], b[k]) for k in a) if isinstance(a, dict) else np.array_equal(a, b)


def detached(a: Any) -> Any:
    return {k: v.copy() for k, v in a.items()} if isinstance(a, dict) else a.copy()


@pytest.mark.parametrize("most", [1, 2, 3, 9])
def test_held_observations_stay(most: int) -> None:
    env, drawn = tarry.Env("tarry/Order-v0", **small("tarry/Order-v0")), random.Random(most)
    plain = tarry.Env("tarry/Order-v0", copy=False, **small("tarry/Order-v0"))
    action, held, places = np.zeros(env.action_space.shape), [], set()
    obs, _ = env.reset(seed=1)
    expected, _ = plain.reset(seed=1)
    for _ in range(300):
        assert same(obs, expected)
        places.add(obs["jobs"].ctypes.data)
        part = drawn.choice(PARTS)(obs)
        held.append((part, detached(part)))
        while len(held) > most:
            held.pop(drawn.randrange(len(held)))
        obs = part = None
        obs, _, terminated, truncated, _ = env.step(action)
        expected, *_ = plain.step(action)
        for part, was in held:
            assert same(part, was)
        if terminated or truncated:
            obs = None  # and a reset has a free place as well; beside a held part, it would get new memory, anywhere
            obs, _ = env.reset()
            expected, _ = plain.reset()
            for part, was in held:
                assert same(part, was)
    assert most > 1 or len(places) == 2, f"{len(places)} places, expected the two of the buffer again and again"


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("most", [1, 2, 9])
def test_held_observations_of_a_vector_stay(most: int, mode: str) -> None:
    options = {**small("tarry/Order-v0"), "autoreset_mode": mode}
    env, drawn = tarry.VectorEnv("tarry/Order-v0", 3, **options), random.Random(most)
    plain = tarry.VectorEnv("tarry/Order-v0", 3, copy=False, **options)
    action, held, places = np.zeros(env.action_space.shape), [], set()
    obs, expected = env.reset(seed=1)[0], plain.reset(seed=1)[0]
    for i in range(300):
        assert same(obs, expected)
        places.add(obs["jobs"].ctypes.data)
        part = drawn.choice(PARTS[:2])(obs)
        held.append((part, detached(part)))
        while len(held) > most:
            held.pop(drawn.randrange(len(held)))
        obs = part = None
        if i % 7 == 6:  # what is not reset is shown as it was
            chosen = np.array([drawn.random() < 0.5, False, True])
            obs, expected = env.reset(options={"reset_mask": chosen})[0], plain.reset(options={"reset_mask": chosen})[0]
        else:
            obs, expected = env.step(action)[0], plain.step(action)[0]
        for part, was in held:
            assert same(part, was)
    assert most > 1 or len(places) == 2, f"{len(places)} places, expected the two of the buffer again and again"


def test_a_shown_array_is_a_new_one() -> None:
    env = tarry.Env("tarry/Order-v0", **small("tarry/Order-v0"))
    obs, _ = env.reset(seed=1)
    obs["jobs"].flags.writeable = False
    action = np.zeros(env.action_space.shape)
    for _ in range(6):
        obs = env.step(action)[0]
        assert obs["jobs"].flags.writeable and obs["jobs"].shape == env.observation_space["jobs"].shape
