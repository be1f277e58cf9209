"""PufferLib's vectors over tarry: its emulation of single environments, in this process and in others, and all environments as one that Go steps.

  PYTHONPATH=python/src build/learners/bin/python python/examples/pufferlib_vector.py --steps 2000

For PufferLib 1.0, the newest that could be built: 3.0 fetches graphics libraries while it is installed.
"""

from __future__ import annotations

import argparse
import functools
import multiprocessing
import time
from typing import Any

import gymnasium
import numpy as np
import pufferlib.emulation
import pufferlib.environment
import pufferlib.vector
import tarry

CARTPOLE = "classic/CartPole-v1"


class EndsAtLimit(gymnasium.Wrapper):
    """Reports the limit as an end, too: PufferLib 1.0 resets after what terminated alone."""

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes one action."""
        obs, reward, terminated, truncated, info = self.env.step(action)
        return obs, reward, terminated or truncated, truncated, info


def emulated(env_id: str, **options: Any) -> pufferlib.emulation.GymnasiumPufferEnv:
    """One environment, flattened by PufferLib. Its learners use no masks, so that a forbidden action becomes the first legal one."""
    return pufferlib.emulation.GymnasiumPufferEnv(EndsAtLimit(tarry.FirstLegal(tarry.Env(env_id, **options))))


class Native(pufferlib.environment.PufferEnv):
    """N environments as one of N agents: one call of Go steps them, and each starts anew in the step in which it ends. For observations in a Box."""

    emulated, done = None, False

    def __init__(self, env_id: str, num_envs: int, **options: Any) -> None:
        self.vector = tarry.VectorEnv(env_id, num_envs, autoreset_mode="SameStep", copy=False, **options)
        self.num_agents = num_envs
        self.single_observation_space, self.single_action_space = self.vector.single_observation_space, self.vector.single_action_space
        self.buf: Any = None  # PufferLib's arrays

    def reset(self, seed: int | None = None) -> tuple[np.ndarray, list[dict[str, Any]]]:
        """Starts all episodes."""
        self.buf.observations[:], _ = self.vector.reset(seed=seed)
        self.buf.rewards[:] = self.buf.terminals[:] = self.buf.truncations[:] = 0
        return self.buf.observations, []

    def step(self, actions: np.ndarray) -> tuple[Any, ...]:
        """Takes an action in each."""
        buf = self.buf
        buf.observations[:], buf.rewards[:], buf.terminals[:], buf.truncations[:], _ = self.vector.step(actions)
        return buf.observations, buf.rewards, buf.terminals, buf.truncations, []

    def close(self) -> None:
        """Closes them."""
        self.vector.close()


def measure(name: str, vector: Any, steps: int) -> np.ndarray:
    """Prints the time of a step per environment; gives the last observations."""
    rng = np.random.default_rng(1)
    obs, _ = vector.reset(seed=7)
    ends, start = 0, time.perf_counter()
    for _ in range(steps):
        obs, _, terminals, truncations, _ = vector.step(rng.integers(0, int(vector.single_action_space.n), vector.num_agents))
        ends += int((terminals | truncations).sum())
    took = (time.perf_counter() - start) / steps / vector.num_agents
    print(f"{name}: {vector.num_agents} environments, {ends} ends, {took * 1e6:.2f} us per step")
    vector.close()
    return obs


def main() -> None:
    """Steps each kind of vector."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=2000)
    steps = parser.parse_args().steps
    multiprocessing.set_start_method("spawn")  # Go does not survive fork, PufferLib's default
    make, serial, processes = pufferlib.vector.make, pufferlib.vector.Serial, pufferlib.vector.Multiprocessing
    preempt = functools.partial(emulated, "tarry/Preempt-v1", cluster="2x2x4", warm=2, horizon=12)
    one = measure("Preempt, emulated", make(preempt, backend=serial, num_envs=4), steps // 10)
    other = measure("Preempt, emulated in 2 processes", make(preempt, backend=processes, num_envs=4, num_workers=2), steps // 10)
    assert np.array_equal(one.ravel(), other.ravel())
    measure("CartPole, emulated", make(functools.partial(emulated, CARTPOLE), backend=serial, num_envs=64), steps // 10)
    measure("CartPole, native", make(functools.partial(Native, CARTPOLE, 64), backend=serial, num_envs=1), steps)


if __name__ == "__main__":
    main()
