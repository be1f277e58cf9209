"""The columns of jobs that a scheduler may read. go test ./run/pypolicy -run TestJobs -update writes this file from run/pypolicy/columns.go."""

from __future__ import annotations

from tarry._table import Real, Table, Whole


class Jobs(Table):
    """Jobs of a view, in the order of arrival: an array of numpy for each column, filled when it is read.

    Arrays belong to the decision: copy what is to be kept. Columns of what a cluster cannot see are absent unless the policy declares
    them (knows); reading one raises UndeclaredError with the declaration. Names that end in _s are seconds, in _us microseconds, which
    are exact.

    Raises: UndeclaredError for a column that the policy did not declare; DecisionError behind the end of the decision.

    Example:
        import tarry

        class Narrow(tarry.Policy):
            def decide(self, view):
                waiting = view.waiting
                view.fill(waiting.job[(waiting.gpus - waiting.wait_s / 3600).argsort(kind="stable")])

        print(tarry.simulate(trace="synth:demo", cluster="4x4x8", policy=Narrow()))
    """

    @property
    def job(self) -> Whole:
        """Number of the job in the run, in the order of arrival."""
        return self._whole(0)

    @property
    def gpus(self) -> Whole:
        """GPUs that the job asks for."""
        return self._whole(1)

    @property
    def width(self) -> Real:
        """GPUs that the job asks for, a share counted as a part of one."""
        return self._real(2)

    @property
    def min_gpus(self) -> Whole:
        """Least GPUs on which the job runs."""
        return self._whole(3)

    @property
    def max_gpus(self) -> Whole:
        """Most GPUs on which the job runs."""
        return self._whole(4)

    @property
    def worker_gpus(self) -> Whole:
        """Size of one worker: numbers of GPUs are its multiples."""
        return self._whole(5)

    @property
    def share_milli(self) -> Whole:
        """Part of each GPU asked for, thousandths; 0 = the whole."""
        return self._whole(6)

    @property
    def cpu_milli(self) -> Whole:
        """CPU asked for per GPU, thousandths of a core; 0 = not stated."""
        return self._whole(7)

    @property
    def mem_mib(self) -> Whole:
        """Host memory asked for per GPU, MiB; 0 = not stated."""
        return self._whole(8)

    @property
    def priority(self) -> Whole:
        """The owner's own priority, larger is more urgent; 0 = none."""
        return self._whole(9)

    @property
    def batch_size(self) -> Whole:
        """Global batch, samples; 0 = not known."""
        return self._whole(10)

    @property
    def gpu_mib(self) -> Whole:
        """Memory needed on each GPU, MiB; 0 = not known, as before the job has run without "profile"."""
        return self._whole(11)

    @property
    def gpu_util_frac(self) -> Real:
        """Part of the time for which the job keeps a GPU busy; 0 = not known, as before it has run without "profile"."""
        return self._real(12)

    @property
    def gpu_type(self) -> Whole:
        """GPU type that the job insists on; no text = any, as codes: names("gpu_type") has the names."""
        return self._whole(13)

    @property
    def model(self) -> Whole:
        """Name of the model; no text = unknown, as codes: names("model") has the names."""
        return self._whole(14)

    @property
    def user(self) -> Whole:
        """Owner; no text = unknown, as codes: names("user") has the names."""
        return self._whole(15)

    @property
    def vc(self) -> Whole:
        """Virtual cluster; no text = unknown, as codes: names("vc") has the names."""
        return self._whole(16)

    @property
    def group(self) -> Whole:
        """Group of the owner; no text = unknown, as codes: names("group") has the names."""
        return self._whole(17)

    @property
    def submit_s(self) -> Real:
        """Arrival, s."""
        return self._real(18)

    @property
    def submit_us(self) -> Whole:
        """Arrival, microseconds; the largest number stands for inf."""
        return self._whole(19)

    @property
    def request_s(self) -> Real:
        """Run time that the user asked for; 0 = unknown, s."""
        return self._real(20)

    @property
    def request_us(self) -> Whole:
        """Run time that the user asked for; 0 = unknown, microseconds; the largest number stands for inf."""
        return self._whole(21)

    @property
    def deadline_s(self) -> Real:
        """Time by which the job should be done; inf = none, s."""
        return self._real(22)

    @property
    def deadline_us(self) -> Whole:
        """Time by which the job should be done; inf = none, microseconds; the largest number stands for inf."""
        return self._whole(23)

    @property
    def since_s(self) -> Real:
        """When the job began to wait, or got its present GPUs, s."""
        return self._real(24)

    @property
    def since_us(self) -> Whole:
        """When the job began to wait, or got its present GPUs, microseconds; the largest number stands for inf."""
        return self._whole(25)

    @property
    def wait_s(self) -> Real:
        """Time since the job began to wait, or got its present GPUs, s."""
        return self._real(26)

    @property
    def wait_us(self) -> Whole:
        """Time since the job began to wait, or got its present GPUs, microseconds; the largest number stands for inf."""
        return self._whole(27)

    @property
    def started_s(self) -> Real:
        """First start; inf before it, s."""
        return self._real(28)

    @property
    def started_us(self) -> Whole:
        """First start; inf before it, microseconds; the largest number stands for inf."""
        return self._whole(29)

    @property
    def run_s(self) -> Real:
        """Time for which the job has run, pauses not counted, s."""
        return self._real(30)

    @property
    def run_us(self) -> Whole:
        """Time for which the job has run, pauses not counted, microseconds; the largest number stands for inf."""
        return self._whole(31)

    @property
    def service_s(self) -> Real:
        """Attained service, GPU time, s."""
        return self._real(32)

    @property
    def service_us(self) -> Whole:
        """Attained service, GPU time, microseconds; the largest number stands for inf."""
        return self._whole(33)

    @property
    def lease_end_s(self) -> Real:
        """End of the present lease; inf = none, s."""
        return self._real(34)

    @property
    def lease_end_us(self) -> Whole:
        """End of the present lease; inf = none, microseconds; the largest number stands for inf."""
        return self._whole(35)

    @property
    def checkpoint_s(self) -> Real:
        """Time for which a preemption now keeps the GPUs busy, s."""
        return self._real(36)

    @property
    def checkpoint_us(self) -> Whole:
        """Time for which a preemption now keeps the GPUs busy, microseconds; the largest number stands for inf."""
        return self._whole(37)

    @property
    def unsaved_s(self) -> Real:
        """Running time since the last checkpoint, s."""
        return self._real(38)

    @property
    def unsaved_us(self) -> Whole:
        """Running time since the last checkpoint, microseconds; the largest number stands for inf."""
        return self._whole(39)

    @property
    def next_checkpoint_s(self) -> Real:
        """Next periodic checkpoint; inf = none, s."""
        return self._real(40)

    @property
    def next_checkpoint_us(self) -> Whole:
        """Next periodic checkpoint; inf = none, microseconds; the largest number stands for inf."""
        return self._whole(41)

    @property
    def preemptions(self) -> Whole:
        """Preemptions so far."""
        return self._whole(42)

    @property
    def held(self) -> Whole:
        """GPUs that the job holds."""
        return self._whole(43)

    @property
    def level(self) -> Whole:
        """Level of the present or last allocation: 0 slot, 1 machine, 2 rack, 3 cluster."""
        return self._whole(44)

    @property
    def state(self) -> Whole:
        """1 waits, 2 runs, 3 writes its checkpoint; another number: it has left."""
        return self._whole(45)

    @property
    def rate(self) -> Real:
        """Present speed of a running job, seconds of one reference GPU per second."""
        return self._real(46)

    @property
    def compute_frac(self) -> Real:
        """Part of the running time spent computing."""
        return self._real(47)

    @property
    def draw_w(self) -> Real:
        """Draw of a running job's GPUs on top of idle, W; nan where the run states no power."""
        return self._real(48)

    @property
    def work_s(self) -> Real:
        """Work of the job, on one reference GPU, s; needs a declaration (knows = ("work",))."""
        return self._real(49, "work_s", "work")

    @property
    def work_us(self) -> Real:
        """Work of the job, on one reference GPU, microseconds; needs a declaration (knows = ("work",))."""
        return self._real(50, "work_us", "work")

    @property
    def left_s(self) -> Real:
        """Work that is left, on one reference GPU, s; needs a declaration (knows = ("work",))."""
        return self._real(51, "left_s", "work")

    @property
    def left_us(self) -> Real:
        """Work that is left, on one reference GPU, microseconds; needs a declaration (knows = ("work",))."""
        return self._real(52, "left_us", "work")

    @property
    def done_s(self) -> Real:
        """Work that is done, on one reference GPU, s; needs a declaration (knows = ("done",))."""
        return self._real(53, "done_s", "done")

    @property
    def done_us(self) -> Real:
        """Work that is done, on one reference GPU, microseconds; needs a declaration (knows = ("done",))."""
        return self._real(54, "done_us", "done")

    @property
    def estimate_s(self) -> Real:
        """Estimated work of the job, on one reference GPU, s; needs a declaration (knows = ("estimate",))."""
        return self._real(55, "estimate_s", "estimate")

    @property
    def estimate_us(self) -> Real:
        """Estimated work of the job, on one reference GPU, microseconds; needs a declaration (knows = ("estimate",))."""
        return self._real(56, "estimate_us", "estimate")

    @property
    def next_mark_s(self) -> Real:
        """Work done at which the speed of a running job changes; inf = none, s; needs a declaration (knows = ("progress",))."""
        return self._real(57, "next_mark_s", "progress")

    @property
    def next_mark_us(self) -> Real:
        """Work done at which the speed of a running job changes; inf = none, microseconds; needs a declaration (knows = ("progress",))."""
        return self._real(58, "next_mark_us", "progress")

    @property
    def iterations(self) -> Whole:
        """Training iterations of the job; 0 = unknown; needs a declaration (knows = ("work",))."""
        return self._whole(59, "iterations", "work")

    @property
    def iter_s(self) -> Real:
        """Time of one iteration on one GPU, s; 0 = unknown; needs a declaration (knows = ("done",))."""
        return self._real(60, "iter_s", "done")
