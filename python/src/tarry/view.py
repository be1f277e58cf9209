"""What a scheduler sees and decides at one instant."""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tarry import _link
from tarry._checked import shown
from tarry._link import FIXED, Link
from tarry._table import Whole
from tarry.errors import OptionError, UndeclaredError
from tarry.jobs import Jobs

EVENTS = ("finish", "drained", "out-of-memory", "expire", "cross", "ready", "shift", "timer", "fail", "repair", "load",
          "arrive")
MACHINE_STATES = ("on", "stopping", "off", "booting")
PLACES = ("any", "consolidate", "lowest", "emptiest", "fragments", "machine", "rack")
NEVER = 2**63 - 1
LONGEST_US = NEVER // 4
START, PREEMPT, MIGRATE, RESIZE, RENEW, TUNE, WAKE_AT, WATCH, CORDON, UNCORDON, LIFT, REJECT, POWER_OFF, \
    POWER_ON = range(14)
KNOBS = ("share_milli", "freq_frac", "batch", "accum_steps", "cpu_milli", "mem_mib", "gpu_mib", "link_weight", "copy_frac", "instance", "delay_s")
UNSET: tuple[Any, ...] = (0, 0.0, 0.0, 0, 0, 0, 0, 0.0, 0.0, 0, 0)
REALS = (1, 2, 7, 8)  # of KNOBS
NAMED = -1  # in place of the number of a rule: the GPUs are listed


class Event(NamedTuple):
    """Something that happened at the instant of a decision: finish, drained, out-of-memory, expire, cross, ready, shift, timer, fail, repair
    or arrive."""

    kind: str
    job: int
    key: int


class Speed(NamedTuple):
    """How fast a job runs: seconds of one reference GPU per second, and the part of the time spent computing."""

    rate: float
    compute_frac: float


class Prices(NamedTuple):
    """The price of energy per kWh, its carbon intensity in g/kWh and the power cap in W; nan where the run states none."""

    price: float
    carbon: float
    cap_w: float


class Rebuilt(NamedTuple):
    """What rebuild decided: the jobs that start and the jobs that give their GPUs up."""

    started: Whole
    preempted: Whole


class Cluster:
    """The cluster, which stays the same during a run."""

    def __init__(self, d: dict[str, Any]) -> None:
        self.gpus: int = d["gpus"]
        self.machines: int = d["machines"]
        self.racks: int = d["racks"]
        self.types: list[str] = d["types"]
        self.machine_gpus: Whole = np.array(d["machine_gpus"], np.int64)
        self.machine_rack: Whole = np.array(d["machine_rack"], np.int64)
        self.machine_type: Whole = np.array(d["machine_type"], np.int64)
        self.gpu_machine: Whole = np.repeat(np.arange(self.machines), self.machine_gpus)
        self.coupled: bool = d["coupled"]
        self.progressive: bool = d["progressive"]


def _us(seconds: float, what: str) -> int:
    """Microseconds, as the simulator rounds."""
    value = float(seconds)
    if math.isnan(value):
        raise OptionError(f"{what} is {shown(seconds)}, expected seconds")
    if math.isinf(value):
        return NEVER if value > 0 else -LONGEST_US
    return max(-LONGEST_US, min(LONGEST_US, round(value * 1e6)))


def _knobs(given: dict[str, Any]) -> tuple[Any, ...]:
    wrong = [key for key in given if key not in KNOBS]
    if wrong:
        raise OptionError(f"{', '.join(wrong)}: unknown, expected some of {', '.join(KNOBS)}")
    out = list(UNSET)
    for key, value in given.items():
        i = KNOBS.index(key)
        out[i] = float(value) if i in REALS else _us(value, key) if key == "delay_s" else operator.index(value)
    return tuple(out)


def _rule(place: str) -> int:
    if place not in PLACES:
        raise OptionError(f"place is {shown(place)}, expected one of {', '.join(PLACES)}")
    return PLACES.index(place)


class View:
    """What a scheduler sees at one instant, and how it decides. It serves while decide runs.

    Jobs are named by their numbers, the column job. waiting and running are the state at the begin of the instant; free and places follow
    what has been decided. A decision that breaks a rule raises DecisionError with the job and the reason, at the call or when all are carried out.

    Raises: DecisionError for a wrong decision; UndeclaredError for what the policy did not declare; OptionError for a wrong argument.

    Example:
        import tarry

        class Careful(tarry.Policy):
            def decide(self, view):
                for job in view.waiting.job:
                    if not view.start(job, place="consolidate"):
                        break  # the first that finds no place blocks the others

        print(tarry.simulate(trace="synth:demo", cluster="4x4x8", policy=Careful))
    """

    def __init__(self, link: Link) -> None:
        self._link = link
        self._cluster: Cluster | None = None
        self._lines: list[tuple[int, str, int]] = []

    def _begin(self) -> None:
        link = self._link
        link.begin()
        self.waiting = Jobs(link, 0)
        self.running = Jobs(link, 1)
        self._events: list[Event] | None = None
        self._lines.clear()

    def _end(self) -> None:
        self._link.open = False

    @property
    def now_s(self) -> float:
        """The present instant, s."""
        return self._link.head[0] / 1e6

    @property
    def now_us(self) -> int:
        """The present instant, microseconds."""
        return self._link.head[0]

    @property
    def draining(self) -> int:
        """Number of preempted jobs that still write their checkpoint; their GPUs become free by themselves."""
        return self._link.head[3]

    @property
    def usable(self) -> int:
        """GPUs that are not down."""
        return self._link.head[5]

    @property
    def num_jobs(self) -> int:
        """Jobs of the run, come or not: numbers of jobs are below it."""
        return self._link.head[7]

    @property
    def events(self) -> list[Event]:
        """What happened at this instant, in order."""
        if self._events is None:
            n = self._link.call(_link.EVENTS)
            flat = self._link.taken(n).tolist()
            self._events = [Event(EVENTS[flat[i]], flat[i + 1], flat[i + 2]) for i in range(0, n, 3)]
        return self._events

    @property
    def cluster(self) -> Cluster:
        """GPUs, machines and racks."""
        if self._cluster is None:
            self._cluster = Cluster(self._link.json(_link.DESCRIBE))
        return self._cluster

    def jobs(self, numbers: Any) -> Jobs:
        """Columns of jobs by their numbers."""
        return Jobs(self._link, 0, np.array(numbers, np.int64, ndmin=1))

    @property
    def free(self) -> Whole:
        """Free GPUs by machine, as decided so far."""
        return self._free(1)

    @property
    def free_by_rack(self) -> Whole:
        """Free GPUs by rack, as decided so far."""
        return self._free(2)

    def _free(self, level: int) -> Whole:
        self._link.at[2] = level
        return self._link.taken(self._link.call(_link.FREE))

    @property
    def in_use_milli(self) -> Whole:
        """What is in use of each GPU at the begin of the instant, thousandths; -1 = it is down or cordoned."""
        return self._link.taken(self._link.call(_link.SHARES))

    @property
    def machine_state(self) -> Whole:
        """State of each machine at the begin of the instant: 0 on, 1 stopping, 2 off, 3 booting."""
        return self._machines()[: self.cluster.machines]

    @property
    def ready_at_s(self) -> Any:
        """Instant at which the boot of each machine ends, s; inf where it does not boot."""
        at = self._machines()[self.cluster.machines :]
        return np.where(at == NEVER, math.inf, at / 1e6)

    def _machines(self) -> Whole:
        return self._link.taken(self._link.call(_link.MACHINES))

    @property
    def watts(self) -> float:
        """What the cluster draws now, W; nan where the run states no power."""
        self._prices(self.now_us)
        return float(self._link.numbers[5])

    def prices(self, at_s: float | None = None) -> Prices:
        """Price, carbon intensity and cap now, or at an instant; one to come needs a declaration (knows = ("series",)).

        They are steps: the event shift states that one has changed.
        """
        at = self.now_us if at_s is None else _us(at_s, "at_s")
        if at > self.now_us:
            self._needs("prices to come", "series")
        self._prices(at)
        return Prices(*self._link.numbers[2:5].tolist())

    def _prices(self, at: int) -> None:
        self._link.at[2] = at
        self._link.call(_link.PRICES)

    def held(self, job: int) -> Whole:
        """GPUs that a job holds, ascending."""
        self._link.at[2] = operator.index(job)
        return self._link.taken(self._link.call(_link.HELD))

    @property
    def history_s(self) -> Any:
        """Work of earlier jobs, ascending, s; needs a declaration (knows = ("history",))."""
        self._needs("history_s", "history")
        return self._link.taken(self._link.call(_link.HISTORY)) / 1e6

    def _needs(self, name: str, permission: str) -> None:
        if permission not in self._link.opens:
            declared = ", ".join(repr(one) for one in (*self._link.knows, permission))
            raise UndeclaredError(f"{name} is not declared by {self._link.policy}, expected knows = ({declared},) in the class: a table then states that the policy reads it")

    def place(self, job: int, place: str = "any", gpus: int = 0) -> Whole | None:
        """GPUs that a rule would give a job now, or as many GPUs as gpus states; None where there is no place. Nothing is decided.

        The rules: any, the finest unit that has the GPUs; consolidate and lowest, one machine or wholly free ones; emptiest; fragments; machine and rack,
        any place within one.
        """
        at = self._link.at
        at[2], at[3], at[4] = operator.index(job), _rule(place), operator.index(gpus)
        n = self._link.call(_link.PLACE)
        return None if n < 0 else self._link.taken(n)

    def predict(self, job: int, gpus: Any, *, fresh: bool = False, alone: bool = False, idle: bool = False, mate: int | None = None, mate_gpus: Any = (), **knobs: Any) -> Speed:
        """Speed of a job on GPUs, beside the jobs that are there now; needs a declaration (knows = ("speed",)).

        fresh asks as of a start, alone leaves the other jobs on these GPUs out, idle all other jobs; mate on mate_gpus is one more job beside. Knobs are as of start.
        A rate of 0 states that the speed model has no answer.
        """
        self._needs("predict", "speed")
        link = self._link
        own, others = np.sort(np.asarray(gpus, np.int64)), np.sort(np.asarray(mate_gpus, np.int64))
        if (mate is None) != (len(others) == 0):
            raise OptionError(f"mate is {shown(mate)} on {len(others)} GPUs, expected a job and its GPUs, or neither")
        link.put(np.concatenate([own, others]))
        _link.DECISION.pack_into(link.bytes, 16, operator.index(job), fresh + 2 * alone + 4 * idle, 0 if mate is None else operator.index(mate), len(others), 0, 0, 0, 0, 0, 0, *_knobs(knobs))
        link.call(_link.PREDICT)
        return Speed(float(link.numbers[2]), float(link.numbers[3]))

    def start(self, job: int, gpus: Any = None, *, place: str = "any", count: int = 0, lease_s: float = 0.0, **knobs: Any) -> bool:
        """Starts a waiting job on gpus, or where the rule place finds room; False where it finds none.

        count is another number of GPUs for an elastic job, lease_s after what time its GPUs are contested again. Knobs are share_milli, freq_frac, batch,
        accum_steps, cpu_milli, mem_mib, gpu_mib, link_weight, copy_frac, instance and delay_s (docs/explain/kernel.md).
        """
        return self._decide(START, job, gpus, place, count, lease_s, knobs)

    def migrate(self, job: int, gpus: Any = None, *, place: str = "any", lease_s: float = 0.0, **knobs: Any) -> bool:
        """Moves a running job to as many other GPUs; False where the rule finds no other place."""
        return self._decide(MIGRATE, job, gpus, place, 0, lease_s, knobs)

    def resize(self, job: int, gpus: Any = None, *, count: int = 0, place: str = "any", lease_s: float = 0.0, **knobs: Any) -> bool:
        """Gives a running elastic job other GPUs: gpus, or count of them where the rule finds room; False where it finds none."""
        return self._decide(RESIZE, job, gpus, place, count, lease_s, knobs)

    def preempt(self, job: int) -> None:
        """Stops a running job, which waits after its checkpoint. GPUs without a checkpoint to write are free at once."""
        self._decide(PREEMPT, job, None, "any", 0, 0.0, {})

    def renew(self, job: int, lease_s: float = 0.0) -> None:
        """Gives a running job a new lease from now on; 0 = none."""
        self._decide(RENEW, job, None, "any", 0, lease_s, {})

    def tune(self, job: int, **knobs: Any) -> None:
        """Changes knobs of a running job."""
        self._decide(TUNE, job, None, "any", 0, 0.0, knobs)

    def lift(self, job: int) -> None:
        """Takes the GPUs of a running job away for the decisions that follow, among which a migrate or resize gives it others."""
        self._decide(LIFT, job, None, "any", 0, 0.0, {})

    def reject(self, job: int) -> None:
        """Turns a waiting job away for good."""
        self._decide(REJECT, job, None, "any", 0, 0.0, {})

    def wake_at(self, at_s: float, key: int = 0) -> None:
        """Asks for a decision at an instant, as event timer with a key of 0 to 1024. One timer per key: a later call moves it, inf takes it back."""
        self._write(WAKE_AT, 0, 0, _us(at_s, "at_s"), operator.index(key))

    def watch(self, job: int, *, service_s: float | None = None, run_s: float | None = None, done_s: float | None = None) -> None:
        """Asks for an event cross when service (GPU-seconds), running time or work done of a running job reaches a bound; inf takes it back."""
        given = [(i, value) for i, value in enumerate((service_s, run_s, done_s)) if value is not None]
        if len(given) != 1:
            raise OptionError(f"watch of {len(given)} bounds, expected one of service_s, run_s and done_s")
        if given[0][0] == 2:
            self._needs("a watch of done_s", "done")
        self._write(WATCH, job, counter=given[0][0], bound=_us(given[0][1], "the bound"))

    def cordon(self, machine: int) -> None:
        """Keeps the free GPUs of a machine, and GPUs that become free, from being given out."""
        self._write(CORDON, 0, machine=operator.index(machine))

    def uncordon(self, machine: int) -> None:
        """Ends a cordon."""
        self._write(UNCORDON, 0, machine=operator.index(machine))

    def power_off(self, machine: int) -> None:
        """Switches a machine off, which is on and holds no job; its GPUs are then not free.

        Example:
            import tarry

            class Dozing(tarry.Policy):
                def decide(self, view):
                    started = view.fill(view.waiting.job, stop=True)
                    if len(view.waiting) > len(started):
                        for machine in (view.machine_state == 2).nonzero()[0]:
                            view.power_on(machine)
                    else:
                        idle = (view.free == view.cluster.machine_gpus).nonzero()[0]
                        for machine in idle[1:]:  # one stays on
                            view.power_off(machine)

            print(tarry.simulate(trace="synth:demo", cluster="4x4x8", policy=Dozing))
        """
        self._write(POWER_OFF, 0, machine=operator.index(machine))

    def power_on(self, machine: int) -> None:
        """Boots a machine that is off or stopping. When the boot has ended its GPUs are free, with the event ready and the machine as its key."""
        self._write(POWER_ON, 0, machine=operator.index(machine))

    def fill(self, order: Any, *, place: str = "any", stop: bool = False) -> Whole:
        """Starts waiting jobs in an order, as far as there are places; gives the jobs that start.

        A job that finds no place is passed over, with the jobs of the same demand; with stop it ends the call.
        """
        link = self._link
        link.put(order)
        link.at[2], link.at[3] = _rule(place), bool(stop)
        n = link.call(_link.FILL)
        self._note(link.at[3])
        return link.taken(n)

    def rebuild(self, order: Any, *, place: str = "any", preempt: bool = True) -> Rebuilt:
        """Decides of all jobs who runs: down the order each job is chosen that fits, running jobs that are not are preempted.

        The order has all running jobs, and the waiting ones that may start. With a rule of places that refuses free GPUs, a running job gives way only to a
        job before it that starts on its GPUs. A policy that rebuilds does so once in each decision, and starts or preempts no job otherwise.
        """
        link = self._link
        link.put(order)
        link.at[2], link.at[3] = _rule(place), bool(preempt)
        n = link.call(_link.REBUILD)
        starts = link.at[2]
        self._note(link.at[3])
        both = link.taken(n)
        return Rebuilt(both[:starts], both[starts:])

    def _decide(self, kind: int, job: int, gpus: Any, place: str, count: int, lease_s: float, knobs: dict[str, Any]) -> bool:
        lease = _us(lease_s, "lease_s") if lease_s else 0
        set_to = _knobs(knobs) if knobs else UNSET
        if gpus is None:
            return self._write(kind, job, lease, rule=_rule(place), count=operator.index(count), knobs=set_to, depth=3)
        if count:
            raise OptionError("gpus and count are both given, expected one of them")
        self._link.put(np.atleast_1d(np.asarray(gpus, np.int64)))
        return self._write(kind, job, lease, rule=NAMED, knobs=set_to, depth=3)

    def _write(
        self, kind: int, job: int, lease: int = 0, at: int = 0, key: int = 0, counter: int = 0, bound: int = 0, machine: int = 0, rule: int = 0, count: int = 0, knobs: Sequence[Any] = UNSET, depth: int = 2
    ) -> bool:
        link = self._link
        _link.DECISION.pack_into(link.bytes, 16, kind, operator.index(job), lease, at, key, counter, bound, machine, rule, count, *knobs)
        link.call(_link.DECIDE)
        self._note(link.at[3], depth + 1)
        return link.at[2] == 1

    def _note(self, count: int, depth: int = 2) -> None:
        """Remembers which line of the policy decided, for what the simulator refuses later."""
        frame = sys._getframe(depth)
        self._lines.append((count, frame.f_code.co_filename, frame.f_lineno))

    def _line(self, decision: int) -> str:
        """The line that made a decision, by its number."""
        for count, file, line in self._lines:
            if decision < count:
                return f"{file}:{line}"
        return ""


assert _link.DECISION.size == 8 * 21 and FIXED > 23
