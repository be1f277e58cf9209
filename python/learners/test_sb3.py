"""Stable-Baselines3 takes our environments: one by one, in its own vectors, and in ours."""

from __future__ import annotations

import functools
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
import tarry
from gymnasium.utils.env_checker import data_equivalence
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from small_options import small
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecMonitor, VecNormalize

N = 3
SOME = ["classic/CartPole-v1", "classic/Pendulum-v1", "probe/Masked-v0", "probe/Pair-v0", "tarry/Order-v0", "tarry/Preempt-v1", "tarry/DelayTimerDiscrete-v1", "tarry/Pick-v0"]


def plain(value: Any) -> Any:
    """The same in dicts and lists, which of SB3's vectors are sometimes OrderedDicts and tuples."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return [plain(v) for v in value] if isinstance(value, (list, tuple)) else value


def same(a: Any, b: Any) -> bool:
    """Equal to the last bit, and of equal types but for the kind of container."""
    return bool(data_equivalence(plain(a), plain(b)))


def test_check_env(env_id: str) -> None:
    """SB3's checker has no word against any environment but advice about shapes and scales."""
    env = tarry.Env(env_id, **small(env_id))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*(symmetric and normalized|dtype float64, we recommend|unconventional shape).*")
        check_env(env)  # it samples the action space, which gives legal actions
        check_env(tarry.FirstLegal(env))


def actions_for(rng: np.random.Generator, env: tarry.SB3VecEnv) -> np.ndarray:
    if isinstance(env.action_space, gymnasium.spaces.Discrete):
        return np.array([rng.choice(np.flatnonzero(row)) for row in get_action_masks(env)])
    return np.array([env.action_space.sample() for _ in range(env.num_envs)])


@pytest.mark.parametrize("env_id", SOME)
def test_is_dummy_vec_env(env_id: str) -> None:
    """Observations, rewards, ends, infos and masks are as in SB3's own vector over single environments."""
    limit = {"max_episode_steps": 25}
    ours = tarry.SB3VecEnv(env_id, N, **limit, **small(env_id))
    theirs = DummyVecEnv([functools.partial(tarry.Env, env_id, **limit, **small(env_id))] * N)
    assert ours.observation_space == theirs.observation_space and ours.action_space == theirs.action_space
    ours.action_space.seed(1)
    rng, ends = np.random.default_rng(1), 0
    for seed in (3, 4):
        assert ours.seed(seed) == theirs.seed(seed)
        assert same(ours.reset(), theirs.reset()) and same(ours.reset_infos, theirs.reset_infos)
        for _ in range(60):
            actions = actions_for(rng, ours)
            a, b = ours.step(actions), theirs.step(actions)
            assert same(a, b) and same(ours.reset_infos, theirs.reset_infos)
            if isinstance(ours.action_space, gymnasium.spaces.Discrete):
                assert np.array_equal(get_action_masks(ours), get_action_masks(theirs))
            ends += int(a[2].sum())
            for info, done in zip(a[3], a[2], strict=True):
                assert ("terminal_observation" in info) == bool(done)
    assert ends
    ours.close()
    with pytest.raises(tarry.errors.ClosedError):
        ours.reset()


def test_truncated_is_not_terminated() -> None:
    """An episode cut by the limit is marked so, one that ended does not."""
    env = tarry.SB3VecEnv("classic/CartPole-v1", 2, max_episode_steps=5)
    env.seed(1)
    env.reset()
    for k in range(5):
        obs, _, done, infos = env.step(np.array([k % 2, k % 2]))
    assert done.all() and all(i["TimeLimit.truncated"] for i in infos)
    assert not np.array_equal(infos[0]["terminal_observation"], obs[0])
    env = tarry.SB3VecEnv("classic/CartPole-v1", 1)
    env.seed(1)
    env.reset()
    while not done.all() or len(done) != 1:
        _, _, done, infos = env.step(np.array([1]))
    assert not infos[0]["TimeLimit.truncated"] and "terminal_observation" in infos[0]


def test_options_of_each() -> None:
    """set_options gives each environment its own, as in DummyVecEnv."""
    make = functools.partial(tarry.Env, "tarry/Preempt-v1", **small("tarry/Preempt-v1"))
    ours, theirs = tarry.SB3VecEnv("tarry/Preempt-v1", N, **small("tarry/Preempt-v1")), DummyVecEnv([make] * N)
    for env in (ours, theirs):
        env.seed(1)
        env.set_options([{"window": 2}, {}, {"window": 5}])
    assert same(ours.reset(), theirs.reset()) and same(ours.reset_infos, theirs.reset_infos)
    assert same(ours.reset(), theirs.reset())  # given once, used once


def test_attributes_and_methods() -> None:
    env = tarry.SB3VecEnv("tarry/Preempt-v1", N, render_mode="rgb_array", **small("tarry/Preempt-v1"))
    env.seed(1)
    env.reset()
    assert is_masking_supported(env)
    env.set_attr("mine", 3, indices=[1])
    assert env.get_attr("mine", indices=1) == [3]
    with pytest.raises(AttributeError):
        env.get_attr("mine")
    assert env.get_attr("render_mode", indices=[0, 2]) == ["rgb_array"] * 2
    assert env.env_is_wrapped(Monitor) == [False] * N
    assert len(env.get_images()) == N and env.render().ndim == 3
    assert env.env_method("render", indices=0)[0].shape == env.get_images()[0].shape
    with pytest.raises(tarry.errors.OptionError, match="autoreset_mode"):
        tarry.SB3VecEnv("tarry/Preempt-v1", 2, copy=False)


def test_subproc_vec_env_with_spawn() -> None:
    """Processes that are spawned play the same episodes; one that is forked gets a clear error elsewhere (test_fork.py)."""
    make = functools.partial(tarry.Env, "tarry/Preempt-v1", **small("tarry/Preempt-v1"))
    ours, theirs = tarry.SB3VecEnv("tarry/Preempt-v1", 2, **small("tarry/Preempt-v1")), SubprocVecEnv([make] * 2, start_method="spawn")
    try:
        ours.seed(5)
        theirs.seed(5)
        assert same(ours.reset(), theirs.reset())
        rng = np.random.default_rng(1)
        for _ in range(20):
            actions = actions_for(rng, ours)
            (obs, rewards, *rest), theirs_step = ours.step(actions), theirs.step(actions)
            assert same((obs, *rest), (theirs_step[0], *theirs_step[2:])) and np.array_equal(rewards, theirs_step[1].astype(np.float32))
        assert np.array_equal(get_action_masks(ours), get_action_masks(theirs))
    finally:
        theirs.close()


@pytest.mark.parametrize(("kind", "env_id"), [(PPO, "tarry/Order-v0"), (DQN, "tarry/Offer-v1"), (MaskablePPO, "tarry/Preempt-v1"), (MaskablePPO, "tarry/Pick-v0")])
def test_learners_learn(kind: type, env_id: str) -> None:
    """A few updates of each kind of learner change its weights and leave them finite."""
    env = VecNormalize(VecMonitor(tarry.SB3VecEnv(env_id, 2, **small(env_id))), norm_obs=False)
    more = {"learning_starts": 10, "train_freq": 4} if kind is DQN else {"n_steps": 16, "batch_size": 16, "n_epochs": 2}
    model = kind("MultiInputPolicy", env, seed=1, device="cpu", **more)
    before = [p.detach().clone() for p in model.policy.parameters()]
    model.learn(96)
    after = list(model.policy.parameters())
    assert all(bool(p.isfinite().all()) for p in after)
    assert any(bool((p != q).any()) for p, q in zip(before, after, strict=True))
