"""Schedulers that the tests of schedulers share; python:schedulers:NAME in the command."""

from __future__ import annotations

import numpy as np
import tarry


class Fifo(tarry.Policy):
    def decide(self, view: tarry.View) -> None:
        view.fill(view.waiting.job, stop=True)


class OneByOne(tarry.Policy):
    """Fifo without fill."""

    def decide(self, view: tarry.View) -> None:
        for job in view.waiting.job:
            if not view.start(job):
                return


class Sjf(tarry.Policy):
    knows = ("work",)

    def decide(self, view: tarry.View) -> None:
        waiting = view.waiting
        view.fill(waiting.job[np.lexsort((waiting.job, waiting.work_us / waiting.width))])


class Srtf(tarry.Policy):
    knows = "work"

    def __init__(self, place: str = "any") -> None:
        self.place = place

    def decide(self, view: tarry.View) -> None:
        job, left, width = (np.concatenate([getattr(t, c) for t in (view.waiting, view.running)]) for c in ("job", "left_us", "width"))
        view.rebuild(job[np.lexsort((job, left / width))], place=self.place)


class Aged(tarry.Policy):
    """The scheduler of examples/outside: order of arrival, wide jobs later."""

    def __init__(self, penalty_s: float = 0.0) -> None:
        self.penalty_s = penalty_s

    def decide(self, view: tarry.View) -> None:
        waiting = view.waiting
        view.fill(waiting.job[np.lexsort((waiting.job, waiting.submit_s + self.penalty_s * waiting.gpus))])
