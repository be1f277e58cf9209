"""Calls of the library that ask back: what is raised meanwhile ends the call and comes out as it is."""

from __future__ import annotations

import contextlib
import copy
import ctypes
import functools
import json
import re
import sys
import threading
from collections.abc import Iterator, Sequence
from typing import Any

from tarry import _library
from tarry._link import Direct
from tarry._own import Own
from tarry.errors import BY_STATUS, DecisionError, FaultError
from tarry.policy import Policy
from tarry.view import View

DECIDE = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int)
ALIVE = ctypes.CFUNCTYPE(None)
REFUSED = re.compile(r"\bdecision (\d+), [a-z-]+ of ")


@functools.cache
def columns() -> list[dict[str, Any]]:
    """The columns of jobs, from the library."""
    lib, out = _library.library(), ctypes.c_void_p()
    if lib.tarry_columns(ctypes.byref(out)):
        raise FaultError(_library.take(lib, out))
    found: list[dict[str, Any]] = json.loads(_library.take(lib, out))
    return found


class Asking:
    """A call that may ask schedulers of Python to decide."""

    def __init__(self, own: Sequence[Own]) -> None:
        self._own = own
        self.raised: BaseException | None = None
        self.said = ctypes.c_int()
        self.decide, self.alive = DECIDE(self._decide), ALIVE(self._wait)
        self._sessions: dict[int, tuple[Policy, View, Direct]] = {}
        self._last: View | None = None

    def fail(self, status: int, said: str) -> None:
        """Raises what ended a call."""
        if self.raised is not None:
            raise self.raised
        if status:
            refused = REFUSED.search(said)
            if refused and self._last is not None:
                line = self._last._line(int(refused[1]))
                raise DecisionError(f"{said}{f'; decided at {line}' if line else ''}")
            raise BY_STATUS.get(status, FaultError)(said)

    def _decide(self, policy: int, session: int, source: int, words: int) -> None:
        try:
            if words == 0:
                self._sessions.pop(session, None)
            elif source >= 0:
                self._sessions[session] = self._begun(policy, session, copy.deepcopy(self._sessions[source][0]) if source in self._sessions else self._own[policy].make())
            else:
                found = self._sessions.get(session)
                if found is None:
                    found = self._sessions[session] = self._begun(policy, session, self._own[policy].make())
                scheduler, view, link = found
                link.room(words)
                view._begin()
                self._last = view
                try:
                    scheduler.decide(view)
                finally:
                    view._end()
        except BaseException as err:
            self._note(err, policy, session)
            self.raised = err
        else:
            self.said.value = 1

    def _begun(self, policy: int, session: int, scheduler: Policy) -> tuple[Policy, View, Direct]:
        own = self._own[policy]
        link = Direct(own.name, own.knows, columns(), _library.library(), session)
        return scheduler, View(link), link

    def _note(self, err: BaseException, policy: int, session: int) -> None:
        if session in self._sessions and hasattr(err, "add_note"):  # Python 3.11 and later
            err.add_note(f"policy {self._own[policy].name} decided at {self._sessions[session][1].now_s:g} s of its run")

    def _wait(self) -> None:
        self.said.value = int(self.raised is None)

    @contextlib.contextmanager
    def escapes(self) -> Iterator[None]:
        """What is raised between the lines of a callback, by Ctrl-C, is lost to ctypes but for this hook. Signals are of the main thread alone."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        was = sys.unraisablehook

        def note(lost: sys.UnraisableHookArgs) -> None:
            if getattr(lost.object, "__self__", None) is self:
                self.raised, self.said.value = lost.exc_value, 0
            else:
                was(lost)

        sys.unraisablehook = note
        try:
            yield
        finally:
            sys.unraisablehook = was


def play(request: dict[str, Any], jobs: bytes | None, own: Sequence[Own]) -> tuple[int, dict[str, Any]]:
    """Runs a request with schedulers of Python to its end, in this thread; gives the handle of its tables and the report."""
    lib, call = _library.library(), Asking(own)
    handle, out = ctypes.c_size_t(), ctypes.c_void_p()
    text = _library.encoded({**request, "own": [one.request() for one in own]})
    with call.escapes():
        status = lib.tarry_play(text, jobs, len(jobs or b""), call.decide, call.alive, call.said, ctypes.byref(handle), ctypes.byref(out))
    said = _library.take(lib, out)
    call.fail(status, said)
    return handle.value, json.loads(said)
