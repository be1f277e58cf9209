"""A policy in the place of a scheduler: it reads the question out of an environment's buffer and writes its action there."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import gymnasium

from tarry import _policies
from tarry._unwrap import unwrap
from tarry.errors import BusyError


class Player:
    """One policy. The caller puts an observation and a mask into the columns of `base`; play() reads them and writes the action."""

    def __init__(self, policy: Any, env: gymnasium.Env[Any, Any]) -> None:
        self._layers = unwrap(env)
        self.base = self._layers.base
        self.policy = policy
        self._ask = _policies.asker(policy, env.action_space)
        columns = self.base._group.columns
        self.row = columns["obs"][0]
        self.action = columns["action"][0]
        self.mask = columns["mask"][0] if "mask" in columns else None

    def play(self) -> None:
        """Answers one question; what the policy and the wrappers raise passes through."""
        obs: Any = self.base._observation()
        for observe in self._layers.observe:
            obs = observe(obs)
        action = self._ask(obs, None if self.mask is None else self.mask.copy())
        for act in self._layers.act:
            action = act(action)
        self.base._write(action)

    @contextlib.contextmanager
    def lent(self) -> Iterator[None]:
        """The environment lends its buffer: its own episode is as it was afterwards."""
        group = self.base._group
        group.alive()
        if self.base in _lent:
            raise BusyError(f"{group.spec['id']}: it is used by another evaluation, expected one at a time")
        _lent.append(self.base)
        was = group.memory.copy()
        try:
            with self.frozen():
                yield
        finally:
            group.memory[:] = was
            _lent.remove(self.base)


    @contextlib.contextmanager
    def frozen(self) -> Iterator[None]:
        """Neither the policy nor a wrapper learns while this lasts."""
        with self._layers.frozen(), _policies.frozen(self.policy):
            yield


_lent: list[Any] = []  # environments whose buffers are in use
