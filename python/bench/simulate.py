"""What a call of tarry.simulate costs beside the command: each way in turn, in each round; the least of each.

PYTHONPATH=python/src [ROUNDS=10] [TRACE=philly:philly.csv CLUSTER=nvlink-512] python python/bench/simulate.py, after make pytest
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import tempfile
import time
from collections.abc import Callable

import pandas
import tarry

COMMAND = pathlib.Path(__file__).resolve().parents[2] / "build" / "python" / "tarry"
ROUNDS = int(os.environ.get("ROUNDS", "10"))
RUN = {"trace": os.environ.get("TRACE", "synth:demo"), "cluster": os.environ.get("CLUSTER", "4x4x8"), "policy": os.environ.get("POLICY", "dally")}
FLAGS = [f"--{k}={v}" for k, v in RUN.items()]


def command(*more: str) -> None:
    """One run of the command."""
    subprocess.run([COMMAND, "simulate", *FLAGS, *more], check=True, capture_output=True)


def through_files() -> None:
    """The way without tarry.simulate: a folder of Parquet, read by pandas."""
    with tempfile.TemporaryDirectory() as folder:
        command("--out", f"{folder}/run")
        pandas.read_parquet(f"{folder}/run/jobs")


WAYS: dict[str, Callable[[], object]] = {
    "the command, which prints": command,
    "tarry.simulate(tables=())": lambda: tarry.simulate(**RUN, tables=()),
    "tarry.simulate(), tables not read": lambda: tarry.simulate(**RUN),
    "tarry.simulate().jobs": lambda: tarry.simulate(**RUN).jobs,
    'tarry.simulate().to_pandas("jobs")': lambda: tarry.simulate(**RUN).to_pandas("jobs"),
    "the command with --out, pandas.read_parquet of jobs": through_files,
}


def main() -> None:
    """Prints a table in milliseconds."""
    least = dict.fromkeys(WAYS, float("inf"))
    for _ in range(ROUNDS + 1):  # the first round loads what is loaded once
        for name, way in WAYS.items():
            began = time.perf_counter()
            way()
            least[name] = min(least[name], time.perf_counter() - began)
    print(f"{RUN}: {tarry.simulate(**RUN).jobs.num_rows} jobs, least of {ROUNDS + 1}")
    for name, seconds in least.items():
        print(f"| {name} | {1e3 * seconds:.1f} ms |")


if __name__ == "__main__":
    main()
