"""Where Go writes observations: into memory that nothing refers to, so that they need no copy."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from tarry import _spaces

Show = Callable[[], Any]

# A count of references has the program's own as well: so CPython with its lock.
COUNTED = sys.implementation.name == "cpython" and getattr(sys, "_is_gil_enabled", lambda: True)()


def turner(of: spaces.Space[Any], columns: dict[str, NDArray[Any]], copy: bool, shown: Show) -> Callable[[], Show]:
    """What is called before each step of one environment: it gives what shows the observation after the step.

    shown shows the column obs. With copy, what has been shown stays as it is for as long as the program refers to a part of it.
    """
    if not copy or "slot" not in columns or not COUNTED:
        return lambda: shown
    cell: Any = memoryview(columns["slot"][0])
    one, show_one = _slot(of, columns["obs_1"][0])
    two, show_two = _slot(of, columns["obs_2"][0])
    if show_one is None or show_two is None:
        return lambda: shown
    count, free_one, free_two = sys.getrefcount, 0, 0

    def turn() -> Show:
        if count(one) == free_one and cell[0] != 1:
            cell[0] = 1
            return show_one
        if count(two) == free_two:
            cell[0] = 2
            return show_two
        if count(one) == free_one:
            return show_one
        cell[0] = 0
        return shown

    def begin() -> None:  # counts as turn does
        nonlocal free_one, free_two
        free_one, free_two = count(one), count(two)

    begin()
    return turn


def _slot(of: spaces.Space[Any], row: NDArray[np.float64]) -> tuple[NDArray[np.float64], Show | None]:
    """An array that all views of the slot refer to, and what makes such views; None where values are not views."""
    owner = np.frombuffer(memoryview(row), np.float64)  # type: ignore[arg-type]
    # Its base is no array: views of views refer to it, not to the whole buffer.
    value = _spaces.live(of, (), owner)
    if isinstance(value, np.ndarray):
        return owner, value.view
    if isinstance(value, dict) and all(isinstance(part, np.ndarray) for part in value.values()):
        return owner, _named([(name, part.view) for name, part in value.items()])
    return owner, None


def _named(parts: list[tuple[str, Show]]) -> Show:
    return lambda: {name: part() for name, part in parts}
