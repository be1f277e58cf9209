"""Rewards and observations of one's own: the view is the state that info describes, alone and in vectors."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
import tarry
from tarry.errors import DecisionError, OptionError, ResetNeeded, UndeclaredError
from tarry.view import View

OPTIONS: dict[str, Any] = {"cluster": "2x2x4", "load": 1.1, "warm": 2, "horizon": 12}
SPACE = gymnasium.spaces.Box(0, np.inf, (3,), np.float64)


def counts(view: View) -> Any:
    return np.array([len(view.waiting), len(view.running), view.free.sum()], np.float64)


def waits(view: View, info: dict[str, Any]) -> float:
    assert info["jobs_waiting"] == len(view.waiting) and info["jobs_in_system"] >= len(view.waiting) + len(view.running)
    assert (view.in_use_milli == 1000).sum() >= view.running.held.sum()
    return -float(view.waiting.wait_s.sum())


@pytest.mark.parametrize("env_id", ["tarry/Order-v1", "tarry/Preempt-v2", "tarry/DelayTimer-v1", "tarry/Offer-v1"])
def test_view_is_the_state(env_id: str) -> None:
    """Through several episodes, whose workloads have other lengths, to their ends."""
    env = tarry.FirstLegal(tarry.OwnReward(tarry.OwnObservation(tarry.Env(env_id, **OPTIONS), counts, SPACE), waits))
    env.action_space.seed(1)
    rewards, seen = [], []
    for episode in range(4):
        obs, _ = env.reset(seed=episode)
        done = False
        while not done:
            seen.append(obs)
            obs, reward, terminated, truncated, _ = env.step(env.action_space.sample())
            rewards.append(reward)
            done = terminated or truncated
    assert min(rewards) < 0 and np.ptp(np.array(seen), axis=0).min() > 0


def test_views_end_and_decide_nothing() -> None:
    env = tarry.Env("tarry/Order-v1", **OPTIONS)
    with pytest.raises(ResetNeeded):
        env.view()
    env.reset(seed=1)
    view = env.view()
    for decide in (lambda: view.start(0), lambda: view.wake_at(1.0), lambda: view.fill([0])):
        with pytest.raises(DecisionError, match="decisions by actions"):
            decide()
    with pytest.raises(UndeclaredError, match="work"):
        _ = view.running.work_s
    with pytest.raises(OptionError, match="permissions work: tarry/Order-v1 keeps"):
        env.view(("work",))
    assert env.view("done").running.done_s.shape == view.running.job.shape
    held = view.running.held
    env.step(env.action_space.sample())
    assert env.view().now_s > 0 and held.sum() > 0


def test_alone_as_in_vectors() -> None:
    """A vector gives the rewards and observations of its environments, through autoresets."""
    n, steps = 3, 60
    envs = tarry.VectorOwnReward(tarry.VectorOwnObservation(tarry.VectorEnv("tarry/Order-v1", n, **OPTIONS), counts, SPACE), waits)
    alone = gymnasium.vector.SyncVectorEnv([lambda: tarry.OwnReward(tarry.OwnObservation(tarry.Env("tarry/Order-v1", **OPTIONS), counts, SPACE), waits)] * n)
    assert envs.observation_space == alone.observation_space
    np.testing.assert_array_equal(envs.reset(seed=5)[0], alone.reset(seed=5)[0])
    envs.action_space.seed(2)
    ends = 0
    for _ in range(steps):
        actions = envs.action_space.sample()
        one, two = envs.step(actions), alone.step(actions)
        for a, b in zip(one[:4], two[:4], strict=True):
            np.testing.assert_array_equal(a, b)
        ends += int((one[2] | one[3]).sum())
    assert ends > 0


def test_measured_as_any() -> None:
    """What a reward of one's own trained is measured as without it; an observation of one's own is refused with the way out."""
    plain = tarry.Env("tarry/Offer-v1", cluster="2x2x4", warm=2, horizon=12)
    own = tarry.OwnReward(tarry.Env("tarry/Offer-v1", cluster="2x2x4", warm=2, horizon=12), waits)
    found = [tarry.evaluate(lambda obs: 1, env, trained_on=(), count=2, untrained=False).rows[0]["jct_mean_s"] for env in (plain, own)]
    assert found[0] == found[1]
    with pytest.raises(OptionError, match="OwnObservation"):
        tarry.evaluate(lambda obs: 1, tarry.OwnObservation(plain, counts, SPACE), trained_on=(), count=2)


def test_refused() -> None:
    with pytest.raises(OptionError, match="an environment of tarry"):
        tarry.OwnReward(gymnasium.make("CartPole-v1"), waits)
    with pytest.raises(OptionError, match="SameStep"):
        tarry.VectorOwnReward(tarry.VectorEnv("tarry/Order-v1", 2, autoreset_mode="SameStep", **OPTIONS), waits)
    env = tarry.OwnReward(tarry.Env("classic/CartPole-v1"), lambda view, info: 0.0)
    env.reset(seed=1)
    with pytest.raises(OptionError, match="no cluster to look at"):
        env.step(0)
