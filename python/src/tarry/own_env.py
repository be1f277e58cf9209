"""Rewards and observations of one's own over the environments of the simulator, from what a scheduler sees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array

from tarry._autoreset import AutoresetMode
from tarry._checked import shown
from tarry.env import Env
from tarry.errors import OptionError
from tarry.vector import VectorEnv
from tarry.view import View

Reward = Callable[[View, dict[str, Any]], float]
Observe = Callable[[View], Any]


class OwnReward(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """A reward of one's own: reward(view, info) after each step, of the state that the step led to.

    It may read of jobs what everyone sees, and what its permissions (knows) add, as in tarry.Policy; an environment whose agent must not see that refuses.
    tarry.evaluate measures a policy that was trained with it as any other.

    Raises: OptionError for another environment than one over the simulator.

    Example:
        import tarry

        def waiting(view, info):
            return -float(view.waiting.wait_s.sum()) / 3600  # hours that the jobs in the queue have waited

        env = tarry.OwnReward(tarry.Env("tarry/Order-v1", cluster="2x2x4", warm=2, horizon=12), waiting)
        env.reset(seed=1)
        print(env.step(env.action_space.sample())[1])
    """

    def __init__(self, env: gymnasium.Env[Any, Any], reward: Reward, knows: Sequence[str] = ()) -> None:
        RecordConstructorArgs.__init__(self, reward=reward, knows=knows)
        gymnasium.Wrapper.__init__(self, env)
        self._base, self._reward, self._knows = _base(env), reward, knows

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes one action; the reward is the own one."""
        obs, _, terminated, truncated, info = self.env.step(action)
        return obs, float(self._reward(self._base.view(self._knows), info)), terminated, truncated, info


class OwnObservation(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """An observation of one's own: observe(view) in place of the environment's, in the space that is given.

    Permissions (knows) are as in OwnReward. tarry.evaluate refuses it, since it asks a policy by the environment's own observation: measure the policy as a
    tarry.Policy, whose decide has the same view.

    Raises: OptionError for another environment than one over the simulator.

    Example:
        import gymnasium, numpy, tarry

        def queue(view):
            return numpy.array([len(view.waiting), view.free.sum()], numpy.float32)

        space = gymnasium.spaces.Box(0, numpy.inf, (2,), numpy.float32)
        env = tarry.OwnObservation(tarry.Env("tarry/Order-v1", cluster="2x2x4", warm=2, horizon=12), queue, space)
        print(env.reset(seed=1)[0])
    """

    def __init__(self, env: gymnasium.Env[Any, Any], observe: Observe, space: spaces.Space[Any], knows: Sequence[str] = ()) -> None:
        RecordConstructorArgs.__init__(self, observe=observe, space=space, knows=knows)
        gymnasium.Wrapper.__init__(self, env)
        self._base, self._observe, self._knows = _base(env), observe, knows
        self.observation_space = space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode."""
        _, info = self.env.reset(seed=seed, options=options)
        return self._observe(self._base.view(self._knows)), info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Takes one action; the observation is the own one."""
        _, reward, terminated, truncated, info = self.env.step(action)
        return self._observe(self._base.view(self._knows)), reward, terminated, truncated, info


class VectorOwnReward(gymnasium.vector.VectorWrapper):
    """OwnReward over a tarry.VectorEnv: reward(view, info) for each environment, where info has the numbers of that environment.

    A step that only resets an environment has the reward 0, as Gymnasium has it. With autoreset_mode "SameStep" the state that an episode led to is
    gone when a step returns: that is refused.

    Example:
        import tarry

        envs = tarry.VectorOwnReward(tarry.VectorEnv("tarry/Order-v1", 4, cluster="2x2x4", warm=2, horizon=12), lambda view, info: -float(len(view.waiting)))
        envs.reset(seed=1)
        print(envs.step(envs.action_space.sample())[1])
    """

    def __init__(self, env: gymnasium.vector.VectorEnv[Any, Any, Any], reward: Reward, knows: Sequence[str] = ()) -> None:
        super().__init__(env)
        self._base, self._reward, self._knows = _vector(env), reward, knows
        self._ended = np.zeros(env.num_envs, np.bool_)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode in each environment."""
        out = self.env.reset(seed=seed, options=options)
        self._ended[:] = False
        return out

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Takes an action in each environment; the rewards are the own ones."""
        obs, _, terminated, truncated, infos = self.env.step(actions)
        rewards = np.zeros(self.num_envs)
        for i in range(self.num_envs):
            if not self._ended[i]:
                rewards[i] = self._reward(self._base.view(i, self._knows), {key: value[i] for key, value in infos.items() if not key.startswith("_")})
        if self._base.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP:
            self._ended = np.asarray(terminated | truncated)
        return obs, rewards, terminated, truncated, infos


class VectorOwnObservation(gymnasium.vector.VectorWrapper):
    """OwnObservation over a tarry.VectorEnv: observe(view) for each environment; space is the space of one.

    Example:
        import gymnasium, numpy, tarry

        space = gymnasium.spaces.Box(0, numpy.inf, (1,), numpy.float64)
        envs = tarry.VectorEnv("tarry/Order-v1", 4, cluster="2x2x4", warm=2, horizon=12)
        envs = tarry.VectorOwnObservation(envs, lambda view: numpy.array([float(len(view.waiting))]), space)
        print(envs.reset(seed=1)[0].shape)
    """

    def __init__(self, env: gymnasium.vector.VectorEnv[Any, Any, Any], observe: Observe, space: spaces.Space[Any], knows: Sequence[str] = ()) -> None:
        super().__init__(env)
        self._base, self._observe, self._knows = _vector(env), observe, knows
        self.single_observation_space = space
        self.observation_space = batch_space(space, env.num_envs)

    def _all(self) -> Any:
        each = [self._observe(self._base.view(i, self._knows)) for i in range(self.num_envs)]
        rows: Any = create_empty_array(self.single_observation_space, self.num_envs)
        return concatenate(self.single_observation_space, each, rows)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode in each environment."""
        _, infos = self.env.reset(seed=seed, options=options)
        return self._all(), infos

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Takes an action in each environment; the observations are the own ones."""
        _, rewards, terminated, truncated, infos = self.env.step(actions)
        return self._all(), rewards, terminated, truncated, infos


def _base(env: Any) -> Env:
    base = env.unwrapped if isinstance(env, gymnasium.Env) else env
    if not isinstance(base, Env):
        raise OptionError(f"env is {shown(env)}, expected an environment of tarry, with or without wrappers")
    return base


def _vector(env: Any) -> VectorEnv:
    base = getattr(env, "unwrapped", env)
    if not isinstance(base, VectorEnv):
        raise OptionError(f"env is {shown(env)}, expected a tarry.VectorEnv, with or without wrappers")
    if base.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP:
        raise OptionError('autoreset_mode is SameStep, which leaves no state at the end of an episode, expected NextStep or Disabled')
    return base
