"""What a callback of Stable-Baselines3 sees, kept by Weights & Biases (offline) and by MLflow (in local files), while PPO trains on CartPole.

  PYTHONPATH=python/src build/learners/bin/python python/examples/trackers.py --tracker wandb --steps 20000 --out runs/trackers
  PYTHONPATH=python/src build/learners/bin/python python/examples/trackers.py --tracker mlflow --steps 20000 --out runs/trackers
"""

from __future__ import annotations

import argparse
import os
import pathlib
from collections.abc import Callable

import numpy as np
import tarry
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecMonitor

ENV = "classic/CartPole-v1"
Log = Callable[[dict[str, float], int], None]


class Track(BaseCallback):
    """Hands the mean return and length of the latest episodes to a tracker, after each rollout."""

    def __init__(self, log: Log) -> None:
        super().__init__()
        self._log = log

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        episodes = self.model.ep_info_buffer
        if episodes:
            self._log({"return": float(np.mean([e["r"] for e in episodes])), "length": float(np.mean([e["l"] for e in episodes]))}, self.num_timesteps)


def wandb(out: pathlib.Path, settings: dict[str, float]) -> tuple[Log, Callable[[], None]]:
    """A run of Weights & Biases that needs no account: `wandb sync` sends it later."""
    os.environ.setdefault("WANDB_SILENT", "true")
    import wandb

    run = wandb.init(project="tarry", mode="offline", dir=out, config={"env": ENV, **settings})
    return lambda numbers, step: run.log(numbers, step=step), run.finish


def mlflow(out: pathlib.Path, settings: dict[str, float]) -> tuple[Log, Callable[[], None]]:
    """A run of MLflow in a folder: `mlflow ui` shows it. mlflow-skinny is enough."""
    os.environ.setdefault("MLFLOW_ALLOW_FILE_STORE", "true")  # MLflow prefers a data base since 3.7
    import mlflow

    mlflow.set_tracking_uri((out / "mlruns").resolve().as_uri())
    mlflow.set_experiment("tarry")
    mlflow.start_run()
    mlflow.log_params({"env": ENV, **settings})
    return lambda numbers, step: mlflow.log_metrics(numbers, step=step), mlflow.end_run


def main() -> None:
    """Trains with one of the two."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tracker", choices=["wandb", "mlflow"], required=True)
    parser.add_argument("--steps", type=int, default=20000)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("runs/trackers"))
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)

    settings = {"n_steps": 32, "batch_size": 256, "n_epochs": 20, "learning_rate": 1e-3, "gamma": 0.98, "gae_lambda": 0.8}
    log, finish = {"wandb": wandb, "mlflow": mlflow}[arguments.tracker](arguments.out, settings)
    model = PPO("MlpPolicy", VecMonitor(tarry.SB3VecEnv(ENV, 8)), seed=1, device="cpu", **settings)
    model.learn(arguments.steps, callback=Track(log))
    finish()
    print(f"{model.num_timesteps} steps; {arguments.tracker} has them in {arguments.out}")


if __name__ == "__main__":
    main()
