"""What the columns of jobs have in common: where they come from, and what is declared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tarry._checked import shown
from tarry.errors import OptionError, UndeclaredError

if TYPE_CHECKING:
    from tarry._link import Link

Whole: TypeAlias = NDArray[np.int64]
Real: TypeAlias = NDArray[np.float64]


class Table:
    """Jobs that wait, that run, or that are listed, and the columns of them that were read in this decision."""

    def __init__(self, link: Link, which: int, listed: Whole | None = None) -> None:
        self._link = link
        self._which = which
        self._listed = listed
        self._read: dict[int, Whole | Real] = {}

    def __len__(self) -> int:
        return len(self._listed) if self._listed is not None else self._link.counts[self._which]

    def _column(self, number: int, real: bool) -> Whole | Real:
        found = self._read.get(number)
        if found is None:
            found = self._link.column(self._which, number, real) if self._listed is None else self._link.listed(number, real, self._listed)
            self._read[number] = found
        return found

    def _whole(self, number: int, name: str = "", needs: str = "") -> Whole:
        if needs:
            self._declared(name, needs)
        return self._column(number, False)  # type: ignore[return-value]

    def _real(self, number: int, name: str = "", needs: str = "") -> Real:
        if needs:
            self._declared(name, needs)
        return self._column(number, True)  # type: ignore[return-value]

    def _declared(self, name: str, needs: str) -> None:
        link = self._link
        if needs not in link.opens:
            declared = ", ".join(repr(one) for one in (*link.knows, needs))
            raise UndeclaredError(f"{name} is not declared by {link.policy}, expected knows = ({declared},) in the class: a table then states that the policy reads it")

    @property
    def id(self) -> list[str]:
        """Names of the jobs in the trace."""
        return self._link.ids(self._whole(0))

    def names(self, column: str) -> Sequence[str]:
        """Names behind the codes of gpu_type, model, user, vc or group: names("model")[code]."""
        number = self._link.coded.get(column)
        if number is None:
            raise OptionError(f"{shown(column)} has no names, expected one of {', '.join(self._link.coded)}")
        return self._link.names(number)
