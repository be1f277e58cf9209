"""The way from a view to the simulator: numbered operations on words of 64 bits (run/pypolicy/ops.go)."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tarry.errors import DecisionError

HEADER, COLUMN, OF, NAMES, IDS, EVENTS, HELD, PLACE, DECIDE, FILL, REBUILD, PREDICT, FREE, SHARES, DESCRIBE, HISTORY, PRICES, MACHINES = range(18)
FIXED = 32  # words before a list
OPENED_BY = {"done": ("done", "work", "progress")}  # who may read the columns of a declaration, where others may too
DECISION = struct.Struct("=10q qddqqqqddqq")  # words 2 to 22 of a decision: run/pypolicy/decide.go

Words = NDArray[np.int64]


class Link:
    """One session: a policy in one run. What it reads is kept for a decision; begin() opens the next."""

    def __init__(self, policy: str, knows: Sequence[str], columns: Sequence[dict[str, Any]]) -> None:
        self.policy = policy
        self.knows = tuple(knows)
        self.opens = {one for one in ("done", "estimate", "work", "history", "speed", "progress", "profile", "series") if any(k in knows for k in OPENED_BY.get(one, (one,)))}
        self.coded = {c["name"]: i for i, c in enumerate(columns) if c["coded"]}
        self.open = False
        self.counts = [0, 0]
        self.head: list[int] = [0] * 8
        self._names: dict[int, list[str]] = {}
        self.use(np.zeros(FIXED + 512, np.int64))

    def use(self, words: Words) -> None:
        """Takes the buffer in which operations are written and read."""
        self.words = words
        self.numbers = words.view(np.float64)
        self.at = words.data
        self.bytes = words.data.cast("B")

    def begin(self) -> None:
        """Reads the header, with which a decision begins."""
        self.head = self.at[1:9].tolist()
        self.counts = self.head[1:3]
        self.open = True

    def do(self, op: int) -> None:
        """One operation; what it wrote is in words."""
        raise NotImplementedError

    def call(self, op: int) -> int:
        """One operation; the length of the list that it wrote."""
        if not self.open:
            raise DecisionError("the decision is over, expected a view inside decide, and copies of arrays that are kept")
        self.do(op)
        at = self.at
        if at[0]:
            raise DecisionError(self._text())
        return at[1]

    def _text(self) -> str:
        return bytes(self.bytes[8 * FIXED : 8 * FIXED + self.at[1]]).decode("utf-8", "replace")

    def taken(self, n: int) -> Words:
        """A copy of the list that an operation wrote."""
        return self.words[FIXED : FIXED + n].copy()

    def put(self, numbers: Any) -> None:
        """Writes the list of a request."""
        n = len(numbers)
        if n > len(self.words) - FIXED:
            raise DecisionError(f"a list of {n}, expected at most one entry for each job of the run")
        self.at[1] = n
        self.words[FIXED : FIXED + n] = numbers

    def column(self, table: int, number: int, real: bool) -> Any:
        """A column of the jobs that wait (0) or run (1)."""
        at = self.at
        at[1], at[2], at[3] = table, number, 0
        found = self.taken(self.call(COLUMN))
        return found.view(np.float64) if real else found

    def listed(self, number: int, real: bool, jobs: Words) -> Any:
        """A column of listed jobs."""
        self.put(jobs)
        self.at[2] = number
        self.call(OF)
        found = self.taken(len(jobs))
        return found.view(np.float64) if real else found

    def ids(self, jobs: Words) -> list[str]:
        """Names of jobs in the trace."""
        out: list[str] = []
        while len(out) < len(jobs):
            self.put(jobs[len(out) :])
            self.call(IDS)
            out += json.loads(self._text())
        return out

    def names(self, number: int) -> list[str]:
        """Names behind the codes of a column, as far as there are any."""
        known = self._names.setdefault(number, [])
        while True:
            self.at[2], self.at[3] = number, len(known)
            self.call(NAMES)
            more = json.loads(self._text()) or []
            known += more
            if not more:
                return known

    def json(self, op: int) -> Any:
        """What an operation gives as JSON."""
        self.call(op)
        return json.loads(self._text())


class Direct(Link):
    """The simulator is in this process: columns are in memory that both reach."""

    def __init__(self, policy: str, knows: Sequence[str], columns: Sequence[dict[str, Any]], lib: Any, session: int) -> None:
        super().__init__(policy, knows, columns)
        self._view = lib.tarry_view
        self._bind = lib.tarry_view_bind
        self._session = session
        self._bound = 0
        self._kept: dict[int, tuple[Any, int]] = {}

    def room(self, words: int) -> None:
        """Gives the session a buffer of so many words, once."""
        if self._bound < words:
            self.use(np.zeros(words, np.int64))
            self._bind(self._session, self.words.ctypes.data, words)
            self._bound = words

    def do(self, op: int) -> None:
        """One operation."""
        self._view(self._session, op)

    def column(self, table: int, number: int, real: bool) -> Any:
        """A column that Go keeps from one decision to the next."""
        key = 2 * number + table
        kept = self._kept.get(key)
        if kept is None:
            array: Any = np.empty(max(1, self.head[7]), np.float64 if real else np.int64)
            kept = self._kept[key] = (array, array.ctypes.data)
            array.flags.writeable = False
        at = self.at
        at[1], at[2], at[3], at[4] = table, number, kept[1], len(kept[0])
        return kept[0][: self.call(COLUMN)]
