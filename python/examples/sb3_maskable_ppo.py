"""sb3-contrib's MaskablePPO chooses which running job gives its GPUs up: tarry/Preempt-v1, where most actions are illegal at most times.

  PYTHONPATH=python/src build/learners/bin/python python/examples/sb3_maskable_ppo.py --steps 20000
"""

from __future__ import annotations

import argparse

import tarry
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

CLUSTER = {"cluster": "2x2x8", "load": 0.9, "warm": 6, "horizon": 24}


def main() -> None:
    """Trains, and measures what was trained in pairs with schedulers, on windows of jobs that training did not see."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=20000)
    parser.add_argument("--windows", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    env = VecMonitor(tarry.SB3VecEnv("tarry/Preempt-v1", 8, **CLUSTER))  # its action_masks() is what MaskablePPO asks for
    env = VecNormalize(env, norm_obs=False, gamma=0.999)
    model = MaskablePPO("MultiInputPolicy", env, n_steps=64, batch_size=128, gamma=0.999, seed=arguments.seed, device="cpu")
    model.learn(arguments.steps)
    found = tarry.evaluate(model, "tarry/Preempt-v1", CLUSTER, count=arguments.windows, baselines=["dally", "fifo"])
    print(found)
    print(f"{model.num_timesteps} steps; Dally's mean completion time minus that of the policy: {found['dally']['jct_mean_diff_s']:+.0f} s")


if __name__ == "__main__":
    main()
