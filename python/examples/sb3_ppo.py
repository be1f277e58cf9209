"""Stable-Baselines3's PPO orders the queue of a GPU cluster: tarry/Order-v0, whose action is a weight for each feature of a job.

  PYTHONPATH=python/src build/learners/bin/python python/examples/sb3_ppo.py --steps 20000
"""

from __future__ import annotations

import argparse

import tarry
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

CLUSTER = {"cluster": "2x2x8", "load": 0.9, "warm": 6, "horizon": 24}


def main() -> None:
    """Trains, and prints what episodes returned at the end."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", default="", help="where the weights go")
    arguments = parser.parse_args()

    env = VecMonitor(tarry.SB3VecEnv("tarry/Order-v0", 8, **CLUSTER))  # 8 environments, stepped in one call of Go
    env = VecNormalize(env, norm_obs=False)  # observations lie in 0..1 already; rewards do not
    model = PPO("MultiInputPolicy", env, n_steps=64, batch_size=128, gamma=0.99, seed=arguments.seed, device="cpu")
    model.learn(arguments.steps)
    returns = [episode["r"] for episode in model.ep_info_buffer]
    print(f"{model.num_timesteps} steps; mean return of the last {len(returns)} episodes {sum(returns) / len(returns):.3f}")
    if arguments.save:
        model.save(arguments.save)


if __name__ == "__main__":
    main()
