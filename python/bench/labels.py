"""What delay timers of their own for each model gain with hindsight, beside as many labels that are drawn at random.

Each window has other jobs. One pair for all jobs is the best of ten; then one label after the other takes the pair that is best for the window. From the
root of a clone, after make build, with the number of windows (two seconds of a processor each):
  python3 python/bench/labels.py 20
"""

from __future__ import annotations

import csv
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

TARRY = os.environ.get("TARRY", "build/tarry")
LEASES = ("0", "6", "24", "inf")
PAIRS = [(rack, net) for rack in LEASES for net in LEASES if float(rack) <= float(net)]
# Student's quantiles of 0.975, by degrees of freedom
STUDENT = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 9: 2.262, 19: 2.093, 29: 2.045}


def means(jobs: pathlib.Path, policies: list[str]) -> list[float]:
    """Mean completion times of the policies."""
    of = [f"--policy={p}" for p in policies]
    on = ["--cluster", "ethernet:2x4x8", "--speed", "collective", "--cost", "checkpoint_s=5,restore_s=10"]
    ran = subprocess.run([TARRY, "compare", "--trace", f"csv:{jobs}", *on, *of, "--format", "json"], capture_output=True, text=True, check=True)
    return [json.loads(line)["jct_mean_s"] for line in ran.stdout.splitlines()]


def by_label(timers: dict[str, tuple[str, str]]) -> str:
    """Dally with fixed timers of each user."""
    return "dally-manual:timers_by=user,timers_of=" + "+".join(f"{name}:{rack}:{net}" for name, (rack, net) in timers.items())


def climb(jobs: pathlib.Path, labels: list[str], start: tuple[str, str], best: float) -> float:
    """The mean completion time after each label has taken its best pair."""
    timers = {name: start for name in labels}
    for name in labels:
        got = means(jobs, [by_label({**timers, name: pair}) for pair in PAIRS])
        if min(got) < best:
            best = min(got)
            timers[name] = PAIRS[got.index(best)]
    return best


def window(folder: pathlib.Path, seed: int) -> dict[str, float]:
    """Mean completion times of one window: Dally, one pair for all, one for each model, one for each random label."""
    raw = folder / "raw.csv"
    drawn = ["--trace", "synth:poisson,jobs=600,gpus=64,load=0.9", "--seed", str(seed), "--models", "paper", "--out", str(raw)]
    subprocess.run([TARRY, "trace", "convert", *drawn], capture_output=True, check=True)
    with raw.open() as file:
        rows = list(csv.DictReader(file))
    models = sorted({row["model"] for row in rows})
    rng = random.Random(seed)
    found = {}
    for kind in ("model", "random"):
        jobs = folder / f"{kind}.csv"
        for row in rows:
            row["user"] = row["model"] if kind == "model" else rng.choice(models)
        with jobs.open("w", newline="") as file:
            table = csv.DictWriter(file, list(rows[0]))
            table.writeheader()
            table.writerows(rows)
        if kind == "model":
            found["dally"] = means(jobs, ["dally"])[0]
            pairs = means(jobs, [f"dally-manual:t_rack={rack},t_net={net}" for rack, net in PAIRS])
            found["one pair"] = min(pairs)
            start = PAIRS[pairs.index(min(pairs))]
        found[kind] = climb(jobs, models, start, found["one pair"])
    return found


def main() -> None:
    count = int(sys.argv[1])
    if count - 1 not in STUDENT:
        sys.exit(f"{count} windows: expected one of {[n + 1 for n in STUDENT]}")
    with tempfile.TemporaryDirectory() as name:
        all_windows = [window(pathlib.Path(name), seed) for seed in range(1, count + 1)]
    for kind in ("one pair", "model", "random"):
        logs = [math.log(w[kind] / w["dally"]) for w in all_windows]
        mean, half = statistics.mean(logs), STUDENT[count - 1] * statistics.stdev(logs) / math.sqrt(count)
        low, mid, high = (100 * (math.exp(v) - 1) for v in (mean - half, mean, mean + half))
        print(f"{kind:10} {mid:6.1f} % of Dally's mean completion time [{low:.1f}, {high:.1f}], {count} windows")


if __name__ == "__main__":
    main()
