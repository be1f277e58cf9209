"""The table of docs/howto/python.md about two PPOs, from ppo_both.csv: means with intervals over training seeds and windows, in pairs.

  build/venv/bin/python python/bench/ppo_both_table.py
"""

from __future__ import annotations

import pathlib

import numpy as np
import pandas

CSV = pathlib.Path(__file__).with_name("ppo_both.csv")


def matrix(rows: pandas.DataFrame, learner: str, value: str = "jct_mean_s") -> np.ndarray:
    """A row for each training seed, a column for each window."""
    return rows[rows.learner == learner].pivot(index="seed", columns="window", values=value).to_numpy()


def interval(a: np.ndarray, b: np.ndarray, draws: int = 10_000) -> tuple[float, float, float]:
    """The mean of a minus the mean of b, and its 95 % interval: seeds of each are drawn anew, and windows, the same for both (Owen, 2007)."""
    rng = np.random.default_rng(1)
    found = np.empty(draws)
    for k in range(draws):
        windows = rng.integers(0, a.shape[1], a.shape[1])
        means = [m[rng.integers(0, len(m), len(m))].mean(axis=0)[windows].mean() for m in (a, b)]
        found[k] = means[0] - means[1]
    return float(a.mean() - b.mean()), *map(float, np.quantile(found, [0.025, 0.975]))


def table(rows: pandas.DataFrame) -> list[str]:
    """Lines of Markdown."""
    ours = matrix(rows, "tarry")
    lines = ["| policy | mean completion time (s) | least and most of a seed | preemptions per window | minus tarry's PPO (s) |", "|---|---|---|---|---|"]
    for name, learner in (("tarry's PPO, 10 seeds", "tarry"), ("MaskablePPO, 10 seeds", "sb3"), ("MaskablePPO before training, 3 seeds", "untrained"), ("`dally`", "dally")):
        times = matrix(rows, learner)
        seeds = times.mean(axis=1)
        least = "-" if len(seeds) == 1 else f"{seeds.min():.0f}, {seeds.max():.0f}"
        difference = "-" if learner == "tarry" else "{:+.0f} [{:+.0f}, {:+.0f}]".format(*interval(times, ours))
        lines.append(f"| {name} | {times.mean():.0f} | {least} | {matrix(rows, learner, 'preemptions').mean():.0f} | {difference} |")
    return lines


if __name__ == "__main__":
    print("\n".join(table(pandas.read_csv(CSV))))
