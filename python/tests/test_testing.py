"""The suite for schedulers passes good ones and finds each kind of bad one."""

from __future__ import annotations

import random
from typing import Any, ClassVar

import numpy as np
import pytest
import schedulers
import tarry
from tarry.errors import DecisionError, OptionError
from tarry.testing import PolicyError, check_policy


class Tossed(schedulers.Fifo):
    """Decides by a generator of its own that no seed sets."""

    def decide(self, view: tarry.View) -> None:
        view.fill(np.random.default_rng().permutation(view.waiting.job.copy()))


class Leaky(tarry.Policy):
    """Remembers users from one run to the next."""

    served: ClassVar[dict[str, int]] = {}

    def decide(self, view: tarry.View) -> None:
        users = [view.waiting.user[i] for i in range(len(view.waiting))]
        for job in view.fill(view.waiting.job[np.argsort([self.served.get(u, 0) for u in users], kind="stable")]):
            user = view.jobs(job).user[0]
            self.served[user] = self.served.get(user, 0) + 1


class Keeps(schedulers.Fifo):
    """Keeps what cannot be copied."""

    def decide(self, view: tarry.View) -> None:
        self.lines = (line for line in ())
        super().decide(view)


class Forgets(tarry.Policy):
    """Loses what it has counted when it is copied."""

    def __init__(self) -> None:
        self.seen = 0

    def __deepcopy__(self, memo: dict[int, Any]) -> Forgets:
        return Forgets()

    def decide(self, view: tarry.View) -> None:
        self.seen += 1
        view.fill(view.waiting.job[:: 1 if self.seen % 2 else -1])


class Idle(tarry.Policy):
    """Starts every job but the last."""

    def decide(self, view: tarry.View) -> None:
        view.fill([job for job in view.waiting.job if job != view.num_jobs - 1])


class Cheats(tarry.Policy):
    """Reads the work of jobs where it may not: from the arguments of the call."""

    def decide(self, view: tarry.View) -> None:
        import inspect

        trace = next(frame.frame.f_locals["trace"] for frame in inspect.stack() if frame.function == "run" and "trace" in frame.frame.f_locals)
        view.fill(sorted(view.waiting.job, key=lambda job: trace["work_s"][int(view.jobs(job).id[0])]))


class Wrong(tarry.Policy):
    def decide(self, view: tarry.View) -> None:
        for job in view.waiting.job:
            view.start(job, gpus=np.arange(view.jobs(job).gpus[0]))


@pytest.mark.parametrize("policy", [schedulers.Fifo, schedulers.Srtf, schedulers.Aged(60.0), "python:schedulers:Sjf"])
def test_good(policy: Any) -> None:
    found = check_policy(policy, workloads=4)
    assert found.workloads == 4 and found.decisions > 400 and found.laws["copies"] == 4
    assert ("future" in found.laws) == (policy in (schedulers.Fifo,) or isinstance(policy, schedulers.Aged))
    assert "laws held: ends 4, repeats 4" in str(found)


@pytest.mark.parametrize(
    ("policy", "law"),
    [(Tossed, "repeats: the same run again: "), (Leaky, "repeats|alone"), (Keeps, "copy.deepcopy of the object fails"), (Forgets, "copies: "), (Idle, "ends: 1 jobs never end, such as 24"), (Cheats, "future: ")],
)
def test_bad(policy: Any, law: str) -> None:
    random.seed(1)
    with pytest.raises(PolicyError, match=law):
        check_policy(policy, workloads=8)


def test_errors_pass_through() -> None:
    with pytest.raises(DecisionError) as found:
        check_policy(Wrong)
    assert any("workload 0, cluster" in note for note in found.value.__notes__)
    with pytest.raises(OptionError, match="workloads is 0"):
        check_policy(schedulers.Fifo, workloads=0)
