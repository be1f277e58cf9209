"""Wrappers are applied to what an environment does not step, or refused."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
import tarry
from conftest import small
from gymnasium import wrappers
from tarry import _policies
from tarry._player import Player
from tarry._unwrap import unwrap


def preempt(**more: Any) -> tarry.Env:
    return tarry.Env("tarry/Preempt-v0", **{**small("tarry/Preempt-v0"), **more})


def test_observations_from_the_inside_out() -> None:
    base = preempt()
    base.reset(seed=1)
    env = wrappers.DtypeObservation(wrappers.FlattenObservation(wrappers.TimeLimit(base, 10)), np.float32)
    seen: list[Any] = []
    player = Player(lambda obs: seen.append(obs) or 0, env)
    player.row[:] = np.arange(len(player.row)) / 1000
    player.play()
    assert seen[0].dtype == np.float32 and seen[0].shape == env.observation_space.shape
    assert np.allclose(seen[0], np.arange(len(player.row)) / 1000)


def test_actions_from_the_outside_in() -> None:
    base = tarry.Env("tarry/DelayTimer-v0", **small("tarry/DelayTimer-v0"))
    base.reset(seed=1)
    low, high = np.full(base.action_space.shape, 0.0), np.full(base.action_space.shape, 2.0)  # type: ignore[arg-type]
    env = wrappers.TransformAction(wrappers.RescaleAction(base, low, high), lambda a: a + 1, base.action_space)
    player = Player(lambda obs: np.zeros(base.action_space.shape), env)  # type: ignore[arg-type]
    player.play()
    assert np.allclose(player.action, 0)  # 0 is 1 after the outer one, half way between 0 and 2, and so between -1 and 1


def test_the_mask_of_the_question_reaches_the_wrappers() -> None:
    player = Player(lambda obs: 0, tarry.FirstLegal(preempt()))
    assert player.mask is not None
    player.mask[:] = 0
    player.mask[3] = 1
    player.play()
    assert player.action[0] == 3


def test_averages_do_not_move() -> None:
    base = preempt()
    env = wrappers.NormalizeObservation(wrappers.FlattenObservation(base))
    env.reset(seed=1)
    mean = env.obs_rms.mean.copy()
    player = Player(lambda obs: 0, env)
    with player.lent():
        player.row[:] = 0.75
        player.play()
    assert np.array_equal(mean, env.obs_rms.mean) and env.update_running_mean


class Doubled(gymnasium.ObservationWrapper[Any, Any, Any]):
    def observation(self, observation: Any) -> Any:
        return observation

    def step(self, action: Any) -> Any:
        return super().step(action)


class Plain(gymnasium.Wrapper[Any, Any, Any, Any]):
    pass


@pytest.mark.parametrize("wrap", [
    lambda env: wrappers.FrameStackObservation(wrappers.FlattenObservation(env), 2),
    lambda env: wrappers.TimeAwareObservation(wrappers.TimeLimit(wrappers.FlattenObservation(env), 10)),
    lambda env: wrappers.StickyAction(env, 0.5),
    lambda env: wrappers.DelayObservation(wrappers.FlattenObservation(env), 1),
    Doubled,
])
def test_what_remembers_is_refused(wrap: Any) -> None:
    with pytest.raises(tarry.errors.OptionError, match=r"wrapper .*(FrameStack|TimeAware|Sticky|Delay|Doubled).* depends on more than one of them"):
        unwrap(wrap(preempt()))


def test_what_leaves_all_as_it_is_passes() -> None:
    env = wrappers.RecordEpisodeStatistics(wrappers.TransformReward(wrappers.NormalizeReward(Plain(preempt())), lambda r: -r))
    layers = unwrap(env)
    assert not layers.observe and not layers.act and isinstance(layers.base, tarry.Env)
    made = gymnasium.make("tarry/Preempt-v0", **small("tarry/Preempt-v0"))
    assert unwrap(made).base is made.unwrapped


@pytest.mark.parametrize("env", [gymnasium.make("CartPole-v1"), "tarry/Preempt-v0", None, 3])
def test_other_environments_are_refused(env: Any) -> None:
    with pytest.raises(tarry.errors.OptionError, match="expected the id of an environment of tarry"):
        unwrap(env)


def test_the_buffer_is_lent() -> None:
    env = preempt()
    obs, info = env.reset(seed=1)
    player = Player(lambda obs: 0, env)
    shown, buffer = {k: v.copy() for k, v in obs.items()}, env._group.memory.copy()
    with player.lent():
        player.row[:] = 7
        player.play()
        with pytest.raises(tarry.errors.BusyError, match="another evaluation"), player.lent():
            pass
    assert np.array_equal(env._group.memory, buffer)
    assert all(np.array_equal(obs[k], shown[k]) for k in obs)
    env.step(int(np.argmax(info["action_mask"])))


def test_how_a_function_gets_the_mask() -> None:
    space, mask = gymnasium.spaces.Discrete(3), np.array([0, 1, 1], np.int8)

    class Called:
        def __call__(self, obs: Any, action_mask: Any) -> int:
            return int(np.argmax(action_mask))

    def named(obs: Any, *, deterministic: bool = True, action_mask: Any = None) -> int:
        return int(np.argmax(action_mask))

    def two(obs: Any, legal: Any) -> int:
        return int(np.argmax(legal))

    def one(obs: Any, temperature: float = 1.0) -> float:
        return temperature

    for policy in (Called(), named, two):
        assert _policies.asker(policy, space)(None, mask) == 1
    assert _policies.asker(one, space)(None, mask) == 1.0
    assert _policies.asker(len, space)([1, 2], mask) == 2
    with pytest.raises(tarry.errors.OptionError, match="policy is 3, expected policy"):
        _policies.asker(3, space)


class Model:
    """As a model of Stable-Baselines3."""

    def predict(self, observation: Any, state: Any = None, episode_start: Any = None, deterministic: bool = False) -> tuple[Any, None]:
        assert deterministic
        return np.array(observation), None


class Maskable:
    def predict(self, observation: Any, deterministic: bool = False, action_masks: Any = None) -> tuple[Any, None]:
        assert deterministic and action_masks.dtype == np.bool_
        return np.array(np.argmax(action_masks)), None


class Normalized(Model):
    def get_vec_normalize_env(self) -> Any:
        class Stats:
            def normalize_obs(self, obs: Any) -> Any:
                return obs - 2

        return Stats()


def test_models_with_predict() -> None:
    space, mask = gymnasium.spaces.Discrete(3), np.array([0, 1, 1], np.int8)
    assert _policies.asker(Model(), space)(2, mask) == 2
    assert _policies.asker(Maskable(), space)(None, mask) == 1
    assert _policies.asker(Normalized(), space)(2, mask) == 0
    recurrent = Model()
    recurrent.policy = type("Policy", (), {"lstm_actor": None})()  # type: ignore[attr-defined]
    with pytest.raises(tarry.errors.OptionError, match="Model remembers what it saw"):
        _policies.asker(recurrent, space)


def test_what_a_network_means() -> None:
    discrete, box, many = gymnasium.spaces.Discrete(3, start=5), gymnasium.spaces.Box(-1, 1, (2, 2)), gymnasium.spaces.MultiDiscrete([2, 3])
    logits, mask = np.array([3.0, 2.0, 1.0]), np.array([0, 1, 1], np.int8)
    assert _policies.chosen(logits, None, discrete) == 5 and _policies.chosen(logits, mask, discrete) == 6
    assert _policies.chosen(np.full(3, -np.inf), mask, discrete) == 6
    assert _policies.chosen(np.array([7]), mask, discrete) == 7
    assert np.array_equal(_policies.chosen(np.array([-3.0, 0.5, 0, 3]), None, box), [[-1, 0.5], [0, 1]])
    assert np.array_equal(_policies.chosen(np.array([1.0, 2, 0, 1, 2]), np.array([1, 0, 1, 1, 0]), many), [0, 1])
    assert np.array_equal(_policies.chosen(np.array([1, 2]), None, many), [1, 2])
    with pytest.raises(tarry.errors.InvalidAction, match="a network gave 4 numbers, expected logits"):
        _policies.chosen(np.zeros(4), None, discrete)
    with pytest.raises(tarry.errors.InvalidAction, match="allows no action"):
        _policies.chosen(np.zeros(3), np.zeros(3), discrete)


def test_names() -> None:
    assert _policies.name_of(test_names) == f"{__name__}:test_names" and _policies.name_of(Model()) == "Model"
    assert _policies.sha256_of(Model()) == "" and _policies.sha256_of(type("Signed", (), {"sha256": "ab"})()) == "ab"
