"""sb3-contrib's MaskablePPO chooses which running job gives its GPUs up: tarry/Preempt-v1, where most actions are illegal at most times.

  PYTHONPATH=python/src build/learners/bin/python python/examples/sb3_maskable_ppo.py --steps 20000
"""

from __future__ import annotations

import argparse

import numpy as np
import tarry
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

CLUSTER = {"cluster": "2x2x8", "load": 0.9, "warm": 6, "horizon": 24}


def play(model: MaskablePPO, window: int) -> float:
    """The return of the frozen policy on a window of jobs that training does not see."""
    env = tarry.Env("tarry/Preempt-v1", part="test", **CLUSTER)
    obs, _ = env.reset(seed=0, options={"window": window})
    total, over = 0.0, False
    while not over:
        action, _ = model.predict(obs, deterministic=True, action_masks=env.action_masks())
        obs, reward, terminated, truncated, _ = env.step(action)
        total, over = total + reward, terminated or truncated
    return total


def main() -> None:
    """Trains, and plays test windows before and after."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=20000)
    parser.add_argument("--windows", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    env = VecMonitor(tarry.SB3VecEnv("tarry/Preempt-v1", 8, **CLUSTER))  # its action_masks() is what MaskablePPO asks for
    env = VecNormalize(env, norm_obs=False, gamma=0.999)
    model = MaskablePPO("MultiInputPolicy", env, n_steps=64, batch_size=128, gamma=0.999, seed=arguments.seed, device="cpu")
    before = [play(model, k) for k in range(arguments.windows)]
    model.learn(arguments.steps)
    after = [play(model, k) for k in range(arguments.windows)]
    gained = np.subtract(after, before)
    print(f"{model.num_timesteps} steps; return on {arguments.windows} test windows {np.mean(before):.3f} before, {np.mean(after):.3f} after; better on {np.mean(gained > 0):.0%}")


if __name__ == "__main__":
    main()
