"""What writes an action into the buffer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium import spaces
from tarry import _spaces
from tarry.errors import InvalidAction

BOX = spaces.Box(-1, 1, (3,), np.float64)
VALUES = np.array([0.5, -0.25, 1.0])


def frozen() -> Any:
    value = VALUES.copy()
    value.flags.writeable = False
    return value


@pytest.mark.parametrize(
    "action",
    [VALUES, VALUES.astype(np.float32), VALUES.astype(">f8"), np.repeat(VALUES, 2)[::2], VALUES[::-1].copy()[::-1], frozen(), list(VALUES), np.ma.masked_array(VALUES), memoryview(VALUES)],
    ids=["float64", "float32", "other byte order", "strided", "reversed", "read-only", "list", "masked", "memoryview"],
)
def test_each_kind_of_array_is_written_alike(action: Any) -> None:
    row = np.full(3, 9.0)
    _spaces.writer(BOX, (), row)(action)
    assert row.tolist() == VALUES.tolist()


@pytest.mark.parametrize("action", [VALUES[:2], np.zeros(4), VALUES[None], VALUES[:, None], np.float64(0.5), np.array(0.5), VALUES > 0, VALUES * 1j, None, "abc"], ids=str)
def test_what_is_no_action_is_refused_and_not_written(action: Any) -> None:
    row = np.full(3, 9.0)
    with pytest.raises(InvalidAction, match=r"expected real numbers of shape \(3,\)"):
        _spaces.writer(BOX, (), row)(action)
    assert row.tolist() == [9.0] * 3


def test_a_batch_is_written_by_rows() -> None:
    rows = np.full((2, 3), 9.0)
    _spaces.writer(BOX, (2,), rows)(np.stack([VALUES, -VALUES]))
    assert rows.tolist() == [VALUES.tolist(), (-VALUES).tolist()]
    with pytest.raises(InvalidAction):
        _spaces.writer(BOX, (2,), rows)(VALUES)
