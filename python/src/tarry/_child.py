"""A scheduler in a process of its own, for python:MODULE:CLASS as a policy of the command: python3 -m tarry._child MODULE:CLASS,key=value.

Questions come through standard input and answers leave through standard output, as frames (run/pyentry/wire.go). What any code prints goes to
standard error.
"""

from __future__ import annotations

import copy
import json
import signal
import struct
import sys
import traceback
from collections.abc import Sequence
from typing import Any, BinaryIO

import numpy as np

from tarry import _own, _pipe
from tarry._asking import columns
from tarry._link import FIXED, Link
from tarry._names import version
from tarry.errors import OptionError, TarryError
from tarry.policy import Policy
from tarry.view import View

WORD = struct.Struct("<q")


class Piped(Link):
    """The simulator is behind two pipes: words are sent there and back."""

    def __init__(self, policy: str, knows: Sequence[str], questions: BinaryIO, answers: BinaryIO) -> None:
        super().__init__(policy, knows, columns())
        self._questions, self._answers = questions, answers
        self._listed = 0

    def head_of(self, room: int, head: bytes) -> None:
        """Takes the header of a decision, in a buffer of so many words."""
        if len(self.words) < room:
            self.use(np.zeros(room, np.int64))
        self.bytes[: len(head)] = head

    def put(self, numbers: Any) -> None:
        """Writes the list of a request."""
        super().put(numbers)
        self._listed = len(numbers)

    def do(self, op: int) -> None:
        """One operation."""
        _pipe.send(self._answers, b"o", WORD.pack(op) + self.bytes[8 : 8 * (FIXED + self._listed)])
        self._listed = 0
        found = _pipe.receive(self._questions)
        if found is None:
            raise EOFError
        self.bytes[: len(found[1])] = found[1]


class Child:
    """The objects of the runs that ask."""

    def __init__(self, own: _own.Own, questions: BinaryIO, answers: BinaryIO) -> None:
        self._own, self._questions, self._answers = own, questions, answers
        self._runs: dict[int, tuple[Policy, View, Piped]] = {}

    def _begin(self, session: int, policy: Policy) -> tuple[Policy, View, Piped]:
        link = Piped(self._own.name, self._own.knows, self._questions, self._answers)
        self._runs[session] = found = (policy, View(link), link)
        return found

    def decide(self, session: int, room: int, head: bytes) -> None:
        """One decision."""
        policy, view, link = self._runs.get(session) or self._begin(session, self._own.make())
        link.head_of(room, head)
        view._begin()
        try:
            policy.decide(view)
        except Exception as err:
            if hasattr(err, "add_note"):  # Python 3.11 and later
                err.add_note(f"policy {self._own.name} decided at {view.now_s:g} s of its run")
            raise
        finally:
            view._end()
        _pipe.send(self._answers, b"z", b"")

    def serve(self) -> None:
        """Answers until the questions end."""
        while (found := _pipe.receive(self._questions)) is not None:
            kind, body = found
            session, second = WORD.unpack_from(body)[0], WORD.unpack_from(body, 8)[0] if len(body) > 8 else 0
            if kind == b"d":
                self.decide(session, second, body[16:])
            elif kind == b"c":
                self._begin(second, copy.deepcopy(self._runs[session][0]))
                _pipe.send(self._answers, b"z", b"")
            elif kind == b"l":
                _pipe.send(self._answers, b"l", self._runs[session][1]._line(second).encode())
            else:
                self._runs.pop(session, None)


def _told(err: BaseException) -> str:
    """The traceback of what was raised, without the frames around the policy, and without those below it that raise an error of this package."""
    at = err.__traceback__
    while at is not None and at.tb_next is not None and at.tb_frame.f_code.co_filename in (__file__, _own.__file__):
        at = at.tb_next
    frame, last = at, at
    while frame is not None:
        if not str(frame.tb_frame.f_globals.get("__name__")).startswith("tarry."):
            last = frame
        frame = frame.tb_next
    if last is not None and isinstance(err, TarryError):
        last.tb_next = None
    return "".join(traceback.format_exception(type(err), err, at))


def main() -> int:
    """Answers until the questions end; what is raised goes to who asks."""
    _pipe.follow()
    questions, answers = _pipe.private()
    _pipe.here()
    try:
        try:
            own = _own.own(_own.PREFIX + sys.argv[1])
        except OptionError as err:
            _pipe.send(answers, b"r", str(err).encode("utf-8", "replace"))
            return 1
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asks ends this process
        stated = {"version": version(), "knows": list(own.knows), "keys": own.keys(), "source": own.source, "stable": own.stable}
        _pipe.send(answers, b"h", json.dumps(stated).encode())
        Child(own, questions, answers).serve()
    except (BrokenPipeError, EOFError):
        return 1
    except BaseException as err:
        _pipe.send(answers, b"e", _told(err).encode("utf-8", "replace"))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
