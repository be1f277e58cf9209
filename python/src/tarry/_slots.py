"""Where Go writes observations: into memory that nothing refers to, so that they need no copy."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from tarry import _spaces
from tarry._spaces import Parts

# A count of references has the program's own as well: so CPython with its lock.
COUNTED = sys.implementation.name == "cpython" and getattr(sys, "_is_gil_enabled", lambda: True)()


Finish = TypeVar("Finish")


def turner(of: spaces.Space[Any], lead: tuple[int, ...], columns: dict[str, NDArray[Any]], copy: bool, shown: Parts, make: Callable[[Parts], Finish]) -> Callable[[], Finish]:
    """What is called before each step: it gives what finishes the step, as make makes it of what shows an observation.

    lead is the number of environments of a vector. shown shows the column obs. With copy, what has been shown stays as it is for as long as the program refers to a part of it.
    """
    finish = make(shown)
    if not copy or "slot" not in columns or not COUNTED:
        return lambda: finish
    cell: Any = memoryview(columns["slot"][0])
    one, views_one = _slot(of, lead, columns["obs_1"])
    two, views_two = _slot(of, lead, columns["obs_2"])
    if views_one is None or views_two is None:
        return lambda: finish
    finish_one, finish_two = make(views_one), make(views_two)
    count, free_one, free_two, latest = sys.getrefcount, 0, 0, 0

    def turn() -> Finish:
        nonlocal latest
        if latest != 1 and count(one) == free_one:
            cell[0] = latest = 1
            return finish_one
        if count(two) == free_two:
            cell[0] = latest = 2
            return finish_two
        if count(one) == free_one:
            cell[0] = 1
            return finish_one
        cell[0] = latest = 0
        return finish

    def begin() -> None:  # counts as turn does
        nonlocal free_one, free_two
        free_one, free_two = count(one), count(two)

    begin()
    return turn


def _slot(of: spaces.Space[Any], lead: tuple[int, ...], rows: NDArray[np.float64]) -> tuple[NDArray[np.float64], Parts | None]:
    """An array that all views of the slot refer to, and what makes such views; None where values are not views."""
    owner = np.frombuffer(memoryview(rows), np.float64)  # type: ignore[arg-type]
    # Its base is no array: views of views refer to it, not to the whole buffer.
    return owner, _spaces.parts(_spaces.live(of, lead, owner.reshape(*lead, -1)), "view")
