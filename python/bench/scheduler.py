"""What a decision of a scheduler in Python costs beside the policy's own time: python python/bench/scheduler.py

The median time from the end of one decide to the begin of the next, the simulator's own work included, while so many jobs wait; then the
median time of reading three columns, and of one start that finds no place. Microseconds. Then the same of python:scheduler:Idle, which the
command runs in a process of its own: TARRY names the command.
"""

from __future__ import annotations

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import pandas
import tarry

DECISIONS = 3000


class Idle(tarry.Policy):
    """Starts nothing, and asks for a decision each second once all jobs wait."""

    def __init__(self, jobs: int, reads: bool, tries: bool, prints: bool = False) -> None:
        self.jobs, self.reads, self.tries, self.prints = jobs, reads, tries, prints

    def decide(self, view: tarry.View) -> None:
        began = time.perf_counter()
        if len(view.waiting) >= self.jobs:
            between.append(began - ended[0])
            at = time.perf_counter()
            if self.reads:
                _ = view.waiting.job, view.waiting.gpus, view.waiting.submit_s
            if self.tries:
                view.start(view.waiting.job[0])
            inside.append(time.perf_counter() - at)
            if len(between) < DECISIONS:
                view.wake_at(view.now_s + 1)
            elif self.prints:
                print(f"median_us {1e6 * statistics.median(inside if self.reads or self.tries else between):.1f}")
                self.prints = False
        ended[0] = time.perf_counter()


between: list[float] = []
inside: list[float] = []
ended = [0.0]


def apart(jobs: pandas.DataFrame, reads: bool, tries: bool) -> str:
    """The median in the process that the command starts."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "jobs.csv"
        jobs.to_csv(path, index=False)
        policy = f"python:scheduler:Idle,jobs={len(jobs) - 1},reads={reads},tries={tries},prints=true".lower().replace("idle", "Idle")
        path_of = os.pathsep.join([str(pathlib.Path(__file__).parent), *(p for p in sys.path if p)])
        words = [os.environ.get("TARRY", "build/tarry"), "simulate", "--trace", f"csv:{path}", "--cluster", "1x1x8", "--policy", policy]
        done = subprocess.run(words, env={**os.environ, "TARRY_PYTHON": sys.executable, "PYTHONPATH": path_of}, capture_output=True, text=True, check=False)
    found = [line.split()[1] for line in done.stderr.splitlines() if line.startswith("median_us ")]
    if done.returncode or len(found) != 1:
        raise SystemExit(done.stderr)
    return found[0]


def main() -> None:
    print("where,waiting,between_us,columns_us,start_us")
    for n in (100, 10_000):
        waiting = pandas.DataFrame({"submit_s": [0.001 * i for i in range(n)], "gpus": 8, "work_s": 3600.0})
        jobs = pandas.concat([pandas.DataFrame({"submit_s": [0.0], "gpus": [8], "work_s": [8e9]}), waiting], ignore_index=True)
        row, pipe = [], []
        for reads, tries in ((False, False), (True, False), (False, True)):
            between.clear()
            inside.clear()
            tarry.simulate(trace=jobs, cluster="1x1x8", policy=Idle(n, reads, tries))
            row.append(f"{1e6 * statistics.median(inside if reads or tries else between):.1f}")
            pipe.append(apart(jobs, reads, tries))
        print("here", n, *row, sep=",")
        print("apart", n, *pipe, sep=",", flush=True)


if __name__ == "__main__":
    main()
