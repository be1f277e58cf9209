"""MaskablePPO that discounts by time, as tarry's PPO does: gamma is per lease, and a step takes info["elapsed"] of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from sb3_contrib.common.maskable.buffers import MaskableDictRolloutBuffer
from stable_baselines3.common.callbacks import BaseCallback


class TimedBuffer(MaskableDictRolloutBuffer):
    """A rollout whose advantages are discounted by the time that each step took."""

    def reset(self) -> None:
        """Empties it."""
        self.elapsed = np.zeros((self.buffer_size, self.n_envs), np.float64)
        super().reset()

    def compute_returns_and_advantage(self, last_values: Any, dones: np.ndarray) -> None:
        """Generalised advantage estimation with a discount of its own for each step."""
        discount = self.gamma**self.elapsed
        following = np.vstack([self.values[1:], last_values.cpu().numpy().reshape(1, -1)])
        alive = 1.0 - np.vstack([self.episode_starts[1:], dones.reshape(1, -1)])
        delta = self.rewards + discount * following * alive - self.values
        later = np.zeros(self.n_envs)
        for step in reversed(range(self.buffer_size)):
            later = delta[step] + discount[step] * self.gae_lambda * alive[step] * later
            self.advantages[step] = later
        self.returns = self.advantages + self.values


class Clock(BaseCallback):
    """Writes what each step took into the buffer."""

    def _on_step(self) -> bool:
        buffer = self.model.rollout_buffer
        buffer.elapsed[buffer.pos] = [info["elapsed"] for info in self.locals["infos"]]
        return True
