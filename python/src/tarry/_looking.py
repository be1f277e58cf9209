"""The state of an environment's run, as a scheduler sees it, to look at between calls."""

from __future__ import annotations

import ctypes
import json
import weakref
from collections.abc import Sequence

from tarry import _library
from tarry._asking import columns
from tarry._group import Group
from tarry._link import Direct
from tarry.view import View


class Looking(Direct):
    """One environment of a group, by some permissions."""

    def __init__(self, group: Group, i: int, knows: Sequence[str]) -> None:
        group.alive()
        session = ctypes.c_size_t()
        group.check(group.lib.tarry_watch(group.handle, i, json.dumps(list(knows)).encode(), ctypes.byref(session)))
        super().__init__(group.spec["id"], knows, columns(), group.lib, session.value)
        self._group, self._i = group, i
        self._finalizer = weakref.finalize(self, _end, group.lib, session.value)
        self.view = View(self)

    def look(self) -> View:
        """The view of the present state; it ends with the next call of look."""
        words = ctypes.c_size_t()
        self._group.alive()
        self._group.check(self._group.lib.tarry_look(self._group.handle, self._i, self._session, ctypes.byref(words)))
        jobs = self.head[7]
        self.room(words.value)
        self.view._begin()
        if self.head[7] != jobs:  # another workload: columns have another length, and so have the codes of names
            self._kept.clear()
        return self.view


def _end(lib: ctypes.CDLL, session: int) -> None:
    if not _library.forked():
        lib.tarry_unwatch(session)


class Lookers:
    """The views of a group that have been asked for."""

    def __init__(self, group: Group) -> None:
        self._group = group
        self._open: dict[tuple[int, tuple[str, ...]], Looking] = {}

    def view(self, i: int, knows: Sequence[str]) -> View:
        """The view of environment i; a text is one permission."""
        names = (knows,) if isinstance(knows, str) else tuple(knows)
        found = self._open.get((i, names))
        if found is None:
            found = self._open[i, names] = Looking(self._group, i, names)
        return found.look()
