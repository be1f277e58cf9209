"""A suite for schedulers of Python: what every scheduler must hold, on random workloads."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tarry._checked import shown
from tarry._own import Own, own
from tarry.errors import OptionError
from tarry.policy import Policy
from tarry.result import Result
from tarry.running import simulate
from tarry.view import View

CLUSTERS = ("1x1x4", "1x2x4", "2x2x4", "2x3x2")
COSTS = {"checkpoint_s": 20, "restore_s": 40, "checkpoint_every_s": 600}
# Scenarios in turn: how fast jobs are, what preemptions cost, whether machines fail.
SCENARIOS: tuple[dict[str, Any], ...] = (
    {"speed": "counting"},
    {"speed": "counting", "costs": COSTS},
    {"costs": COSTS},
    {"speed": "counting", "costs": COSTS, "faults": {"machine_mtbf_s": 20000, "machine_mttr_s": 900}},
)
ROW = ("job", "start_s", "end_s", "gpu_list", "share_milli", "reason")  # of an allocation
FUTURE = ("work", "estimate", "progress")  # with these, a scheduler may read what is still to come


class PolicyError(AssertionError):
    """A scheduler that breaks a law of check_policy; the text has the law, the workload and the first difference."""


@dataclass
class Checked:
    """What check_policy did: workloads, decisions of all runs, and the laws that held, with how often each was tried."""

    name: str
    workloads: int = 0
    decisions: int = 0
    laws: dict[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        """One line."""
        laws = ", ".join(f"{law} {n}" for law, n in self.laws.items())
        return f"{self.name}: {self.workloads} workloads, {self.decisions} decisions; laws held: {laws}"


def check_policy(policy: Any, *, workloads: int = 20, jobs: int = 25, seed: int = 1) -> Checked:
    """Tries a scheduler on random workloads, with every check of the simulator on, and gives a summary; the first broken law is a PolicyError.

    policy is a tarry.Policy, its class, or python:MODULE:CLASS. The laws: all jobs end; a second run decides the same (repeats), so does a run beside
    another one (alone), and a run whose object is replaced by its deep copy at some decisions (copies), as snapshots do; what no scheduler may see,
    the work of jobs that have not ended, changes no decision before it shows (future), unless its permissions (knows) include work, estimate or progress.

    Raises: PolicyError for a broken law; DecisionError and what the scheduler raises, as they are.

    Example:
        import tarry
        import tarry.testing

        class Fifo(tarry.Policy):
            def decide(self, view):
                view.fill(view.waiting.job, stop=True)

        print(tarry.testing.check_policy(Fifo, workloads=4))
    """
    for key, value in {"workloads": workloads, "jobs": jobs}.items():
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise OptionError(f"{key} is {shown(value)}, expected a whole number of at least 1")
    tried = _Tried(own(policy))
    for number in range(workloads):
        tried.workload(number, np.random.default_rng([seed, number]), jobs)
    return tried.found


class _Watched(Policy):
    """A scheduler with its decisions counted, replaced by its deep copy at some of them."""

    def __init__(self, of: Own, count: list[int], draws: np.random.Generator | None) -> None:
        self.knows, self.name = of.knows, of.name.split(":")[0]
        self._inner, self._count, self._draws = of.make(), count, draws

    def __deepcopy__(self, memo: dict[int, Any]) -> _Watched:
        twin = copy.copy(self)
        twin._inner = copy.deepcopy(self._inner, memo)
        return twin

    def decide(self, view: View) -> None:
        """Decides as the scheduler does."""
        self._count[0] += 1
        if self._draws is not None and self._draws.random() < 0.3:
            try:
                self._inner = copy.deepcopy(self._inner)
            except Exception as err:
                raise PolicyError(f"{self.name}: copy.deepcopy of the object fails, which runs from a snapshot need: {err!r}; expected no views or arrays of views kept") from err
        self._inner.decide(view)


class _Tried:
    def __init__(self, of: Own) -> None:
        self.of = of
        self.found = Checked(of.name)

    def workload(self, number: int, draws: np.random.Generator, jobs: int) -> None:
        """All laws on one workload."""
        cluster = CLUSTERS[int(draws.integers(len(CLUSTERS)))]
        self.settings = {"cluster": cluster, "seed": number + 1, **SCENARIOS[number % len(SCENARIOS)]}
        self.trace = _jobs(draws, jobs, cluster)
        self.where = f"workload {number}, cluster {cluster}, {jobs} jobs, {SCENARIOS[number % len(SCENARIOS)]}"
        run = self.run(self.trace)
        first = _rows(run)
        self.found.workloads += 1
        if left := int(run.rows[0]["unfinished"]):
            waits = [row["job"] for row in run.jobs.to_pylist() if row["outcome"] == "unfinished"]
            self.broken("ends", f"{left} jobs never end, such as {waits[0]}: no decision was made or asked for any more (view.wake_at asks for one)")
        self.held("ends")
        self.same("repeats", first, _rows(self.run(self.trace)), "the same run again")
        self.run(_jobs(np.random.default_rng(number), 5, cluster))
        self.same("alone", first, _rows(self.run(self.trace)), "after a run of other jobs, which shares no object with it")
        self.same("copies", first, _rows(self.run(self.trace, draws)), "with the object replaced by its deep copy at some decisions")
        if not set(self.of.knows) & set(FUTURE):
            self.future(first, draws)

    def future(self, first: list[tuple[Any, ...]], draws: np.random.Generator) -> None:
        """Jobs that have not ended at an instant get more work: until then nothing changes."""
        ends: dict[str, float] = {}
        for job, _, end, *_ in first:
            ends[job] = max(end, ends.get(job, 0.0))
        until = float(np.quantile(list(ends.values()), draws.uniform(0.1, 0.9)))
        more = [work * float(draws.uniform(1.5, 4.0)) if ends.get(str(j), np.inf) > until else work for j, work in enumerate(self.trace["work_s"])]
        other = _rows(self.run({**self.trace, "work_s": more}))
        cut = [[(job, start, min(end, until), *((gpus, share, reason) if end < until else (gpus, share))) for job, start, end, gpus, share, reason in rows if start < until] for rows in (first, other)]
        self.same("future", cut[0], cut[1], f"with more work in the jobs that have not ended at {until:.0f} s, compared until then")

    def run(self, trace: dict[str, list[Any]], draws: np.random.Generator | None = None) -> Result:
        """One run, whose decisions are counted."""
        count = [0]
        made = _Watched(self.of, count, draws)
        try:
            return simulate(trace=trace, policy=made, tables=["trials", "jobs", "intervals"], **self.settings)
        except Exception as err:
            if hasattr(err, "add_note"):
                err.add_note(self.where)
            raise
        finally:
            self.found.decisions += count[0]

    def same(self, law: str, one: list[Any], two: list[Any], what: str) -> None:
        """Compares the allocations of two runs."""
        for a, b in zip(one, two, strict=False):
            if a != b:
                self.broken(law, f"{what}: the allocation {_said(b)}, before {_said(a)}")
        if len(one) != len(two):
            longer = one if len(one) > len(two) else two
            self.broken(law, f"{what}: {len(two)} allocations, before {len(one)}; the first beyond: {_said(longer[min(len(one), len(two))])}")
        self.held(law)

    def held(self, law: str) -> None:
        self.found.laws[law] = self.found.laws.get(law, 0) + 1

    def broken(self, law: str, what: str) -> None:
        raise PolicyError(f"{self.of.name}: {law}: {what} ({self.where})")


def _rows(run: Result) -> list[tuple[Any, ...]]:
    """The allocations of a run in order."""
    table = run.tables["intervals"].select(list(ROW)).to_pylist()
    return sorted((tuple(row[name] for name in ROW) for row in table), key=lambda row: (row[1], row[0], row[2]))


def _said(row: tuple[Any, ...]) -> str:
    return f"of job {row[0]} from {row[1]:g} s to {row[2]:g} s on GPUs {row[3]}"


def _jobs(draws: np.random.Generator, n: int, cluster: str) -> dict[str, list[Any]]:
    """Jobs with ties in submits, sizes and works, which overload the cluster for a while."""
    gpus = int(np.prod([int(part) for part in cluster.split("x")]))
    sizes = [g for g in (1, 1, 2, 3, 4, 8, 16) if g <= gpus]
    work = np.round(draws.lognormal(6.0, 1.2, n), -1) + 10
    wide = draws.choice(sizes, n)
    return {
        "submit_s": np.round(np.cumsum(draws.exponential(float((work * wide).mean()) / gpus, n)), -2).tolist(),
        "gpus": wide.tolist(),
        "work_s": (work * wide).tolist(),
        "user": [f"u{u}" for u in draws.integers(4, size=n)],
    }
