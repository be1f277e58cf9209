"""Schedulers that switch machines off and on: states, boots, free GPUs, refusals; and the example in the page of View."""

from __future__ import annotations

import inspect
import math
from typing import Any

import numpy as np
import pytest
import tarry
from tarry.errors import DecisionError, OptionError, UndeclaredError
from tarry.view import MACHINE_STATES, View

pytest.importorskip("pyarrow")
pytest.importorskip("pandas")

APART = {"id": ["a", "b"], "submit_s": [0.0, 500.0], "gpus": [2, 4], "work_s": [200.0, 400.0]}
ONE: dict[str, Any] = {"trace": APART, "cluster": "1x1x4", "speed": "counting"}


class Watched(tarry.Policy):
    """First in, first out; an idle machine is switched off at the end of each instant, and booted when a job waits."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def decide(self, view: View) -> None:
        view.fill(view.waiting.job, stop=True)
        self.seen.append((view.now_s, [(e.kind, e.key) for e in view.events], view.machine_state.tolist(), view.ready_at_s.tolist()))
        for machine in (view.free == view.cluster.machine_gpus).nonzero()[0]:
            view.power_off(machine)
            assert view.free[machine] == 0
            assert not len(view.waiting) or view.place(view.waiting.job[0]) is None
        if len(view.waiting) and view.free.sum() == 0 and not (view.machine_state == MACHINE_STATES.index("booting")).any():
            for machine in (view.machine_state == MACHINE_STATES.index("off")).nonzero()[0]:
                view.power_on(machine)
        assert math.isnan(view.watts) and np.isnan(view.running.draw_w).all()
        assert all(math.isnan(x) for x in view.prices())


class Kept(Watched):
    kept: list[Any]

    def decide(self, view: View) -> None:
        super().decide(view)
        Kept.kept = self.seen


def test_off_and_on() -> None:
    """Without watts a boot takes a microsecond: the second job, which finds its machine off, waits so long."""
    found = tarry.simulate(**ONE, policy=Kept(), tables=("jobs",)).to_pandas("jobs")
    assert np.round(1e6 * found.end_s).tolist() == [100_000_000, 600_000_001]
    assert [at for at, *_ in Kept.kept] == [0, 100, 500, 500.000001, 600.000001]
    assert [states for _, _, states, _ in Kept.kept] == [[0], [0], [2], [0], [0]]
    assert ("ready", 0) in Kept.kept[3][1] and all(math.isinf(ready[0]) for *_, ready in Kept.kept)


class Refused(tarry.Policy):
    def __init__(self, how: str) -> None:
        self.how = how

    def decide(self, view: View) -> None:
        view.fill(view.waiting.job)
        if self.how == "on":
            view.power_on(0)
        elif self.how == "busy":
            view.power_off(0)
        elif self.how == "none":
            view.power_off(7)
        elif self.how == "ahead":
            view.prices(view.now_s + 1)
        else:
            view.prices(math.nan)


@pytest.mark.parametrize(
    "how,kind,said",
    [
        ("on", DecisionError, "power-on of machine 0: the machine is on, expected one that is off or stopping.*decided at .*test_power.py:"),
        ("busy", DecisionError, "power-off of machine 0: job .* holds GPU 0 of the machine, expected one without jobs"),
        ("none", DecisionError, "machine 7, expected 0..0"),
        ("ahead", UndeclaredError, r'prices to come is not declared by .*expected knows = \(.series.,\)'),
        ("nan", OptionError, "at_s is nan, expected seconds"),
    ],
)
def test_refusals(how: str, kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=said):
        tarry.simulate(**ONE, policy=Refused(how))


class Ahead(Refused):
    knows = ("series",)


def test_series() -> None:
    """Prices to come are open to a policy that declares them; tables state so."""
    found = tarry.simulate(**ONE, policy=Ahead("ahead"), tables=("trials",)).to_pandas("trials")
    assert found.knows.tolist() == ["series"]


def test_example(capsys: pytest.CaptureFixture[str]) -> None:
    """The example of power_off runs."""
    doc = inspect.getdoc(View.power_off) or ""
    _, mark, example = doc.partition("\nExample:\n")
    assert mark
    exec(compile(inspect.cleandoc(example), "power_off", "exec"), {"__name__": "__example__"})  # noqa: S102
    assert "Dozing" in capsys.readouterr().out
