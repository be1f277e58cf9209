"""Wrappers for learners and checkers without masks."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import RecordConstructorArgs


class FirstLegal(gymnasium.ActionWrapper[Any, Any, Any], RecordConstructorArgs):
    """An action that the mask forbids becomes the first that it allows; without it, tarry raises InvalidAction.

    Example:
        import tarry

        env = tarry.FirstLegal(tarry.Env("probe/Masked-v0"))
        env.reset(seed=1)
        env.step(0)
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        RecordConstructorArgs.__init__(self)
        gymnasium.ActionWrapper.__init__(self, env)

    def action(self, action: Any) -> Any:
        """The action, or a legal one. Actions that are no single choice have no mask."""
        if not isinstance(self.action_space, gymnasium.spaces.Discrete):
            return action
        mask = self.get_wrapper_attr("action_masks")()
        start = int(self.action_space.start)
        index = int(action) - start
        if 0 <= index < len(mask) and not mask[index] and mask.any():
            return start + int(np.argmax(mask))
        return action
