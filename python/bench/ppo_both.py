"""Stable-Baselines3's PPO on tarry's environments: CartPole to 475, and MaskablePPO beside tarry's PPO on tarry/Preempt-v0 with the same settings.

  make learners build
  export PYTHONPATH=python/src
  build/learners/bin/python python/bench/ppo_both.py cartpole --seeds 1-5
  build/learners/bin/python python/bench/ppo_both.py sb3 --seeds 1-10
  build/learners/bin/python python/bench/ppo_both.py ours --seeds 1-10
  build/learners/bin/python python/bench/ppo_both.py measure --seeds 1-10   # writes ppo_both.csv, from which ppo_both_table.py makes the table
"""

from __future__ import annotations

import argparse
import pathlib
import shlex
import subprocess
import time

import numpy as np
import tarry
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3 import PPO
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize
from timed import Clock, TimedBuffer

CSV = pathlib.Path(__file__).with_suffix(".csv")
ENV, STEPS, ENVS, ROLLOUT, RATE = "tarry/Preempt-v0", 65536, 8, 128, 3e-4
# What tarry's PPO is given beside its defaults for ENV: an ordinary network over the whole observation, values not clipped, and no choice among checkpoints, as SB3's has.
OURS = {"total_steps": STEPS, "envs": ENVS, "steps": ROLLOUT, "encoder": "mlp", "clip_value": "false", "validate_every": 0}


def learner(seed: int) -> MaskablePPO:
    """MaskablePPO before its first step."""
    torch.manual_seed(seed)
    env = tarry.SB3VecEnv(ENV, ENVS)
    env.seed(1_000_003 * seed)
    updates = STEPS // (ENVS * ROLLOUT)
    scaled = VecNormalize(VecMonitor(env), norm_obs=False, norm_reward=True, gamma=0.99**0.1)  # a step takes a tenth of a lease, about
    return MaskablePPO(
        "MultiInputPolicy", scaled, seed=seed, device="cpu", n_steps=ROLLOUT, batch_size=ENVS * ROLLOUT // 8, n_epochs=6,
        learning_rate=lambda left: RATE * (left + 1 / updates),  # SB3 asks after the rollout, CleanRL and tarry before it
        gamma=0.99, gae_lambda=0.95, clip_range=0.2, ent_coef=0.0, max_grad_norm=0.5,
        vf_coef=0.25,  # of the squared error; tarry's 0.5 is of half of it
        policy_kwargs={"net_arch": {"pi": [64, 64], "vf": [64, 64]}, "optimizer_kwargs": {"eps": 1e-5}},
        rollout_buffer_class=TimedBuffer,
    )  # fmt: skip


def sb3(seed: int, out: pathlib.Path) -> None:
    """Trains MaskablePPO and keeps its weights."""
    model = learner(seed)
    start = time.perf_counter()
    model.learn(STEPS, callback=Clock())
    took = time.perf_counter() - start
    model.save(out / "sb3" / str(seed))
    last = np.mean([e["r"] for e in model.ep_info_buffer])
    print(f"sb3 seed {seed}: {STEPS} steps in {took:.0f} s, {STEPS / took:.0f} steps/s; return of the last {len(model.ep_info_buffer)} episodes {last:.3f}", flush=True)


def ours(seed: int, out: pathlib.Path) -> None:
    """Trains tarry's PPO with the command."""
    command = ["build/tarry", "train", "--env", ENV, "--agent", "ppo", "--seed", str(seed), "--jobs", "1", "--out", str(out / "tarry" / str(seed))]
    for key, value in OURS.items():
        command += ["--set", f"{key}={value}"]
    print("+", shlex.join(command), flush=True)
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    took = time.perf_counter() - start
    print(f"tarry seed {seed}: {STEPS} steps in {took:.0f} s, {STEPS / took:.0f} steps/s", flush=True)


def measure(seeds: list[int], out: pathlib.Path, windows: int) -> None:
    """Measures all of them frozen, and three before training, in pairs with Dally on the same test windows; keeps a row per policy and window."""
    models = {f"sb3 {seed}": MaskablePPO.load(out / "sb3" / str(seed), device="cpu") for seed in seeds}
    models |= {f"untrained {seed}": learner(seed) for seed in seeds[:3]}
    checkpoints = [out / "tarry" / str(seed) for seed in seeds]
    found = tarry.evaluate(models, ENV, count=windows, checkpoints=checkpoints, which="last", baselines=["dally"])
    print(found)
    rows = found.to_pandas()
    first = rows["policy"].str.split(" ").str
    rows["learner"] = ["tarry" if name.startswith("ppo") else name for name in first[0]]
    rows["train_seed"] = [int(named) if isinstance(named, str) else seed for named, seed in zip(first[1], rows["train_seed"], strict=True)]
    columns = {"learner": "learner", "train_seed": "seed", "replicate": "window", "jct_mean_s": "jct_mean_s", "preemptions": "preemptions"}
    rows[list(columns)].rename(columns=columns).to_csv(CSV, index=False, float_format="%.3f")


def cartpole(seed: int, out: pathlib.Path) -> None:
    """Trains SB3's PPO on classic/CartPole-v1 until 100 episodes of the frozen policy have a mean of 475, looking every 10 000 steps."""
    env, test = (VecMonitor(tarry.SB3VecEnv("classic/CartPole-v1", n)) for n in (8, 10))
    env.seed(1_000_003 * seed)
    test.seed(7)
    model = PPO("MlpPolicy", env, seed=seed, device="cpu", n_steps=32, batch_size=256, n_epochs=20, learning_rate=1e-3, gamma=0.98, gae_lambda=0.8)
    start, took = time.perf_counter(), 0.0
    for _ in range(10):
        began = time.perf_counter()
        model.learn(10_000, reset_num_timesteps=False)
        took += time.perf_counter() - began
        mean, _ = evaluate_policy(model, test, 100)
        print(f"cartpole seed {seed}: {model.num_timesteps} steps, {took:.0f} s of learning, {time.perf_counter() - start:.0f} s in all: mean of 100 episodes {mean:.1f}", flush=True)
        if mean >= 475:
            break
    model.save(out / "cartpole" / str(seed))


def main() -> None:
    """Does one of the four for some seeds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["sb3", "ours", "measure", "cartpole"])
    parser.add_argument("--seeds", default="1-10")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("runs/both"))
    parser.add_argument("--windows", type=int, default=40)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    first, _, last = arguments.seeds.partition("-")
    seeds = list(range(int(first), int(last or first) + 1))
    if arguments.what == "measure":
        measure(seeds, arguments.out, arguments.windows)
        return
    for seed in seeds:
        {"sb3": sb3, "ours": ours, "cartpole": cartpole}[arguments.what](seed, arguments.out)


if __name__ == "__main__":
    main()
