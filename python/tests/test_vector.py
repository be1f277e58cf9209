"""A vector of Go is SyncVectorEnv over single environments, in every mode of autoreset."""

from __future__ import annotations

import functools
import importlib.util
import pickle

import gymnasium
import numpy as np
import pytest
import tarry
from conftest import IDS, small
from gymnasium.utils.env_checker import data_equivalence as same
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv
from tarry._autoreset import AutoresetMode

N = 3
SOME = ["classic/CartPole-v1", "classic/Pendulum-v1", "probe/Masked-v0", "probe/Pair-v0", "tarry/Order-v0", "tarry/Preempt-v1", "tarry/DelayTimerDiscrete-v1"]


def actions_for(rng: np.random.Generator, env: gymnasium.vector.VectorEnv, infos: dict) -> np.ndarray:
    mask = infos.get("action_mask")
    if mask is None:
        return env.action_space.sample()
    return np.array([rng.choice(np.flatnonzero(row)) if row.any() else 0 for row in mask])


def equal_infos(a: dict, b: dict) -> bool:
    return same({k: v for k, v in a.items() if k != "final_obs"}, {k: v for k, v in b.items() if k != "final_obs"}) and all(
        same(x, y) for x, y in zip(a.get("final_obs", ()), b.get("final_obs", ()), strict=True)
    )


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("env_id", SOME)
def test_is_sync_vector_env(env_id: str, mode: AutoresetMode) -> None:
    ours = tarry.VectorEnv(env_id, N, autoreset_mode=mode, **small(env_id))
    theirs = SyncVectorEnv([functools.partial(tarry.Env, env_id, **small(env_id))] * N, autoreset_mode=mode)
    assert ours.observation_space == theirs.observation_space and ours.action_space == theirs.action_space
    a, b = ours.reset(seed=3), theirs.reset(seed=3)
    assert same(a[0], b[0]) and equal_infos(a[1], b[1])
    ours.action_space.seed(1)
    rng, ends = np.random.default_rng(1), 0
    for _ in range(80):
        actions = actions_for(rng, ours, a[-1])
        a, b = ours.step(actions), theirs.step(actions)
        assert same(a[:4], b[:4]) and equal_infos(a[4], b[4])
        done = a[2] | a[3]
        ends += int(done.sum())
        if mode is AutoresetMode.DISABLED and done.any():
            a, b = ours.reset(options={"reset_mask": done}), theirs.reset(options={"reset_mask": done})
            assert same(a[0], b[0]) and equal_infos(a[1], b[1])
            if "action_mask" in a[1]:
                a[1]["action_mask"] = ours.action_masks()
    assert ends or env_id in ("classic/Pendulum-v1", "tarry/Preempt-v1", "tarry/Order-v0")


def test_every_environment_in_a_vector(env_id: str) -> None:
    env = gymnasium.make_vec(env_id, num_envs=2, **small(env_id))
    assert isinstance(env, tarry.VectorEnv)
    obs, infos = env.reset(seed=1)
    assert env.observation_space.contains(obs)
    again = pickle.loads(pickle.dumps(env))
    assert same(again.reset(seed=1), (obs, infos))
    for _ in range(5):
        obs, _, _, _, infos = env.step(actions_for(np.random.default_rng(1), env, infos))
        assert env.observation_space.contains(obs)
    env.close()
    with pytest.raises(tarry.errors.ClosedError):
        env.reset()


def test_views_and_copies() -> None:
    env = tarry.VectorEnv("classic/CartPole-v1", 2, copy=False)
    obs, _ = env.reset(seed=1)
    assert np.shares_memory(obs, env.step(np.array([0, 1]))[0])
    env = tarry.VectorEnv("classic/CartPole-v1", 2)
    obs, _ = env.reset(seed=1)
    kept = obs.copy()
    env.step(np.array([0, 1]))
    assert np.array_equal(obs, kept)


def test_a_refused_action_steps_none() -> None:
    a, b = (tarry.VectorEnv("classic/CartPole-v1", 2) for _ in range(2))
    a.reset(seed=1)
    b.reset(seed=1)
    with pytest.raises(tarry.errors.InvalidAction, match="environment 1: classic/CartPole-v1: invalid action"):
        a.step(np.array([0, 7]))
    assert same(a.step(np.array([0, 1])), b.step(np.array([0, 1])))


def test_render_and_masks() -> None:
    env = gymnasium.make_vec("tarry/Preempt-v1", num_envs=2, render_mode="rgb_array", **small("tarry/Preempt-v1"))
    env.reset(seed=1)
    frames = env.render()
    assert len(frames) == 2 and frames[0].shape[2] == 3
    assert env.unwrapped.action_masks().shape[0] == 2


def test_async_vector_env_with_spawn() -> None:
    fns = [functools.partial(tarry.Env, "tarry/Order-v0", **small("tarry/Order-v0"))] * 2
    env, alone = AsyncVectorEnv(fns, context="spawn"), SyncVectorEnv(fns)
    try:
        assert same(env.reset(seed=1), alone.reset(seed=1))
        actions = env.action_space.sample()
        a, b = env.step(actions), alone.step(actions)
        assert same(a[:4], b[:4])
    finally:
        env.close()


def test_all_ids_are_covered() -> None:
    assert set(SOME) <= set(IDS)


def test_sb3_says_what_it_needs() -> None:
    if importlib.util.find_spec("stable_baselines3") is None:
        with pytest.raises(ImportError, match="pip install stable-baselines3"):
            tarry.SB3VecEnv("classic/CartPole-v1")
    else:
        assert tarry.SB3VecEnv("classic/CartPole-v1", 2).num_envs == 2
