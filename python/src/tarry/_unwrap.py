"""What wrappers around an environment do to observations and actions, without stepping it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import gymnasium

from tarry.env import Env
from tarry._checked import shown
from tarry.errors import OptionError

# Wrappers that are no ActionWrapper, ObservationWrapper or RewardWrapper, and leave observations, actions and masks as they are.
PASSING = {
    "gymnasium.wrappers.common.Autoreset",
    "gymnasium.wrappers.common.OrderEnforcing",
    "gymnasium.wrappers.common.PassiveEnvChecker",
    "gymnasium.wrappers.common.RecordEpisodeStatistics",
    "gymnasium.wrappers.common.TimeLimit",
    "gymnasium.wrappers.rendering.HumanRendering",
    "gymnasium.wrappers.rendering.RecordVideo",
    "gymnasium.wrappers.rendering.RenderCollection",
    "gymnasium.wrappers.stateful_reward.NormalizeReward",
    "tarry.own_env.OwnReward",
    "sb3_contrib.common.wrappers.action_masker.ActionMasker",
    "stable_baselines3.common.monitor.Monitor",
}
# These look at the environment itself, which is not stepped.
RENDERED = {"gymnasium.wrappers.transform_observation.AddRenderObservation"}


@dataclass
class Unwrapped:
    """The environment inside, and what its wrappers do: `observe` from the inside out, `act` from the outside in."""

    base: Env
    outer: gymnasium.Env[Any, Any]
    observe: list[Callable[[Any], Any]] = field(default_factory=list)
    act: list[Callable[[Any], Any]] = field(default_factory=list)
    learning: list[Any] = field(default_factory=list)

    @contextlib.contextmanager
    def frozen(self) -> Iterator[None]:
        """Wrappers that average what they see do not while this lasts."""
        was = [w.update_running_mean for w in self.learning]
        for w in self.learning:
            w.update_running_mean = False
        try:
            yield
        finally:
            for w, one in zip(self.learning, was, strict=True):
                w.update_running_mean = one


def unwrap(env: gymnasium.Env[Any, Any]) -> Unwrapped:
    """Takes an environment apart; an error where a wrapper does more than a function of one observation or action."""
    if not isinstance(env, gymnasium.Env) or not isinstance(env.unwrapped, Env):
        raise OptionError(f"env is {shown(env)}, expected the id of an environment of tarry, a tarry.Env or tarry.VectorEnv, or wrappers of Gymnasium around a tarry.Env")
    out = Unwrapped(env.unwrapped, env)
    layer: Any = env
    while isinstance(layer, gymnasium.Wrapper):
        _add(out, layer)
        layer = layer.env
    return out


def _add(out: Unwrapped, w: Any) -> None:
    kind = type(w)
    name = f"{kind.__module__}.{kind.__qualname__}"
    plain = kind.reset is gymnasium.Wrapper.reset
    if name not in RENDERED:
        if isinstance(w, gymnasium.ObservationWrapper) and kind.step is gymnasium.ObservationWrapper.step and kind.reset is gymnasium.ObservationWrapper.reset:
            out.observe.insert(0, w.observation)
            if hasattr(w, "update_running_mean"):
                out.learning.append(w)
            return
        if isinstance(w, gymnasium.ActionWrapper) and kind.step is gymnasium.ActionWrapper.step and plain:
            out.act.append(w.action)
            return
        if isinstance(w, gymnasium.RewardWrapper) and kind.step is gymnasium.RewardWrapper.step and plain:
            return
        if name in PASSING or kind.step is gymnasium.Wrapper.step and plain and _same_spaces(w):
            return
    raise OptionError(
        f"wrapper {name}: what it does to observations or actions depends on more than one of them, so that it cannot be applied to runs "
        "that it does not step; expected ObservationWrapper, ActionWrapper or RewardWrapper with their own step and reset. "
        "Give the environment without it, and a policy(obs, action_mask) that does what it did"
    )


def _same_spaces(w: Any) -> bool:
    return bool(w.observation_space == w.env.observation_space and w.action_space == w.env.action_space)
