"""What a decision of a scheduler in Python costs beside the policy's own time: python python/bench/scheduler.py

The median time from the end of one decide to the begin of the next, the simulator's own work included, while so many jobs wait; then the
median time of reading three columns, and of one start that finds no place. Microseconds.
"""

from __future__ import annotations

import statistics
import time

import pandas
import tarry

DECISIONS = 3000


class Idle(tarry.Policy):
    """Starts nothing, and asks for a decision each second once all jobs wait."""

    def __init__(self, jobs: int, reads: bool, tries: bool) -> None:
        self.jobs, self.reads, self.tries = jobs, reads, tries

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
        ended[0] = time.perf_counter()


between: list[float] = []
inside: list[float] = []
ended = [0.0]


def main() -> None:
    print("waiting,between_us,columns_us,start_us")
    for n in (100, 10_000):
        jobs = pandas.DataFrame({"submit_s": [0.001 * i for i in range(n)], "gpus": 8, "work_s": 3600.0})
        jobs = pandas.concat([pandas.DataFrame({"submit_s": [0.0], "gpus": [8], "work_s": [8e9]}), jobs], ignore_index=True)
        row = []
        for reads, tries in ((False, False), (True, False), (False, True)):
            between.clear()
            inside.clear()
            tarry.simulate(trace=jobs, cluster="1x1x8", policy=Idle(n, reads, tries))
            row.append(between if not reads and not tries else inside)
        print(n, *(f"{1e6 * statistics.median(x):.1f}" for x in row), sep=",", flush=True)


if __name__ == "__main__":
    main()
